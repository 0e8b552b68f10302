/** Cost of a message: `a + b * bytes`, fitted from measured sizes, piece by piece where they lie close. Pure functions. */
import type { AlgorithmId, Measurement } from '@aeadkit/core'

/** Differences up to this share are noise: a tie, or no reason for a second backend. */
export const NOISE = 0.05

/** What one operation costs on one backend. */
export interface Cost {
  readonly backend: string
  readonly algorithm: AlgorithmId
  readonly operation: 'seal' | 'open'
  /** Fixed part per message in nanoseconds: call, set-up, promise. */
  readonly callNanoseconds: number
  /** Part that grows with the message, in nanoseconds per byte. */
  readonly nanosecondsPerByte: number
  /** Root mean square of the relative distance between the line and the measured points. */
  readonly fitError: number
  /** What was measured, by rising length. Absent: the line is all that is known. */
  readonly points?: readonly CostPoint[]
}

/** Time of one message of one length. */
export interface CostPoint {
  readonly bytes: number
  readonly nanoseconds: number
}

/** The least disturbed figure of a measurement. */
export function bestOf(measurement: Measurement): number {
  return measurement.bestNanoseconds ?? measurement.nanoseconds
}

/**
 * Nanoseconds of one message of `bytes` bytes: on the line through the two measured lengths around it, since libraries
 * change their ways with the length; outside of them the fitted slope goes on from the nearest one.
 */
export function costAt(cost: Cost, bytes: number): number {
  const { callNanoseconds, nanosecondsPerByte, points = [] } = cost
  const after = points.findIndex((point) => point.bytes >= bytes)
  const right = points[after === -1 ? points.length - 1 : after]
  if (right === undefined) return callNanoseconds + nanosecondsPerByte * bytes
  const left = points[after - 1]
  if (after <= 0 || left === undefined) {
    // Never below the fixed part of the line by more than the point itself lies below it.
    const least = Math.min(right.nanoseconds, callNanoseconds)
    return Math.max(least, right.nanoseconds + nanosecondsPerByte * (bytes - right.bytes))
  }
  const share = (bytes - left.bytes) / (right.bytes - left.bytes)
  return left.nanoseconds + share * (right.nanoseconds - left.nanoseconds)
}

interface Line {
  readonly a: number
  readonly b: number
}

/**
 * Least squares on relative distances, so that a 64-byte message counts as much as one of 64 KiB; neither part may
 * be negative.
 */
function fitLine(points: readonly CostPoint[]): Line {
  let [w, wn, wnn, wt, wnt] = [0, 0, 0, 0, 0]
  for (const { bytes, nanoseconds: time } of points) {
    const weight = 1 / (time * time)
    w += weight
    wn += weight * bytes
    wnn += weight * bytes * bytes
    wt += weight * time
    wnt += weight * bytes * time
  }
  const determinant = w * wnn - wn * wn
  const b = determinant === 0 ? 0 : (w * wnt - wn * wt) / determinant
  const a = (wt - b * wn) / w
  if (b < 0) return { a: wt / w, b: 0 }
  if (a < 0) return { a: 0, b: wnn === 0 ? 0 : wnt / wnn }
  return { a, b }
}

/** The best figure of each length, by rising length; a shorter message never takes longer than a longer one. */
function pointsOf(group: readonly Measurement[]): readonly CostPoint[] {
  const best = new Map<number, number>()
  for (const one of group) best.set(one.bytes, Math.min(bestOf(one), best.get(one.bytes) ?? bestOf(one)))
  let least = Number.POSITIVE_INFINITY
  return [...best]
    .sort(([a], [b]) => b - a)
    .map(([bytes, nanoseconds]): CostPoint => {
      least = Math.min(least, nanoseconds)
      return { bytes, nanoseconds: least }
    })
    .reverse()
}

/**
 * Fits one line per backend, algorithm and operation. Fewer than two sizes give none: one size cannot tell the two
 * parts apart. Timings without new memory are left out: callers get a new array each time.
 */
export function fitCosts(measurements: readonly Measurement[]): readonly Cost[] {
  const groups = new Map<string, Measurement[]>()
  for (const one of measurements) {
    if (one.into === true) continue
    const key = JSON.stringify([one.backend, one.algorithm, one.operation])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups.values()].flatMap((group): Cost[] => {
    const [first] = group
    if (first === undefined || new Set(group.map((one) => one.bytes)).size < 2) return []
    const points = pointsOf(group)
    const { a, b } = fitLine(points)
    const squares = points.map(({ bytes, nanoseconds: time }) => ((a + b * bytes - time) / time) ** 2)
    const fitError = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
    const { backend, algorithm, operation } = first
    return [{ backend, algorithm, operation, callNanoseconds: a, nanosecondsPerByte: b, fitError, points }]
  })
}
