/// <reference lib="esnext.disposable" preserve="true" />
import { type AlgorithmId, type AlgorithmParams, isMisuseResistant } from './algorithms.ts'
import type { AsyncBackend, Backend, Bytes, SyncBackend } from './backend.ts'
import { type BytesInput, copyOf, toBytes, toOptionalBytes } from './bytes.ts'
import { AsyncCipher } from './cipher/async.ts'
import { checkedKey, guaranteesOf, requireAvailable } from './cipher/base.ts'
import { SyncCipher } from './cipher/sync.ts'
import { checkedBackend, paramsOf } from './define.ts'
import { AeadError, authFailed } from './errors.ts'
import type { Evidence } from './evidence.ts'
import type { Guarantees } from './guarantees.ts'
import { refuseUnknownOptions } from './names.ts'
import { NonceTripwire } from './tripwire.ts'

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
   *   the last successful seal; a tripwire, not protection), `unsupported` (sealing refused), `destroyed`.
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
  /** Wipes the key where it can be reached; every later call throws `destroyed`. May be called again. */
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

const OPTION_NAMES = ['nonceCheck', 'evidence', 'sealRefused'] as const

abstract class AeadShell {
  readonly params: AlgorithmParams
  readonly guarantees: Guarantees
  readonly backendName: string
  readonly #sealRefused: string | undefined

  constructor(backend: Backend, params: AlgorithmParams, guarantees: Guarantees, options: AeadOptions) {
    this.params = params
    this.backendName = backend.name
    this.guarantees = guarantees
    this.#sealRefused = options.sealRefused
  }

  protected checkSealAllowed(): void {
    if (this.#sealRefused !== undefined) throw new AeadError('unsupported', this.#sealRefused)
  }

  abstract destroy(): void

  [Symbol.dispose](): void {
    this.destroy()
  }
}

class SyncAeadObject extends AeadShell implements SyncAead {
  readonly sync = true
  readonly #cipher: SyncCipher
  readonly #tripwire: NonceTripwire

  constructor(backend: SyncBackend, cipher: SyncCipher, options: AeadOptions) {
    const { params } = cipher
    super(backend, params, guaranteesOf(backend, params, options.evidence, cipher.allocates), options)
    this.#cipher = cipher
    this.#tripwire = new NonceTripwire(params.nonceBytes, tripwireApplies(params, options))
  }

  sealSync(nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): Bytes {
    const input = toBytes(plaintext, 'plaintext')
    const out = this.#seal(undefined, nonce, input, aad)
    return out as Bytes
  }

  sealIntoSync(out: BytesInput, nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): number {
    const input = toBytes(plaintext, 'plaintext')
    this.#seal(toBytes(out, 'out'), nonce, input, aad)
    return input.length + this.#cipher.sizes.tagBytes
  }

  /** Seals into `into`, or into a new array when there is none. */
  #seal(
    into: Uint8Array | undefined,
    nonce: BytesInput,
    input: Uint8Array,
    aad: BytesInput | undefined,
  ): Uint8Array {
    const cipher = this.#cipher
    this.checkSealAllowed()
    const nonceBytes = toBytes(nonce, 'nonce')
    const aadBytes = toOptionalBytes(aad, 'aad')
    cipher.admit(nonceBytes, input.length, aadBytes.length)
    const current = this.#tripwire.enter(nonceBytes)
    let out = into
    if (out === undefined) out = cipher.sealNew(current, input, aadBytes)
    else cipher.sealInto(out, current, nonceBytes, input, aadBytes)
    this.#tripwire.succeeded()
    return out
  }

