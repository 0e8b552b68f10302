import type { RawSyncAead } from '@aeadkit/core'
import { finalOf, type NativeCipher, type NativeOptions, type NodeCrypto, take } from './native.ts'

/**
 * - `ccm`: the length goes in before the data.
 * - `gcm-siv`: the nonce is the IV.
 * - `siv`: no IV; the AAD and then the nonce are components of S2V (RFC 5297 §3 and §6). A nonce of no bytes is no
 *   component: deterministic encryption with the AAD alone.
 */
export type WholeMode = 'ccm' | 'gcm-siv' | 'siv'

/** One key for a mode whose whole message goes through one `update` call. */
export class WholeAead implements RawSyncAead {
  // The library returns the whole result or fails, and only then is it copied to `out`.
  readonly atomic = true
  readonly allocates = true
  readonly readsOnce = false
  readonly #crypto: NodeCrypto
  readonly #mode: WholeMode
  readonly #name: string
  readonly #key: Uint8Array
  readonly #options: NativeOptions
  // An empty view of memory that exists: an empty array may reach OpenSSL as a null pointer, which Node 20 takes for
  // "no update", and then CCM has no tag (ERR_OSSL_TAG_NOT_SET).
  readonly #nothing: Uint8Array = new Uint8Array(1).subarray(1)

  constructor(crypto: NodeCrypto, mode: WholeMode, name: string, tagBytes: number, key: Uint8Array) {
    this.#crypto = crypto
    this.#mode = mode
    this.#name = name
    this.#key = new Uint8Array(key)
    this.#options = { authTagLength: tagBytes }
  }

  #real(bytes: Uint8Array): Uint8Array {
    return bytes.length > 0 ? bytes : this.#nothing
  }

  #setAad(cipher: NativeCipher, nonce: Uint8Array, aad: Uint8Array, bytes: number): void {
    if (this.#mode === 'ccm') {
      cipher.setAAD(this.#real(aad), { plaintextLength: bytes })
      return
    }
    // In S2V an empty component differs from no component.
    if (this.#mode === 'siv' || aad.length > 0) cipher.setAAD(this.#real(aad))
    if (this.#mode === 'siv' && nonce.length > 0) cipher.setAAD(nonce)
  }

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    const iv = this.#mode === 'siv' ? null : nonce
    const cipher = this.#crypto.createCipheriv(this.#name, this.#key, iv, this.#options)
    this.#setAad(cipher, nonce, aad, plaintext.length)
    // An empty message needs its update as well: without it these modes produce no tag.
    const ciphertext = cipher.update(this.#real(plaintext))
    const rest = cipher.final()
    take(rest, out, take(ciphertext, out, ciphertextAt, false), false)
    out.set(cipher.getAuthTag(), tagAt)
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
    const tag = input.subarray(tagAt, tagAt + this.#options.authTagLength!)
    if (this.#mode === 'ccm' && bytes === 0) return this.#opensEmpty(nonce, aad, tag)
    const iv = this.#mode === 'siv' ? null : nonce
    const decipher = this.#crypto.createDecipheriv(this.#name, this.#key, iv, this.#options)
    decipher.setAuthTag(tag)
    this.#setAad(decipher, nonce, aad, bytes)
    const plaintext = decipher.update(this.#real(input.subarray(ciphertextAt, ciphertextAt + bytes)))
    const last = finalOf(decipher)
    if (last === undefined) plaintext.fill(0)
    else take(last, out, take(plaintext, out, 0, true), true)
    return last !== undefined
  }

  /**
   * Node 20 and 22 check the tag of a CCM message in `update` alone, and an empty message that reaches OpenSSL as a
   * null pointer counts as no update: then every forgery "opens". So the tag is made anew here and compared without a
   * branch on its bytes.
   */
  #opensEmpty(nonce: Uint8Array, aad: Uint8Array, tag: Uint8Array): boolean {
    const expected = new Uint8Array(tag.length)
    this.seal(nonce, this.#nothing, aad, expected, 0, 0)
    let difference = 0
    for (let i = 0; i < expected.length; i++) difference |= expected[i]! ^ tag[i]!
    expected.fill(0)
    return difference === 0
  }

  destroy(): void {
    this.#key.fill(0)
  }
}
