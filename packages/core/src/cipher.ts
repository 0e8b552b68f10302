import type { AlgorithmParams } from './algorithms.ts'
import type { Availability, Backend, Bytes, RawSyncAead, SyncBackend } from './backend.ts'
import { copyOf, overlaps, stable, startsTogether, toBytes } from './bytes.ts'
import { AeadError, authFailed, isAeadError } from './errors.ts'
import type { Evidence } from './evidence.ts'
import type { Guarantees } from './guarantees.ts'

/** Sizes of one cipher in plain numbers, worked out once so that no call touches a bigint. */
export interface CipherSizes {
  readonly nonceBytes: number
  readonly tagBytes: number
  readonly tagFirst: boolean
  readonly maxPlaintextBytes: number
  readonly maxAadBytes: number
}

/** A copy of the key with its length checked; the caller wipes it. */
export function checkedKey(params: AlgorithmParams, key: unknown): Bytes {
  const bytes = toBytes(key, 'key')
  if (bytes.length !== params.keyBytes) {
    throw new AeadError(
      'invalid-argument',
      `${params.id} takes a key of ${params.keyBytes} bytes, got ${bytes.length}`,
      { details: { expectedBytes: params.keyBytes, actualBytes: bytes.length } },
    )
  }
  return copyOf(bytes)
}

/** @throws AeadError `unsupported` with the backend's reason. */
export function requireAvailable(backend: Backend, params: AlgorithmParams, answer: Availability): void {
  if (answer.available) return
  throw new AeadError(
    'unsupported',
    `${params.id} is not available on backend ${backend.name}: ${answer.reason}`,
    {
      details: { backend: backend.name, algorithm: params.id, stage: answer.stage },
    },
  )
}

/** What the backend claims for the algorithm, as guarantees of one cipher. */
export function guaranteesOf(
  backend: Backend,
  params: AlgorithmParams,
  evidence: Evidence | undefined,
  allocates: Guarantees['allocates'],
): Guarantees {
  const claims = backend.raw.claims(params, evidence)
  return {
    constantTime: claims.constantTime,
    fips: { algorithm: params.fips, module: claims.fipsModule },
    oneShot: claims.oneShot,
    maxBytes: sizesOf(backend, params).maxPlaintextBytes,
    allocates,
  }
}

function sizesOf(backend: Backend, params: AlgorithmParams): CipherSizes {
  return {
    nonceBytes: params.nonceBytes,
    tagBytes: params.tagBytes,
    tagFirst: params.tagPosition === 'start',
    maxPlaintextBytes: Math.min(backend.raw.maxBytes, Number(params.maxPlaintextBytes)),
    maxAadBytes: Math.min(backend.raw.maxBytes, Number(params.maxAadBytes)),
  }
}

/** Argument checks and lifetime shared by both kinds of cipher. Knows no nonce policy and no format. */
export class CipherBase {
  readonly params: AlgorithmParams
  readonly backendName: string
  readonly sizes: CipherSizes
  #destroyed = false

  constructor(backend: Backend, params: AlgorithmParams) {
    this.params = params
    this.backendName = backend.name
    this.sizes = sizesOf(backend, params)
  }

  /** @returns whether this was the first call. */
  protected markDestroyed(): boolean {
    const first = !this.#destroyed
    this.#destroyed = true
    return first
  }

