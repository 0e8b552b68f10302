import { hchacha20, readWord } from './hchacha.ts'
import type { KeyDerivation } from './pieces.ts'

/** Message keys of XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03 §2.3). */
export class XChaChaDerivation implements KeyDerivation {
  readonly nonceBytes = 16
  readonly #words: Uint32Array

  constructor(key: Uint8Array) {
    this.#words = Uint32Array.from({ length: 8 }, (_, i) => readWord(key, 4 * i))
  }

  derive(nonce: Uint8Array, subkey: Uint8Array): void {
    hchacha20(this.#words, nonce, subkey)
  }

  destroy(): void {
    this.#words.fill(0)
  }
}
