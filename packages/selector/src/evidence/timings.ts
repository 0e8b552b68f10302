/** Timings from the cache and from new measurements: first what decides the hardware class, then the cost lines. */
import type { AlgorithmId, EvidenceItem, Measurement } from '@aeadkit/core'
import type { Host } from '../host.ts'
import { type Abort, unlessAborted } from '../within.ts'
import { cacheKey, type MeasurementCache, readCached, writeCached } from './cache.ts'
import { bestOf } from './costs.ts'
import { type HardwareVerdict, hardwareClassOf, kindsOf } from './hardware-class.ts'
import { type MeasureRequest, measureCosts } from './measure.ts'
import { measurePlacement } from './measure-placement.ts'
import { DEFAULT_BUDGET_MS } from './measure-session.ts'
import type { PlacementRequest } from './placement-racers.ts'
import { classPlan, costPlan, MEASURED, type Usable } from './plan.ts'

/** Share of the budget for one attempt at the hardware class; the cost lines get what is left. */
const CLASS_SHARE = 0.08
/** Attempts while the timings lie between the two thresholds: the first can be all noise, or pay for fresh pages; */
const CLASS_ATTEMPTS = 6
/** but from the third on none after one that made no cipher faster by this share: then it is how they are. */
const CLASS_GAIN = 0.03
const CLASS_LEAST = 3
/** Rounds of every attempt that are finished even on a busy machine: the class must not depend on the load. */
const CLASS_ROUNDS = 4

/** Runtimes with V8 and the allocator of the C library. */
const REUSE_MEMORY: readonly string[] = ['node', 'deno']

/** The options of a collection that concern timings. */
export interface TimingOptions {
  readonly measure?: 'cached' | 'always' | 'never' | undefined
  readonly budgetMs?: number | undefined
  readonly algorithms?: readonly AlgorithmId[] | undefined
  readonly signal?: Abort | undefined
}

/** Timings with how they came about. */
export interface Timings {
  readonly measurements: readonly Measurement[]
  readonly items: readonly EvidenceItem[]
  /** Part of the budget that went into them, in milliseconds. */
  readonly spentMs: number
}

/** What {@link timings} works with. */
export interface TimingInput {
  readonly usable: readonly Usable[]
  readonly options: TimingOptions
  readonly host: Host
  readonly cache: MeasurementCache
  readonly machine: readonly string[]
}

const pairKey = (backend: string, algorithm: AlgorithmId): string => `${algorithm} on ${backend}`

type Pair = Pick<MeasureRequest, 'backend' | 'algorithm'>

/** What was stored for the pairs of the plan. */
async function storedTimings(
  planned: readonly Pair[],
  { cache, machine, options }: Pick<TimingInput, 'cache' | 'machine' | 'options'>,
): Promise<readonly Measurement[]> {
  const asked = new Map(planned.map((pair) => [pairKey(pair.backend.name, pair.algorithm), pair]))
  // At once: a store in files answers each of them a few turns later.
  const reads = [...asked.values()].map(({ backend, algorithm }) =>
    readCached(cache, cacheKey(machine, backend, algorithm), backend.name, algorithm),
  )
  const found = await unlessAborted(Promise.all(reads), options.signal)
  return found.flatMap((one) => one ?? [])
}

/** The part of the requests that no timing answers yet. */
function unanswered(
  requests: readonly MeasureRequest[],
  known: readonly Measurement[],
): readonly MeasureRequest[] {
  const answers = new Set(known.map(timingKey))
  return requests.flatMap((request) =>
    request.operations.flatMap((operation): MeasureRequest[] => {
      const { backend, algorithm } = request
      const into = request.into === true && backend.sync ? { into: true as const } : {}
      const sizes = request.sizes.filter(
        (bytes) => !answers.has(timingKey({ backend: backend.name, algorithm, operation, bytes, ...into })),
      )
      return sizes.length === 0 ? [] : [{ ...request, operations: [operation], sizes }]
    }),
  )
}

/**
 * Uses stored timings where allowed and measures the rest; what the budget cuts off is left to the next call.
 * @param costShare - share of the budget for the cost lines, as far as the class leaves it.
 */
