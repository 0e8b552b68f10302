/** The cheapest choice over measured lines, and what a promise is worth. Pure functions. */
import { choiceText } from '../choice-text.ts'
import { type Cost, costAt, NOISE } from '../evidence/costs.ts'
import { HOPELESS } from '../evidence/placement-rows.ts'
import type { BackendChoice } from '../selection.ts'
import {
  bestPair,
  bestTimes,
  keepsUp,
  linesAt,
  type PairLines,
  pairGain,
  type Ranked,
  runnersAt,
  timeOf,
} from './halves.ts'

/** What a choice is made from. */
export interface Where {
  /** Those that may be chosen; at least one. */
  readonly ranked: readonly Ranked[]
  /** All that were timed, for the reason. */
  readonly shown: readonly Ranked[]
  readonly sizes: readonly number[]
  readonly pairSizes: readonly number[]
  /** Length the reason gives times for, in bytes. */
  readonly named: number
  /** One backend has to do everything. */
  readonly alone: boolean
  /** Whether no length was asked for. */
  readonly anyLength: boolean
}

type PairChoice = Exclude<BackendChoice, string>

/** One backend, or two. */
export type Choice = {
  readonly reason: string
  /** By operation, what a message of so many bytes costs callers who wait for promises. */
  readonly linesAt: (bytes: number) => readonly Cost[]
  /** Whether a promise is part of that. */
  readonly promise: boolean
} & (
  | { readonly kind: 'single'; readonly backend: string }
  | { readonly kind: 'pair'; readonly pair: PairLines; readonly choice: PairChoice }
)

/** What calls without a promise may lose by a hybrid is made up for by more than this share, where others gain it. */
const CLOSE = 0.1

const microseconds = (nanoseconds: number): string =>
  `${(nanoseconds / 1000).toFixed(nanoseconds < 10_000 ? 2 : 1)} µs`

const times = (factor: number): string => `${factor.toFixed(factor < 10 ? 1 : 0)} times`

/** By how many percent less time is needed than so many times the time. */
const share = (factor: number): string => (100 - 100 / factor).toFixed(0)

/**
 * Whether one rival was far faster at every length at which this one was timed. Such a backend may not have been timed
 * at the long ones, and what a slope drawn from short ones says of those is worth nothing.
 */
export function isHopeless(one: Ranked, all: readonly Ranked[]): boolean {
  const { points = [] } = one.line
  const beats = (other: Ranked): boolean => {
    if (!other.candidate.sync && one.candidate.sync) return false
    // A promise has to be seen to win: its fixed part is most of every time, and hides the slope.
    const factor = other.candidate.sync && !one.candidate.sync ? 1 : HOPELESS
    return points.every(({ bytes, nanoseconds }) => nanoseconds >= factor * costAt(other.line, bytes))
  }
  return points.length > 0 && all.some((other) => other !== one && beats(other))
}

/**
 * A promise has to win by what the best choice without one loses, each at the length that is worst for it. Behind a pair
 * whose small half answers at once only long messages pay for it; calls that cannot wait stay with that half, and where
 * the choice without promises serves them better the gain has to be more than {@link CLOSE}.
 */
