import type { RawSyncAead } from '@aeadkit/core'
import { type ErrorMark, markOf, type SodiumCipher } from './library.ts'

/** One key. libsodium takes it anew for every message, so the bytes are all there is to keep. */
export class SodiumAead implements RawSyncAead {
  // The result is made in WebAssembly memory and copied out only once the tag is right.
  readonly atomic = true
  readonly allocates = true
  // It takes a length and then the bytes: memory that grows in between would overrun its heap.
  readonly readsOnce = false
  readonly #cipher: SodiumCipher
  readonly #badTag: ErrorMark
  readonly #tagBytes: number
  readonly #key: Uint8Array

  constructor(cipher: SodiumCipher, badTag: ErrorMark, tagBytes: number, key: Uint8Array) {
    this.#cipher = cipher
    this.#badTag = badTag
    this.#tagBytes = tagBytes
    this.#key = new Uint8Array(key)
  }

  // The tag of each algorithm here follows the ciphertext, so the whole result has one place.
  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
  ): void {
    out.set(this.#cipher.seal(nonce, plaintext, aad, this.#key), ciphertextAt)
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
    const sealed = input.subarray(ciphertextAt, ciphertextAt + bytes + this.#tagBytes)
    let plaintext: Uint8Array
    try {
      plaintext = this.#cipher.open(nonce, sealed, aad, this.#key)
    } catch (error) {
      const { name, message } = markOf(error)
      if (name === this.#badTag.name && message === this.#badTag.message) return false
      throw error
    }
    out.set(plaintext)
    plaintext.fill(0)
    return true
  }

  destroy(): void {
    this.#key.fill(0)
  }
}
