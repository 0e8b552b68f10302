/** What is timed: one operation of one backend at one length, as callers run it. */
import type { Aead, AlgorithmId, Backend, Measurement, SyncAead, SyncBackend } from '@aeadkit/core'
import { ALGORITHMS, createAead } from '@aeadkit/core'
import { hybridPair } from '../placement/pair-hybrid.ts'
import type { Run, Session } from './measure-session.ts'

/** One combination being timed. */
export interface Cell {
  readonly label: Omit<Measurement, 'nanoseconds' | 'bestNanoseconds'>
  readonly run: Run
  /** Operations in one slice; 0 before the first. */
  repeats: number
  /** Time of one operation in nanoseconds, one entry per slice. */
  readonly nanoseconds: number[]
}

/** A key of a backend, if it is set up in time; one that comes later is thrown away. */
async function setUp(
  session: Session,
  backend: Backend,
  algorithm: AlgorithmId,
  key: Uint8Array,
): Promise<Aead> {
  const made = createAead(backend, algorithm, key, { nonceCheck: false })
  try {
    return await session.answer(made)
  } catch (error) {
    made.then((late) => late.destroy()).catch(() => undefined)
    throw error
  }
}

/** One key on one backend, for timings alone. */
export interface Bench {
  readonly backend: Backend
  /** Longest plaintext in bytes. */
  readonly maxBytes: number
  /** A cell for one operation at one length; sets up what it works on. */
  cell(operation: 'seal' | 'open', bytes: number): Promise<Cell>
  destroy(): void
}

/** A slice never repeats more often, whatever the clock says. */
const MAX_REPEATS = 65_536
/** Plaintext length in bytes from which one call alone fills a slice anywhere. */
export const LONG_BYTES = 262_144
/** Of the slices of a cell this share is taken to be better than the figure kept: the very best may be a slip of the clock. */
const BEST_SHARE = 0.1

/**
 * Sets a key up. The nonce repeats on purpose: the key lives only here and the plaintext is zeros.
 * @param into - whether results go to one array over and over, as for the slope of a cipher: new memory is not its
 *   time. Else each result is an array of its own, as callers get it.
 * @param beside - the small half of a pair whose large one is timed by its promises, the way selections reach it.
 */
export async function openBench(
  session: Session,
  backend: Backend,
  algorithm: AlgorithmId,
  into: boolean,
  beside?: SyncBackend,
): Promise<Bench> {
  const key = crypto.getRandomValues(new Uint8Array(ALGORITHMS[algorithm].keyBytes))
  const reached =
    beside === undefined || backend.sync ? backend : hybridPair(beside, backend, { seal: 1, open: 1 })
  const aead = await setUp(session, reached, algorithm, key)
  key.fill(0)
  const nonce = new Uint8Array(aead.params.nonceBytes)
  const plaintexts = new Map<number, Uint8Array>()
  const plaintextOf = (bytes: number): Uint8Array => {
    const made = plaintexts.get(bytes) ?? new Uint8Array(bytes)
    plaintexts.set(bytes, made)
    return made
  }
  return {
    backend,
    maxBytes: aead.guarantees.maxBytes,
    async cell(operation, bytes) {
      const plaintext = plaintextOf(bytes)
      const name = { backend: backend.name, algorithm, operation, bytes }
      const label = into && backend.sync ? { ...name, into: true as const } : name
      let run: Run
      if (backend.sync) run = syncRun(aead as SyncAead, operation, nonce, plaintext, into)
      else {
        const sealed = operation === 'open' ? await session.answer(aead.seal(nonce, plaintext)) : plaintext
        run = async (times) => {
          for (let at = 0; at < times; at++) {
            await (operation === 'seal' ? aead.seal(nonce, plaintext) : aead.open(nonce, sealed))
          }
        }
      }
      return { label, run, repeats: 0, nanoseconds: [] }
    },
    destroy() {
      try {
        aead.destroy()
      } catch {
        // The key has protected nothing: a backend that cannot wipe it must not keep the others from being timed.
      }
    },
  }
}

function syncRun(
  aead: SyncAead,
  operation: 'seal' | 'open',
  nonce: Uint8Array,
  plaintext: Uint8Array,
  into: boolean,
): Run {
  const out = into ? new Uint8Array(plaintext.length + aead.params.tagBytes) : undefined
  if (operation === 'seal') {
    return (times) => {
      for (let at = 0; at < times; at++) {
        if (out === undefined) aead.sealSync(nonce, plaintext)
        else aead.sealIntoSync(out, nonce, plaintext)
      }
      return undefined
    }
  }
  const sealed = aead.sealSync(nonce, plaintext)
  return (times) => {
    for (let at = 0; at < times; at++) {
      if (out === undefined) aead.openSync(nonce, sealed)
      else aead.openIntoSync(out, nonce, sealed)
    }
    return undefined
  }
}

/**
 * Times a slice. The first ones only find how many operations fill one: they run on memory that nobody has touched
 * yet, and before the engine has compiled the call.
 * @returns milliseconds spent.
 */
export async function timeSlice(session: Session, cell: Cell): Promise<number> {
  const { sliceMs, tickMs } = session
  let total = 0
  for (let repeats = 1; cell.repeats === 0; ) {
    const spent = await session.time(cell.run, repeats)
    total += spent
    if (spent >= sliceMs || repeats >= MAX_REPEATS) cell.repeats = repeats
    if (cell.repeats === 1 && cell.label.bytes >= LONG_BYTES) {
      // A call that takes milliseconds is not made twice to be timed once; in later turns it is made on used memory.
      cell.nanoseconds.push(spent * 1e6)
      return total
    }
    const wanted = (repeats * sliceMs * 1.2) / Math.max(spent, tickMs)
    repeats = Math.min(MAX_REPEATS, Math.max(repeats * 2, Math.ceil(wanted)))
  }
  const spent = await session.time(cell.run, cell.repeats)
  if (spent > 0) cell.nanoseconds.push((spent * 1e6) / cell.repeats)
  // What the engine has compiled meanwhile runs faster: too few operations would show the clock's steps.
  if (spent < sliceMs / 2 && cell.repeats < MAX_REPEATS) cell.repeats *= 2
  return total + spent
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2
}

/** Significant digits kept: more would be noise in JSON. */
const rounded = (value: number): number => Number(value.toPrecision(4))

/** The figure of a cell that disturbances leave alone, in nanoseconds; `undefined` before its first slice. */
export function settledOf(cell: Cell): number | undefined {
  const sorted = [...cell.nanoseconds].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * BEST_SHARE)]
}

/** Median and settled figure of each cell that was timed. */
export function measurementsOf(cells: readonly Cell[]): readonly Measurement[] {
  return cells.flatMap((cell): Measurement[] => {
    const best = settledOf(cell)
    if (best === undefined) return []
    const sorted = [...cell.nanoseconds].sort((a, b) => a - b)
    return [{ ...cell.label, nanoseconds: rounded(medianOf(sorted)), bestNanoseconds: rounded(best) }]
  })
}
