import type { AlgorithmParams } from './algorithms.ts'
import type { Bytes } from './backend.ts'
import { type BytesInput, copyOf, toBytes } from './bytes.ts'
import { AeadError } from './errors.ts'
import { checkParams } from './limits/input.ts'

/** Ciphertext and tag apart, as some interfaces (node:crypto among them) want them. */
export interface DetachedSealed {
  /** As long as the plaintext. */
  readonly ciphertext: Bytes
  /** `params.tagBytes` bytes. */
  readonly tag: Bytes
}

/**
 * Takes apart what an Aead returned, wherever the algorithm puts its tag.
 * @param params - the algorithm's row of `ALGORITHMS`.
 * @param sealed - at least `params.tagBytes` bytes.
 * @returns copies.
 * @throws AeadError `invalid-argument` when it is shorter than a tag.
 */
export function splitSealed(params: AlgorithmParams, sealed: BytesInput): DetachedSealed {
  checkParams(params, 'splitSealed')
  const bytes = toBytes(sealed, 'sealed')
  const { tagBytes } = params
  if (bytes.length < tagBytes) {
    throw new AeadError(
      'invalid-argument',
      `sealed data too short: ${params.id} needs at least its tag of ${tagBytes} bytes, got ${bytes.length}`,
      { details: { minBytes: tagBytes, actualBytes: bytes.length } },
    )
  }
  const cut = params.tagPosition === 'start' ? tagBytes : bytes.length - tagBytes
  const [front, back] = [copyOf(bytes.subarray(0, cut)), copyOf(bytes.subarray(cut))]
  return params.tagPosition === 'start' ? { ciphertext: back, tag: front } : { ciphertext: front, tag: back }
}

/**
 * Puts ciphertext and tag together in the layout an Aead opens.
 * @param params - the algorithm's row of `ALGORITHMS`.
 * @param ciphertext - of any length.
 * @param tag - exactly `params.tagBytes` bytes.
 * @throws AeadError `invalid-argument` for another tag length.
 */
export function joinSealed(params: AlgorithmParams, ciphertext: BytesInput, tag: BytesInput): Bytes {
  checkParams(params, 'joinSealed')
  const [body, mark] = [toBytes(ciphertext, 'ciphertext'), toBytes(tag, 'tag')]
  if (mark.length !== params.tagBytes) {
    throw new AeadError(
      'invalid-argument',
      `${params.id} has a tag of ${params.tagBytes} bytes, got ${mark.length}`,
      {
        details: { expectedBytes: params.tagBytes, actualBytes: mark.length },
      },
    )
  }
  const tagFirst = params.tagPosition === 'start'
  const sealed = new Uint8Array(body.length + mark.length)
  sealed.set(tagFirst ? mark : body)
  sealed.set(tagFirst ? body : mark, tagFirst ? mark.length : body.length)
  return sealed
}
