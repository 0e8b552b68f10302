import type { RawSyncAead } from '@aeadkit/core'
import { type NativeOptions, type NodeCrypto, take, updateInPieces } from './native.ts'

/** One native cipher that takes its message in any number of updates: GCM, OCB, ChaCha20-Poly1305. */
export class PieceCipher {
  readonly #crypto: NodeCrypto
  readonly #name: string
  readonly #options: NativeOptions
  readonly #tagBytes: number

  constructor(crypto: NodeCrypto, name: string, tagBytes: number) {
    this.#crypto = crypto
    this.#name = name
    this.#tagBytes = tagBytes
    // Without it Node before 26 accepts any prefix of 4, 8 or 12 to 15 bytes of a GCM tag (DEP0182).
    this.#options = { authTagLength: tagBytes }
  }

  seal(
    key: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    const cipher = this.#crypto.createCipheriv(this.#name, key, nonce, this.#options)
    if (aad.length > 0) cipher.setAAD(aad)
    const at = updateInPieces(cipher, plaintext, out, ciphertextAt, false)
    take(cipher.final(), out, at, false)
    out.set(cipher.getAuthTag(), tagAt)
  }

  open(
    key: Uint8Array,
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
  ): boolean {
    const decipher = this.#crypto.createDecipheriv(this.#name, key, nonce, this.#options)
    // Before the first update: the tag may lie where plaintext is written next.
    decipher.setAuthTag(input.subarray(tagAt, tagAt + this.#tagBytes))
    if (aad.length > 0) decipher.setAAD(aad)
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
  }
}

/** A {@link PieceCipher} with its key. */
export class PieceAead implements RawSyncAead {
  // Pieces go to `out` as they come: holding them back would need memory as long as the message.
  readonly atomic = false
  // GCM hashes the ciphertext and then decrypts it: two reads.
  readonly readsOnce = false
  readonly #cipher: PieceCipher
  readonly #key: Uint8Array

  constructor(cipher: PieceCipher, key: Uint8Array) {
    this.#cipher = cipher
    this.#key = new Uint8Array(key)
  }

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    this.#cipher.seal(this.#key, nonce, plaintext, aad, out, ciphertextAt, tagAt)
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
    return this.#cipher.open(this.#key, nonce, input, ciphertextAt, tagAt, bytes, aad, out)
  }

  destroy(): void {
    this.#key.fill(0)
  }
}

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

/** An extended-nonce algorithm: a key per message, then a {@link PieceCipher} with the rest of the nonce. */
export class DerivedAead implements RawSyncAead {
  readonly atomic = false
  readonly readsOnce = false
  readonly #cipher: PieceCipher
  readonly #derivation: KeyDerivation
  readonly #subkey: Uint8Array = new Uint8Array(SUBKEY_BYTES)
  readonly #innerNonce: Uint8Array = new Uint8Array(INNER_NONCE_BYTES)

  constructor(cipher: PieceCipher, derivation: KeyDerivation) {
    this.#cipher = cipher
    this.#derivation = derivation
  }

  /** A rest shorter than 12 bytes is preceded by zeros (draft-irtf-cfrg-xchacha-03 §2.3). */
  #prepare(nonce: Uint8Array): void {
    const rest = nonce.subarray(this.#derivation.nonceBytes)
    this.#innerNonce.set(rest, INNER_NONCE_BYTES - rest.length)
    this.#derivation.derive(nonce, this.#subkey)
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
      this.#prepare(nonce)
      this.#cipher.seal(this.#subkey, this.#innerNonce, plaintext, aad, out, ciphertextAt, tagAt)
    } finally {
      this.#subkey.fill(0)
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
      this.#prepare(nonce)
      return this.#cipher.open(this.#subkey, this.#innerNonce, input, ciphertextAt, tagAt, bytes, aad, out)
    } finally {
      this.#subkey.fill(0)
    }
  }

  destroy(): void {
    this.#derivation.destroy()
    this.#subkey.fill(0)
  }
}
