import type { AlgorithmId } from '@aeadkit/core'

/** What a vector file says must happen. `acceptable`: both outcomes are allowed. */
export type VectorResult = 'valid' | 'invalid' | 'acceptable'

/** One AEAD call with its expected outcome. Bytes are lower-case hexadecimal text. */
export interface VectorCase {
  /** Unique within its file: the number or name the source gives, with the tag length where one entry has two. */
  readonly id: string
  readonly algorithm: AlgorithmId
  readonly key: string
  readonly nonce: string
  readonly aad: string
  /** Empty for invalid cases whose source gives none. */
  readonly plaintext: string
  /** Without the tag. */
  readonly ciphertext: string
  readonly tag: string
  readonly result: VectorResult
  readonly flags: readonly string[]
  readonly comment: string
}

/** Cases that are not AEAD calls of the algorithm table, with the reason in words. */
export interface VectorExclusion {
  readonly reason: string
  readonly count: number
}

/** One source file in normal form. `count` is `cases.length` plus every exclusion. */
export interface VectorFile {
  /** Path below the vectors folder, with forward slashes. */
  readonly file: string
  /** Repository and path it came from. */
  readonly source: string
  readonly commit: string
  readonly licence: string
  /** The algorithm when all cases share one; `null` for several or none. */
  readonly algorithm: AlgorithmId | null
  /** Entries as the source counts them; one entry with two tags is two cases. */
  readonly entries: number
  readonly count: number
  readonly cases: readonly VectorCase[]
  readonly exclusions: readonly VectorExclusion[]
}

/** The running hash of C2SP XAES-256-GCM over many generated calls. */
export interface AccumulatedVector {
  readonly algorithm: AlgorithmId
  readonly description: string
  readonly rng: string
  readonly hash: string
  readonly results: readonly { readonly iterations: number; readonly hash: string }[]
}

/** Where the vectors of this build came from. */
export interface VectorOrigin {
  readonly present: boolean
  /** One line for people: the layout that was read, or why there is nothing. */
  readonly reason: string
}

/** What the generated index exports. */
export interface VectorSet {
  readonly origin: VectorOrigin
  readonly files: readonly VectorFile[]
  readonly accumulated: AccumulatedVector | null
}
