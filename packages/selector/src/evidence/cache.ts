/** Where measurements are kept between calls, and how they are named. */
import type { AlgorithmId, Backend, Measurement } from '@aeadkit/core'
import { isAlgorithmId } from '@aeadkit/core'
import { RELEASE } from '../release.ts'
import { LateError, within } from '../within.ts'

/** Store for measurements. It may lose entries at any time; what it returns is checked before use. */
export interface MeasurementCache {
  /** Text stored under `key`, or `undefined`. */
  get(key: string): Promise<string | undefined> | string | undefined
  /** Stores `text` under `key`. */
  set(key: string, text: string): Promise<void> | void
}

/** A store that does not answer in this time, in milliseconds, counts as empty: measuring again costs less. */
const CACHE_MS = 1000

/** Stores that let a call time out: they are not waited for again. */
const silent: WeakSet<MeasurementCache> = /* @__PURE__ */ new WeakSet()

/** What the store answers in time. @throws LateError; whatever the store throws. */
async function ask<T>(cache: MeasurementCache, call: () => Promise<T> | T): Promise<T | undefined> {
  if (silent.has(cache)) return undefined
  try {
    return await within(CACHE_MS, call())
  } catch (error) {
    if (error instanceof LateError) silent.add(cache)
    throw error
  }
}

/** Longest entry in characters that is read: ten times what the timings of one pair take. */
const MOST_CHARACTERS = 100_000

/** Raise when the meaning of a stored measurement changes. */
const FORMAT = 'aeadkit-measurements@3'

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
  return JSON.stringify([FORMAT, RELEASE, ...machine, backend.name, versionOf(backend), algorithm])
}

/** One message takes at least this long and at most that long, in nanoseconds: outside it is no timing. */
const SHORTEST_NS = 1
const LONGEST_NS = 1e12
/** And no library passes more bytes than this in a nanosecond (1 TB/s). */
const MOST_BYTES_PER_NS = 1000

/** Whether a number can be the time of one message of `bytes` bytes. */
function isTime(value: unknown, bytes: number): value is number {
  return (
    typeof value === 'number' &&
    value >= Math.max(SHORTEST_NS, bytes / MOST_BYTES_PER_NS) &&
    value <= LONGEST_NS
  )
}

/** Whether a value from outside can be a measurement: known names, and times that a machine can take. */
export function isMeasurement(value: unknown): value is Measurement {
  if (typeof value !== 'object' || value === null) return false
  const one = value as Record<keyof Measurement, unknown>
  const { bytes } = one
  return (
    typeof one.backend === 'string' &&
    isAlgorithmId(one.algorithm) &&
    (one.operation === 'seal' || one.operation === 'open') &&
    typeof bytes === 'number' &&
    Number.isSafeInteger(bytes) &&
    bytes >= 0 &&
    isTime(one.nanoseconds, bytes) &&
    (one.bestNanoseconds === undefined || isTime(one.bestNanoseconds, bytes)) &&
    (one.into === undefined || one.into === true)
  )
}

/** Names of a timing's fields, and of nothing else. */
const FIELDS = /^(backend|algorithm|operation|bytes|nanoseconds|bestNanoseconds|into)$/

/** What is stored under a key. */
interface Entry {
  readonly key: string
  /** When it was measured, in milliseconds since 1970. */
  readonly at: number
  readonly measurements: readonly Measurement[]
}

const DAY_MS = 86_400_000
/** Older timings are taken again: a moment in which the machine was busy must not decide for ever. */
const MOST_DAYS = 30

/** Whether a time of measuring is one, and not too long ago; a clock set back makes it lie ahead. */
function isRecent(at: unknown): boolean {
  return typeof at === 'number' && Math.abs(Date.now() - at) < MOST_DAYS * DAY_MS
}

/**
 * Reads what was stored; anything that is not exactly what was stored under this key for this pair, in the last 30
 * days, counts as missing.
 */
export async function readCached(
  cache: MeasurementCache,
  key: string,
  backend: string,
  algorithm: AlgorithmId,
): Promise<readonly Measurement[] | undefined> {
  try {
    const text: unknown = await ask(cache, () => cache.get(key))
    if (typeof text !== 'string' || text.length > MOST_CHARACTERS) return undefined
    const entry = (JSON.parse(text) ?? {}) as { readonly [name in keyof Entry]?: unknown }
    const { measurements: stored } = entry
    // A store that answers with another key's text must not place backends by another machine's timings.
    if (entry.key !== key || !isRecent(entry.at)) return undefined
    if (!Array.isArray(stored) || stored.length === 0) return undefined
    const ours = (one: unknown): boolean =>
      isMeasurement(one) &&
      one.backend === backend &&
      one.algorithm === algorithm && // It becomes part of the evidence, which is printed and stored: no texts of others.
      Object.keys(one).every((name) => FIELDS.test(name))
    return stored.every(ours) ? (stored as Measurement[]) : undefined
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
    await ask(cache, () =>
      cache.set(key, JSON.stringify({ key, at: Date.now(), measurements } satisfies Entry)),
    )
  } catch {
    // A full or read-only store must not fail a selection.
  }
}
