import type { Bytes, RawSyncAead } from '@aeadkit/core'
import { libraryOf } from './host.ts'
import { allocate, MAX_SPARE_BYTES, wholeMemory } from './memory.ts'
import {
  FILLED_FROM_BYTES,
  fillFrom,
  finalOf,
  type NativeCipher,
  type NativeKey,
  type NativeOptions,
  type NodeCrypto,
  take,
  updateInPieces,
  WHOLE_UP_TO_BYTES,
} from './native.ts'

/** Makes the key of one message from the first part of its nonce. */
export interface KeyDerivation {
  /** How many bytes at the start of the nonce the derivation reads. */
  readonly nonceBytes: number
  /** Writes the 32-byte message key to `subkey`. */
  derive(nonce: Uint8Array, subkey: Uint8Array): void
  /** Wipes what can be reached. */
  destroy(): void
}

const SUBKEY_BYTES = 32
const INNER_NONCE_BYTES = 12

/**
 * One key for a native cipher that takes its message in any number of updates: GCM, OCB, ChaCha20-Poly1305; or for an
 * extended-nonce algorithm, a key per message and then such a cipher with the rest of the nonce.
 */
export class PieceAead implements RawSyncAead {
  // Pieces go to `out` as they come: holding them back would need memory as long as the message.
  readonly atomic = false
  // GCM hashes the ciphertext and then decrypts it: two reads.
  readonly readsOnce = false
  readonly #crypto: NodeCrypto
  readonly #name: string
  readonly #options: NativeOptions
  /** The tag of the message that is being opened. */
  readonly #tag: Uint8Array
  /** As long as the library makes its memory longer than a result, as far as was seen; takes the end of a ciphertext. */
  #tail: Uint8Array = new Uint8Array(0)
  /** The key, or the key of the message at hand; zeros once a KeyObject has it. */
  readonly #key: Uint8Array
  /** What the library is given: the bytes above, or a KeyObject. */
  #native: NativeKey
  /** Messages until a KeyObject is made; 0 for never again. */
  #bytesFor: number
  readonly #derivation: KeyDerivation | undefined
  readonly #innerNonce: Uint8Array = new Uint8Array(INNER_NONCE_BYTES)

  /** `key` is the key itself, or what makes one for each message. */
  constructor(crypto: NodeCrypto, name: string, tagBytes: number, key: Uint8Array | KeyDerivation) {
    const derives = !(key instanceof Uint8Array)
    this.#crypto = crypto
    this.#name = name
    this.#tag = new Uint8Array(tagBytes)
    // Without it Node before 26 accepts any prefix of 4, 8 or 12 to 15 bytes of a GCM tag (DEP0182).
    this.#options = { authTagLength: tagBytes }
    this.#derivation = derives ? key : undefined
    this.#key = derives ? new Uint8Array(SUBKEY_BYTES) : new Uint8Array(key)
    this.#native = this.#key
    this.#bytesFor = derives || libraryOf() === 'other' ? 0 : 2
  }

  /**
   * Bytes for the first message, so that nothing is left of a key that has only one. From the second one on a KeyObject:
   * it costs 3 to 5 % less per message of 1 KiB on Node 24 and 26 and on Bun, nothing on Node 20, but 9 % more in Deno.
   */
  #nativeKey(): NativeKey {
    if (this.#bytesFor > 0 && --this.#bytesFor === 0) {
      const made = this.#crypto.createSecretKey?.(this.#key)
      if (made !== undefined) {
        this.#native = made
        this.#key.fill(0)
      }
    }
    return this.#native
  }

  /**
   * The nonce of the native cipher; sets the key of this message where there is one. A rest shorter than 12 bytes is
   * preceded by zeros (draft-irtf-cfrg-xchacha-03 §2.3).
   */
  #prepare(nonce: Uint8Array): Uint8Array {
    const derivation = this.#derivation
    if (derivation === undefined) return nonce
    const rest = nonce.subarray(derivation.nonceBytes)
    this.#innerNonce.set(rest, INNER_NONCE_BYTES - rest.length)
    derivation.derive(nonce, this.#key)
    return this.#innerNonce
  }

  #forgetMessageKey(): void {
    if (this.#derivation !== undefined) this.#key.fill(0)
  }

  /** Takes the tag before the first update: it may lie where plaintext is written next. */
  #decipher(nonce: Uint8Array, input: Uint8Array, tagAt: number, aad: Uint8Array): NativeCipher {
    const inner = this.#prepare(nonce)
    const decipher = this.#crypto.createDecipheriv(this.#name, this.#nativeKey(), inner, this.#options)
    const tag = this.#tag
    fillFrom(tag, input, tagAt)
    decipher.setAuthTag(tag)
    if (aad.length > 0) decipher.setAAD(aad)
    return decipher
  }

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    try {
      const inner = this.#prepare(nonce)
      const cipher = this.#crypto.createCipheriv(this.#name, this.#nativeKey(), inner, this.#options)
      if (aad.length > 0) cipher.setAAD(aad)
      const at = updateInPieces(cipher, plaintext, out, ciphertextAt, false)
      take(cipher.final(), out, at, false)
      out.set(cipher.getAuthTag(), tagAt)
    } finally {
      this.#forgetMessageKey()
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
    try {
      const decipher = this.#decipher(nonce, input, tagAt, aad)
      const ciphertext = input.subarray(ciphertextAt, ciphertextAt + bytes)
      const at = updateInPieces(decipher, ciphertext, out, 0, true)
      const last = finalOf(decipher)
      if (last === undefined) out.fill(0, 0, at)
      else take(last, out, at, true)
      return last !== undefined
    } finally {
      this.#forgetMessageKey()
    }
  }

  /**
   * What the library decrypted is handed on as it is, if its memory has the right length: for one that always makes it
   * longer, the first update gets so much less that the rest just fits behind.
   */
  openNew(
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
  ): Bytes | false | undefined {
    if (bytes === 0 || bytes > WHOLE_UP_TO_BYTES) return undefined
    const tail = this.#tail
    // Asking for the memory of a result costs as much as copying a short one.
    const copies = tail.length > 0 && bytes < FILLED_FROM_BYTES
    const first = copies ? bytes : bytes - tail.length
    let plaintext: Uint8Array | undefined
    let rest: Uint8Array | undefined
    try {
      const decipher = this.#decipher(nonce, input, tagAt, aad)
      plaintext = decipher.update(input.subarray(ciphertextAt, ciphertextAt + first))
      if (first < bytes) {
        fillFrom(tail, input, ciphertextAt + first)
        rest = decipher.update(tail)
      }
      const last = finalOf(decipher)
      if (last === undefined) return false
      let at = plaintext.length
      let out = copies ? undefined : wholeMemory(plaintext, bytes)
      if (out !== undefined) plaintext = undefined
      else {
        if (!copies) {
          const spare = plaintext.buffer.byteLength - at
          this.#tail = new Uint8Array(spare > MAX_SPARE_BYTES ? 0 : spare)
        }
        out = allocate(bytes)
        out.set(plaintext)
      }
      if (rest !== undefined) at = take(rest, out, at, false)
      // OCB keeps back what does not fill a block.
      if (take(last, out, at, true) !== bytes) throw new Error('another length')
      return out
    } finally {
      plaintext?.fill(0)
      rest?.fill(0)
      this.#forgetMessageKey()
    }
  }

  destroy(): void {
    this.#key.fill(0)
    // A KeyObject cannot be wiped; without a reference the library frees it, and Node zeroes what it frees.
    this.#native = this.#key
    this.#derivation?.destroy()
  }
}
