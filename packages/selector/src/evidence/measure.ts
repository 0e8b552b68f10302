/**
 * Times the operations themselves, in this process: flags say what is possible, a timing says what is used. Runs only
 * when asked, inside a budget, interleaved so that a slow moment hits all candidates alike.
 */
import type { AlgorithmId, Backend, BackendKind, Measurement } from '@aeadkit/core'
import { LateError } from '../within.ts'
import { type Cost, fitCosts } from './costs.ts'
import { type Cell, measurementsOf, openBench, timeSlice } from './measure-cells.ts'
import { type MeasureOptions, openSession, type Session } from './measure-session.ts'
import { makeLitter } from './settle.ts'

/** One backend and algorithm to time. */
export interface MeasureRequest {
  readonly backend: Backend
  readonly algorithm: AlgorithmId
  readonly operations: readonly ('seal' | 'open')[]
  /** Plaintext lengths in bytes. */
  readonly sizes: readonly number[]
  /** Whether results go to one array over and over: the cipher alone, without new memory. Default: false. */
  readonly into?: boolean
}

/** What was timed. */
export interface MeasureResult {
  readonly measurements: readonly Measurement[]
  /** Lines fitted to the measurements. */
  readonly costs: readonly Cost[]
  /** Smallest step of the clock in milliseconds; `undefined` when it stands still. */
  readonly tickMs: number | undefined
  /** Part of the budget that was spent, in milliseconds. */
  readonly spentMs: number
  /** Why something asked for is missing; empty when nothing is. */
  readonly gaps: readonly string[]
  /** Names of backends that failed; nothing that was timed of them is kept. */
  readonly failed: readonly string[]
}

/** Untimed work before the first timing of a request, so that the engine compiles what runs in it. */
const WARM_UP_MS: Readonly<Record<BackendKind, number>> = { native: 0, wasm: 0.5, js: 2 }
/** And never more than this many calls, whatever the clock says. */
const WARM_UP_MAX_CALLS = 1000

/** Rounds between two collections of garbage where the cipher alone is timed: libraries allocate inside the call. */
const LITTER_ROUNDS = 4

/** A result without timings. */
export function nothing(gap: string, tickMs?: number): MeasureResult {
  return { measurements: [], costs: [], tickMs, spentMs: 0, gaps: [gap], failed: [] }
}

/** Code of an error, for a gap. */
export function codeOf(error: unknown): string {
  if (error instanceof LateError) return 'no answer'
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : 'failed'
}

async function warmUp(session: Session, { run }: Cell, ms: number): Promise<void> {
  let warm = 0
  // Bounded by calls as well: a coarse clock may show no time for any of them.
  for (let calls = 0; warm < ms && calls < WARM_UP_MAX_CALLS; calls++) warm += await session.time(run, 1)
}

/**
 * Times every requested combination: warm-up, then rounds over all of them until the budget is spent. Kept are the
 * median and, of the short runs, one of the best.
 * @param requests - what to time; what a backend lacks is reported in `gaps`.
 * @param options - see {@link MeasureOptions}.
 * @throws the reason of `options.signal` when aborted.
 */
export async function measureCosts(
  requests: readonly MeasureRequest[],
  options: MeasureOptions,
): Promise<MeasureResult> {
  const opened = openSession(options)
  if ('gap' in opened) return nothing(opened.gap, opened.tickMs)
  if (requests.length === 0) return nothing('nothing to measure')
  const { session } = opened
  const minRounds = options.minRounds ?? 0
  /** Takes turns and looks at the budget, which does not matter until the rounds that are due are done. */
  const goOn = async (round: number): Promise<boolean> => (await session.proceed()) || round < minRounds

  const gaps: string[] = []
  const failed = new Set<string>()
  let ready: Cell[] = []
  /** What fails once is left out from then on, with all that was timed of it. */
  const leaveOut = (backend: string, algorithm: AlgorithmId, error: unknown): void => {
    session.throwIfAborted()
    gaps.push(`${algorithm} on ${backend}: ${codeOf(error)}`)
    failed.add(backend)
    ready = ready.filter(({ label }) => label.backend !== backend || label.algorithm !== algorithm)
  }
  const destroyers: (() => void)[] = []
  try {
    // Each request is set up and timed once before the next: the order is one of importance.
    for (const request of requests) {
      const { algorithm, backend } = request
      const label = `${algorithm} on ${backend.name}`
      if (!(await goOn(0))) {
        gaps.push(`${label}: budget spent`)
        continue
      }
      try {
        const bench = await openBench(session, backend, algorithm, request.into === true)
        destroyers.push(() => bench.destroy())
        let first = true
        for (const bytes of request.sizes.filter((size) => size <= bench.maxBytes)) {
          for (const operation of request.operations) {
            if (!(await goOn(0))) {
              gaps.push(`${operation} ${bytes} B, ${label}: budget spent`)
              continue
            }
            const cell = await bench.cell(operation, bytes)
            if (first) await warmUp(session, cell, WARM_UP_MS[backend.kind])
            first = false
            await timeSlice(session, cell)
            ready.push(cell)
          }
        }
      } catch (error) {
        leaveOut(backend.name, algorithm, error)
      }
    }
    const litter: unknown[] = []
    for (let round = 0; ready.length > 0 && (await goOn(round)); round++) {
      if (round % LITTER_ROUNDS === 0 && ready.some(({ label }) => label.into === true)) makeLitter(litter)
      for (const cell of ready) {
        if (!(await goOn(round))) break
        const { algorithm, backend } = cell.label
        if (!ready.includes(cell)) continue
        // The first timing came straight after the warm-up; it counts only while there is no other.
        if (round === 0) cell.nanoseconds.length = 0
        try {
          await timeSlice(session, cell)
        } catch (error) {
          leaveOut(backend, algorithm, error)
        }
      }
    }
  } finally {
    for (const destroy of destroyers) destroy()
  }
  const measurements = measurementsOf(ready)
  const { tickMs } = session
  const costs = fitCosts(measurements)
  return { measurements, costs, tickMs, spentMs: session.spentMs(), gaps, failed: [...failed] }
}
