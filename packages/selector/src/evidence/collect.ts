/** Puts what is seen, self-tests and measurements together. */
import type { AlgorithmId, Backend, Evidence, HardwareReport } from '@aeadkit/core'
import { startOf } from '../host.ts'
import { unlessAborted } from '../within.ts'
import { type MeasurementCache, processCache } from './cache.ts'
import { type CollectOptions, readCollectOptions } from './collect-options.ts'
import { DEFAULT_BUDGET_MS } from './measure-session.ts'
import { MEASURED, placementPlan } from './plan.ts'
import { SelfTests } from './self-tests.ts'
import { evidenceOf, look, type Sight } from './sight.ts'
import { newest, placementTimings, type Timings, timings } from './timings.ts'

/**
 * Everything a timing depends on besides backend and algorithm. Virtual machines show one model name with different
 * instructions, and options of the engine (no compiler, other tiers) change the speed of everything that is script.
 */
function machineOf({ fips, host, platform }: Sight): readonly string[] {
  const masks = Object.entries(platform.masks).map(([name, value]) => `${name}=${value}`)
  const features = Object.entries(platform.effective).flatMap(([name, value]) =>
    typeof value === 'boolean' ? [`${value ? '+' : '-'}${name}`] : [],
  )
  const options = startOf(host.env('NODE_OPTIONS'))
  return [
    host.runtime,
    host.runtimeVersion,
    host.openssl ?? '',
    host.arch,
    platform.cpuModel,
    features.sort().join(' '),
    masks.join(' '),
    [...host.execArgv, options.state === 'read' ? options.text : ''].join(' ').trim(),
    fips.fips.state,
  ]
}

/** Collections that use one cache take turns: the second finds what the first has measured. */
const turns: WeakMap<MeasurementCache, Promise<unknown>> = /* @__PURE__ */ new WeakMap()

async function inTurn<T>(
  cache: MeasurementCache,
  { budgetMs, signal }: Pick<CollectOptions, 'budgetMs' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const before = turns.get(cache) ?? Promise.resolve()
  const turn = async (): Promise<T> => {
    // Who measures nothing disturbs nobody.
    if (budgetMs !== 0) await unlessAborted(before, signal)
    const done = await work()
    // What a cache knows is no work that looks at the signal.
    signal?.throwIfAborted()
    return done
  }
  const mine = turn()
  // Who gives up its place must not let the next one in early.
  turns.set(
    cache,
    before.then(() => mine).catch(() => undefined),
  )
  return mine
}

const UNMEASURED: Timings = { measurements: [], items: [], spentMs: 0 }

/**
 * Observes this runtime: CPU flags after masks, library versions, FIPS state, self-tests, and timings that decide the
 * hardware class. Never prompts, never runs a program unless allowed, and reports what it cannot see as unknown.
 * @param options - see {@link CollectOptions}; unknown names are refused.
 * @returns plain data, safe to write as JSON.
 * @throws AeadError `invalid-argument`: a slip in the options; the reason of `options.signal` when aborted.
 */
export async function collectEvidence(options?: CollectOptions): Promise<Evidence> {
  return gatherEvidence(readCollectOptions(options))
}

/** {@link collectEvidence} for options that were checked. */
export async function gatherEvidence(options: CollectOptions): Promise<Evidence> {
  options.signal?.throwIfAborted()
  const tests = new SelfTests(options.backends ?? [], options.signal)
  await tests.all()
  return (await observe(options, tests)).evidence
}

/** Evidence with what is needed to time more later. */
export interface Observation {
  readonly evidence: Evidence
  /**
   * Times one algorithm where it may run and adds that to the evidence; nothing more for one backend, or when nothing
   * may be measured.
   * @param bytes - the one message length that matters. Default: any.
   * @throws the reason of the signal when aborted.
   */
  readonly placing: (algorithm: AlgorithmId, backends: readonly Backend[], bytes?: number) => Promise<Placing>
}

/** Evidence with the timings of one algorithm. */
export interface Placing {
  readonly evidence: Evidence
  /** Names of backends that failed while they were timed. */
  readonly failed: readonly string[]
}

/**
 * {@link gatherEvidence} in two steps: first what decides the algorithm, then the timings of that one.
 * @param tests - of the backends of `options`; what is to be timed is tested here, if it was not yet.
 * @param costShare - share of the budget for the algorithms of `options`. Default: all that the class leaves.
 */
export async function observe(
  options: CollectOptions,
  tests: SelfTests,
  costShare = 1,
): Promise<Observation> {
  const { given = {}, backends = [], signal } = options
  signal?.throwIfAborted()
  const sight = look(options)
  const { host } = sight
  const cache = options.measurementCache ?? processCache()
  const never = options.measure === 'never' || given.measurements !== undefined
  if (!never) await tests.forTimings(options.algorithms ?? MEASURED)
  signal?.throwIfAborted()
  const machine = machineOf(sight)
  const timed = never
    ? UNMEASURED
    : await inTurn(cache, options, () =>
        timings({ usable: tests.usable(), options, host, cache, machine }, costShare),
      )
  const measurements = given.measurements ?? timed.measurements
  const tested = [...tests.items(), ...timed.items]
  const evidence = evidenceOf(sight, { given, backends, measurements, items: tested })
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS
  return {
    evidence,
    async placing(algorithm, permitted, bytes) {
      if (never || permitted.length < 2) return { evidence, failed: [] }
      const request = placementPlan(algorithm, permitted, bytes)
      const left = Math.max((budgetMs - timed.spentMs) * PLACEMENT_USE, budgetMs * PLACEMENT_LEAST)
      const placed = await inTurn(cache, options, () =>
        placementTimings({ request, options, host, cache, machine }, left),
      )
      const { failed, items, measurements } = placed
      const known = evidence.measurements.filter(
        (one) => one.algorithm !== algorithm || !failed.includes(one.backend),
      )
      return {
        evidence: {
          ...evidence,
          measurements: newest(known, measurements),
          items: [...evidence.items, ...items],
        },
        failed,
      }
    },
  }
}

/** What is left is used up to this share: the call under way ends after its time is over. */
const PLACEMENT_USE = 0.96
/** Share of the budget for a placement when none is left, by guaranteed rounds on a slow machine: each length once. */
const PLACEMENT_LEAST = 0.05

/**
 * Describes this machine for another one that seals data for it. The class outweighs the halves: what counts is what
 * AES-GCM of the library uses.
 * @param evidence - what was observed here.
 * @param name - free name for explanations.
 */
export function toHardwareReport(evidence: Evidence, name: string): HardwareReport {
  const { aes, clmul, hardwareClass, source } = evidence
  // By timings, or by flags that a mask leaves AES-GCM a way round: its instructions are in use whatever is masked.
  if (source !== 'given' && hardwareClass === 'hardware') return { name, aes: 'yes', clmul: 'yes' }
  if (source === 'measured' && hardwareClass === 'none' && aes !== 'no' && clmul !== 'no') {
    // No flag is known to be missing, so the timing is all that tells: both are out of use.
    return { name, aes: 'no', clmul: 'no' }
  }
  return { name, aes, clmul }
}
