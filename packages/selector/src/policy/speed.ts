import type { Evidence } from '@aeadkit/core'
import { bestOf, costAt, fitCosts } from '../evidence/costs.ts'
import type { Assessed } from './rule.ts'

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
export type Runner = Pick<Assessed, 'params' | 'permitted'>

interface Time {
  readonly backend: string
  readonly nanoseconds: number
}

/**
 * Time to seal one message with the fastest of its backends: as measured at that size, else on the fitted line. AES
 * counts where it can run on instructions only: software AES is never chosen for speed.
 */
function sealTime(evidence: Evidence, { params, permitted }: Runner, bytes: number): Time | undefined {
  const own = evidence.measurements.filter(
    (one) => one.algorithm === params.id && one.operation === 'seal' && !one.into,
  )
  const lines = fitCosts(own)
  let best: Time | undefined
  for (const { kind, name: backend } of permitted) {
    if (params.cpu.cipher === 'aes' && kind !== 'native') continue
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
 * How much faster `first` seals one message of `bytes` than `second`, each on its fastest backend, AES on native ones;
 * `undefined` when either was not measured.
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
    text: `${bytes} B: ${first.params.id} ${shown(one, bytes)}, ${second.params.id} ${shown(two, bytes)}`,
  }
}