export function weighed(where: Where): Choice {
  const { anyLength, pairSizes, ranked } = where
  const free = ranked.filter(({ candidate }) => candidate.sync)
  const any = chooseFrom(where)
  if (!any.promise || free.length === 0) return any
  const direct = chooseFrom({ ...where, ranked: free })
  const most = (factorAt: (bytes: number) => number): Loss =>
    pairSizes.reduce(
      (worst, bytes) => {
        const factor = factorAt(bytes)
        return factor > worst.factor ? { factor, bytes } : worst
      },
      { factor: 1, bytes: 0 },
    )
  const timeAt = ({ linesAt: at }: Choice, bytes: number): number => timeOf(at(bytes), bytes)
  if (any.kind === 'pair') {
    const { large, small } = any.pair
    // Each operation for itself: what one gains is no comfort to those who wait for the other.
    const slow = most((bytes) => {
      const lines = direct.linesAt(bytes)
      return Math.max(...small.lines.map((line, at) => costAt(line, bytes) / costAt(lines[at]!, bytes)))
    })
    const harmed = small.candidate.sync && slow.factor > 1 + NOISE
    // Against each other: a pair may be faster than the best backend, where the operations differ.
    const gainAt = (bytes: number): number => timeAt(direct, bytes) / timeAt(any, bytes)
    const [lost, paid] = [most(gainAt), most((bytes) => 1 / gainAt(bytes))]
    if (paid.factor * (1 + (harmed ? CLOSE : NOISE)) >= lost.factor) return direct
    if (!harmed) return any
    const cost = `Sync calls take up to ${times(slow.factor)} as long at ${slow.bytes} B as without ${large.candidate.name}`
    return { ...any, reason: `${any.reason}; ${cost}: ask with sync: true where there are no others` }
  }
  const lossOf = (one: Choice): Loss => most((bytes) => timeAt(one, bytes) / bestTimes(ranked, [bytes])[0]!)
  const [lost, paid] = [lossOf(direct), lossOf(any)]
  const name = any.backend
  if (paid.factor * (1 + NOISE) < lost.factor) {
    if (paid.factor <= 1 + NOISE) return any
    const cost = `at worst the promise makes it ${times(paid.factor)} as long at ${paid.bytes} B`
    return {
      ...any,
      reason: `${any.reason}; ${cost}, without it it would be ${times(lost.factor)} at ${lost.bytes} B`,
    }
  }
  // With one length there is nothing to weigh: the promise is part of the time.
  if (pairSizes.length === 1 || lost.factor <= 1 + NOISE) return direct
  const gain = `${name} answers by promise and would save ${share(lost.factor)} % at ${lost.bytes} B`
  const loss = `every message would pay for a promise, ${times(paid.factor)} as long at ${paid.bytes} B`
  const cure = anyLength ? ': state volume.messageBytes if they are long' : ''
  return { ...direct, reason: `${direct.reason}; ${gain}, but ${loss}${cure}` }
}

/** How many times as long something takes, and the length that is worst for it. */
interface Loss {
  readonly factor: number
  readonly bytes: number
}

/** The cheapest choice, whatever it answers by. */
function chooseFrom({ alone, named, pairSizes, ranked, shown, sizes }: Where): Choice {
  const least = ranked.reduce((best, one) => (one.score < best.score ? one : best))
  const tied = ranked.filter((one) =>
    sizes.every((bytes) => costAt(one.line, bytes) <= costAt(least.line, bytes) * (1 + NOISE)),
  )
  // Asynchronous backends have to win outright; a synchronous one within noise comes first.
  const winner = tied.find((one) => one.candidate.sync) ?? tied[0] ?? least
  const numbers = shown
    .filter((one) => !isHopeless(one, shown))
    .map((one) => `${one.candidate.name} ${microseconds(costAt(one.line, Math.max(1, named)))}`)
    .join(', ')
  // Times that first impressions say of a length at which there was none would be read as measured.
  const behind = shown.flatMap((one) => (isHopeless(one, shown) ? [one.candidate.name] : []))
  const how = tied.length > 1 ? `tie within ${NOISE * 100} %, earlier preference` : 'measured'
  const left = behind.length === 0 ? '' : ` (far behind where tried: ${behind.join(', ')})`
  const reason = `${how}: ${winner.candidate.name}; per message of ${named} B: ${numbers}${left}`
  const single = ({ candidate, lines }: Ranked, why: string): Choice => {
    const { name, sync } = candidate
    return {
      kind: 'single',
      backend: name,
      reason: why,
      linesAt: () => lines,
      promise: !sync,
    }
  }
  if (alone) return single(winner, `${reason}; one backend under a FIPS module`)

  const pair = bestPair(ranked, pairSizes)
  if (pair === undefined || !keepsUp(pair, winner, ranked, sizes)) return single(winner, reason)
  const { gain, bytes } = pairGain(pair, winner, pairSizes)
  if (gain <= NOISE) return single(winner, reason)
  const halves = new Set(pairSizes.flatMap((size) => runnersAt(pair, size)))
  const [only] = halves
  const half = halves.size === 1 ? ranked.find(({ candidate }) => candidate.name === only) : undefined
  if (half !== undefined) return single(half, `${reason}; ${only} is faster at every size asked for`)
  const choice = namesOf(pair)
  return {
    kind: 'pair',
    pair,
    choice,
    reason: `measured: ${choiceText(choice)}; saves ${share(1 + gain)} % against ${winner.candidate.name} alone at ${bytes} B`,
    linesAt: (length) => linesAt(pair, length),
    promise: !pair.large.candidate.sync,
  }
}

/** The two as a selection names them. */
function namesOf({ from, large, small }: PairLines): PairChoice {
  const [a, b] = [small.candidate, large.candidate]
  return {
    small: a.name,
    large: b.name,
    crossoverBytes: from.seal,
    ...(from.open === from.seal ? {} : { openCrossoverBytes: from.open }),
    ...(a.sync && !b.sync ? { syncCalls: 'small' } : {}),
  }
}
