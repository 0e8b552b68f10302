import type { RawSyncAead } from '@aeadkit/core'
import type { NobleMode } from './mode.ts'

/** Of every mode here. */
const TAG_BYTES = 16

/**
 * Whether an error of noble's `decrypt` means a bad tag. It throws a plain `Error` for that; `RangeError` and
 * `TypeError` are memory that could not be had and arguments that core has already checked.
 */
function isBadTag(error: unknown): boolean {
  return !(error instanceof RangeError || error instanceof TypeError)
}

/** One key. noble expands it anew for every message, so the bytes are all there is to keep. */
export class NobleAead implements RawSyncAead {
  // noble checks the tag first or returns new memory; sealing cannot fail half-way.
  readonly atomic = true
  readonly allocates: boolean
  // Opening hashes the ciphertext and then decrypts it: two reads.
  readonly readsOnce = false
  readonly #mode: NobleMode
  readonly #key: Uint8Array

  constructor(mode: NobleMode, key: Uint8Array) {
    this.#mode = mode
    this.#key = new Uint8Array(key)
    this.allocates = !mode.writesInto
  }

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    const cipher = this.#mode.make(this.#key, nonce, aad)
    const start = Math.min(ciphertextAt, tagAt)
    const target = out.subarray(start, start + plaintext.length + TAG_BYTES)
    if (this.#mode.writesInto) {
      cipher.encrypt(plaintext, target)
      return
    }
    // noble lays the parts out as the algorithm does, so that the whole result has one place.
    target.set(cipher.encrypt(plaintext))
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
    const cipher = this.#mode.make(this.#key, nonce, aad)
    const start = Math.min(ciphertextAt, tagAt)
    const sealed = input.subarray(start, start + bytes + TAG_BYTES)
    try {
      if (this.#mode.writesInto) {
        cipher.decrypt(sealed, out.subarray(0, bytes))
      } else {
        const plaintext = cipher.decrypt(sealed)
        out.set(plaintext)
        plaintext.fill(0)
      }
      return true
    } catch (error) {
      // The SIV modes decrypt before they can check; noble wipes that memory itself before it throws.
      if (isBadTag(error)) return false
      throw error
    }
  }

  destroy(): void {
    this.#key.fill(0)
  }
}
