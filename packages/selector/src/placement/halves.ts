/** Costs of backends side by side, and of two of them behind one crossover. Pure functions. */
import { type Cost, costAt, NOISE } from '../evidence/costs.ts'
import { type From, isHybrid } from './claims.ts'
import type { PlacementCandidate } from './place.ts'

/** Longest message that crossovers are looked for at, in bytes. */
const FAR_BYTES = 2_147_483_648

/** Mean over the sizes of time over the best time at that size; 1 is the best everywhere. */
function scoreOf(times: readonly number[], best: readonly number[]): number {
  return times.reduce((sum, time, at) => sum + time / (best[at] ?? time), 0) / times.length
}

/** Lengths at which one of the two was measured, ascending. */
function lengthsOf(small: Cost, large: Cost): readonly number[] {
  const lengths = [...new Set([small, large].flatMap(({ points = [] }) => points.map(({ bytes }) => bytes)))]
  return lengths.sort((a, b) => a - b)
}

/** What a crossover at `bytes` loses at these lengths, as a sum of shares. */
function lossOf(small: Cost, large: Cost, bytes: number, lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => {
    const [mine, other] = length < bytes ? [small, large] : [large, small]
    return sum + Math.max(costAt(mine, length) / costAt(other, length) - 1, 0)
  }, 0)
}

/**
 * First length from which `large` is cheaper, or `undefined` when one of the two is cheaper everywhere. Between measured
 * lengths noise can make them change places more than once: then it is the change that costs least over all of them.
 */
export function crossoverOf(small: Cost, large: Cost): number | undefined {
  const lengths = lengthsOf(small, large)
  const lead = (bytes: number): number => costAt(large, bytes) - costAt(small, bytes)
  // From the empty message to far beyond the last length the two are straight lines between these.
  const ends = [0, ...lengths, Math.max(2 * (lengths.at(-1) ?? 0), FAR_BYTES)]
  let best: { readonly bytes: number; readonly loss: number } | undefined
  for (const [at, from] of ends.entries()) {
    const to = ends[at + 1]
    if (to === undefined) break
    const [before, after] = [lead(from), lead(to)]
    const bytes = Math.ceil(from + ((to - from) * before) / (before - after))
    // Times that are no numbers change places nowhere.
    if (!(before > 0 && after < 0 && bytes > 0)) continue
    const loss = lossOf(small, large, bytes, lengths)
    if (best === undefined || loss < best.loss) best = { bytes, loss }
  }
  return best?.bytes
}

/** A candidate with its measured lines. */
export interface Ranked {
  readonly candidate: PlacementCandidate
  /** Mean of the operations. */
  readonly line: Cost
  /** By operation: the same ones, in the same order, for all candidates. */
  readonly lines: readonly Cost[]
  readonly score: number
}

/** Lines of one candidate. */
export type Lines = Pick<Ranked, 'line' | 'lines'>

/** Candidates that were measured, scored over the sizes. */
export function rank(
  candidates: readonly PlacementCandidate[],
  lines: ReadonlyMap<string, Lines>,
  sizes: readonly number[],
): readonly Ranked[] {
  const measured = candidates.flatMap((candidate) => {
    const own = lines.get(candidate.name)
    return own === undefined
      ? []
      : [{ candidate, ...own, times: sizes.map((bytes) => costAt(own.line, bytes)) }]
  })
  const best = sizes.map((_, at) =>
    Math.min(...measured.map((one) => one.times[at] ?? Number.POSITIVE_INFINITY)),
  )
  return measured.map(({ times, ...one }) => ({ ...one, score: scoreOf(times, best) }))
}

/** Two halves with the lengths from which the second runs. */
export interface PairLines {
  readonly small: Ranked
  readonly large: Ranked
  readonly from: From
}

/** Time of the fastest backend at each size. */
export function bestTimes(ranked: readonly Ranked[], sizes: readonly number[]): readonly number[] {
  return sizes.map((bytes) => Math.min(...ranked.map((one) => costAt(one.line, bytes))))
}

