/** Which backend, or which two, should run an algorithm. Pure functions over measured costs (design: placement). */
import type { AlgorithmId, BackendKind } from '@aeadkit/core'
import { type Cost, costAt } from '../evidence/costs.ts'
import { isHopeless, type Where, weighed } from './choose.ts'
import type { Crossover } from './claims.ts'
import { type Lines, rank } from './halves.ts'

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

/**
 * Messages shorter than `crossoverBytes` go to `small`, the rest to `large`; where `large` alone answers by promise, the
 * rest of those whose callers wait for one.
 */
export interface PairPlacement extends Explained, Crossover {
  readonly kind: 'pair'
  readonly small: string
  readonly large: string
  /** Present where calls without a promise have all their messages from `small`. */
  readonly syncCalls?: 'small'
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

const KIND_ORDER: Readonly<Record<BackendKind, number>> = { native: 0, wasm: 1, js: 2 }

/** Native before wasm before script, then the caller's order. */
function byPreference(candidates: readonly PlacementCandidate[]): readonly PlacementCandidate[] {
  return [...candidates].sort((a, b) => KIND_ORDER[a.kind] - KIND_ORDER[b.kind])
}

/** Lines added up over the operations that every measured candidate has. */
function linesOf(input: PlacementInput): ReadonlyMap<string, Lines> {
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
  const lines = new Map<string, Lines>()
  for (const name of names) {
    const parts = used.flatMap((operation) =>
      own.filter((cost) => cost.backend === name && cost.operation === operation).slice(0, 1),
    )
    const [first] = parts
    if (first === undefined || parts.length !== used.length) continue
    const mean = (pick: (cost: Cost) => number): number =>
      parts.reduce((sum, cost) => sum + pick(cost), 0) / parts.length
    // Where one operation was not timed, its own line fills the gap.
    const lengths = [...new Set(parts.flatMap(({ points = [] }) => points.map(({ bytes }) => bytes)))]
    const line = {
      ...first,
      callNanoseconds: mean((cost) => cost.callNanoseconds),
      nanosecondsPerByte: mean((cost) => cost.nanosecondsPerByte),
      points: lengths
        .sort((a, b) => a - b)
        .map((bytes) => ({ bytes, nanoseconds: mean((cost) => costAt(cost, bytes)) })),
    }
    lines.set(name, { line, lines: parts })
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
    for (const [name, { line }] of lines) nanoseconds[name] = Math.round(costAt(line, bytes))
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
  const choice = weighed(where)
  const { reason } = choice
  if (choice.kind === 'single') return single(choice.backend, reason)
  return { kind: 'pair', ...choice.choice, reason: noted(reason), perSize }
}
