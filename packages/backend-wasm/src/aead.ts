import type { AlgorithmParams, Bytes, RawSyncAead } from '@aeadkit/core'
import type { KernelInstance, OpenFunction, SealFunction } from './instance.ts'
import type { Slot, SlotPool } from './pool.ts'
import { LongMessages } from './windows.ts'

const TAG_BYTES = 16

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
    const instance = this.#instance
    const bytes = plaintext.length
    if (bytes > instance.windowBytes || aad.length > instance.aadBytes) {
      this.#long.seal(nonce, plaintext, aad, out, ciphertextAt, tagAt)
      return
    }
    this.#sealWindow(instance, nonce, plaintext, aad)
    if (tagAt === ciphertextAt + bytes) {
      out.set(instance.view(bytes + TAG_BYTES), ciphertextAt)
    } else {
      out.set(instance.view(bytes), ciphertextAt)
      out.set(instance.view(bytes + TAG_BYTES).subarray(bytes), tagAt)
    }
  }

  sealNew(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes | undefined {
    const instance = this.#instance
    const bytes = plaintext.length
    if (bytes > instance.windowBytes || aad.length > instance.aadBytes) return undefined
    this.#sealWindow(instance, nonce, plaintext, aad)
    return new Uint8Array(instance.view(bytes + TAG_BYTES))
  }

  /** Leaves ciphertext and tag in the data window. */
  #sealWindow(instance: KernelInstance, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): void {
    const { memory } = instance
    instance.nonce.set(nonce)
    if (aad.length > 0) memory.set(aad, instance.aadAt)
    if (plaintext.length > 0) memory.set(plaintext, instance.dataAt)
    this.#seal(this.#number, aad.length, plaintext.length)
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
    if (bytes > instance.windowBytes || aad.length > instance.aadBytes) {
      return this.#long.open(nonce, input, ciphertextAt, tagAt, bytes, aad, out)
    }
    const { memory, dataAt } = instance
    instance.nonce.set(nonce)
    if (aad.length > 0) memory.set(aad, instance.aadAt)
    if (tagAt === ciphertextAt + bytes) {
      const end = tagAt + TAG_BYTES
      const whole = ciphertextAt === 0 && input.length === end
      memory.set(whole ? input : input.subarray(ciphertextAt, end), dataAt)
    } else {
      memory.set(input.subarray(ciphertextAt, ciphertextAt + bytes), dataAt)
      memory.set(input.subarray(tagAt, tagAt + TAG_BYTES), dataAt + bytes)
    }
    if (this.#open(this.#number, aad.length, bytes) === 0) return false
    out.set(instance.view(bytes))
    this.#wipeData(bytes)
    return true
  }

  destroy(): void {
    this.#pool.release(this.#slot, this)
  }
}
