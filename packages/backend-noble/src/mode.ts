import type { AlgorithmId, ConstantTimeClaim } from '@aeadkit/core'

/** One message's cipher object of noble; it refuses a second `encrypt`, so there is one per call. */
export interface NobleCipher {
  encrypt(plaintext: Uint8Array, output?: Uint8Array): Uint8Array
  decrypt(sealed: Uint8Array, output?: Uint8Array): Uint8Array
}

/** How one construction is made of what noble has. Tags are always 16 bytes long here. */
export interface NobleMode {
  readonly ids: readonly AlgorithmId[]
  make(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array): NobleCipher
  /** Whether noble takes an output array and works in it; else it returns new memory. */
  readonly writesInto: boolean
  readonly constantTime: ConstantTimeClaim
  /** Nonce lengths in bytes that noble takes besides the algorithm's own. */
  readonly nonces?: readonly [min: number, max: number]
}

/** Day the claims of the modes were last held against noble's source. */
export const AS_OF = '2026-11-30'
