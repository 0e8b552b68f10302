import type { AlgorithmParams } from '../algorithms.ts'
import { type BytesInput, toBytes, toHex } from '../bytes.ts'
import { AeadError } from '../errors.ts'
import type { KeyState } from '../key-state.ts'
import { kindOf, readOptions } from '../names.ts'
import { Counter, CounterField } from './counter.ts'
import { CounterMaker, counterValue, LeasedMaker } from './counter-nonces.ts'
import type { NonceMaker } from './maker.ts'
import { RandomNonces } from './random-nonces.ts'

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
        'a counter needs nonces: { kind: "counter", fixedField, start }, with a start from durable state: this key may have been used before, and a counter that starts over repeats nonces',
      )
    }
    const fixedField = new Uint8Array(Math.max(0, params.nonceBytes - 8))
    return counterMaker(params, state, { kind: 'counter', fixedField, start: 0 })
  }
  if (typeof option === 'object' && option !== null && !Array.isArray(option)) {
    const read = readOptions<NonceObject>(option, ['kind', 'fixedField', 'start', 'lease'], 'nonces')
    if (read.kind === 'counter') return counterMaker(params, state, read)
    // A lease may be a method.
    if (read.kind === 'leased') return leasedMaker(params, state, read, option)
  }
  throw new AeadError(
    'invalid-argument',
    `nonces must be "random", "counter", { kind: "counter", fixedField, start } or { kind: "leased", fixedField, lease }, got ${kindOf(option)}`,
  )
}

type NonceObject = CounterNonces | LeasedNonces

function counterMaker(params: AlgorithmParams, state: KeyState, option: CounterNonces): NonceMaker {
  readOptions(option, ['kind', 'fixedField', 'start'], 'counter nonces')
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

function leasedMaker(
  params: AlgorithmParams,
  state: KeyState,
  option: LeasedNonces,
  owner: NonceObject,
): NonceMaker {
  const { fixedField, lease } = readOptions(option, ['kind', 'fixedField', 'lease'], 'leased nonces')
  if (typeof lease !== 'function') {
    throw new AeadError('invalid-argument', `lease must be a function, got ${kindOf(lease)}`)
  }
  const field = new CounterField(params, toBytes(fixedField, 'fixedField'))
  claimField(state, field, 'leased')
  return new LeasedMaker(field, () => lease.call(owner))
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