export async function timings(input: TimingInput, costShare = 1): Promise<Timings> {
  const { usable, options, host } = input
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS
  const costRequests = costPlan(usable, options.algorithms ?? MEASURED)
  const classes = classPlan(usable)
  const planned = [...classes.natives, ...classes.others, ...costRequests]
  const stored = options.measure === 'always' ? [] : await storedTimings(planned, input)
  const settings = { clock: host.clock, ...(options.signal === undefined ? {} : { signal: options.signal }) }
  // Without a budget nothing is timed, but what an earlier call has timed is known.
  const kinds = kindsOf(usable.map((one) => one.backend))
  const verdictOf = (measurements: readonly Measurement[]): HardwareVerdict =>
    hardwareClassOf({ measurements, kinds, flags: null })
  /** What is still to be timed for the class, by what is known. */
  const undecided = (known: readonly Measurement[]): readonly MeasureRequest[] => {
    const left = unanswered(classes.natives, known)
    return left.length > 0 || verdictOf(known).across === undefined ? left : unanswered(classes.others, known)
  }
  if (budgetMs === 0 || [...undecided(stored), ...unanswered(costRequests, stored)].length === 0) {
    return timingItems(stored, [], [], 0)
  }

  let spentMs = 0
  let fresh: readonly Measurement[] = []
  const gaps: string[] = []
  const natives = undecided(stored)
  let requests = natives
  for (let attempt = 0; attempt < CLASS_ATTEMPTS && requests.length > 0; attempt++) {
    const again = await measureCosts(requests, {
      ...settings,
      budgetMs: budgetMs * CLASS_SHARE,
      minRounds: CLASS_ROUNDS,
    })
    spentMs += again.spentMs
    const before = fresh
    fresh = lessDisturbed(fresh, again.measurements)
    if (attempt === 0) gaps.push(...again.gaps)
    if (again.measurements.length === 0) break
    const known = [...stored, ...fresh]
    const verdict = verdictOf(known)
    const steady = attempt + 1 >= CLASS_LEAST && !hasGained(before, fresh)
    if (verdict.across === undefined) {
      if (verdict.source === 'measured' || steady) break
      // One disturbed backend makes two disagree: they are timed again before anybody else is asked.
    } else if (verdict.across === 'incomplete' || steady || requests !== natives) {
      requests = unanswered(classes.others, known)
    }
  }
  const costsLeft = unanswered(costRequests, [...stored, ...fresh])
  if (costsLeft.length > 0) {
    const restMs = Math.min(Math.max(budgetMs - spentMs, 0), budgetMs * costShare)
    const rest = await measureCosts(costsLeft, { ...settings, budgetMs: restMs })
    spentMs += rest.spentMs
    fresh = [...fresh, ...rest.measurements]
    gaps.push(...rest.gaps)
  }
  await store(planned, stored, fresh, input)
  return timingItems(stored, fresh, gaps, spentMs)
}

/** Writes what is new, pair by pair, together with what was stored of it. */
async function store(
  planned: readonly Pair[],
  stored: readonly Measurement[],
  fresh: readonly Measurement[],
  { cache, machine, options }: Pick<TimingInput, 'cache' | 'machine' | 'options'>,
): Promise<void> {
  const all = newest(stored, fresh)
  const written = new Set<string>()
  const writes: Promise<void>[] = []
  for (const { backend, algorithm } of planned) {
    const pair = pairKey(backend.name, algorithm)
    const belongs = (one: Measurement): boolean => one.backend === backend.name && one.algorithm === algorithm
    if (written.has(pair) || !fresh.some(belongs)) continue
    written.add(pair)
    writes.push(writeCached(cache, cacheKey(machine, backend, algorithm), all.filter(belongs)))
  }
  // At once, as they are read: a store that does not answer is waited for once.
  await unlessAborted(Promise.all(writes), options.signal)
}

/** Timings of a placement, and who failed while they were taken. */
export interface PlacementTimings extends Timings {
  /** Names of backends. */
  readonly failed: readonly string[]
}

/** What {@link placementTimings} works with. */
export interface PlacementInput extends Omit<TimingInput, 'usable'> {
  readonly request: PlacementRequest
}

