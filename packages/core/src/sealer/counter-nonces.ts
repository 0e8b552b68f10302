import { AeadError, isAeadError } from '../errors.ts'
import { kindOf } from '../names.ts'
import { type Counter, type CounterField, halves } from './counter.ts'
import type { NonceMaker } from './maker.ts'

/** Counter nonces of a sealer; the counter itself belongs to the key record. */
export class CounterMaker implements NonceMaker {
  readonly regime = 'counter'
  readonly #field: CounterField
  readonly #counter: Counter

  constructor(field: CounterField, counter: Counter) {
    this.#field = field
    this.#counter = counter
  }

  take(out: Uint8Array): void {
    const counter = this.#counter
    counter.take()
    this.#field.write(out, counter.takenHigh, counter.takenLow)
  }

  nextCounter(): bigint {
    return this.#counter.next
  }

  destroy(): void {}
}

/** Nonces whose counter values somebody else reserves. */
export class LeasedMaker implements NonceMaker {
  readonly regime = 'counter'
  readonly #field: CounterField
  readonly #lease: () => number | bigint | Promise<number | bigint>
  #last: bigint | undefined

  constructor(field: CounterField, lease: () => number | bigint | Promise<number | bigint>) {
    this.#field = field
    this.#lease = lease
  }

  take(out: Uint8Array): void {
    const value: unknown = this.#ask()
    if (typeof (value as { then?: unknown } | null | undefined)?.then === 'function') {
      // The reserved value is forfeited; a rejection must not go unhandled.
      Promise.resolve(value).catch(() => undefined)
      throw new AeadError('unsupported', 'leases come by promise here: use encrypt instead of encryptSync')
    }
    this.#use(value, out)
  }

  async takeAsync(out: Uint8Array): Promise<void> {
    let value: unknown
    try {
      value = await this.#ask()
    } catch (error) {
      throw leaseFailed(error)
    }
    this.#use(value, out)
  }

  #ask(): unknown {
    try {
      return this.#lease()
    } catch (error) {
      throw leaseFailed(error)
    }
  }

  #use(given: unknown, out: Uint8Array): void {
    const value = counterValue(given, 'a leased counter value', this.#field.end)
    if (value === this.#last)
      throw new AeadError('nonce-reused', 'the same counter value was leased twice in a row')
    this.#last = value
    const { high, low } = halves(value)
    this.#field.write(out, high, low)
  }

  destroy(): void {}
}

/** The lease is the caller's code: what it throws becomes a cause. */
function leaseFailed(error: unknown): AeadError {
  if (isAeadError(error)) return error
  return new AeadError('backend-failed', 'no counter value could be leased, so nothing was sealed', {
    cause: error,
  })
}

/** A counter value as a caller gave it. @throws AeadError `invalid-argument`. */
export function counterValue(value: unknown, name: string, end: bigint): bigint {
  const whole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
  if (!whole) {
    throw new AeadError(
      'invalid-argument',
      `${name} must be a whole number (number or bigint), got ${kindOf(value)}`,
    )
  }
  const big = BigInt(value as number | bigint)
  if (big >= 0n && big < end) return big
  throw new AeadError('invalid-argument', `${name} must be at least 0 and below ${end}`)
}
