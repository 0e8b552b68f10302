import type { AlgorithmParams } from '../algorithms.ts'
import type { Backend, Bytes, Unavailable } from '../backend.ts'
import { copyOf, toBytes } from '../bytes.ts'
import { AeadError, isAeadError } from '../errors.ts'
import type { Evidence } from '../evidence.ts'
import type { Guarantees } from '../guarantees.ts'
import { kindOf } from '../names.ts'

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
    throw wrongLength(params, 'key', params.keyBytes, bytes.length)
  }
  return copyOf(bytes)
}

function wrongLength(
  { id }: AlgorithmParams,
  what: string,
  expectedBytes: number,
  actualBytes: number,
): AeadError {
  return new AeadError(
    'invalid-argument',
    `${id} takes a ${what} of ${expectedBytes} bytes, got ${actualBytes}`,
    { details: { expectedBytes, actualBytes } },
  )
}

/** An error of the library, or of a backend that breaks its contract. */
export function backendFailed(name: string, operation: string, id: string, cause: unknown): AeadError {
  return new AeadError('backend-failed', `backend ${name} could not ${operation} with ${id}`, { cause })
}

/** `unsupported`, with the backend's reason. */
export function unavailable(backend: string, algorithm: string, answer: Unavailable): AeadError {
  const { reason, stage } = answer
  return new AeadError('unsupported', `${algorithm} is not available on backend ${backend}: ${reason}`, {
    details: { backend, algorithm, stage },
  })
}

/** What the backend claims for the algorithm, as guarantees of one cipher. */
export function guaranteesOf(
  backend: Backend,
  params: AlgorithmParams,
  evidence: Evidence | undefined,
  allocates: Guarantees['allocates'],
): Guarantees {
  if (evidence !== undefined && !isEvidence(evidence)) {
    throw new AeadError(
      'invalid-argument',
      `evidence must be what collectEvidence returns, got ${kindOf(evidence)}`,
    )
  }
  const claims = backend.raw.claims(params, evidence)
  return {
    constantTime: claims.constantTime,
    fips: { algorithm: params.fips, module: claims.fipsModule },
    oneShot: claims.oneShot,
    maxBytes: sizesOf(backend, params).maxPlaintextBytes,
    allocates,
  }
}

function isEvidence(value: unknown): boolean {
  const { fips, items } = (value ?? {}) as { fips?: unknown; items?: unknown }
  return typeof fips === 'object' && fips !== null && Array.isArray(items)
}

/** Evidence may be none, and claims may throw: a key that nobody got an object for is wiped. */
export function destroyedOnError<T>(cipher: { destroy(): void }, make: () => T): T {
  try {
    return make()
  } catch (error) {
    cipher.destroy()
    throw error
  }
}

/** The one error for memory that cannot be had. */
export function noMemory(bytes: number, cause: unknown): AeadError {
  return new AeadError('backend-failed', `no memory for a result of ${bytes} bytes`, {
    cause,
    details: { bytes },
  })
}

/** What was checked and counted is not what would be sealed: shared memory grew, or a callback cut it. */
export function changedLength(name: string): AeadError {
  return new AeadError('invalid-argument', `${name} changed its length during the call`)
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

  /** @throws AeadError `backend-failed`; the object counts as destroyed all the same. */
  protected destroyOnce(raw: { destroy(): void }): void {
    if (this.#destroyed) return
    this.#destroyed = true
    try {
      raw.destroy()
    } catch (error) {
      throw this.failure(error, 'wipe a key')
    }
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
    throw wrongLength(this.params, 'nonce', nonceBytes, nonce.length)
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
      `${what} too long: ${this.params.id} on backend ${this.backendName} takes at most ${max} bytes in one call, got ${bytes}; cut it into chunks`,
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
    return isAeadError(error) ? error : backendFailed(this.backendName, operation, this.params.id, error)
  }
}