  /** @throws AeadError `destroyed`. */
  checkAlive(): void {
    if (this.#destroyed)
      throw new AeadError('destroyed', `this ${this.params.id} object was used after destroy()`)
  }

  /**
   * All checks of one seal or open in one small function, for the hot path.
   * @throws AeadError `destroyed`, `invalid-argument`, `limit-exceeded`.
   */
  admit(nonce: Uint8Array, plaintextBytes: number, aadBytes: number): void {
    const { nonceBytes, maxPlaintextBytes, maxAadBytes } = this.sizes
    if (
      this.#destroyed ||
      nonce.length !== nonceBytes ||
      plaintextBytes > maxPlaintextBytes ||
      aadBytes > maxAadBytes
    ) {
      this.checkAlive()
      this.checkNonce(nonce)
      this.checkLengths(plaintextBytes, aadBytes)
    }
  }

  /** @throws AeadError `invalid-argument`. */
  checkNonce(nonce: Uint8Array): void {
    const { nonceBytes } = this.sizes
    if (nonce.length === nonceBytes) return
    throw new AeadError(
      'invalid-argument',
      `${this.params.id} takes a nonce of ${nonceBytes} bytes, got ${nonce.length}`,
      { details: { expectedBytes: nonceBytes, actualBytes: nonce.length } },
    )
  }

  /** @throws AeadError `limit-exceeded`. */
  checkLengths(plaintextBytes: number, aadBytes: number): void {
    const { maxPlaintextBytes, maxAadBytes } = this.sizes
    if (plaintextBytes > maxPlaintextBytes) throw this.#tooLong('message', plaintextBytes, maxPlaintextBytes)
    if (aadBytes > maxAadBytes) throw this.#tooLong('AAD', aadBytes, maxAadBytes)
  }

  #tooLong(what: string, bytes: number, max: number): AeadError {
    return new AeadError(
      'limit-exceeded',
      `${what} too long: ${this.params.id} on backend ${this.backendName} takes at most ${max} bytes in one call, got ${bytes}; cut it into chunks (the stream format does)`,
      { details: { maxBytes: max, actualBytes: bytes } },
    )
  }

  /** Length of the plaintext inside `sealedBytes` sealed bytes. @throws AeadError `invalid-argument`. */
  openedBytes(sealedBytes: number): number {
    const { tagBytes } = this.sizes
    if (sealedBytes >= tagBytes) return sealedBytes - tagBytes
    throw new AeadError(
      'invalid-argument',
      `sealed data too short: ${this.params.id} needs at least its tag of ${tagBytes} bytes, got ${sealedBytes}`,
      { details: { minBytes: tagBytes, actualBytes: sealedBytes } },
    )
  }

  /** Errors of the library become `backend-failed`; ours pass. */
  failure(error: unknown, operation: string): AeadError {
    if (isAeadError(error)) return error
    return new AeadError(
      'backend-failed',
      `backend ${this.backendName} could not ${operation} with ${this.params.id}`,
      {
        cause: error,
      },
    )
  }
}

/**
 * One key on a synchronous backend: argument rules, tag placement, limits, snapshots and error mapping in one place.
 * `SyncAead` and the sealer are thin shells over it.
 */
export class SyncCipher extends CipherBase {
  readonly #raw: RawSyncAead
  readonly #backend: SyncBackend

  /** `key` is wiped here; `params` may be a variant the backend takes. */
  constructor(backend: SyncBackend, params: AlgorithmParams, key: Bytes) {
    super(backend, params)
    this.#backend = backend
    try {
      this.#raw = backend.raw.create(params, key)
    } catch (error) {
      throw this.failure(error, 'set up a key')
    } finally {
      key.fill(0)
    }
  }

  get allocates(): Guarantees['allocates'] {
    return this.#raw.atomic && this.#raw.allocates !== true ? 'nothing' : 'message'
  }

  /** Memory for a result; its content is arbitrary until `seal` or `open` has succeeded. */
  allocate(bytes: number): Bytes {
    return this.#backend.raw.allocate?.(bytes) ?? new Uint8Array(bytes)
  }

  destroy(): void {
    if (this.markDestroyed()) this.#raw.destroy()
  }

