/// <reference lib="esnext.disposable" preserve="true" />
import type { AlgorithmId, AlgorithmParams } from '../algorithms.ts'
import type { Bytes } from '../backend.ts'
import { type BytesInput, copyOf, stable, toBytes, toOptionalBytes } from '../bytes.ts'
import type { AsyncCipher } from '../cipher/async.ts'
import { noMemory } from '../cipher/base.ts'
import { SyncCipher } from '../cipher/sync.ts'
import { AeadError, authFailed, isAeadError } from '../errors.ts'
import type { Guarantees } from '../guarantees.ts'
import type { KeyRecord } from '../keys.ts'
import type { KeyMeter, KeyUsage } from '../meter.ts'
import { boundAad, checkBox } from './box.ts'
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
  /** The nonce in use by a synchronous call. */
  readonly #nonce: Uint8Array

  constructor(parts: SealerParts) {
    this.#parts = parts
    this.#params = parts.cipher.params
    this.algorithm = this.#params.id
    this.keyId = parts.keyId
    this.backendName = parts.cipher.backendName
    this.guarantees = parts.guarantees
    this.#nonce = new Uint8Array(this.#params.nonceBytes)
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
    const input = this.#admit(plaintext, aad)
    nonces.take(this.#nonce)
    return this.#sealSync(cipher, this.#nonce, input.plaintext, boundAad(header, input.aad))
  }

  async encrypt(plaintext: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const { cipher, header, nonces } = this.#parts
    if (cipher instanceof SyncCipher && nonces.takeAsync === undefined)
      return this.encryptSync(plaintext, aad)
    const input = this.#admit(plaintext, aad)
    const bound = boundAad(header, input.aad)
    const nonce = new Uint8Array(this.#params.nonceBytes)
    if (nonces.takeAsync === undefined) {
      nonces.take(nonce)
      return this.#sealAsync(cipher, nonce, input.plaintext, bound)
    }
    // The lease is awaited, so the inputs must not change meanwhile.
    const kept = new Uint8Array(input.plaintext)
    const keptAad = new Uint8Array(bound)
    await nonces.takeAsync(nonce)
    return this.#sealAsync(cipher, nonce, kept, keptAad)
  }

  /** Everything that can refuse before a nonce is taken. Counts the message. */
  #admit(plaintext: BytesInput, aad: BytesInput | undefined): { plaintext: Uint8Array; aad: Uint8Array } {
    const { cipher, counted, meter, header, sealRefused } = this.#parts
    cipher.checkAlive()
    if (sealRefused !== undefined) throw new AeadError('unsupported', sealRefused)
    const input = toBytes(plaintext, 'plaintext')
    const aadBytes = toOptionalBytes(aad, 'aad')
    const boundBytes = header.length + aadBytes.length
    cipher.checkLengths(input.length, boundBytes)
    if (!counted) throw this.#countedElsewhere()
    meter.reserve(input.length, boundBytes)
    return { plaintext: input, aad: aadBytes }
  }

  #sealSync(cipher: SyncCipher, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes {
    const { header } = this.#parts
    const start = header.length + nonce.length
    const box = zeros(start + plaintext.length + this.#params.tagBytes)
    // Byte by byte: for so few a call to `set` costs more.
    let at = 0
    for (let i = 0; i < header.length; i++) box[at++] = header[i]!
    for (let i = 0; i < nonce.length; i++) box[at++] = nonce[i]!
    cipher.seal(nonce, plaintext, aad, box, start)
    return box
  }

  async #sealAsync(
    cipher: SyncCipher | AsyncCipher,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
  ): Promise<Bytes> {
    if (cipher instanceof SyncCipher) return this.#sealSync(cipher, nonce, plaintext, aad)
    const { header } = this.#parts
    const sealed = await cipher.seal(nonce, plaintext, aad)
    const box = zeros(header.length + nonce.length + sealed.length)
    box.set(header)
    box.set(nonce, header.length)
    box.set(sealed, header.length + nonce.length)
    return box
  }

  decryptSync(box: BytesInput, aad?: BytesInput): Bytes {
    const { cipher } = this.#parts
    if (!(cipher instanceof SyncCipher)) throw this.#needsPromise('decrypt')
    const { input, bound, start, bytes } = this.#accept(box, aad)
    const out = zeros(bytes)
    if (!cipher.open(input.subarray(start - this.#params.nonceBytes, start), input, start, bound, out)) {
      this.#parts.meter.openFailed(bytes, bound.length)
      throw authFailed()
    }
    return out
  }

  async decrypt(box: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const { cipher, meter } = this.#parts
    if (cipher instanceof SyncCipher) return this.decryptSync(box, aad)
    const { input, bound, start, bytes } = this.#accept(box, aad)
    try {
      return await cipher.open(
        copyOf(input.subarray(start - this.#params.nonceBytes, start)),
        input.subarray(start),
        bound,
      )
    } catch (error) {
      if (isAeadError(error, 'auth-failed')) meter.openFailed(bytes, bound.length)
      throw error
    }
  }

  /** Everything public about a box, checked on memory that cannot change before it is opened. */
  #accept(
    box: BytesInput,
    aad: BytesInput | undefined,
  ): { input: Uint8Array; bound: Uint8Array; start: number; bytes: number } {
    const { cipher, header, meter } = this.#parts
    cipher.checkAlive()
    const input = stable(toBytes(box, 'box'))
    const bound = boundAad(header, toOptionalBytes(aad, 'aad'))
    checkBox(input, header, this.#params, this.keyId)
    const start = header.length + this.#params.nonceBytes
    const bytes = input.length - start - this.#params.tagBytes
    cipher.checkLengths(bytes, bound.length)
    meter.checkOpen(bytes, bound.length)
    return { input, bound, start, bytes }
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
    cipher.destroy()
    nonces.destroy()
    this.#nonce.fill(0)
    ownRecord?.destroy()
  }

  [Symbol.dispose](): void {
    this.destroy()
  }
}

function zeros(bytes: number): Bytes {
  try {
    return new Uint8Array(bytes)
  } catch (error) {
    throw noMemory(bytes, error)
  }
}
