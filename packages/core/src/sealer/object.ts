/// <reference lib="esnext.disposable" preserve="true" />
import type { AlgorithmId, AlgorithmParams } from '../algorithms.ts'
import type { Bytes } from '../backend.ts'
import { type BytesInput, copyOf, stable, toBytes, toOptionalBytes } from '../bytes.ts'
import type { AsyncCipher } from '../cipher/async.ts'
import { changedLength, noMemory } from '../cipher/base.ts'
import type { HybridCipher } from '../cipher/hybrid.ts'
import { SyncCipher } from '../cipher/sync.ts'
import { AeadError, authFailed, isAeadError } from '../errors.ts'
import type { Guarantees } from '../guarantees.ts'
import type { KeyRecord } from '../keys.ts'
import type { KeyMeter, KeyUsage } from '../meter.ts'
import { boundAad, plaintextBytes } from './box.ts'
import type { NonceMaker } from './maker.ts'
import type { Sealer } from './types.ts'

/** What the constructor needs, all checked. */
export interface SealerParts {
  readonly cipher: SyncCipher | AsyncCipher
  readonly guarantees: Guarantees
  readonly keyId: string
  readonly nonces: NonceMaker
  readonly meter: KeyMeter
  /** Whether `meter` continues the counts of the record's first sealer. */
  readonly counted: boolean
  readonly header: Uint8Array
  readonly sealRefused: string | undefined
  readonly ownRecord: KeyRecord | undefined
}

export class SealerObject implements Sealer {
  readonly algorithm: AlgorithmId
  readonly keyId: string
  readonly backendName: string
  readonly guarantees: Guarantees
  readonly #parts: SealerParts
  readonly #params: AlgorithmParams
  /** Header and nonce of a synchronous call, as they stand in front of the ciphertext. */
  readonly #front: Uint8Array
  /** The nonce at the end of `#front`. */
  readonly #nonce: Uint8Array
  /** The nonce of the box that a synchronous call opens. */
  readonly #foundNonce: Uint8Array

  constructor(parts: SealerParts) {
    this.#parts = parts
    this.#params = parts.cipher.params
    this.algorithm = this.#params.id
    this.keyId = parts.keyId
    this.backendName = parts.cipher.backendName
    this.guarantees = parts.guarantees
    const headerBytes = parts.header.length
    this.#front = new Uint8Array(headerBytes + this.#params.nonceBytes)
    this.#front.set(parts.header)
    this.#nonce = this.#front.subarray(headerBytes)
    this.#foundNonce = new Uint8Array(this.#params.nonceBytes)
  }

  get usage(): KeyUsage & { readonly nextCounter?: bigint } {
    const { meter, nonces } = this.#parts
    const usage = meter.usage()
    return nonces.nextCounter === undefined ? usage : { ...usage, nextCounter: nonces.nextCounter() }
  }

