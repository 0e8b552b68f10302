/// <reference lib="esnext.disposable" preserve="true" />
import { type AlgorithmId, isAlgorithmId } from './algorithms.ts'
import type { Bytes } from './backend.ts'
import { type BytesInput, copyOf, fromHex, toBytes, toHex } from './bytes.ts'
import { checkedKey } from './cipher/base.ts'
import { paramsOf } from './define.ts'
import { AeadError, isAeadError } from './errors.ts'
import type { KeyState } from './key-state.ts'
import { kindOf, readOptions } from './names.ts'
import { randomBytes } from './random.ts'

/** Length of a key id in bytes. */
export const KEY_ID_BYTES = 8

/**
 * Key bytes with their algorithm and a key id. The secret is not a property: it appears in no JSON, log or inspection,
 * and leaves only through `encodeKey` (or `exportKey` of `@aeadkit/core/unsafe`).
 */
export interface KeyRecord {
  /** The only algorithm this key is for. */
  readonly algorithm: AlgorithmId
  /** 16 hexadecimal digits, drawn at random with the key, never derived from it. Metering counts by this id. */
  readonly keyId: string
  /** Algorithm and key id, never the secret. */
  toJSON(): { algorithm: AlgorithmId; keyId: string }
  /** Wipes the secret; sealers made before keep working with their own copy until they are destroyed. */
  destroy(): void
  /** The same as `destroy`, for `using`. */
  [Symbol.dispose](): void
}

// Registered symbols reach the record of another loaded copy of this package, where a private field would not.
const SECRET: unique symbol = /* @__PURE__ */ Symbol.for('aeadkit.key.secret') as never
const STATE: unique symbol = /* @__PURE__ */ Symbol.for('aeadkit.key.state') as never

// In a function: bundlers keep an unused class with computed names, because evaluating the names might do something.
const KeyRecordObject = /* @__PURE__ */ (() =>
  class KeyRecordObject implements KeyRecord {
    readonly algorithm: AlgorithmId
    readonly keyId: string
    #secret: Bytes | undefined
    readonly #state: KeyState = {
      counters: new Map(),
      fields: new Map(),
      meter: undefined,
      counted: undefined,
    }

    constructor(algorithm: AlgorithmId, keyId: string, secret: Bytes) {
      this.algorithm = algorithm
      this.keyId = keyId
      this.#secret = secret
      Object.freeze(this)
    }

    toJSON(): { algorithm: AlgorithmId; keyId: string } {
      return { algorithm: this.algorithm, keyId: this.keyId }
    }

    destroy(): void {
      this.#secret?.fill(0)
      this.#secret = undefined
    }

    [Symbol.dispose](): void {
      this.destroy()
    }

    [SECRET](): Bytes {
      if (this.#secret === undefined)
        throw new AeadError('destroyed', 'this key record was used after destroy()')
      return copyOf(this.#secret)
    }

    [STATE](): KeyState {
      return this.#state
    }
  })()

type Internals = Partial<{ [SECRET](): Bytes; [STATE](): KeyState }>

function internalsOf(record: unknown): Required<Internals> {
  const candidate = (typeof record === 'object' && record !== null ? record : {}) as Internals
  if (typeof candidate[SECRET] === 'function' && typeof candidate[STATE] === 'function') {
    return candidate as Required<Internals>
  }
  throw new AeadError(
    'invalid-argument',
    `expected a key record (from generateKey, importKey or decodeKey), got ${kindOf(record)}`,
  )
}

/** A proxy or an heir of a record has its methods but not its private fields. */
function ofRecord<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isAeadError(error)) throw error
    throw new AeadError('invalid-argument', 'expected a key record itself, got an object that wraps one')
  }
}

/** A copy of the secret; the caller wipes it. @throws AeadError `invalid-argument`, `destroyed`. */
export function secretOf(record: unknown): Bytes {
  return ofRecord(() => internalsOf(record)[SECRET]())
}

/** What all sealers of the record share. @throws AeadError `invalid-argument`. */
export function stateOf(record: unknown): KeyState {
  return ofRecord(() => internalsOf(record)[STATE]())
}

/**
 * A new random key.
 * @param algorithm - an id of `ALGORITHMS`; the key has exactly its `keyBytes`.
 * @throws AeadError `invalid-argument`.
 */
