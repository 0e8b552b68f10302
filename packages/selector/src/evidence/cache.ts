/** Where measurements are kept between calls, and how they are named. */
import type { AlgorithmId, Backend, Measurement } from '@aeadkit/core'
import { isAlgorithmId } from '@aeadkit/core'

/** Store for measurements. It may lose entries at any time; what it returns is checked before use. */
export interface MeasurementCache {
  /** Text stored under `key`, or `undefined`. */
  get(key: string): Promise<string | undefined> | string | undefined
  /** Stores `text` under `key`. */
  set(key: string, text: string): Promise<void> | void
}

/** Raise when the meaning of a stored measurement changes. */
const FORMAT = 'aeadkit-measurements@1'

/** A store that lives as long as the process. */
export function memoryCache(): MeasurementCache {
  const texts = new Map<string, string>()
  return {
    get: (key) => texts.get(key),
    set: (key, text) => void texts.set(key, text),
  }
}

let processWide: MeasurementCache | undefined

/** The store used when the caller gives none: one per process, made on first use. */
export function processCache(): MeasurementCache {
  processWide ??= memoryCache()
  return processWide
}

/** Version of the library behind a backend, or `unknown`. */
export function versionOf(backend: Backend): string {
  try {
    return backend.raw.version()
  } catch {
    return 'unknown'
  }
}

/**
 * Key of one backend and algorithm on one machine.
 * @param machine - everything else that a timing depends on: runtime, CPU, masks, FIPS state.
 */
export function cacheKey(machine: readonly string[], backend: Backend, algorithm: AlgorithmId): string {
  return JSON.stringify([FORMAT, ...machine, backend.name, versionOf(backend), algorithm])
}

const positive = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0

function isMeasurement(value: unknown, backend: string, algorithm: AlgorithmId): value is Measurement {
  if (typeof value !== 'object' || value === null) return false
  const one = value as Record<keyof Measurement, unknown>
  return (
    one.backend === backend &&
    isAlgorithmId(one.algorithm) &&
    one.algorithm === algorithm &&
    (one.operation === 'seal' || one.operation === 'open') &&
    Number.isSafeInteger(one.bytes) &&
    (one.bytes as number) >= 0 &&
    positive(one.nanoseconds) &&
    (one.bestNanoseconds === undefined || positive(one.bestNanoseconds))
  )
}

/** Reads what was stored; anything that is not exactly a list of measurements of this pair counts as missing. */
export async function readCached(
  cache: MeasurementCache,
  key: string,
  backend: string,
  algorithm: AlgorithmId,
): Promise<readonly Measurement[] | undefined> {
  try {
    const text = await cache.get(key)
    const stored: unknown = text === undefined ? undefined : JSON.parse(text)
    if (!Array.isArray(stored) || stored.length === 0) return undefined
    return stored.every((one) => isMeasurement(one, backend, algorithm)) ? stored : undefined
  } catch {
    return undefined
  }
}

/** Stores the measurements of one pair. A store that fails only costs the next process a measurement. */
export async function writeCached(
  cache: MeasurementCache,
  key: string,
  measurements: readonly Measurement[],
): Promise<void> {
  try {
    await cache.set(key, JSON.stringify(measurements))
  } catch {
    // A full or read-only store must not fail a selection.
  }
}
