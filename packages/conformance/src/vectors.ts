import type { AlgorithmId } from '@aeadkit/core'

/** One AEAD call with its expected outcome. Bytes are lower-case hexadecimal text. */
export interface VectorCase {
  /** Unique within its file. */
  readonly id: string
  readonly algorithm: AlgorithmId
  readonly key: string
  readonly nonce: string
  readonly aad: string
  readonly plaintext: string
  /** Without the tag. */
  readonly ciphertext: string
  readonly tag: string
  /** `valid`: sealing gives exactly this, opening gives the plaintext. `invalid`: opening is refused. */
  readonly result: 'valid' | 'invalid' | 'acceptable'
  readonly flags: readonly string[]
  readonly comment: string
}

/** A vector file in normal form: `count` is `cases.length` plus every exclusion. */
export interface VectorFile {
  /** Name used in case names and in the report. */
  readonly file: string
  readonly count: number
  readonly cases: readonly VectorCase[]
  /** Cases the converter could not express as an AEAD call, by reason. */
  readonly exclusions: readonly { readonly reason: string; readonly count: number }[]
}
