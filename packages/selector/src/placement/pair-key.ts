import { AeadError } from '@aeadkit/core'

/** The key of a pair, kept until nobody can need it any more. */
export class PairKey {
  readonly #bytes: Uint8Array
  #missing = 2

  /** `key` is copied. */
  constructor(key: Uint8Array) {
    this.#bytes = new Uint8Array(key)
  }

  /**
   * The key, for a half that is set up without a promise; it must copy what it keeps.
   * @throws AeadError `destroyed`: what was wiped is a key of zeros, which seals as readily as any other.
   */
  get bytes(): Uint8Array {
    if (this.#missing < 1) throw new AeadError('destroyed', 'key was wiped')
    return this.#bytes
  }

  /** One of the two halves has it. */
  taken(): void {
    if (--this.#missing === 0) this.wipe()
  }

  wipe(): void {
    this.#missing = 0
    this.#bytes.fill(0)
  }
}
