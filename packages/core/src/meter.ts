import type { AlgorithmParams } from './algorithms.ts'
import { isAlgorithmId } from './algorithms.ts'
import { AeadError } from './errors.ts'
import { checkCount, checkTarget, shown } from './limits/input.ts'
import { CountingKeyMeter, type KeyMeterRules } from './meter/key-meter.ts'
import { type MeterPolicy, planOf } from './meter/plan.ts'
import { type Counts, type KeyCounts, readSnapshot, writeSnapshot } from './meter/snapshot.ts'
import type { KeyMeter, Meter, MeterOptions, MeterSnapshot } from './meter/types.ts'
import { readOptions } from './names.ts'

export type {
  KeyMeter,
  KeySnapshot,
  KeyUsage,
  Meter,
  MeterBinding,
  MeterOptions,
  MeterSnapshot,
  MeterWarning,
} from './meter/types.ts'

const OPTIONS: readonly string[] = [
  'target',
  'nonceTarget',
  'maxMessages',
  'warnAt',
  'onWarn',
  'onIntegrityLimit',
  'repeatsPerNonce',
  'snapshot',
]

interface Entry extends KeyCounts {
  /** One per way of making nonces, all over the same counts. */
  readonly meters: Map<string, CountingKeyMeter>
}

/**
 * Makes a meter: it counts what each key seals and fails to open, and refuses to pass the bounds of `limitsOf`. It
 * enforces the bound itself, not a number of messages: longer messages use a key up sooner.
 *
 * Counts are those of this object. Several writers with one key need one shared meter, or a ledger.
 * @param given - target, caps, warning, and counts to continue from.
 * @throws AeadError `invalid-argument`: unknown option, value out of range, corrupt snapshot.
 */
export function createMeter(given?: MeterOptions): Meter {
  const options = readOptions(given, OPTIONS, 'createMeter')
  const policy = readPolicy(options)
  const rules = readRules(options)
  const keys = new Map<string, Entry>()
  if (options.snapshot !== undefined) {
    for (const [keyId, read] of readSnapshot(options.snapshot))
      keys.set(keyId, { ...read, meters: new Map() })
  }
  const snapshot = (): MeterSnapshot => writeSnapshot(keys)
  return {
    forKey(keyId, params, nonce, fips = false, continued): KeyMeter {
      checkKey(keyId, params, nonce, fips)
      let entry = keys.get(keyId)
      if (entry === undefined) {
        const counts =
          continued instanceof CountingKeyMeter && continued.keyId === keyId
            ? continued.counts
            : emptyCounts()
        entry = { algorithm: params.id, counts, meters: new Map() }
        keys.set(keyId, entry)
      } else if (entry.algorithm !== params.id) {
        throw new AeadError(
          'invalid-argument',
          `forKey: key ${keyId} is counted as a key for ${entry.algorithm}, not for ${params.id}`,
        )
      }
      const regime = `${nonce}${fips ? ' fips' : ''}`
      let meter = entry.meters.get(regime)
      if (meter === undefined) {
        meter = new CountingKeyMeter(keyId, planOf(params, policy, nonce, fips), entry.counts, rules, nonce)
        entry.meters.set(regime, meter)
      }
      return meter
    },
    snapshot,
    toJSON: snapshot,
  }
}

function readPolicy(options: MeterOptions): MeterPolicy {
  const maxMessages =
    options.maxMessages === undefined ? null : checkCount(options.maxMessages, 'maxMessages')
  if (maxMessages === 0n) throw new AeadError('invalid-argument', 'maxMessages must be 1 or more, got 0')
  const repeats = options.repeatsPerNonce ?? 1
  if (!Number.isSafeInteger(repeats) || repeats < 1) {
    throw new AeadError(
      'invalid-argument',
      `repeatsPerNonce must be a whole number, 1 or more, got ${shown(repeats)}`,
    )
  }
  return {
    e: -checkTarget(options.target ?? -57, 'target'),
    nonceE: options.nonceTarget === undefined ? undefined : -checkTarget(options.nonceTarget, 'nonceTarget'),
    maxMessages,
    repeatsPerNonce: repeats,
  }
}

function readRules(options: MeterOptions): KeyMeterRules {
  const { warnAt = 0.5, onWarn, onIntegrityLimit = 'refuse' } = options
  if (typeof warnAt !== 'number' || !(warnAt > 0 && warnAt <= 1)) {
    throw new AeadError('invalid-argument', `warnAt must be above 0 and at most 1, got ${shown(warnAt)}`)
  }
  if (onWarn !== undefined && typeof onWarn !== 'function') {
    throw new AeadError('invalid-argument', `onWarn must be a function, got ${shown(onWarn)}`)
  }
  if (onIntegrityLimit !== 'refuse' && onIntegrityLimit !== 'report') {
    throw new AeadError(
      'invalid-argument',
      `onIntegrityLimit must be 'refuse' or 'report', got ${shown(onIntegrityLimit)}`,
    )
  }
  return { warnAt, onWarn, refuseOpens: onIntegrityLimit === 'refuse' }
}

function checkKey(keyId: unknown, params: AlgorithmParams, nonce: unknown, fips: unknown): void {
  if (typeof keyId !== 'string' || keyId === '') {
    throw new AeadError('invalid-argument', `forKey: keyId must be a non-empty string, got ${shown(keyId)}`)
  }
  if (typeof params !== 'object' || params === null || !isAlgorithmId(params.id)) {
    throw new AeadError('invalid-argument', 'forKey: params must be an entry of ALGORITHMS')
  }
  if (nonce !== 'random' && nonce !== 'counter') {
    throw new AeadError(
      'invalid-argument',
      `forKey: nonce must be 'random' or 'counter', got ${shown(nonce)}`,
    )
  }
  if (typeof fips !== 'boolean') {
    throw new AeadError('invalid-argument', `forKey: fips must be a boolean, got ${shown(fips)}`)
  }
}

function emptyCounts(): Counts {
  return {
    messages: 0,
    blocks: 0,
    failedOpens: 0,
    failedBlocks: 0,
    longestBytes: 0,
    nonce: null,
    warned: false,
  }
}
