import type { AlgorithmParams } from '../algorithms.ts'
import { AeadError } from '../errors.ts'
import type { NonceMaker } from './maker.ts'

const FIRST_POOL_BYTES = 256
const POOL_BYTES = 4096

/** Random nonces out of a pool, because one draw from the system costs more than a small message. */
export class RandomNonces implements NonceMaker {
  readonly regime = 'random'
  readonly #fillRandom: (out: Uint8Array) => void
  readonly #topBitClear: boolean
  #pool: Uint8Array = new Uint8Array(0)
  /** The same memory four bytes at a time: every nonce is a whole number of them long. */
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
    else this.#draw(out)
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
    let pool = this.#pool
    if (pool.length === 0) pool = new Uint8Array(FIRST_POOL_BYTES)
    else if (pool.length < POOL_BYTES) pool = new Uint8Array(POOL_BYTES)
    // Nothing is left to take until the draw has succeeded: a pool that was not filled is all zeros.
    this.#at = this.#words.length
    this.#draw(pool)
    this.#pool = pool
    this.#words = new Uint32Array(pool.buffer)
    this.#at = 0
  }

  #draw(out: Uint8Array): void {
    out.fill(0)
    try {
      this.#fillRandom(out)
    } catch (error) {
      throw new AeadError('backend-failed', 'the random generator failed, so there is no nonce', {
        cause: error,
      })
    }
    // A generator that returns without having written: at least 8 zero bytes do not come by chance.
    if (out.every((byte) => byte === 0)) {
      throw new AeadError('backend-failed', 'the random generator returned nothing but zeros')
    }
  }

  destroy(): void {
    this.#pool.fill(0)
    this.#at = this.#words.length
  }
}
