import type { Bytes, RawSyncAead } from '@aeadkit/core'
import {
  type NativeCipher,
  type NativeOptions,
  type NodeCrypto,
  ownMemory,
  PIECES,
  take,
  updateInPieces,
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
  readonly #tagBytes: number
  /** The key, or the key of the message at hand. */
  readonly #key: Uint8Array
  readonly #derivation: KeyDerivation | undefined
  readonly #innerNonce: Uint8Array = new Uint8Array(INNER_NONCE_BYTES)

  /** `key` is the key itself, or what makes one for each message. */
  constructor(crypto: NodeCrypto, name: string, tagBytes: number, key: Uint8Array | KeyDerivation) {
    const derives = !(key instanceof Uint8Array)
    this.#crypto = crypto
    this.#name = name
    this.#tagBytes = tagBytes
    // Without it Node before 26 accepts any prefix of 4, 8 or 12 to 15 bytes of a GCM tag (DEP0182).
    this.#options = { authTagLength: tagBytes }
    this.#derivation = derives ? key : undefined
    this.#key = derives ? new Uint8Array(SUBKEY_BYTES) : new Uint8Array(key)
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
  #decipher(nonce: Uint8Array, tag: Uint8Array, aad: Uint8Array): NativeCipher {
    const inner = this.#prepare(nonce)
    const decipher = this.#crypto.createDecipheriv(this.#name, this.#key, inner, this.#options)
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
      const cipher = this.#crypto.createCipheriv(this.#name, this.#key, inner, this.#options)
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
      const decipher = this.#decipher(nonce, input.subarray(tagAt, tagAt + this.#tagBytes), aad)
      const ciphertext = input.subarray(ciphertextAt, ciphertextAt + bytes)
      const at = updateInPieces(decipher, ciphertext, out, 0, true)
      let rest: Uint8Array
      try {
        rest = decipher.final()
      } catch {
        out.fill(0, 0, at)
        return false
      }
      take(rest, out, at, true)
      return true
    } finally {
      this.#forgetMessageKey()
    }
  }

  /** What the library decrypts in one piece is handed on as it is. */
  openNew(
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
  ): Bytes | false | undefined {
    if (bytes === 0 || bytes > PIECES.wholeUpToBytes) return undefined
    let plaintext: Uint8Array | undefined
    try {
      const decipher = this.#decipher(nonce, input.subarray(tagAt, tagAt + this.#tagBytes), aad)
      plaintext = decipher.update(input.subarray(ciphertextAt, ciphertextAt + bytes))
      let rest: Uint8Array
      try {
        rest = decipher.final()
      } catch {
        return false
      }
      // OCB keeps back what does not fill a block.
      const out = rest.length === 0 ? ownMemory(plaintext) : undefined
      if (out !== undefined) {
        plaintext = undefined
        return out
      }
      const copy = new Uint8Array(bytes)
      take(rest, copy, take(plaintext, copy, 0, false), true)
      return copy
    } finally {
      plaintext?.fill(0)
      this.#forgetMessageKey()
    }
  }

  destroy(): void {
    this.#key.fill(0)
    this.#derivation?.destroy()
  }
}