/**
 * Crossover of one operation, and whether one at `common` bytes loses no more than noise against it at any length. Where
 * one of the two is cheaper everywhere it lies at an end: 1, or `end`.
 */
function ownCrossover(
  small: Cost,
  large: Cost,
  common: number | undefined,
  end: number,
): { readonly bytes: number; readonly agrees: boolean } {
  const lengths = lengthsOf(small, large)
  const lossAt = (bytes: number): number => lossOf(small, large, bytes, [1, ...lengths])
  const bytes = crossoverOf(small, large) ?? (lossAt(1) <= lossAt(end) ? 1 : end)
  if (common === undefined) return { bytes, agrees: false }
  const [least, most] = [Math.min(bytes, common), Math.max(bytes, common)]
  const [right, wrong] = common < bytes ? [small, large] : [large, small]
  const between = [least, ...lengths, most - 1].filter((one) => one >= least && one < most)
  return {
    bytes,
    agrees: between.every((one) => costAt(wrong, one) <= costAt(right, one) * (1 + NOISE)),
  }
}

/** Where two candidates change over: one length where the operations agree on it, else one for each. */
function changeOver(small: Ranked, large: Ranked): From | undefined {
  const common = crossoverOf(small.line, large.line)
  const end = (small.candidate.maxBytes ?? FAR_BYTES) + 1
  const own = small.lines.map((line, at) => ownCrossover(line, large.lines[at]!, common, end))
  const [seal, open] =
    common !== undefined && own.every(({ agrees }) => agrees) ? [common] : own.map(({ bytes }) => bytes)
  if (seal === undefined) return undefined
  const from = { seal, open: open ?? seal }
  const same = from.seal === from.open
  return (same && (seal === 1 || seal === end)) || Math.max(seal, from.open) > end ? undefined : from
}

/** Whether the two can be joined without making callers wait who get short messages faster without. */
function join({ candidate: small }: Ranked, { candidate: large }: Ranked): boolean {
  return small.sync === large.sync || isHybrid(small, large)
}

/** Time of a message: the mean of the operations. */
export function timeOf(lines: readonly Cost[], bytes: number): number {
  return lines.reduce((sum, line) => sum + costAt(line, bytes), 0) / lines.length
}

/** Lines, by operation, of the half that runs messages of a length. */
export function linesAt({ from, large, small }: PairLines, bytes: number): readonly Cost[] {
  return small.lines.map((line, at) => (bytes < from[line.operation] ? line : large.lines[at]!))
}

/** Names of those who run messages of a length. */
export function runnersAt(pair: PairLines, bytes: number): readonly string[] {
  return linesAt(pair, bytes).map(({ backend }) => backend)
}

/** The pair that is cheapest over the sizes. */
export function bestPair(ranked: readonly Ranked[], sizes: readonly number[]): PairLines | undefined {
  const best = bestTimes(ranked, sizes)
  let chosen: { readonly pair: PairLines; readonly score: number } | undefined
  for (const small of ranked) {
    for (const large of ranked) {
      const from = join(small, large) ? changeOver(small, large) : undefined
      if (from === undefined) continue
      const pair = { small, large, from }
      const score = scoreOf(
        sizes.map((bytes) => timeOf(linesAt(pair, bytes), bytes)),
        best,
      )
      if (chosen === undefined || score < chosen.score) chosen = { pair, score }
    }
  }
  return chosen?.pair
}

/** Largest gain of the pair over one backend at the given sizes, in any operation, as a share of the pair's own time. */
export function pairGain(
  pair: PairLines,
  single: Ranked,
  sizes: readonly number[],
): { readonly gain: number; readonly bytes: number } {
  let best = { gain: 0, bytes: 0 }
  for (const bytes of sizes) {
    for (const [at, line] of linesAt(pair, bytes).entries()) {
      const gain = costAt(single.lines[at]!, bytes) / costAt(line, bytes) - 1
      if (gain > best.gain) best = { gain, bytes }
    }
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
  const times = sizes.map((bytes) => timeOf(linesAt(pair, bytes), bytes))
  return scoreOf(times, bestTimes(ranked, sizes)) <= score * (1 + NOISE)
}
