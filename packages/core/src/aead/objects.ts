/// <reference lib="esnext.disposable" preserve="true" />
import type { AlgorithmId, AlgorithmParams } from '../algorithms.ts'
import type { AsyncBackend, Backend, Bytes, SyncBackend } from '../backend.ts'
import { type BytesInput, copyOf, NO_BYTES, toBytes, toOptionalBytes } from '../bytes.ts'
import { AsyncCipher } from '../cipher/async.ts'
import { type CipherBase, checkedKey, destroyedOnError, guaranteesOf, unavailable } from '../cipher/base.ts'
import { SyncCipher } from '../cipher/sync.ts'
import { AeadError, authFailed } from '../errors.ts'
import type { Guarantees } from '../guarantees.ts'
import { NonceTripwire, PendingTripwire } from './tripwire.ts'
import type { Aead, AeadOptions, SyncAead } from './types.ts'

abstract class AeadShell {
  readonly params: AlgorithmParams
  readonly guarantees: Guarantees
  readonly backendName: string
  readonly #sealRefused: string | undefined

  constructor(
    backend: Backend,
    { params }: CipherBase,
    { evidence, sealRefused }: AeadOptions,
    allocates: Guarantees['allocates'],
  ) {
    this.params = params
    this.backendName = backend.name
    this.guarantees = guaranteesOf(backend, params, evidence, allocates)
    this.#sealRefused = sealRefused
  }

  protected checkSealAllowed(): void {
    if (this.#sealRefused !== undefined) throw new AeadError('unsupported', this.#sealRefused)
  }

  toJSON(): { algorithm: AlgorithmId; backend: string; guarantees: Guarantees } {
    return { algorithm: this.params.id, backend: this.backendName, guarantees: this.guarantees }
  }

  abstract destroy(): void

  [Symbol.dispose](): void {
    this.destroy()
  }
}

export class SyncAeadObject extends AeadShell implements SyncAead {
  readonly sync = true
  readonly #cipher: SyncCipher
  readonly #tripwire: NonceTripwire

  constructor(backend: SyncBackend, cipher: SyncCipher, options: AeadOptions, tripwire: NonceTripwire) {
    super(backend, cipher, options, cipher.allocates)
    this.#cipher = cipher
    this.#tripwire = tripwire
  }

  sealSync(nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): Bytes {
    return this.#seal(undefined, nonce, toBytes(plaintext, 'plaintext'), aad) as Bytes
  }

  sealIntoSync(out: BytesInput, nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): number {
    const input = toBytes(plaintext, 'plaintext')
    return this.#seal(toBytes(out, 'out'), nonce, input, aad) as number
  }

  /** Seals into `into` and returns how many bytes, or into a new array when there is none. */
  #seal(
    into: Uint8Array | undefined,
    nonce: BytesInput,
    input: Uint8Array,
    aad: BytesInput | undefined,
  ): Uint8Array | number {
    const cipher = this.#cipher
    this.checkSealAllowed()
    const nonceBytes = toBytes(nonce, 'nonce')
    const aadBytes = toOptionalBytes(aad, 'aad')
    cipher.admit(nonceBytes, input.length, aadBytes.length)
    const current = this.#tripwire.enter(nonceBytes)
    const sealed =
      into === undefined
        ? cipher.sealNew(NO_BYTES, current, input, aadBytes)
        : cipher.sealInto(into, current, nonceBytes, input, aadBytes)
    this.#tripwire.succeeded()
    return sealed
  }

  openSync(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Bytes {
    const cipher = this.#cipher
    const input = toBytes(sealed, 'sealed')
    const nonceBytes = toBytes(nonce, 'nonce')
    const aadBytes = toOptionalBytes(aad, 'aad')
    const bytes = cipher.openedBytes(input.length)
    cipher.admit(nonceBytes, bytes, aadBytes.length)
    const out = cipher.openNew(nonceBytes, input, 0, bytes, aadBytes)
    if (out === undefined) throw authFailed()
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

export class AsyncAeadObject extends AeadShell implements Aead {
  readonly sync = false
  readonly #cipher: AsyncCipher
  readonly #tripwire: PendingTripwire

  constructor(
    backend: Backend,
    cipher: AsyncCipher,
    options: AeadOptions,
    tripwire: PendingTripwire = tripwireOf(PendingTripwire, cipher.params, options),
  ) {
    super(backend, cipher, options, 'message')
    this.#cipher = cipher
    this.#tripwire = tripwire
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
    // Refused to others while in flight, so that two calls at once cannot share a nonce.
    const own = this.#tripwire.begin(nonceBytes)
    let sealed: Bytes | undefined
    try {
      sealed = await cipher.seal(own, input, aadBytes)
      return sealed
    } finally {
      this.#tripwire.ended(own, sealed !== undefined)
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
export function tripwireOf<T extends NonceTripwire>(
  Kind: new (nonceBytes: number, enabled: boolean) => T,
  { nonceBytes, nonceReuse }: AlgorithmParams,
  options: AeadOptions,
): T {
  return new Kind(nonceBytes, options.nonceCheck !== false && nonceReuse.forgery !== 'none')
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
    const answer = backend.probeSync(params.id)
    if (!answer.available) throw unavailable(backend.name, params.id, answer)
    const cipher = new SyncCipher(backend, params, keyCopy)
    return destroyedOnError(
      cipher,
      () => new SyncAeadObject(backend, cipher, options, tripwireOf(NonceTripwire, params, options)),
    )
  } finally {
    keyCopy.fill(0)
  }
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
    const answer = await backend.probe(params.id)
    if (!answer.available) throw unavailable(backend.name, params.id, answer)
  } catch (error) {
    keyCopy.fill(0)
    throw error
  }
  const cipher = await AsyncCipher.create(backend, params, keyCopy)
  return destroyedOnError(cipher, () => new AsyncAeadObject(backend, cipher, options))
}
