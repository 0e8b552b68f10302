/** Which backend, or which two, should run an algorithm. Pure functions over measured costs (design: placement). */
import type { AlgorithmId, BackendKind } from '@aeadkit/core'
import { type Cost, costAt } from '../evidence/costs.ts'
import { HOPELESS } from '../evidence/measure-placement.ts'

/** A permitted backend that has the algorithm. */
export interface PlacementCandidate {
  readonly name: string
  readonly kind: BackendKind
  /** Whether it answers without a promise. */
  readonly sync: boolean
  /** Longest plaintext of one call in bytes. Default: no limit. */
  readonly maxBytes?: number
}

/** What {@link place} is asked. */
export interface PlacementInput {
  readonly algorithm: AlgorithmId
  /** Measured costs; those of other algorithms are ignored. */
  readonly costs: readonly Cost[]
  /** In the caller's order. */
  readonly candidates: readonly PlacementCandidate[]
  readonly profile: 'throughput' | 'latency' | 'small-messages'
  /** Message lengths in bytes that matter. Default: those of the profile. */
  readonly sizes?: readonly number[] | undefined
  /** Resolved FIPS mode: under `module` one backend does everything. */
  readonly fips: 'off' | 'approved-algorithms' | 'module'
  /** What the timings lack, for the reason. */
  readonly note?: string | undefined
}

/** Time of one message by backend, for explanations. */
export interface SizeCost {
  readonly bytes: number
  /** Nanoseconds per message by backend name: the mean of the operations measured on every candidate. */
  readonly nanoseconds: Readonly<Record<string, number>>
}

interface Explained {
  /** One line for people. */
  readonly reason: string
  readonly perSize: readonly SizeCost[]
}

/** One backend for all sizes. */
export interface SinglePlacement extends Explained {
  readonly kind: 'single'
  readonly backend: string
}

/** Messages shorter than `crossoverBytes` go to `small`, the rest to `large`. */
export interface PairPlacement extends Explained {
  readonly kind: 'pair'
  readonly small: string
  readonly large: string
  readonly crossoverBytes: number
}

export type Placement = SinglePlacement | PairPlacement

/**
 * Lengths in bytes at which a second backend may pay where no length is asked for: a pair costs nothing over its
 * halves, so it must not matter that the profile has other lengths in mind.
 */
export const PAIR_SIZES: readonly number[] = [64, 1024, 16_384, 1_048_576]

/** Message lengths in bytes that each profile stands for. */
export const PROFILE_SIZES: Readonly<Record<PlacementInput['profile'], readonly number[]>> = {
  throughput: [16_384, 65_536, 1_048_576],
  latency: [64, 256, 1350],
  'small-messages': [64, 256, 1350],
}

/** Differences up to this share are noise: a tie, or no reason for a second backend. */
export const NOISE = 0.05

/** Longest message that crossovers are looked for at, in bytes. */
const FAR_BYTES = 2_147_483_648

const KIND_ORDER: Readonly<Record<BackendKind, number>> = { native: 0, wasm: 1, js: 2 }

/** Native before wasm before script, then the caller's order. */
function byPreference(candidates: readonly PlacementCandidate[]): readonly PlacementCandidate[] {
  return [...candidates].sort((a, b) => KIND_ORDER[a.kind] - KIND_ORDER[b.kind])
}

/**
 * Whether one rival was far faster at every length at which this one was timed. Such a backend may not have been timed
 * at the long ones, and what a slope drawn from short ones says of those is worth nothing.
 */
function isHopeless(one: Ranked, all: readonly Ranked[]): boolean {
  const { points = [] } = one.line
  const beats = (other: Ranked): boolean => {
    if (!other.candidate.sync && one.candidate.sync) return false
    // A promise has to be seen to win: its fixed part is most of every time, and hides the slope.
    const factor = other.candidate.sync && !one.candidate.sync ? 1 : HOPELESS
    return points.every(({ bytes, nanoseconds }) => nanoseconds >= factor * costAt(other.line, bytes))
  }
  return points.length > 0 && all.some((other) => other !== one && beats(other))
}

/** Lines added up over the operations that every measured candidate has. */
function linesOf(input: PlacementInput): ReadonlyMap<string, Cost> {
  const names = new Set(input.candidates.map((candidate) => candidate.name))
  const own = input.costs.filter((cost) => cost.algorithm === input.algorithm && names.has(cost.backend))
  const operations = (['seal', 'open'] as const).filter((operation) => {
    const measured = new Set(own.map((cost) => cost.backend))
    return [...measured].every((name) =>
      own.some((cost) => cost.backend === name && cost.operation === operation),
    )
  })
  // Nobody has both in common: sealing decides, as the operation every message starts with.
  const used = operations.length === 0 ? (['seal'] as const) : operations
  const lines = new Map<string, Cost>()
  for (const name of names) {
    const parts = own.filter(
      (cost) => cost.backend === name && used.some((operation) => operation === cost.operation),
    )
    const [first] = parts
    if (first === undefined || parts.length !== used.length) continue
    const mean = (pick: (cost: Cost) => number): number =>
      parts.reduce((sum, cost) => sum + pick(cost), 0) / parts.length
    // Where one operation was not timed, its own line fills the gap.
    const lengths = [...new Set(parts.flatMap(({ points = [] }) => points.map(({ bytes }) => bytes)))]
    lines.set(name, {
      ...first,
      callNanoseconds: mean((cost) => cost.callNanoseconds),
      nanosecondsPerByte: mean((cost) => cost.nanosecondsPerByte),
      points: lengths
        .sort((a, b) => a - b)
        .map((bytes) => ({ bytes, nanoseconds: mean((cost) => costAt(cost, bytes)) })),
    })
  }
  return lines
}

