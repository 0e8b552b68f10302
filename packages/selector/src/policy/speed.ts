import type { AlgorithmId, Evidence } from '@aeadkit/core'
import { bestOf, costAt, fitCosts } from '../evidence/costs.ts'

/** How much faster one must measure before it changes a choice (design: profiles and ties). */
export const FASTER_BY = 1.3

/** Two measured speeds of one size compared. */
export interface SpeedRatio {
  /** Above 1: the first is faster. */
  readonly ratio: number
  /** Numbers for a reason text. */
  readonly text: string
}

/** One algorithm with the backends that may run it. */
export interface Runner {
  readonly algorithm: AlgorithmId
  readonly backends: readonly string[]
}

interface Time {
  readonly backend: string
  readonly nanoseconds: number
}

/** Time to seal one message with the fastest of the named backends: as measured at that size, else on the fitted line. */
function sealTime(evidence: Evidence, { algorithm, backends }: Runner, bytes: number): Time | undefined {
  const own = evidence.measurements.filter(
    (one) => one.algorithm === algorithm && one.operation === 'seal' && !one.into,
  )
  const lines = fitCosts(own)
  let best: Time | undefined
  for (const backend of backends) {
    const exact = own.find((one) => one.backend === backend && one.bytes === bytes)
    const line = lines.find((one) => one.backend === backend)
    const nanoseconds =
      exact === undefined ? (line === undefined ? undefined : costAt(line, bytes)) : bestOf(exact)
    if (nanoseconds === undefined || !(nanoseconds > 0)) continue
    if (best === undefined || nanoseconds < best.nanoseconds) best = { backend, nanoseconds }
  }
  return best
}

function shown({ backend, nanoseconds }: Time, bytes: number): string {
  const rate = (bytes * 1000) / nanoseconds
  return `${(nanoseconds / 1000).toFixed(1)} µs (${rate.toFixed(1)} MB/s, ${backend})`
}

/**
 * {@link speedRatio} over several lengths: the geometric mean, so that each of them counts alike.
 * @returns `undefined` when either was not measured at one of them.
 */
export function speedRatioOver(
  evidence: Evidence,
  first: Runner,
  second: Runner,
  lengths: readonly number[],
): SpeedRatio | undefined {
  const all = lengths.map((bytes) => speedRatio(evidence, first, second, bytes))
  const known = all.filter((one) => one !== undefined)
  if (known.length < all.length || known.length === 0) return undefined
  return {
    ratio: known.reduce((product, { ratio }) => product * ratio, 1) ** (1 / known.length),
    text: known.map(({ text }) => text).join('; '),
  }
}

/**
 * How much faster `first` seals one message of `bytes` than `second`, each on its fastest backend; `undefined` when
 * either was not measured.
 */
export function speedRatio(
  evidence: Evidence,
  first: Runner,
  second: Runner,
  bytes: number,
): SpeedRatio | undefined {
  const one = sealTime(evidence, first, bytes)
  const two = sealTime(evidence, second, bytes)
  if (one === undefined || two === undefined) return undefined
  return {
    ratio: two.nanoseconds / one.nanoseconds,
    text: `${bytes} B: ${first.algorithm} ${shown(one, bytes)}, ${second.algorithm} ${shown(two, bytes)}`,
  }
}