  /** Seals into `out` from `start` on, in the algorithm's own layout. Lengths are checked; `out` is long enough. */
  seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array, out: Uint8Array, start: number): void {
    const { tagFirst, tagBytes } = this.sizes
    const ciphertextAt = tagFirst ? start + tagBytes : start
    const tagAt = tagFirst ? start : start + plaintext.length
    const raw = this.#raw
    try {
      if (raw.readsOnce) raw.seal(nonce, plaintext, aad, out, ciphertextAt, tagAt)
      else raw.seal(stable(nonce), stable(plaintext), stable(aad), out, ciphertextAt, tagAt)
    } catch (error) {
      throw this.failure(error, 'seal')
    }
  }

  /** Seals into new memory, in the algorithm's own layout. Lengths are checked. */
  sealNew(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes {
    const raw = this.#raw
    if (raw.sealNew !== undefined && raw.readsOnce && !this.sizes.tagFirst) {
      let sealed: Bytes | undefined
      try {
        sealed = raw.sealNew(nonce, plaintext, aad)
      } catch (error) {
        throw this.failure(error, 'seal')
      }
      if (sealed !== undefined) return sealed
    }
    const out = this.allocate(plaintext.length + this.sizes.tagBytes)
    this.seal(nonce, plaintext, aad, out, 0)
    return out
  }

  /**
   * Opens the sealed bytes of `input` from `start` to its end into `out` at 0.
   * @returns `false` for a bad tag; then `out` holds nothing of the plaintext.
   */
  open(nonce: Uint8Array, input: Uint8Array, start: number, aad: Uint8Array, out: Uint8Array): boolean {
    const { tagFirst, tagBytes } = this.sizes
    const bytes = input.length - start - tagBytes
    const ciphertextAt = tagFirst ? start + tagBytes : start
    const tagAt = tagFirst ? start : start + bytes
    const raw = this.#raw
    try {
      if (raw.readsOnce) return raw.open(nonce, input, ciphertextAt, tagAt, bytes, aad, out)
      return raw.open(stable(nonce), stable(input), ciphertextAt, tagAt, bytes, stable(aad), out)
    } catch (error) {
      if (!raw.atomic) out.fill(0, 0, bytes)
      throw this.failure(error, 'open')
    }
  }

  /**
   * Seals into the caller's array: nothing is written unless everything succeeded. `nonce` is a private copy of
   * `callersNonce`, which only matters for overlap.
   */
  sealInto(
    out: Uint8Array,
    nonce: Uint8Array,
    callersNonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
  ): number {
    const sealedBytes = plaintext.length + this.sizes.tagBytes
    this.#checkOut(out, sealedBytes, plaintext, callersNonce, aad)
    if (!this.#raw.atomic) {
      const sealed = new Uint8Array(sealedBytes)
      this.seal(nonce, plaintext, aad, sealed, 0)
      out.set(sealed)
      return sealedBytes
    }
    // A tag in front moves the ciphertext away from where the plaintext starts: the in-place case needs a copy.
    const source = this.sizes.tagFirst && startsTogether(out, plaintext) ? copyOf(plaintext) : plaintext
    this.seal(nonce, source, aad, out, 0)
    return sealedBytes
  }

  /** Opens into the caller's array: nothing is written unless the tag is right. */
  openInto(out: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): number {
    const bytes = sealed.length - this.sizes.tagBytes
    this.#checkOut(out, bytes, sealed, nonce, aad)
    const direct = this.#raw.atomic
    const target = direct ? out : new Uint8Array(bytes)
    const source = this.sizes.tagFirst && direct && startsTogether(out, sealed) ? copyOf(sealed) : sealed
    if (!this.open(nonce, source, 0, aad, target)) throw authFailed()
    if (!direct) {
      out.set(target)
      target.fill(0)
    }
    return bytes
  }

  #checkOut(out: Uint8Array, bytes: number, input: Uint8Array, nonce: Uint8Array, aad: Uint8Array): void {
    if (out.length < bytes) throw tooSmall(bytes, out.length)
    const at = out.byteOffset
    if (overlaps(out, at, bytes, input) && !startsTogether(out, input)) {
      throw badOverlap('the input, unless both start at the same byte')
    }
    if (overlaps(out, at, bytes, nonce)) throw badOverlap('the nonce')
    if (overlaps(out, at, bytes, aad)) throw badOverlap('the AAD')
  }
}

function tooSmall(minBytes: number, actualBytes: number): AeadError {
  return new AeadError(
    'invalid-argument',
    `out is too small: ${minBytes} bytes are needed, got ${actualBytes}`,
    { details: { minBytes, actualBytes } },
  )
}

function badOverlap(what: string): AeadError {
  return new AeadError('invalid-argument', `out must not overlap ${what}`)
}