/** Mean over the sizes of time over the best time at that size; 1 is the best everywhere. */
function scoreOf(times: readonly number[], best: readonly number[]): number {
  return times.reduce((sum, time, at) => sum + time / (best[at] ?? time), 0) / times.length
}

/**
 * First length from which `large` is cheaper, or `undefined` when one of the two is cheaper everywhere. Between measured
 * lengths noise can make them change places more than once: then it is the change that costs least over all of them.
 */
export function crossoverOf(small: Cost, large: Cost): number | undefined {
  const lengths = [...new Set([small, large].flatMap(({ points = [] }) => points.map(({ bytes }) => bytes)))]
  lengths.sort((a, b) => a - b)
  const lead = (bytes: number): number => costAt(large, bytes) - costAt(small, bytes)
  // From the empty message to far beyond the last length the two are straight lines between these.
  const ends = [0, ...lengths, Math.max(2 * (lengths.at(-1) ?? 0), FAR_BYTES)]
  let best: { readonly bytes: number; readonly loss: number } | undefined
  for (const [at, from] of ends.entries()) {
    const to = ends[at + 1]
    if (to === undefined) break
    const [before, after] = [lead(from), lead(to)]
    if (before <= 0 || after >= 0) continue
    const bytes = Math.ceil(from + ((to - from) * before) / (before - after))
    const loss = lengths.reduce((sum, length) => {
      const [mine, other] = length < bytes ? [small, large] : [large, small]
      return sum + Math.max(costAt(mine, length) / costAt(other, length) - 1, 0)
    }, 0)
    if (best === undefined || loss < best.loss) best = { bytes, loss }
  }
  return best?.bytes
}

interface Ranked {
  readonly candidate: PlacementCandidate
  readonly line: Cost
  readonly score: number
}

function rank(
  candidates: readonly PlacementCandidate[],
  lines: ReadonlyMap<string, Cost>,
  sizes: readonly number[],
): readonly Ranked[] {
  const measured = candidates.flatMap((candidate) => {
    const line = lines.get(candidate.name)
    return line === undefined ? [] : [{ candidate, line, times: sizes.map((bytes) => costAt(line, bytes)) }]
  })
  const best = sizes.map((_, at) =>
    Math.min(...measured.map((one) => one.times[at] ?? Number.POSITIVE_INFINITY)),
  )
  return measured.map(({ candidate, line, times }) => ({ candidate, line, score: scoreOf(times, best) }))
}

const microseconds = (nanoseconds: number): string =>
  `${(nanoseconds / 1000).toFixed(nanoseconds < 10_000 ? 2 : 1)} µs`

interface PairLines {
  readonly small: Ranked
  readonly large: Ranked
  readonly crossoverBytes: number
}

/** What a promise and the copies behind it add to a synchronous call, in nanoseconds (1300 in Chromium, more in Bun). */
const PROMISE_NANOSECONDS = 2000

/** The candidate as a half of a pair that answers by promise. */
function behindPromise(half: Ranked): Ranked {
  if (!half.candidate.sync) return half
  return { ...half, line: { ...half.line, callNanoseconds: half.line.callNanoseconds + PROMISE_NANOSECONDS } }
}

function pairOf(first: Ranked, second: Ranked): PairLines | undefined {
  const sync = first.candidate.sync && second.candidate.sync
  // A promise in one half makes the whole pair asynchronous, so the other half pays for promises as well.
  const [small, large] = sync ? [first, second] : [behindPromise(first), behindPromise(second)]
  const crossoverBytes = crossoverOf(small.line, large.line)
  if (crossoverBytes === undefined || (small.candidate.maxBytes ?? Infinity) < crossoverBytes)
    return undefined
  return { small, large, crossoverBytes }
}

const lineAt = (pair: PairLines, bytes: number): Cost =>
  bytes < pair.crossoverBytes ? pair.small.line : pair.large.line

/** The pair that is cheapest over the sizes. */
function bestPair(ranked: readonly Ranked[], sizes: readonly number[]): PairLines | undefined {
  const best = sizes.map((bytes) => Math.min(...ranked.map((one) => costAt(one.line, bytes))))
  let chosen: { readonly pair: PairLines; readonly score: number } | undefined
  for (const small of ranked) {
    for (const large of ranked) {
      const pair = pairOf(small, large)
      if (pair === undefined) continue
      const score = scoreOf(
        sizes.map((bytes) => costAt(lineAt(pair, bytes), bytes)),
        best,
      )
      if (chosen === undefined || score < chosen.score) chosen = { pair, score }
    }
  }
  return chosen?.pair
}

