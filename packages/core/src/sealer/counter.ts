import type { AlgorithmParams } from '../algorithms.ts'
import { copyOf } from '../bytes.ts'
import { AeadError } from '../errors.ts'

/** A fixed field and the room behind it for an invocation counter, big-endian (SP 800-38D §8.2.1). */
export class CounterField {
  readonly fixedField: Uint8Array
  readonly #counterBytes: number
  /** One more than the largest counter value. */
  readonly end: bigint

  /** @throws AeadError `invalid-argument` when the counter would not have 4 to 8 bytes. */
  constructor(params: AlgorithmParams, fixedField: Uint8Array) {
    this.fixedField = copyOf(fixedField)
    this.#counterBytes = params.nonceBytes - fixedField.length
    if (this.#counterBytes < 4 || this.#counterBytes > 8) {
      const least = Math.max(0, params.nonceBytes - 8)
      const most = params.nonceBytes - 4
      throw new AeadError(
        'invalid-argument',
        `fixedField must leave 4 to 8 of the ${params.nonceBytes} nonce bytes to the counter: ${least} to ${most} bytes, got ${fixedField.length}`,
        { details: { minBytes: least, maxBytes: most, actualBytes: fixedField.length } },
      )
    }
    // RFC 9058 §4: the top bit of an MGM nonce must be 0.
    const topBitClear = params.randomNonceBits < params.nonceBytes * 8
    if (topBitClear && (fixedField[0] ?? 0) > 0x7f) {
      throw new AeadError(
        'invalid-argument',
        `the first bit of a ${params.id} nonce must be 0: so must fixedField's be`,
      )
    }
    const counterBits = 8 * this.#counterBytes - (topBitClear && fixedField.length === 0 ? 1 : 0)
    this.end = 1n << BigInt(counterBits)
  }

  /** Writes fixed field and counter over all of `out`. */
  write(out: Uint8Array, high: number, low: number): void {
    const { fixedField } = this
    for (let i = 0; i < fixedField.length; i++) out[i] = fixedField[i]!
    const last = out.length - 1
    for (let i = 0; i < this.#counterBytes; i++)
      out[last - i] = i < 4 ? low >>> (8 * i) : high >>> (8 * (i - 4))
  }
}

/** The high and low 32 bits of a value below 2^64. */
export function halves(value: bigint): { readonly high: number; readonly low: number } {
  return { high: Number(value >> 32n), low: Number(value & 0xffffffffn) }
}

/**
 * A running counter. All sealers of one record and fixed field share one, so that none repeats another. Two 32-bit
 * halves, because a bigint per message would cost more than a small message.
 */
export class Counter {
  #high: number
  #low: number
  readonly #endHigh: number
  readonly #endLow: number
  /** High half of the value last taken. */
  takenHigh = 0
  /** Low half of the value last taken. */
  takenLow = 0

  constructor(start: bigint, end: bigint) {
    const { high, low } = halves(start)
    this.#high = high
    this.#low = low
    const limit = halves(end)
    this.#endHigh = limit.high
    this.#endLow = limit.low
  }

  /** The next unused value. */
  get next(): bigint {
    return (BigInt(this.#high) << 32n) | BigInt(this.#low)
  }

  /** Skips forward; the caller has checked that `value` is not behind. */
  advanceTo(value: bigint): void {
    const { high, low } = halves(value)
    this.#high = high
    this.#low = low
  }

  /** Burns the next value and leaves it in `takenHigh` and `takenLow`. @throws AeadError `key-exhausted`. */
  take(): void {
    const high = this.#high
    const low = this.#low
    if (high > this.#endHigh || (high === this.#endHigh && low >= this.#endLow)) {
      throw new AeadError(
        'key-exhausted',
        'every counter value of this fixed field has been used: change the key or the fixed field',
      )
    }
    this.takenHigh = high
    this.takenLow = low
    this.#low = low === 0xffffffff ? 0 : low + 1
    if (low === 0xffffffff) this.#high = high + 1
  }
}
