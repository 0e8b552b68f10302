import type { AlgorithmParams } from './algorithms.ts'
import { type BytesInput, toBytes, toHex } from './bytes.ts'
import { Counter, CounterField, halves } from './counter.ts'
import { AeadError, isAeadError } from './errors.ts'
import type { KeyState } from './key-state.ts'
import { kindOf, refuseUnknownOptions } from './names.ts'

/** Nonces of fixed field || invocation counter (SP 800-38D §8.2.1), from durable state of the caller. */
export interface CounterNonces {
  readonly kind: 'counter'
  /**
   * Names the writer; no two writers of one key may share it, and all of them need fields of one length. The counter
   * takes the remaining bytes of the nonce, 4 to 8 of them.
   */
  readonly fixedField: BytesInput
  /** First counter value to use: above every value ever used with this key and fixed field. */
  readonly start: number | bigint
}

/** Nonces of fixed field || a counter value that somebody else reserves for each message. */
export interface LeasedNonces {
  readonly kind: 'leased'
  /** As {@link CounterNonces.fixedField}. */
  readonly fixedField: BytesInput
  /** Reserves one counter value, never given before with this key and fixed field. Called once per message. */
  lease(): number | bigint | Promise<number | bigint>
}

/** Where a sealer's nonces come from. `counter` alone has no start and is refused for a key that can exist elsewhere. */
export type NonceOption = 'random' | 'counter' | CounterNonces | LeasedNonces

/** Makes the nonces of one sealer. A nonce that was taken is burned, whatever happens next. */
export interface NonceMaker {
  /** What the usage bounds must assume. */
  readonly regime: 'random' | 'counter'
  /** Writes the next nonce over all of `out`. @throws AeadError `key-exhausted`, `nonce-reused`, `unsupported`. */
  take(out: Uint8Array): void
  /** The same where the value comes by promise; absent when `take` always works. */
  takeAsync?(out: Uint8Array): Promise<void>
  /** Next counter value of a counter, to be persisted. */
  nextCounter?(): bigint
  /** Wipes nonces not yet handed out. */
  destroy(): void
}

const FIRST_POOL_BYTES = 256
const POOL_BYTES = 4096

/** Random nonces out of a pool, because one draw from the system costs more than a small message. */
export class RandomNonces implements NonceMaker {
  readonly regime = 'random'
  readonly #fillRandom: (out: Uint8Array) => void
  readonly #topBitClear: boolean
  #pool: Uint8Array = new Uint8Array(0)
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
    if (this.#at + bytes > this.#pool.length) this.#refill()
    const pool = this.#pool
    const at = this.#at
    for (let i = 0; i < bytes; i++) {
      out[i] = pool[at + i]!
      pool[at + i] = 0
    }
    this.#at = at + bytes
  }

  #refill(): void {
    // Small at first, so that a sealer made for one message does not draw for a hundred.
    let pool = this.#pool
    if (pool.length === 0) pool = new Uint8Array(FIRST_POOL_BYTES)
    else if (pool.length < POOL_BYTES) pool = new Uint8Array(POOL_BYTES)
    // Nothing is left to take until the draw has succeeded: a pool that was not filled is all zeros.
    this.#at = this.#pool.length
    this.#draw(pool)
    this.#pool = pool
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
    this.#at = this.#pool.length
  }
}

class CounterMaker implements NonceMaker {
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

class LeasedMaker implements NonceMaker {
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

function counterValue(value: unknown, name: string, end: bigint): bigint {
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

/**
 * The nonce maker an option asks for.
 * @param ownKey - the sealer made the key itself and nobody else can have it, so a counter may start at 0.
 * @throws AeadError `invalid-argument`, `nonce-reused` (a start that this process has already passed).
 */
export function nonceMaker(
  option: NonceOption,
  params: AlgorithmParams,
  state: KeyState,
  ownKey: boolean,
  random: { readonly fillRandom: (out: Uint8Array) => void; readonly pooled: boolean },
): NonceMaker {
  if (option === 'random') return new RandomNonces(params, random.fillRandom, random.pooled)
  if (option === 'counter') {
    if (!ownKey) {
      throw new AeadError(
        'invalid-argument',
        'a counter needs { kind: "counter", fixedField, start } from durable state: this key may have been used before, and a counter that starts over repeats nonces',
      )
    }
    const fixedField = new Uint8Array(Math.max(0, params.nonceBytes - 8))
    return counterMaker(params, state, { kind: 'counter', fixedField, start: 0 })
  }
  if (typeof option === 'object' && option !== null) {
    if (option.kind === 'counter') return counterMaker(params, state, option)
    if (option.kind === 'leased') return leasedMaker(params, state, option)
  }
  throw new AeadError(
    'invalid-argument',
    'nonces must be "random", "counter", { kind: "counter", fixedField, start } or { kind: "leased", fixedField, lease }',
  )
}

function counterMaker(params: AlgorithmParams, state: KeyState, option: CounterNonces): NonceMaker {
  refuseUnknownOptions(option, ['kind', 'fixedField', 'start'], 'counter nonces')
  const field = new CounterField(params, toBytes(option.fixedField, 'fixedField'))
  const start = counterValue(option.start, 'start', field.end)
  const name = claimField(state, field, 'counter')
  const running = state.counters.get(name)
  if (running === undefined) {
    const counter = new Counter(start, field.end)
    state.counters.set(name, counter)
    return new CounterMaker(field, counter)
  }
  if (start < running.next) {
    throw new AeadError(
      'nonce-reused',
      `start ${start} was passed already in this process: the next unused value is ${running.next}`,
      {
        details: { start, next: running.next },
      },
    )
  }
  running.advanceTo(start)
  return new CounterMaker(field, running)
}

function leasedMaker(params: AlgorithmParams, state: KeyState, option: LeasedNonces): NonceMaker {
  refuseUnknownOptions(option, ['kind', 'fixedField', 'lease'], 'leased nonces')
  if (typeof option.lease !== 'function') {
    throw new AeadError('invalid-argument', `lease must be a function, got ${kindOf(option.lease)}`)
  }
  const field = new CounterField(params, toBytes(option.fixedField, 'fixedField'))
  claimField(state, field, 'leased')
  return new LeasedMaker(field, () => option.lease())
}

/**
 * Notes that a fixed field of the key is in use, and by what. Two writers stay apart only when neither's fixed field
 * begins with the other's: else the longer field is also a counter value of the shorter one.
 * @returns the name of the field.
 */
function claimField(state: KeyState, field: CounterField, kind: 'counter' | 'leased'): string {
  const name = toHex(field.fixedField)
  for (const [other, otherKind] of state.fields) {
    if (other === name) {
      if (otherKind === kind) continue
      throw new AeadError(
        'nonce-reused',
        `this fixedField already numbers messages of this key by ${otherKind} nonces: ${kind} nonces need another one`,
      )
    }
    if (!other.startsWith(name) && !name.startsWith(other)) continue
    throw new AeadError(
      'nonce-reused',
      `fixedField of ${name.length / 2} bytes and one of ${other.length / 2} bytes, in use with this key, begin alike and would make the same nonces: give all writers of a key fields of one length`,
      { details: { actualBytes: name.length / 2, usedBytes: other.length / 2 } },
    )
  }
  state.fields.set(name, kind)
  return name
}
