/** Which backend, or which two, should run an algorithm. Pure functions over measured costs (design: placement). */
import type { AlgorithmId, BackendKind } from '@aeadkit/core'
import { type Cost, costAt } from '../evidence/costs.ts'
import { HOPELESS } from '../evidence/placement-rows.ts'
import { bestPair, keepsUp, lineAt, NOISE, pairGain, type Ranked, rank, worstLoss } from './halves.ts'

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

const microseconds = (nanoseconds: number): string =>
  `${(nanoseconds / 1000).toFixed(nanoseconds < 10_000 ? 2 : 1)} µs`

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
  const where: Where = {
    ranked: able.length > 0 ? able : ranked,
    shown: ranked,
    sizes,
    pairSizes,
    named: input.sizes?.[0] ?? sizes[0] ?? 0,
    alone: input.fips === 'module',
    anyLength: asked === undefined,
  }
  const { reason, ...choice } = withPromises(where)
  if (choice.kind === 'single') return single(choice.backend, reason)
  const { crossoverBytes, large, small } = choice
  return { kind: 'pair', small, large, crossoverBytes, reason: noted(reason), perSize }
}

/** What a choice is made from. */
interface Where {
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

type Choice = {
  readonly reason: string
  readonly timeAt: (bytes: number) => number
  readonly promise: boolean
} & (
  | { readonly kind: 'single'; readonly backend: string }
  | { readonly kind: 'pair'; readonly small: string; readonly large: string; readonly crossoverBytes: number }
)

const times = (factor: number): string => `${factor.toFixed(factor < 10 ? 1 : 0)} times`

/**
 * Whoever answers by promise makes every message pay for one: it is chosen where the best choice without would lose
 * more, each at the length that is worst for it.
 */
function withPromises(where: Where): Choice {
  const free = where.ranked.filter(({ candidate }) => candidate.sync)
  const any = chooseFrom(where)
  if (!any.promise || free.length === 0) return any
  const { anyLength, pairSizes, ranked } = where
  const direct = chooseFrom({ ...where, ranked: free })
  const [lost, paid] = [direct, any].map(({ timeAt }) => worstLoss(timeAt, ranked, pairSizes)) as [Loss, Loss]
  const name = any.kind === 'single' ? any.backend : any.large
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

/** By how many percent less time is needed than so many times the time. */
const share = (factor: number): string => (100 - 100 / factor).toFixed(0)

type Loss = ReturnType<typeof worstLoss>

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
  const single = ({ candidate, line }: Ranked, why: string): Choice => {
    const { name, sync } = candidate
    return {
      kind: 'single',
      backend: name,
      reason: why,
      timeAt: (bytes) => costAt(line, bytes),
      promise: !sync,
    }
  }
  if (alone) return single(winner, `${reason}; one backend under a FIPS module`)

  const pair = bestPair(ranked, pairSizes)
  if (pair === undefined || !keepsUp(pair, winner, ranked, sizes)) return single(winner, reason)
  const { gain, bytes } = pairGain(pair, winner.line, pairSizes)
  if (gain <= NOISE) return single(winner, reason)
  const { crossoverBytes } = pair
  const [small, large] = [pair.small.candidate, pair.large.candidate]
  const halves = new Set(pairSizes.map((size) => (size < crossoverBytes ? small.name : large.name)))
  const [only = large.name] = halves
  const half = halves.size === 1 ? ranked.find(({ candidate }) => candidate.name === only) : undefined
  if (half !== undefined) return single(half, `${reason}; ${only} is faster at every size asked for`)
  return {
    kind: 'pair',
    small: small.name,
    large: large.name,
    crossoverBytes,
    reason: `measured: ${small.name} below ${crossoverBytes} B, ${large.name} from there on; saves ${share(1 + gain)} % against ${winner.candidate.name} alone at ${bytes} B`,
    timeAt: (length) => costAt(lineAt(pair, length), length),
    promise: !(small.sync && large.sync),
  }
}