/** Largest gain of the pair over one backend at the given sizes, as a share of the pair's own time. */
function pairGain(
  pair: PairLines,
  single: Cost,
  sizes: readonly number[],
): { readonly gain: number; readonly bytes: number } {
  let best = { gain: 0, bytes: 0 }
  for (const bytes of sizes) {
    const gain = costAt(single, bytes) / costAt(lineAt(pair, bytes), bytes) - 1
    if (gain > best.gain) best = { gain, bytes }
  }
  return best
}

/** Whether the pair is at least as good as the best single backend where the profile looks, within noise. */
function keepsUp(
  pair: PairLines,
  { score }: Ranked,
  ranked: readonly Ranked[],
  sizes: readonly number[],
): boolean {
  const best = sizes.map((bytes) => Math.min(...ranked.map((one) => costAt(one.line, bytes))))
  const times = sizes.map((bytes) => costAt(lineAt(pair, bytes), bytes))
  return scoreOf(times, best) <= score * (1 + NOISE)
}

/**
 * Chooses one backend or a pair for an algorithm.
 * @param input - see {@link PlacementInput}.
 * @returns `undefined` without candidates.
 */
export function place(input: PlacementInput): Placement | undefined {
  const ordered = byPreference(input.candidates)
  const [preferred] = ordered
  if (preferred === undefined) return undefined
  // An empty message costs the call alone, which a fitted line may put at nothing.
  const asked = input.sizes?.length ? input.sizes.map((bytes) => Math.max(1, bytes)) : undefined
  const sizes = asked ?? PROFILE_SIZES[input.profile]
  const pairSizes = asked ?? PAIR_SIZES
  const lines = linesOf(input)
  const shown = asked ?? [...new Set([...PAIR_SIZES, ...sizes])].sort((a, b) => a - b)
  const perSize = shown.map((bytes): SizeCost => {
    const nanoseconds: Record<string, number> = {}
    for (const [name, line] of lines) nanoseconds[name] = Math.round(costAt(line, bytes))
    return { bytes, nanoseconds }
  })
  const noted = (reason: string): string => (input.note === undefined ? reason : `${reason} (${input.note})`)
  const single = (backend: string, reason: string): SinglePlacement => ({
    kind: 'single',
    backend,
    reason: noted(reason),
    perSize,
  })
  if (ordered.length === 1) return single(preferred.name, 'only candidate')
  const ranked = rank(ordered, lines, sizes)
  const [first] = ranked
  if (first === undefined) return single(preferred.name, 'unmeasured: native before wasm before script')
  if (ranked.length === 1) {
    const only = `unmeasured: ${first.candidate.name} alone was timed, with nothing to compare`
    return single(preferred.name, `${only}; native before wasm before script`)
  }

  const able = ranked.filter((one) => !isHopeless(one, ranked))
  const least = able.reduce((best, one) => (one.score < best.score ? one : best), able[0] ?? first)
  const tied = able.filter((one) =>
    sizes.every((bytes) => costAt(one.line, bytes) <= costAt(least.line, bytes) * (1 + NOISE)),
  )
  // Asynchronous backends have to win outright; a synchronous one within noise comes first.
  const winner = tied.find((one) => one.candidate.sync) ?? tied[0] ?? least
  const at = sizes[0] ?? 0
  const named = input.sizes?.[0] ?? at
  const numbers = ranked
    .map((one) => `${one.candidate.name} ${microseconds(costAt(one.line, at))}`)
    .join(', ')
  const how = tied.length > 1 ? `tie within ${NOISE * 100} %, earlier preference` : 'measured'
  const reason = `${how}: ${winner.candidate.name}; per message of ${named} B: ${numbers}`
  if (input.fips === 'module')
    return single(winner.candidate.name, `${reason}; one backend under a FIPS module`)

  const pair = bestPair(able, pairSizes)
  if (pair === undefined || !keepsUp(pair, winner, ranked, sizes))
    return single(winner.candidate.name, reason)
  const { gain, bytes } = pairGain(pair, winner.line, pairSizes)
  if (gain <= NOISE) return single(winner.candidate.name, reason)
  const [small, large] = [pair.small.candidate.name, pair.large.candidate.name]
  const halves = new Set(pairSizes.map((size) => (size < pair.crossoverBytes ? small : large)))
  const [only = large] = halves
  if (halves.size === 1) return single(only, `${reason}; ${only} is faster at every size asked for`)
  return {
    kind: 'pair',
    small,
    large,
    crossoverBytes: pair.crossoverBytes,
    reason: noted(
      `measured: ${small} below ${pair.crossoverBytes} B, ${large} from there on; saves ${(100 - 100 / (1 + gain)).toFixed(0)} % against ${winner.candidate.name} alone at ${bytes} B`,
    ),
    perSize,
  }
}
