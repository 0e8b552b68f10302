import type { AlgorithmParams } from '../algorithms.ts'
import type { Bytes } from '../backend.ts'
import { type BytesInput, toBytes, toHex } from '../bytes.ts'
import { changedLength, noMemory } from '../cipher/base.ts'
import { AeadError } from '../errors.ts'
import { KEY_ID_BYTES, type KeyRecord, keyIdBytes } from '../keys.ts'

/**
 * How a sealer lays out what it returns.
 * - `box`: `version(1) || keyId(8) || nonce || sealed`, with the first 9 bytes prefixed to the AAD.
 * - `bare`: `nonce || sealed`, with the AAD as given.
 *
 * Neither names the algorithm: trusting a name found in the data repeats a known class of bug.
 */
export type BoxFormat = 'box' | 'bare'

/** First byte of a box. */
const BOX_VERSION = 1

/** Bytes before the nonce in a box: version and key id. They are authenticated as AAD. */
export const BOX_HEADER_BYTES: number = 9

/** Version and key id of the record, as they stand in front of each box. */
export function boxHeader(record: KeyRecord): Bytes {
  const header = new Uint8Array(BOX_HEADER_BYTES)
  header[0] = BOX_VERSION
  header.set(keyIdBytes(record), 1)
  return header
}

/**
 * The AAD the cipher sees: header, then the caller's. Reuses `header` when there is nothing to add.
 * @throws AeadError `invalid-argument` when shared memory grew meanwhile, `backend-failed` for want of memory.
 */
export function boundAad(header: Uint8Array, aad: Uint8Array): Uint8Array {
  if (aad.length === 0) return header
  if (header.length === 0) return aad
  const bytes = header.length + aad.length
  try {
    const bound = new Uint8Array(bytes)
    bound.set(header)
    bound.set(aad, header.length)
    return bound
  } catch (error) {
    throw header.length + aad.length === bytes ? noMemory(bytes, error) : changedLength('aad')
  }
}

/**
 * Checks everything about a box that is public: length, version, key id.
 * @returns how many bytes of plaintext are in it.
 * @throws AeadError `invalid-argument`.
 */
export function plaintextBytes(
  box: Uint8Array,
  header: Uint8Array,
  params: AlgorithmParams,
  keyId: string,
): number {
  const boxBytes = box.length
  const least = header.length + params.nonceBytes + params.tagBytes
  if (boxBytes < least) {
    throw new AeadError(
      'invalid-argument',
      `sealed data too short: ${params.id} needs at least ${least} bytes here, got ${boxBytes}`,
      { details: { minBytes: least, actualBytes: boxBytes } },
    )
  }
  for (let i = 0; i < header.length; i++) if (box[i] !== header[i]) throw otherBox(box, keyId)
  return boxBytes - least
}

/** A box whose first bytes are not this sealer's. */
function otherBox(box: Uint8Array, keyId: string): AeadError {
  const boxKey = boxKeyId(box)
  return new AeadError(
    'invalid-argument',
    `this box was sealed under key ${boxKey}, this sealer holds key ${keyId}`,
    { details: { boxKeyId: boxKey, keyId } },
  )
}

/**
 * The key id a box says it was sealed under: 16 hexadecimal digits, to find the key with. Not authenticated until the
 * box is opened with that key.
 * @throws AeadError `invalid-argument` when it is too short or of another version.
 */
export function boxKeyId(box: BytesInput): string {
  const bytes = toBytes(box, 'box')
  if (bytes.length < BOX_HEADER_BYTES) {
    throw new AeadError(
      'invalid-argument',
      `sealed data too short: a box begins with ${BOX_HEADER_BYTES} header bytes, got ${bytes.length}`,
      { details: { minBytes: BOX_HEADER_BYTES, actualBytes: bytes.length } },
    )
  }
  if (bytes[0] !== BOX_VERSION) {
    throw new AeadError('invalid-argument', `box version ${bytes[0]} is not known, expected ${BOX_VERSION}`, {
      details: { version: bytes[0] },
    })
  }
  return toHex(bytes.subarray(1, 1 + KEY_ID_BYTES))
}
