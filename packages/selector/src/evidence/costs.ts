/** Cost of a message as a line: `a + b * bytes`, fitted from measured sizes. Pure functions. */
import type { AlgorithmId, Measurement } from '@aeadkit/core'

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
}

/** The least disturbed figure of a measurement. */
export function bestOf(measurement: Measurement): number {
  return measurement.bestNanoseconds ?? measurement.nanoseconds
}

/** Nanoseconds of one message of `bytes` bytes. */
export function costAt(cost: Cost, bytes: number): number {
  return cost.callNanoseconds + cost.nanosecondsPerByte * bytes
}

interface Line {
  readonly a: number
  readonly b: number
}

/**
 * Least squares on relative distances, so that a 64-byte message counts as much as one of 64 KiB; neither part may
 * be negative.
 */
function fitLine(points: readonly { readonly bytes: number; readonly time: number }[]): Line {
  let [w, wn, wnn, wt, wnt] = [0, 0, 0, 0, 0]
  for (const { bytes, time } of points) {
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

/**
 * Fits one line per backend, algorithm and operation. Fewer than two sizes give none: one size cannot tell the two
 * parts apart.
 */
export function fitCosts(measurements: readonly Measurement[]): readonly Cost[] {
  const groups = new Map<string, Measurement[]>()
  for (const one of measurements) {
    const key = JSON.stringify([one.backend, one.algorithm, one.operation])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups.values()].flatMap((group): Cost[] => {
    const [first] = group
    if (first === undefined || new Set(group.map((one) => one.bytes)).size < 2) return []
    const points = group.map((one) => ({ bytes: one.bytes, time: bestOf(one) }))
    const { a, b } = fitLine(points)
    const squares = points.map(({ bytes, time }) => ((a + b * bytes - time) / time) ** 2)
    const fitError = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
    const { backend, algorithm, operation } = first
    return [{ backend, algorithm, operation, callNanoseconds: a, nanosecondsPerByte: b, fitError }]
  })
}
