/** Costs of backends side by side, and of two of them behind one crossover. Pure functions. */
import { type Cost, costAt } from '../evidence/costs.ts'
import type { PlacementCandidate } from './place.ts'

/** Differences up to this share are noise: a tie, or no reason for a second backend. */
export const NOISE = 0.05

/** Longest message that crossovers are looked for at, in bytes. */
const FAR_BYTES = 2_147_483_648

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

/** A candidate with its measured line. */
export interface Ranked {
  readonly candidate: PlacementCandidate
  readonly line: Cost
  readonly score: number
}

/** Candidates that were measured, scored over the sizes. */
export function rank(
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

/** Two halves with the length from which the second runs. */
export interface PairLines {
  readonly small: Ranked
  readonly large: Ranked
  readonly crossoverBytes: number
}

/**
 * What a promise and the copies behind it add to a synchronous call where that was not timed, in nanoseconds (1300 in
 * Chromium, more in Bun).
 */
const PROMISE_NANOSECONDS = 2000

/** As timed on any of them: it is the runtime's, not the backend's. */
export function promiseOf(ranked: readonly Ranked[]): number {
  return (
    ranked.find(({ line }) => line.promiseNanoseconds !== undefined)?.line.promiseNanoseconds ??
    PROMISE_NANOSECONDS
  )
}

/** Time of the fastest backend at each size. */
export function bestTimes(ranked: readonly Ranked[], sizes: readonly number[]): readonly number[] {
  return sizes.map((bytes) => Math.min(...ranked.map((one) => costAt(one.line, bytes))))
}

/** Where a choice loses most against the fastest backend of each size: time over the best time, and the size. */
export function worstLoss(
  timeAt: (bytes: number) => number,
  ranked: readonly Ranked[],
  sizes: readonly number[],
): { readonly factor: number; readonly bytes: number } {
  let worst = { factor: 1, bytes: sizes[0] ?? 0 }
  for (const [at, best] of bestTimes(ranked, sizes).entries()) {
    const bytes = sizes[at] ?? 0
    const factor = timeAt(bytes) / best
    if (factor > worst.factor) worst = { factor, bytes }
  }
  return worst
}

/** The candidate as a half of a pair that answers by promise. */
function behindPromise(half: Ranked, promiseNanoseconds: number): Ranked {
  if (!half.candidate.sync) return half
  const { callNanoseconds, points, ...line } = half.line
  const later = points?.map(({ bytes, nanoseconds }) => ({
    bytes,
    nanoseconds: nanoseconds + promiseNanoseconds,
  }))
  const moved = { ...line, callNanoseconds: callNanoseconds + promiseNanoseconds }
  return { ...half, line: later === undefined ? moved : { ...moved, points: later } }
}

function pairOf(first: Ranked, second: Ranked, promiseNanoseconds: number): PairLines | undefined {
  const sync = first.candidate.sync && second.candidate.sync
  // A promise in one half makes the whole pair asynchronous, so the other half pays for promises as well.
  const [small, large] = sync
    ? [first, second]
    : [behindPromise(first, promiseNanoseconds), behindPromise(second, promiseNanoseconds)]
  const crossoverBytes = crossoverOf(small.line, large.line)
  if (crossoverBytes === undefined || (small.candidate.maxBytes ?? Infinity) < crossoverBytes)
    return undefined
  return { small, large, crossoverBytes }
}

/** Line of the half that runs messages of a length. */
export const lineAt = (pair: PairLines, bytes: number): Cost =>
  bytes < pair.crossoverBytes ? pair.small.line : pair.large.line

/** The pair that is cheapest over the sizes. */
export function bestPair(ranked: readonly Ranked[], sizes: readonly number[]): PairLines | undefined {
  const best = bestTimes(ranked, sizes)
  const promiseNanoseconds = promiseOf(ranked)
  let chosen: { readonly pair: PairLines; readonly score: number } | undefined
  for (const small of ranked) {
    for (const large of ranked) {
      const pair = pairOf(small, large, promiseNanoseconds)
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
export function pairGain(
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
export function keepsUp(
  pair: PairLines,
  { score }: Ranked,
  ranked: readonly Ranked[],
  sizes: readonly number[],
): boolean {
  const best = bestTimes(ranked, sizes)
  const times = sizes.map((bytes) => costAt(lineAt(pair, bytes), bytes))
  return scoreOf(times, best) <= score * (1 + NOISE)
}