  openSync(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Bytes {
    const cipher = this.#cipher
    const input = toBytes(sealed, 'sealed')
    const nonceBytes = toBytes(nonce, 'nonce')
    const aadBytes = toOptionalBytes(aad, 'aad')
    const bytes = cipher.openedBytes(input.length)
    cipher.admit(nonceBytes, bytes, aadBytes.length)
    const out = cipher.allocate(bytes)
    if (!cipher.open(nonceBytes, input, 0, aadBytes, out)) throw authFailed()
    return out
  }

  openIntoSync(out: BytesInput, nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): number {
    const cipher = this.#cipher
    const target = toBytes(out, 'out')
    const input = toBytes(sealed, 'sealed')
    const nonceBytes = toBytes(nonce, 'nonce')
    const aadBytes = toOptionalBytes(aad, 'aad')
    cipher.admit(nonceBytes, cipher.openedBytes(input.length), aadBytes.length)
    return cipher.openInto(target, nonceBytes, input, aadBytes)
  }

  // async turns a throw into a rejection; the work is done before the promise is returned.
  async seal(nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): Promise<Bytes> {
    return this.sealSync(nonce, plaintext, aad)
  }

  async open(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Promise<Bytes> {
    return this.openSync(nonce, sealed, aad)
  }

  destroy(): void {
    this.#cipher.destroy()
    this.#tripwire.wipe()
  }
}

class AsyncAeadObject extends AeadShell implements Aead {
  readonly sync = false
  readonly #cipher: AsyncCipher
  readonly #tripwire: NonceTripwire

  constructor(backend: AsyncBackend, cipher: AsyncCipher, options: AeadOptions) {
    const { params } = cipher
    super(backend, params, guaranteesOf(backend, params, options.evidence, 'message'), options)
    this.#cipher = cipher
    this.#tripwire = new NonceTripwire(params.nonceBytes, tripwireApplies(params, options))
  }

  async seal(nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const cipher = this.#cipher
    cipher.checkAlive()
    this.checkSealAllowed()
    const input = toBytes(plaintext, 'plaintext')
    const nonceBytes = toBytes(nonce, 'nonce')
    cipher.checkNonce(nonceBytes)
    const aadBytes = toOptionalBytes(aad, 'aad')
    cipher.checkLengths(input.length, aadBytes.length)
    // Counted as used while in flight, so that two calls at once cannot share a nonce; given back if the call fails.
    const own = copyOf(this.#tripwire.enter(nonceBytes))
    this.#tripwire.succeeded()
    try {
      return await cipher.seal(own, input, aadBytes)
    } catch (error) {
      this.#tripwire.forget(own)
      throw error
    }
  }

  async open(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const cipher = this.#cipher
    cipher.checkAlive()
    const input = toBytes(sealed, 'sealed')
    const nonceBytes = toBytes(nonce, 'nonce')
    cipher.checkNonce(nonceBytes)
    const aadBytes = toOptionalBytes(aad, 'aad')
    cipher.checkLengths(cipher.openedBytes(input.length), aadBytes.length)
    return cipher.open(copyOf(nonceBytes), input, aadBytes)
  }

  destroy(): void {
    this.#cipher.destroy()
    this.#tripwire.wipe()
  }
}

/** Misuse-resistant modes survive a repeat; everything else is watched unless the caller says otherwise. */
function tripwireApplies(params: AlgorithmParams, options: AeadOptions): boolean {
  return options.nonceCheck !== false && !isMisuseResistant(params)
}

/** For `createAead` and the unsafe entry: `params` may be a variant of the table's row. */
export function openSyncAead(
  backend: SyncBackend,
  params: AlgorithmParams,
  key: BytesInput,
  options: AeadOptions,
): SyncAead {
  const keyCopy = checkedKey(params, key)
  try {
    requireAvailable(backend, params, backend.probeSync(params.id))
  } catch (error) {
    keyCopy.fill(0)
    throw error
  }
  return new SyncAeadObject(backend, new SyncCipher(backend, params, keyCopy), options)
}

/** The asynchronous counterpart of {@link openSyncAead}. */
export async function openAsyncAead(
  backend: AsyncBackend,
  params: AlgorithmParams,
  key: BytesInput,
  options: AeadOptions,
): Promise<Aead> {
  const keyCopy = checkedKey(params, key)
  try {
    requireAvailable(backend, params, await backend.probe(params.id))
  } catch (error) {
    keyCopy.fill(0)
    throw error
  }
  return new AsyncAeadObject(backend, await AsyncCipher.create(backend, params, keyCopy), options)
}

/**
 * Sets up one algorithm with one key on one backend. The first use of a pair (backend, algorithm) in a process runs
 * its self-test.
 * @param backend - who does the work.
 * @param algorithm - an id of `ALGORITHMS`.
 * @param key - exactly `keyBytes` bytes; copied.
 * @param options - see {@link AeadOptions}; unknown names are refused.
 * @throws AeadError `invalid-argument` (id, key, options), `unsupported` (the backend lacks it, with the reason),
 *   `backend-failed`.
 */
export function createAead(
  backend: SyncBackend,
  algorithm: AlgorithmId,
  key: BytesInput,
  options?: AeadOptions,
): Promise<SyncAead>
export function createAead(
  backend: Backend,
  algorithm: AlgorithmId,
  key: BytesInput,
  options?: AeadOptions,
): Promise<Aead>
export async function createAead(
  backend: Backend,
  algorithm: AlgorithmId,
  key: BytesInput,
  options: AeadOptions = {},
): Promise<Aead> {
  refuseUnknownOptions(options, OPTION_NAMES, 'createAead')
  const params = paramsOf(algorithm)
  checkedBackend(backend)
  return backend.sync
    ? openSyncAead(backend, params, key, options)
    : openAsyncAead(backend, params, key, options)
}

/**
 * `createAead` without a promise, for synchronous backends.
 * @throws AeadError as `createAead`, and `unsupported` for an asynchronous backend.
 */
export function createAeadSync(
  backend: SyncBackend,
  algorithm: AlgorithmId,
  key: BytesInput,
  options: AeadOptions = {},
): SyncAead {
  refuseUnknownOptions(options, OPTION_NAMES, 'createAeadSync')
  const params = paramsOf(algorithm)
  checkedBackend(backend)
  if (!backend.sync) {
    throw new AeadError(
      'unsupported',
      `backend ${(backend as Backend).name} only answers by promise: use createAead`,
    )
  }
  return openSyncAead(backend, params, key, options)
}
