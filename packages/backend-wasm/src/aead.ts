import { AeadError, type AlgorithmParams, type Bytes, type RawSyncAead } from '@aeadkit/core'
import { type KernelInstance, type OpenFunction, type SealFunction, TAG_BYTES } from './instance.ts'
import type { Slot, SlotPool } from './pool.ts'
import { LongMessages } from './windows.ts'

/** One key in a slot of a kernel. Messages of one window take one copy in, one call and one copy out. */
export class WasmAead implements RawSyncAead {
  // Opening verifies before any plaintext leaves the kernel's memory, and sealing cannot fail half-way.
  readonly atomic = true
  // The kernel works on its own copy; the two passes of a long opening take a snapshot first (windows.ts).
  readonly readsOnce = true
  readonly #pool: SlotPool
  readonly #slot: Slot
  readonly #instance: KernelInstance
  readonly #number: number
  readonly #seal: SealFunction
  readonly #open: OpenFunction
  readonly #wipeData: (bytes: number) => void
  readonly #long: LongMessages

  constructor(pool: SlotPool, { nonceBytes }: AlgorithmParams, key: Uint8Array) {
    this.#pool = pool
    this.#slot = pool.take(key, this)
    const { instance, number } = this.#slot
    const { exports } = instance
    const extended = nonceBytes === instance.nonce.length
    this.#instance = instance
    this.#number = number
    this.#seal = extended ? exports.sealX! : exports.seal
    this.#open = extended ? exports.openX! : exports.open
    this.#wipeData = exports.wipeData
    this.#long = new LongMessages(instance, number, extended ? exports.beginX! : exports.begin)
  }

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    this.#sealAny(nonce, plaintext, aad, out, ciphertextAt, tagAt)
  }

  sealNew(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes | undefined {
    return this.#sealAny(nonce, plaintext, aad)
  }

  /** Without `out` into new memory, and nothing for a message of several windows. */
  #sealAny(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out?: Uint8Array,
    ciphertextAt = 0,
    tagAt = 0,
  ): Bytes | undefined {
    const instance = this.#instance
    const bytes = plaintext.length
    const aadBytes = aad.length
    const long = bytes > instance.windowBytes || aadBytes > instance.aadBytes
    if (out === undefined) {
      if (long) return undefined
    } else if (ciphertextAt + bytes > out.length || (tagAt >= ciphertextAt && tagAt < ciphertextAt + bytes)) {
      throw grown()
    }
    let sealed: Bytes | undefined
    if (instance.busy) instance.abandon()
    instance.busy = true
    try {
      if (long) this.#long.seal(nonce, plaintext, bytes, aad, out!, ciphertextAt, tagAt)
      else {
        instance.nonce.set(nonce)
        if (aadBytes > 0) instance.aad.set(aad)
        if (bytes > 0) instance.data.set(plaintext)
        // What was copied past the lengths given below, the kernel would leave where it is.
        if (plaintext.length !== bytes || aad.length !== aadBytes) throw grown()
        this.#seal(this.#number, aadBytes, bytes)
        const whole = instance.view(bytes + TAG_BYTES)
        if (out === undefined) sealed = new Uint8Array(whole)
        else if (tagAt === ciphertextAt + bytes) out.set(whole, ciphertextAt)
        else {
          out.set(instance.view(bytes), ciphertextAt)
          out.set(whole.subarray(bytes), tagAt)
        }
      }
      instance.busy = false
      return sealed
    } catch (error) {
      instance.abandon()
      throw error
    }
  }

  open(
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
  ): boolean {
    const instance = this.#instance
    if (instance.busy) instance.abandon()
    instance.busy = true
    try {
      const aadBytes = aad.length
      let valid: boolean
      if (bytes > instance.windowBytes || aadBytes > instance.aadBytes) {
        valid = this.#long.open(nonce, input, ciphertextAt, tagAt, bytes, aad, out)
      } else {
        const { data } = instance
        instance.nonce.set(nonce)
        if (aadBytes > 0) instance.aad.set(aad)
        if (tagAt === ciphertextAt + bytes) {
          const end = tagAt + TAG_BYTES
          const whole = ciphertextAt === 0 && input.length === end
          data.set(whole ? input : input.subarray(ciphertextAt, end))
        } else {
          data.set(input.subarray(ciphertextAt, ciphertextAt + bytes))
          data.set(input.subarray(tagAt, tagAt + TAG_BYTES), bytes)
        }
        valid = this.#open(this.#number, aadBytes, bytes) !== 0
        if (valid) {
          out.set(instance.view(bytes))
          this.#wipeData(bytes)
        }
      }
      instance.busy = false
      return valid
    } catch (error) {
      instance.abandon()
      throw error
    }
  }

  destroy(): void {
    this.#pool.release(this.#slot, this)
  }
}

/** Another thread made shared memory larger between the checks and the copy. */
function grown(): AeadError {
  return new AeadError('invalid-argument', 'an input changed its length during the call')
}
