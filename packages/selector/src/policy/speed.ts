import type { AlgorithmId, Evidence } from '@aeadkit/core'

/** How much faster one must measure before it changes a choice (design: profiles and ties). */
export const FASTER_BY = 1.3

/** Two measured speeds of one size compared. */
export interface SpeedRatio {
  /** Above 1: the first is faster. */
  readonly ratio: number
  /** Numbers for a reason text. */
  readonly text: string
}

/** Smallest size in bytes whose slope tells the hardware; below it call cost drowns the cipher. */
const SLOPE_BYTES = 65_536

function rate(bytes: number, nanoseconds: number): number {
  return (bytes * 1000) / nanoseconds
}

/** AES-128-GCM against ChaCha20-Poly1305 as measured inside one backend at the largest common size of 64 KiB or more. */
export function gcmRatio(evidence: Evidence): SpeedRatio | undefined {
  const seals = evidence.measurements.filter((one) => one.operation === 'seal' && one.bytes >= SLOPE_BYTES)
  let best: (SpeedRatio & { readonly bytes: number }) | undefined
  for (const gcm of seals.filter((one) => one.algorithm === 'aes-128-gcm')) {
    const chacha = seals.find(
      (one) =>
        one.algorithm === 'chacha20-poly1305' && one.backend === gcm.backend && one.bytes === gcm.bytes,
    )
    if (chacha === undefined || (best !== undefined && best.bytes >= gcm.bytes)) continue
    const mine = rate(gcm.bytes, gcm.nanoseconds)
    const other = rate(chacha.bytes, chacha.nanoseconds)
    best = {
      bytes: gcm.bytes,
      ratio: mine / other,
      text: `${mine.toFixed(0)} against ${other.toFixed(0)} MB/s in ${gcm.backend} at ${gcm.bytes} B`,
    }
  }
  return best
}

/**
 * Nanoseconds to seal one message with the fastest of the named backends: between measured sizes on a line, beyond
 * them on the line of the nearest two.
 */
function sealTime(
  evidence: Evidence,
  algorithm: AlgorithmId,
  backends: readonly string[],
  bytes: number,
): { readonly backend: string; readonly nanoseconds: number } | undefined {
  let best: { backend: string; nanoseconds: number } | undefined
  for (const backend of backends) {
    const points = evidence.measurements
      .filter((one) => one.backend === backend && one.algorithm === algorithm && one.operation === 'seal')
      .sort((a, b) => a.bytes - b.bytes)
    const nanoseconds = onLine(points, bytes)
    if (nanoseconds !== undefined && (best === undefined || nanoseconds < best.nanoseconds)) {
      best = { backend, nanoseconds }
    }
  }
  return best
}

function onLine(
  points: readonly { readonly bytes: number; readonly nanoseconds: number }[],
  bytes: number,
): number | undefined {
  const first = points[0]
  if (first === undefined) return undefined
  const exact = points.find((point) => point.bytes === bytes)
  if (exact !== undefined) return exact.nanoseconds
  // One size alone tells nothing of another.
  if (points.length < 2) return undefined
  let right = points.findIndex((point) => point.bytes > bytes)
  if (right === -1) right = points.length - 1
  if (right === 0) right = 1
  const [low, high] = [points[right - 1]!, points[right]!]
  const slope = (high.nanoseconds - low.nanoseconds) / (high.bytes - low.bytes)
  const line = low.nanoseconds + slope * (bytes - low.bytes)
  // Noise can tilt a line below what even a call without any fixed cost would take.
  return Math.max(line, (Math.min(low.nanoseconds, high.nanoseconds) * bytes) / high.bytes)
}

/**
 * How much faster `first` seals one message of `bytes` than `second`, each on its fastest backend; `undefined` when
 * either was not measured.
 */
export function speedRatio(
  evidence: Evidence,
  first: { readonly algorithm: AlgorithmId; readonly backends: readonly string[] },
  second: { readonly algorithm: AlgorithmId; readonly backends: readonly string[] },
  bytes: number,
): SpeedRatio | undefined {
  const one = sealTime(evidence, first.algorithm, first.backends, bytes)
  const two = sealTime(evidence, second.algorithm, second.backends, bytes)
  if (one === undefined || two === undefined) return undefined
  const shown = (time: { backend: string; nanoseconds: number }): string =>
    `${(time.nanoseconds / 1000).toFixed(1)} µs (${rate(bytes, time.nanoseconds).toFixed(1)} MB/s, ${time.backend})`
  return {
    ratio: two.nanoseconds / one.nanoseconds,
    text: `${bytes} B: ${first.algorithm} ${shown(one)}, ${second.algorithm} ${shown(two)}`,
  }
}
