import type { RawAsyncAead } from '@aeadkit/core'
import { type ErrorMark, isBadTag, paramsOf, type Subtle, type SubtleKey, type SubtleMode } from './subtle.ts'

/** How a WebCrypto is used; the same for all its keys. */
export interface SubtleUse {
  readonly subtle: Subtle
  /** Whether inputs are copied first: only the platform's own is trusted to read them before it returns. */
  readonly copies: boolean
}

/** One key of a WebCrypto. */
export class WebCryptoAead implements RawAsyncAead {
  readonly #use: SubtleUse
  readonly #mode: SubtleMode
  readonly #badTag: ErrorMark
  #key: SubtleKey | undefined

  constructor(use: SubtleUse, mode: SubtleMode, badTag: ErrorMark, key: SubtleKey) {
    this.#use = use
    this.#mode = mode
    this.#badTag = badTag
    this.#key = key
  }

  #own(bytes: Uint8Array): Uint8Array {
    return this.#use.copies ? new Uint8Array(bytes) : bytes
  }

  /** One that was handed in may use the memory of its results again, and a number would become that many zeros. */
  #result(given: ArrayBuffer): Uint8Array {
    if (typeof given !== 'object') throw new TypeError('the WebCrypto did not return bytes')
    return this.#own(new Uint8Array(given))
  }

  async seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Promise<Uint8Array> {
    const params = paramsOf(this.#mode, this.#own(nonce), this.#own(aad))
    return this.#result(await this.#use.subtle.encrypt(params, this.#key!, this.#own(plaintext)))
  }

  async open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Promise<Uint8Array | undefined> {
    const params = paramsOf(this.#mode, this.#own(nonce), this.#own(aad))
    try {
      return this.#result(await this.#use.subtle.decrypt(params, this.#key!, this.#own(sealed)))
    } catch (error) {
      if (isBadTag(error, this.#badTag)) return undefined
      throw error
    }
  }

  destroy(): void {
    // The key's bytes are the platform's; without a reference they are free to go.
    this.#key = undefined
  }
}