/** Whether stored timings can place the algorithm: every backend was in it, and one of them at every length. */
function places(stored: readonly Measurement[], { backends, sizes }: PlacementRequest): boolean {
  const has = (backend: string, bytes: number): boolean =>
    (['seal', 'open'] as const).every((operation) =>
      stored.some(
        (one) =>
          one.backend === backend &&
          one.bytes === bytes &&
          one.operation === operation &&
          one.into === undefined,
      ),
    )
  const [least = 0] = sizes
  return (
    backends.every(({ name }) => has(name, least)) &&
    backends.some(({ name }) => sizes.every((bytes) => has(name, bytes)))
  )
}

/**
 * Timings of one algorithm on the backends that may run it; measured when the stored ones do not say.
 * @param budgetMs - what is left of the budget, in milliseconds; 0 means never.
 */
export async function placementTimings(input: PlacementInput, budgetMs: number): Promise<PlacementTimings> {
  const { request, options, host } = input
  const pairs = request.backends.map((backend) => ({ backend, algorithm: request.algorithm }))
  const stored = options.measure === 'always' ? [] : await storedTimings(pairs, input)
  if (places(stored, request)) return { measurements: stored, items: [], spentMs: 0, failed: [] }
  const { signal } = options
  const done = await measurePlacement(request, {
    clock: host.clock,
    budgetMs,
    reusesMemory: REUSE_MEMORY.includes(host.runtime),
    ...(signal === undefined ? {} : { signal }),
  })
  await store(pairs, stored, done.measurements, input)
  const items = done.gaps.map((value): EvidenceItem => {
    return { name: 'measure.placement', value, source: 'measurement', certainty: 'observed' }
  })
  const { failed, measurements, spentMs } = done
  // What an earlier process has timed of a backend that fails now must not place it.
  const kept = stored.filter(({ backend }) => !failed.includes(backend))
  return { measurements: newest(kept, measurements), items, spentMs, failed }
}

const timingKey = (
  one: Pick<Measurement, 'backend' | 'algorithm' | 'operation' | 'bytes' | 'into'>,
): string => JSON.stringify([one.backend, one.algorithm, one.operation, one.bytes, one.into === true])

/** Both lists, with the newer one of two timings of one combination. */
export function newest(older: readonly Measurement[], newer: readonly Measurement[]): readonly Measurement[] {
  const keys = new Set(newer.map(timingKey))
  return [...older.filter((one) => !keys.has(timingKey(one))), ...newer]
}

/** Whether the second list knows one of the first to be faster, or something new. */
function hasGained(before: readonly Measurement[], after: readonly Measurement[]): boolean {
  const known = new Map(before.map((one) => [timingKey(one), bestOf(one)]))
  return after.some(
    (one) => bestOf(one) < (known.get(timingKey(one)) ?? Number.POSITIVE_INFINITY) * (1 - CLASS_GAIN),
  )
}

/** Of two timings of one combination the one with the better best run. */
function lessDisturbed(
  first: readonly Measurement[],
  second: readonly Measurement[],
): readonly Measurement[] {
  const best = new Map(first.map((one) => [timingKey(one), one]))
  for (const one of second) {
    const before = best.get(timingKey(one))
    if (before === undefined || bestOf(one) < bestOf(before)) best.set(timingKey(one), one)
  }
  return [...best.values()]
}

function timingItems(
  stored: readonly Measurement[],
  fresh: readonly Measurement[],
  gaps: readonly string[],
  spentMs: number,
): Timings {
  const ms = `${Math.round(spentMs)} ms`
  const source =
    stored.length === 0
      ? `timed in this process, in ${ms}`
      : `timed now: ${fresh.length}, in ${ms}, from the cache: ${stored.length}`
  const count = stored.length + fresh.length
  const items: EvidenceItem[] = [
    {
      name: 'measure.timings',
      value: String(count),
      source,
      certainty: count === 0 ? 'unknown' : 'observed',
    },
  ]
  if (gaps.length > 0) {
    const value = `${gaps.length} not timed, first: ${gaps[0]}`
    items.push({ name: 'measure.gaps', value, source: 'measurement', certainty: 'observed' })
  }
  return { measurements: [...stored, ...fresh], items, spentMs }
}
