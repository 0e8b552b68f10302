import type { AlgorithmParams } from '../algorithms.ts'
import { AeadError } from '../errors.ts'
import type { NonceMaker } from './maker.ts'

const FIRST_POOL_BYTES = 256
const POOL_BYTES = 4096
/** So many zeros in a row do not come by chance, and every nonce is at least as long. */
const SUSPECT_BYTES = 8

/** Random nonces out of a pool, because one draw from the system costs more than a small message. */
export class RandomNonces implements NonceMaker {
  readonly regime = 'random'
  readonly #fillRandom: (out: Uint8Array) => void
  readonly #topBitClear: boolean
  /** The pool four bytes at a time: every nonce is a whole number of them long. */
  #words: Uint32Array = new Uint32Array(0)
  /** The next unused word. */
  #at = 0
  readonly #pooled: boolean

  /** `pooled` false draws each nonce when it is needed: a cloned process must not hold nonces in advance. */
  constructor(params: AlgorithmParams, fillRandom: (out: Uint8Array) => void, pooled: boolean) {
    this.#fillRandom = fillRandom
    this.#topBitClear = params.randomNonceBits < params.nonceBytes * 8
    this.#pooled = pooled
  }

  take(out: Uint8Array): void {
    if (this.#pooled) this.#takeFromPool(out)
    // Apart from `out`, where a generator that seals with this sealer would leave the nonce of its own message.
    else out.set(this.#draw(out.length))
    // RFC 9058 §4: the top bit of an MGM nonce must be 0.
    if (this.#topBitClear) out[0] = out[0]! & 0x7f
  }

  #takeFromPool(out: Uint8Array): void {
    const bytes = out.length
    if (this.#at + bytes / 4 > this.#words.length) this.#refill()
    const words = this.#words
    let at = this.#at
    for (let i = 0; i < bytes; i += 4) {
      const word = words[at]!
      words[at++] = 0
      out[i] = word
      out[i + 1] = word >>> 8
      out[i + 2] = word >>> 16
      out[i + 3] = word >>> 24
    }
    this.#at = at
  }

  #refill(): void {
    // Small at first, so that a sealer made for one message does not draw for a hundred.
    const bytes = this.#words.length === 0 ? FIRST_POOL_BYTES : POOL_BYTES
    // Nothing is left to take until the draw has succeeded: a pool that was not filled is all zeros.
    this.#at = this.#words.length
    // New memory each time: a generator that seals with this sealer fills a pool of its own meanwhile.
    const words = new Uint32Array(this.#draw(bytes).buffer)
    this.#words.fill(0)
    this.#words = words
    this.#at = 0
  }

  #draw(bytes: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(bytes)
    try {
      this.#fillRandom(out)
    } catch (error) {
      throw new AeadError('backend-failed', 'the random generator failed, so there is no nonce', {
        cause: error,
      })
    }
    // A generator that returns without having written, or having written less than it was asked for.
    if (out.subarray(-SUSPECT_BYTES).every((byte) => byte === 0)) {
      throw new AeadError('backend-failed', 'the random generator left zeros in the memory it was to fill')
    }
    return out
  }

  destroy(): void {
    this.#words.fill(0)
    this.#at = this.#words.length
  }
}
