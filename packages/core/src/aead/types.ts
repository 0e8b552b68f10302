/// <reference lib="esnext.disposable" preserve="true" />
import type { AlgorithmId, AlgorithmParams } from '../algorithms.ts'
import type { Bytes } from '../backend.ts'
import type { BytesInput } from '../bytes.ts'
import type { Evidence } from '../evidence.ts'
import type { Guarantees } from '../guarantees.ts'

/** One algorithm with one key on one backend; the caller gives the nonces. */
export interface Aead {
  /** Sizes, tag position, limits and short facts of the algorithm. */
  readonly params: AlgorithmParams
  /** What this object promises, with the evidence given at creation. */
  readonly guarantees: Guarantees
  /** Name of the backend that does the work. */
  readonly backendName: string
  /** Whether this is a {@link SyncAead}. */
  readonly sync: boolean
  /**
   * Encrypts and authenticates one message. Inputs are read before this returns.
   * @param nonce - exactly `params.nonceBytes` bytes, never reused with this key.
   * @param plaintext - 0 to `guarantees.maxBytes` bytes; not modified.
   * @param aad - authenticated, not encrypted, not part of the result; missing is the same as empty.
   * @returns new array of `plaintext.length + params.tagBytes` bytes: ciphertext and tag, the tag where
   *   `params.tagPosition` says.
   * @throws AeadError `invalid-argument` (type, nonce length), `limit-exceeded` (length), `nonce-reused` (the nonce of
   *   the last successful seal, or of one without an answer yet; a tripwire, not protection), `unsupported` (sealing
   *   refused), `destroyed`.
   * @see RFC 5116 §2.1
   */
  seal(nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): Promise<Bytes>
  /**
   * Verifies and decrypts one message.
   * @param nonce - the nonce it was sealed with, exactly `params.nonceBytes` bytes.
   * @param sealed - what `seal` returned; not modified.
   * @param aad - the AAD it was sealed with.
   * @returns new array of `sealed.length - params.tagBytes` bytes.
   * @throws AeadError `auth-failed`, `invalid-argument` (type, nonce length, shorter than a tag), `limit-exceeded`,
   *   `destroyed`.
   * @see RFC 5116 §2.2
   */
  open(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Promise<Bytes>
  /** Algorithm, backend and guarantees; nothing of the key. */
  toJSON(): { algorithm: AlgorithmId; backend: string; guarantees: Guarantees }
  /**
   * Wipes the key where it can be reached; every later call throws `destroyed`. May be called again. What a platform
   * holds in an object that nothing can wipe (a KeyObject of `node:crypto`, a CryptoKey) is dropped: the key is in
   * memory until that object is collected.
   */
  destroy(): void
  /** The same as `destroy`, for `using`. */
  [Symbol.dispose](): void
}

/** An {@link Aead} that also works without promises. */
export interface SyncAead extends Aead {
  readonly sync: true
  /** `seal` without a promise. */
  sealSync(nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): Bytes
  /** `open` without a promise. */
  openSync(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Bytes
  /**
   * Seals into the caller's array at offset 0 and leaves the rest of it alone.
   * @param out - at least `plaintext.length + params.tagBytes` bytes. May start exactly where `plaintext` starts; any
   *   other overlap with an input is refused. Unchanged when this throws.
   * @returns how many bytes were written.
   * @throws AeadError as `seal`, and `invalid-argument` for `out`.
   */
  sealIntoSync(out: BytesInput, nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): number
  /**
   * Opens into the caller's array at offset 0 and leaves the rest of it alone.
   * @param out - at least `sealed.length - params.tagBytes` bytes. May start exactly where `sealed` starts; any other
   *   overlap with an input is refused. Unchanged when this throws.
   * @returns how many bytes were written.
   * @throws AeadError as `open`, and `invalid-argument` for `out`.
   */
  openIntoSync(out: BytesInput, nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): number
}

/** Options of {@link createAead}. */
export interface AeadOptions {
  /**
   * `false` switches off the tripwire that refuses the nonce of the last successful seal (known-answer tests,
   * benches). Default `true`.
   */
  readonly nonceCheck?: boolean | undefined
  /** What was observed about this runtime; without it guarantees stay at the backend's base level. */
  readonly evidence?: Evidence | undefined
  /** A reason makes every seal throw `unsupported` with it; opening works. */
  readonly sealRefused?: string | undefined
}
