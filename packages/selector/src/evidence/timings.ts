/** Timings from the cache and from new measurements: first what decides the hardware class, then the cost lines. */
import type { AlgorithmId, EvidenceItem, Measurement } from '@aeadkit/core'
import type { Host } from '../host.ts'
import { cacheKey, type MeasurementCache, readCached, writeCached } from './cache.ts'
import { bestOf } from './costs.ts'
import { hardwareClassOf } from './hardware-class.ts'
import { type Abort, DEFAULT_BUDGET_MS, type MeasureRequest, measureCosts } from './measure.ts'
import { classPlan, costPlan, kindsOf, MEASURED, type Usable } from './plan.ts'

/** Share of the budget for one attempt at the hardware class; the cost lines get what is left. */
const CLASS_SHARE = 0.3
/** Attempts while the timings lie between the two thresholds: the first can be all noise, or pay for fresh pages. */
const CLASS_ATTEMPTS = 6
/** Rounds of every attempt that are finished even on a busy machine: the class must not depend on the load. */
const CLASS_ROUNDS = 4

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

/** What was stored for the pairs of the plan. */
async function storedTimings(
  planned: readonly MeasureRequest[],
  { cache, machine }: TimingInput,
): Promise<readonly Measurement[]> {
  const asked = new Set<string>()
  const stored: Measurement[] = []
  for (const { backend, algorithm } of planned) {
    const pair = pairKey(backend.name, algorithm)
    if (asked.has(pair)) continue
    asked.add(pair)
    const found = await readCached(cache, cacheKey(machine, backend, algorithm), backend.name, algorithm)
    stored.push(...(found ?? []))
  }
  return stored
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
      const sizes = request.sizes.filter(
        (bytes) => !answers.has(timingKey({ backend: backend.name, algorithm, operation, bytes })),
      )
      return sizes.length === 0 ? [] : [{ backend, algorithm, operations: [operation], sizes }]
    }),
  )
}

/** Uses stored timings where allowed and measures the rest; what the budget cuts off is left to the next call. */
export async function timings(input: TimingInput): Promise<Timings> {
  const { usable, options, host, cache, machine } = input
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS
  const costRequests = costPlan(usable, options.algorithms ?? MEASURED)
  const classRequests = classPlan(usable)
  const planned = [...classRequests, ...costRequests]
  const stored = options.measure === 'always' ? [] : await storedTimings(planned, input)
  const settings = { clock: host.clock, ...(options.signal === undefined ? {} : { signal: options.signal }) }
  // Without a budget nothing is timed, but what an earlier call has timed is known.
  if (budgetMs === 0 || unanswered(planned, stored).length === 0) return timingItems(stored, [], [])

  let spentMs = 0
  const kinds = kindsOf(usable.map((one) => one.backend))
  const decisiveRequests = unanswered(classRequests, stored)
  let fresh: readonly Measurement[] = []
  const gaps: string[] = []
  for (let attempt = 0; attempt < CLASS_ATTEMPTS && decisiveRequests.length > 0; attempt++) {
    const again = await measureCosts(decisiveRequests, {
      ...settings,
      budgetMs: budgetMs * CLASS_SHARE,
      minRounds: CLASS_ROUNDS,
    })
    spentMs += again.spentMs
    fresh = lessDisturbed(fresh, again.measurements)
    if (attempt === 0) gaps.push(...again.gaps)
    const verdict = hardwareClassOf({ measurements: [...stored, ...fresh], kinds, flags: null })
    if (verdict.source === 'measured' || again.measurements.length === 0) break
  }
  const costsLeft = unanswered(costRequests, [...stored, ...fresh])
  if (costsLeft.length > 0) {
    const rest = await measureCosts(costsLeft, { ...settings, budgetMs: Math.max(budgetMs - spentMs, 0) })
    fresh = [...fresh, ...rest.measurements]
    gaps.push(...rest.gaps)
  }
  const all = [...stored, ...fresh]
  const written = new Set<string>()
  for (const { backend, algorithm } of planned) {
    const pair = pairKey(backend.name, algorithm)
    const belongs = (one: Measurement): boolean => one.backend === backend.name && one.algorithm === algorithm
    if (written.has(pair) || !fresh.some(belongs)) continue
    written.add(pair)
    await writeCached(cache, cacheKey(machine, backend, algorithm), all.filter(belongs))
  }
  return timingItems(stored, fresh, gaps)
}

const timingKey = (one: Pick<Measurement, 'backend' | 'algorithm' | 'operation' | 'bytes'>): string =>
  JSON.stringify([one.backend, one.algorithm, one.operation, one.bytes])

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
): Timings {
  const source =
    stored.length === 0
      ? 'timed in this process'
      : `timed now: ${fresh.length}, from the cache: ${stored.length}`
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
  return { measurements: [...stored, ...fresh], items }
}
