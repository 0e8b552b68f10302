import { AeadError, type AlgorithmParams, type Bytes, type RawSyncAead } from '@aeadkit/core'
import {
  FRONT_BYTES,
  type KernelInstance,
  type OpenFunction,
  type SealFunction,
  TAG_BYTES,
} from './instance.ts'
import type { Slot, SlotPool } from './pool.ts'
import { type LongKey, openLong, sealLong } from './windows.ts'

/**
 * One key in a slot of a kernel. Messages of one window take one copy in, one call and one copy out. All algorithms
 * here put the tag behind the ciphertext.
 */
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
  readonly #key: LongKey

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
    this.#key = { instance, slot: number, begin: extended ? exports.beginX! : exports.begin }
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
    const aadBytes = aad.length
    if (tagAt !== ciphertextAt + bytes) throw grown()
    instance.enter()
    try {
      if (bytes > instance.windowBytes || aadBytes > instance.aad.length) {
        sealLong(this.#key, nonce, plaintext, bytes, aad, out, ciphertextAt)
      } else {
        this.#sealWindow(nonce, plaintext, bytes, aad, aadBytes)
        out.set(instance.view(0, bytes + TAG_BYTES), ciphertextAt)
      }
      instance.busy = false
    } catch (error) {
      instance.abandon()
      throw error
    }
  }

  /** Nothing for a message of several windows. */
  sealNew(front: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes | undefined {
    const instance = this.#instance
    const bytes = plaintext.length
    const frontBytes = front.length
    const aadBytes = aad.length
    const { data } = instance
    const before = FRONT_BYTES - frontBytes
    if (bytes > instance.windowBytes || aadBytes > instance.aad.length || before < 0) return undefined
    instance.enter()
    try {
      this.#sealWindow(nonce, plaintext, bytes, aad, aadBytes)
      if (frontBytes > 0) data.set(front, before)
      const sealed = new Uint8Array(instance.view(frontBytes, bytes + TAG_BYTES))
      if (frontBytes > 0) this.#wipeData(0)
      instance.busy = false
      return sealed
    } catch (error) {
      instance.abandon()
      throw error
    }
  }

  /** Leaves ciphertext and tag in the window. */
  #sealWindow(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    bytes: number,
    aad: Uint8Array,
    aadBytes: number,
  ): void {
    const { data, nonce: staged, aad: stagedAad } = this.#instance
    staged.set(nonce)
    if (aadBytes > 0) stagedAad.set(aad)
    if (bytes > 0) data.set(plaintext, FRONT_BYTES)
    // What was copied past the lengths given below, the kernel would leave where it is.
    if (plaintext.length !== bytes || aad.length !== aadBytes) throw grown()
    this.#seal(this.#number, aadBytes, bytes)
  }

  open(
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    _tagAt: number,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
  ): boolean {
    const instance = this.#instance
    const { data, nonce: staged } = instance
    const aadBytes = aad.length
    instance.enter()
    try {
      let valid: boolean
      if (bytes > instance.windowBytes || aadBytes > instance.aad.length) {
        valid = openLong(this.#key, nonce, input, ciphertextAt, bytes, aad, out)
      } else {
        staged.set(nonce)
        if (aadBytes > 0) instance.aad.set(aad)
        const end = ciphertextAt + bytes + TAG_BYTES
        // A view costs more than a few bytes in front of the ciphertext.
        if (input.length === end && ciphertextAt <= FRONT_BYTES) data.set(input, FRONT_BYTES - ciphertextAt)
        else data.set(input.subarray(ciphertextAt, end), FRONT_BYTES)
        valid = this.#open(this.#number, aadBytes, bytes) !== 0
        if (valid) out.set(instance.view(0, bytes))
        if (valid || ciphertextAt > 0) this.#wipeData(valid ? bytes : 0)
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
  return new AeadError('invalid-argument', 'an input changed its length meanwhile')
}
