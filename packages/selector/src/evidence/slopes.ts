/** Time per byte of long messages, and how two ciphers of one backend are compared by it. Pure functions. */
import type { AlgorithmId, Measurement } from '@aeadkit/core'
import { bestOf } from './costs.ts'

/** Shorter messages show the call, not the cipher. */
const LONG_BYTES = 65_536

const GCM: readonly AlgorithmId[] = ['aes-128-gcm', 'aes-256-gcm']
const CHACHA: AlgorithmId = 'chacha20-poly1305'

/** One cipher on one backend. */
export interface Slope {
  readonly backend: string
  readonly algorithm: AlgorithmId
  /** Nanoseconds per byte. */
  readonly perByte: number
}

/** AES-GCM and ChaCha20-Poly1305 of one backend, as far as they were timed. */
export interface SlopePair {
  readonly gcm: Slope | undefined
  readonly chacha: Slope | undefined
}

/**
 * Nanoseconds per byte: the best of the lengths. A difference quotient of two lengths would take the call cost out, but
 * it doubles the noise of both, and pages that the system maps for the longer message count as slope.
 */
function slopeOf(points: readonly Measurement[]): Slope | undefined {
  let least: Slope | undefined
  for (const point of points) {
    const { algorithm, backend, bytes } = point
    const perByte = bestOf(point) / bytes
    if (perByte > 0 && (least === undefined || perByte < least.perByte))
      least = { backend, algorithm, perByte }
  }
  return least
}

/** What has to be alike for two timings to be compared: lengths have their own costs, and new memory is one. */
const conditionsOf = ({ bytes, into }: Measurement): string => `${bytes} ${into === true}`

/**
 * The two ciphers of one backend. Where both were timed under like conditions only those count: a placement times the
 * one that was chosen, later and at other lengths, and must not decide the class after the fact.
 */
export function slopePair(measurements: readonly Measurement[], backend: string): SlopePair {
  const long = measurements.filter(
    (one) => one.backend === backend && one.operation === 'seal' && one.bytes >= LONG_BYTES,
  )
  const of = (id: AlgorithmId): readonly Measurement[] => long.filter(({ algorithm }) => algorithm === id)
  const gcm = GCM.map(of).find((points) => points.length > 0) ?? []
  const chacha = of(CHACHA)
  const alike = (points: readonly Measurement[], others: readonly Measurement[]): readonly Measurement[] => {
    const conditions = new Set(others.map(conditionsOf))
    const both = points.filter((one) => conditions.has(conditionsOf(one)))
    return both.length > 0 ? both : points
  }
  return { gcm: slopeOf(alike(gcm, chacha)), chacha: slopeOf(alike(chacha, gcm)) }
}
