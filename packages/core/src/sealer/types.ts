/// <reference lib="esnext.disposable" preserve="true" />
import type { AlgorithmId } from '../algorithms.ts'
import type { Backend, Bytes } from '../backend.ts'
import type { BytesInput } from '../bytes.ts'
import type { Evidence } from '../evidence.ts'
import type { Guarantees } from '../guarantees.ts'
import type { KeyUsage, Meter } from '../meter.ts'
import type { BoxFormat } from './box.ts'
import type { NonceOption } from './nonces.ts'

/** Options of {@link createSealer}. */
export interface SealerOptions {
  /** Backends in order of preference; the first that has the algorithm and passes its self-test does the work. */
  readonly backends: readonly Backend[]
  /** Where nonces come from. Default `random`. */
  readonly nonces?: NonceOption | undefined
  /** Counts usage and refuses to pass a bound. Default: one of the record's own at the default target. */
  readonly meter?: Meter | undefined
  /** Layout of what `encrypt` returns. Default `box`. */
  readonly format?: BoxFormat | undefined
  /** What was observed about this runtime, for the guarantees. */
  readonly evidence?: Evidence | undefined
  /** `false` draws every random nonce when it is needed, where this process may be cloned. Default `true`. */
  readonly noncePool?: boolean | undefined
  /** Applies the FIPS cap of 2^32 random nonces per key (SP 800-38D §8.3). Default `false`. */
  readonly fips?: boolean | undefined
  /** A reason makes every `encrypt` throw `unsupported` with it; decrypting works. */
  readonly sealRefused?: string | undefined
}

/** Encrypts without the caller handling nonces, counts usage per key, and refuses to pass a bound. */
export interface Sealer {
  /** The algorithm of the key, never taken from data. */
  readonly algorithm: AlgorithmId
  /** Id of the key: 16 hexadecimal digits. */
  readonly keyId: string
  /** Name of the backend that does the work. */
  readonly backendName: string
  /** What the cipher inside promises. */
  readonly guarantees: Guarantees
  /** What this key has been used for, and what is left. `nextCounter` is what a counter must start at next time. */
  readonly usage: KeyUsage & { readonly nextCounter?: bigint }
  /**
   * Encrypts and authenticates one message under a fresh nonce, which is burned even if this fails.
   * @param plaintext - 0 to `guarantees.maxBytes` bytes.
   * @param aad - authenticated, not encrypted, not part of the result.
   * @returns `version || key id || nonce || sealed`, or `nonce || sealed` in the bare format.
   * @throws AeadError `key-exhausted` before a bound would be passed, `invalid-argument`, `limit-exceeded`,
   *   `unsupported`, `destroyed`, `backend-failed`.
   */
  encrypt(plaintext: BytesInput, aad?: BytesInput): Promise<Bytes>
  /**
   * Verifies and decrypts what `encrypt` returned. A key that is exhausted for sealing still opens.
   * @throws AeadError `auth-failed`; `invalid-argument` (too short, another version, another key's box);
   *   `key-exhausted` when failed openings have used up the integrity bound; `destroyed`.
   */
  decrypt(box: BytesInput, aad?: BytesInput): Promise<Bytes>
  /** `encrypt` without a promise. @throws also `unsupported` where the backend or the leases answer by promise. */
  encryptSync(plaintext: BytesInput, aad?: BytesInput): Bytes
  /** `decrypt` without a promise. @throws also `unsupported` where the backend answers by promise. */
  decryptSync(box: BytesInput, aad?: BytesInput): Bytes
  /**
   * Wipes the key and unused nonces where they can be reached, as `destroy` of an Aead does; every later call throws
   * `destroyed`.
   */
  destroy(): void
  /** The same as `destroy`, for `using`. */
  [Symbol.dispose](): void
}