export function generateKey(algorithm: AlgorithmId): KeyRecord {
  const params = paramsOf(algorithm)
  return new KeyRecordObject(params.id, toHex(randomBytes(KEY_ID_BYTES)), randomBytes(params.keyBytes))
}

/** What {@link importKey} takes. */
export interface KeyMaterial {
  /** An id of `ALGORITHMS`. */
  readonly algorithm: AlgorithmId
  /** 16 hexadecimal digits or 8 bytes. The same key must always come with the same id: usage is counted by it. */
  readonly keyId: string | BytesInput
  /** Exactly `keyBytes` bytes, uniformly random; copied. */
  readonly secret: BytesInput
}

/**
 * A record for key bytes that exist already.
 * @throws AeadError `invalid-argument` for a wrong algorithm, id, length or field name.
 */
export function importKey(material: KeyMaterial): KeyRecord {
  if (material === undefined)
    throw new AeadError('invalid-argument', 'importKey needs { algorithm, keyId, secret }')
  const { algorithm, keyId, secret } = readOptions(material, ['algorithm', 'keyId', 'secret'], 'importKey')
  const params = paramsOf(algorithm)
  return new KeyRecordObject(params.id, normalKeyId(keyId), checkedKey(params, secret))
}

const KEY_ID = /^[0-9a-f]{16}$/

function normalKeyId(keyId: unknown): string {
  if (typeof keyId === 'string') {
    if (KEY_ID.test(keyId)) return keyId
    throw new AeadError('invalid-argument', 'keyId must be 16 lower-case hexadecimal digits')
  }
  const bytes = toBytes(keyId, 'keyId')
  if (bytes.length === KEY_ID_BYTES) return toHex(bytes)
  throw new AeadError('invalid-argument', `keyId must be ${KEY_ID_BYTES} bytes, got ${bytes.length}`)
}

const TEXT_PREFIX = 'aeadkit-key:1:'

/**
 * The text form of a record: `aeadkit-key:1:<algorithm>:<key id>:<secret in base64url>:<CRC-32>`. It contains the
 * secret. The checksum only catches slips of the pen.
 * @throws AeadError `invalid-argument`, `destroyed`.
 */
export function encodeKey(record: KeyRecord): string {
  const secret = secretOf(record)
  try {
    const body = `${TEXT_PREFIX}${record.algorithm}:${record.keyId}:${toBase64Url(secret)}`
    return `${body}:${checksum(body)}`
  } finally {
    secret.fill(0)
  }
}

/**
 * Reads what {@link encodeKey} wrote; surrounding white space is ignored.
 * @throws AeadError `invalid-argument`; the message never repeats the text.
 */
export function decodeKey(text: string): KeyRecord {
  if (typeof text !== 'string')
    throw new AeadError('invalid-argument', `a key text must be a string, got ${kindOf(text)}`)
  const trimmed = text.trim()
  if (!trimmed.startsWith(TEXT_PREFIX)) throw badText(`it does not begin with ${TEXT_PREFIX}`)
  const parts = trimmed.split(':')
  if (parts.length !== 6) throw badText(`it has ${parts.length} fields instead of 6`)
  const [, , algorithm, keyId, encoded, check] = parts as [string, string, string, string, string, string]
  if (!isAlgorithmId(algorithm)) throw badText('its algorithm is not known')
  if (!KEY_ID.test(keyId)) throw badText('its key id is not 16 lower-case hexadecimal digits')
  if (checksum(trimmed.slice(0, trimmed.lastIndexOf(':'))) !== check)
    throw badText('its checksum does not match')
  const secret = fromBase64Url(encoded)
  try {
    return importKey({ algorithm, keyId, secret })
  } finally {
    secret.fill(0)
  }
}

function badText(why: string): AeadError {
  return new AeadError('invalid-argument', `not a key text of encodeKey: ${why}`)
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Bytes {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw badText('its secret is not base64url')
  let binary: string
  try {
    binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  } catch {
    throw badText('its secret is not base64url')
  }
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  // The last digit may carry unused bits: only one spelling is a key.
  if (toBase64Url(bytes) !== text) throw badText('its secret is not canonical base64url')
  return bytes
}

/** CRC-32 (ISO 3309) of ASCII text, as 8 hexadecimal digits. */
function checksum(text: string): string {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')
}

/** The key id of a record as bytes. */
export function keyIdBytes(record: KeyRecord): Bytes {
  return fromHex(record.keyId)
}