  encryptSync(plaintext: BytesInput, aad?: BytesInput): Bytes {
    const { cipher, header, nonces } = this.#parts
    // Before the message is counted: nothing will be sealed.
    if (!(cipher instanceof SyncCipher)) throw this.#needsPromise('encrypt')
    cipher.checkAlive()
    const input = toBytes(plaintext, 'plaintext')
    const given = toOptionalBytes(aad, 'aad')
    const bytes = input.length
    const boundBytes = header.length + given.length
    this.#count(bytes, boundBytes)
    const bound = boundAad(header, given)
    nonces.take(this.#nonce)
    const box = cipher.sealNew(this.#front, this.#nonce, input, bound)
    checkLength(bound, boundBytes)
    return this.#counted(box, bytes)
  }

  async encrypt(plaintext: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const { header, nonces } = this.#parts
    const cipher = this.#sealerOf(plaintext)
    if (cipher instanceof SyncCipher && nonces.takeAsync === undefined)
      return this.encryptSync(plaintext, aad)
    cipher.checkAlive()
    let input = toBytes(plaintext, 'plaintext')
    const given = toOptionalBytes(aad, 'aad')
    const bytes = input.length
    const boundBytes = header.length + given.length
    this.#count(bytes, boundBytes)
    let bound = boundAad(header, given)
    // Of this call alone: others may run before it is done.
    const front = new Uint8Array(this.#front)
    const nonce = front.subarray(header.length)
    if (nonces.takeAsync === undefined) nonces.take(nonce)
    else {
      // The lease is awaited, so the inputs must not change meanwhile.
      input = copyOf(input)
      bound = copyOf(bound)
      await nonces.takeAsync(nonce)
    }
    // From here on it does not change while it is read; afterwards the caller may do with it what they like.
    bound = stable(bound)
    checkLength(bound, boundBytes)
    if (cipher instanceof SyncCipher) return this.#counted(cipher.sealNew(front, nonce, input, bound), bytes)
    const sealed = await cipher.seal(nonce, input, bound)
    const box = zeros(front.length + sealed.length)
    box.set(front)
    box.set(sealed, front.length)
    return this.#counted(box, bytes)
  }

  /**
   * The box, if it holds as many bytes of plaintext as were counted: shared memory may grow meanwhile, and the caller's
   * code that runs for a warning or a lease may cut or transfer what was given.
   */
  #counted(box: Bytes, bytes: number): Bytes {
    if (box.length === this.#front.length + bytes + this.#params.tagBytes) return box
    throw changedLength('plaintext')
  }

  /** Everything that can refuse once the inputs are bytes and before a nonce is taken; counts the message. */
  #count(plaintextBytes: number, boundBytes: number): void {
    const { cipher, counted, meter, sealRefused } = this.#parts
    if (sealRefused !== undefined) throw new AeadError('unsupported', sealRefused)
    cipher.checkLengths(plaintextBytes, boundBytes)
    if (!counted) throw this.#countedElsewhere()
    meter.reserve(plaintextBytes, boundBytes)
  }

  decryptSync(box: BytesInput, aad?: BytesInput): Bytes {
    const { cipher, header, meter } = this.#parts
    if (!(cipher instanceof SyncCipher)) throw this.#needsPromise('decrypt')
    cipher.checkAlive()
    const given = toBytes(box, 'box')
    const input = cipher.readsOnce ? given : stable(given)
    const givenAad = toOptionalBytes(aad, 'aad')
    const boundBytes = header.length + givenAad.length
    const bytes = this.#accept(input, boundBytes)
    const bound = boundAad(header, givenAad)
    // Taken once: another thread may write to the box.
    const nonce = this.#foundNonce
    for (let i = 0, at = header.length; i < nonce.length; i++, at++) nonce[i] = input[at]!
    const out = cipher.openNew(nonce, input, header.length + nonce.length, bytes, bound)
    if (out !== undefined) return out
    meter.openFailed(bytes, boundBytes)
    throw authFailed()
  }

  async decrypt(box: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const { header, meter } = this.#parts
    const cipher = this.#openerOf(box)
    if (cipher instanceof SyncCipher) return this.decryptSync(box, aad)
    cipher.checkAlive()
    const input = stable(toBytes(box, 'box'))
    const given = toOptionalBytes(aad, 'aad')
    const boundBytes = header.length + given.length
    const bytes = this.#accept(input, boundBytes)
    const bound = boundAad(header, given)
    const start = header.length + this.#params.nonceBytes
    let opened: Bytes
    try {
      opened = await cipher.open(copyOf(input.subarray(header.length, start)), input.subarray(start), bound)
    } catch (error) {
      if (isAeadError(error, 'auth-failed')) meter.openFailed(bytes, boundBytes)
      throw error
    }
    // Again: the bound holds for tries at once as well, and others may have used it up meanwhile.
    meter.checkOpen(bytes, boundBytes)
    return opened
  }

  /** Who seals it for a caller who waits: by its length alone. */
  #sealerOf(plaintext: BytesInput): SyncCipher | AsyncCipher {
    const { cipher } = this.#parts
    if (!isHybrid(cipher)) return cipher
    cipher.checkAlive()
    return toBytes(plaintext, 'plaintext').length < cipher.sealFromBytes ? cipher : cipher.later
  }

  /** The same for a box; one that is too short for any plaintext is refused by whoever gets it. */
  #openerOf(box: BytesInput): SyncCipher | AsyncCipher {
    const { cipher } = this.#parts
    if (!isHybrid(cipher)) return cipher
    cipher.checkAlive()
    const bytes = toBytes(box, 'box').length - this.#front.length - this.#params.tagBytes
    return bytes < cipher.openFromBytes ? cipher : cipher.later
  }

  /** Checks everything public about a box and about this key. @returns bytes of plaintext. */
  #accept(box: Uint8Array, aadBytes: number): number {
    const { cipher, header, meter } = this.#parts
    const bytes = plaintextBytes(box, header, this.#params, this.keyId)
    cipher.checkLengths(bytes, aadBytes)
    meter.checkOpen(bytes, aadBytes)
    return bytes
  }

  /** Of two meters that know the key apart, neither knows the sum. */
  #countedElsewhere(): AeadError {
    return new AeadError(
      'invalid-argument',
      `key ${this.keyId} is counted by another meter already: give every sealer of a key the same meter`,
    )
  }

  #needsPromise(instead: string): AeadError {
    return new AeadError('unsupported', `backend ${this.backendName} only answers by promise: use ${instead}`)
  }

  destroy(): void {
    const { cipher, nonces, ownRecord } = this.#parts
    try {
      cipher.destroy()
    } finally {
      nonces.destroy()
      this.#front.fill(0)
      this.#foundNonce.fill(0)
      ownRecord?.destroy()
    }
  }

  [Symbol.dispose](): void {
    this.destroy()
  }
}

/** Not `instanceof`: sealers of other backends carry nothing of that class. */
function isHybrid(cipher: SyncCipher | AsyncCipher): cipher is HybridCipher {
  return (cipher as Partial<HybridCipher>).later !== undefined
}

/** The same of AAD, header and all. */
function checkLength(bound: Uint8Array, boundBytes: number): void {
  if (bound.length !== boundBytes) throw changedLength('aad')
}

function zeros(bytes: number): Bytes {
  try {
    return new Uint8Array(bytes)
  } catch (error) {
    throw noMemory(bytes, error)
  }
}
