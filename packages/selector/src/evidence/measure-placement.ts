/**
 * Times one algorithm on all its backends to place it: at the lengths that matter first, then where the fastest
 * changes, as callers run it: each result an array of its own.
 */
import type { AlgorithmId, Backend, BackendKind } from '@aeadkit/core'
import { fitCosts } from './costs.ts'
import { codeOf, type MeasureResult, nothing } from './measure.ts'
import { type Bench, type Cell, measurementsOf, openBench, settledOf, timeSlice } from './measure-cells.ts'
import { type MeasureOptions, openSession, type Session } from './measure-session.ts'

/** What is to be placed. */
export interface PlacementRequest {
  readonly algorithm: AlgorithmId
  /** Those that may run it; at least two, or there is nothing to place. */
  readonly backends: readonly Backend[]
  /** Plaintext lengths in bytes, ascending. */
  readonly sizes: readonly number[]
  /** Whether to look between the lengths for the one where the fastest backend changes. */
  readonly refine: boolean
}

const OPERATIONS = ['seal', 'open'] as const

/**
 * Untimed calls before anything counts. Engines compile the call late (V8 that of `node:crypto` after some 1500), and
 * libraries hand out memory for the first time, which costs more than using it again.
 */
const SETTLE_CALLS: Readonly<Record<BackendKind, number>> = { native: 2000, wasm: 4000, js: 200 }
/** A promise brings little that is compiled, and costs tens of microseconds. */
const SETTLE_ASYNC_CALLS = 60
/** Part of the budget that may be gone after settling. */
const SETTLED_BY = 0.35
/** Calls of one turn of settling. */
const SETTLE_TURN = 16
/** The cost per byte of script is the same at every length; long messages would eat the budget. */
const LONGEST_JS_BYTES = 65_536
/** A backend that takes this many times as long as one rival at every length is not timed any further. */
export const HOPELESS = 2
/** Lengths between two measured ones are looked at while those are further apart than this factor. */
const BRACKET = 1.3
const MOST_REFINEMENTS = 5
/** Turns of a length before it is taken to be known well enough to look between it and the next. */
const ROW_TURNS = 5
/** Turns below which the figures of a length are first impressions. */
const FEW_TURNS = 3
/** For those the budget may be overdrawn up to this factor: a choice by first impressions costs more, for longer. */
const OVERDRAW = 1.5
/** Turns after which nothing more is to be learned from lengths at which one backend is far ahead of the others. */
const MOST_TURNS = 40
/** Within this factor of the fastest another backend may be the fastest after all. */
const CONTESTED = 1.25
/** Where two times differ by no more than this share, a closer look would find noise. */
const CLOSE = 0.03

/** Small objects thrown away between turns, about a megabyte: enough for a young collection in V8. */
const LITTER = 6000
/** So many milliseconds of timing come between two collections. */
const LITTER_EVERY_MS = 2

/**
 * Makes the engine collect its young garbage, and with it the results of the calls before: libraries then hand out
 * memory that was used already, as they do in a process that has run for a while. Without it every result is memory
 * that nobody has touched, and the system's work on that is charged to whoever allocates more (`node:crypto`: it made
 * 64 KiB look three times as slow).
 * @param into - holds a few of the objects, so that the engine cannot leave them out.
 */
function makeLitter(into: unknown[]): void {
  for (let at = 0; at < LITTER; at++) into[at & 15] = [at, { litter: at }]
}

/** All cells of one length. */
interface Row {
  readonly bytes: number
  readonly cells: Cell[]
  turns: number
  spentMs: number
}

class PlacementRun {
  readonly gaps: string[] = []
  readonly rows: Row[] = []
  readonly #session: Session
  readonly #request: PlacementRequest
  readonly #litter: unknown[] = []
  #benches: readonly Bench[] = []
  /** Timed since the last collection, in milliseconds; one is due from the start. */
  #untidyMs = LITTER_EVERY_MS
  /** Names of backends that cannot win any more. */
  readonly #hopeless: Set<string> = new Set()
  readonly #failed: Set<string> = new Set()

  constructor(session: Session, request: PlacementRequest) {
    this.#session = session
    this.#request = request
  }

  /** Sets the keys up; what a backend lacks is a gap. */
  async open(): Promise<void> {
    const { algorithm, backends } = this.#request
    const benches: Bench[] = []
    this.#benches = benches
    for (const backend of backends) {
      try {
        benches.push(await openBench(backend, algorithm, false))
      } catch (error) {
        this.gaps.push(`${algorithm} on ${backend.name}: ${codeOf(error)}`)
        this.#failed.add(backend.name)
      }
    }
  }

  /** A backend that fails is left out from then on, with all that was timed of it: it must not be chosen. */
  async #guarded<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#failed.has(name)) return undefined
    try {
      return await work()
    } catch (error) {
      this.gaps.push(`${this.#request.algorithm} on ${name}: ${codeOf(error)}`)
      this.#failed.add(name)
      this.#hopeless.add(name)
      for (const row of this.rows) {
        row.cells.splice(0, row.cells.length, ...row.cells.filter(({ label }) => label.backend !== name))
      }
      return undefined
    }
  }

  close(): void {
    for (const bench of this.#benches) bench.destroy()
  }

  /** Runs the shortest message until engines have compiled it; nothing of it counts. */
  async settle(): Promise<void> {
    const session = this.#session
    const [bytes] = this.#request.sizes
    if (bytes === undefined) return
    const due: { cell: Cell; calls: number }[] = []
    for (const bench of this.#benches) {
      const { kind, sync } = bench.backend
      const calls = sync ? SETTLE_CALLS[kind] : SETTLE_ASYNC_CALLS
      if (bytes > bench.maxBytes) continue
      await this.#guarded(bench.backend.name, async () => {
        for (const operation of OPERATIONS) {
          due.push({ cell: await bench.cell(operation, bytes), calls: calls / OPERATIONS.length })
        }
      })
    }
    const untilMs = session.budgetMs * SETTLED_BY
    while (due.some((one) => one.calls > 0)) {
      for (const one of due) {
        if (one.calls <= 0) continue
        if (!(await session.proceed(untilMs))) return
        one.calls -= SETTLE_TURN
        await this.#guarded(one.cell.label.backend, () => session.time(one.cell.run, SETTLE_TURN))
      }
    }
  }

  /** Times all backends at one more length, once. */
  async add(bytes: number): Promise<Row> {
    const row: Row = { bytes, cells: [], turns: 0, spentMs: 0 }
    for (const bench of this.#benches) {
      const { kind, name } = bench.backend
      const longest = kind === 'js' ? Math.min(LONGEST_JS_BYTES, bench.maxBytes) : bench.maxBytes
      if (bytes > longest || this.#hopeless.has(name)) continue
      await this.#guarded(name, async () => {
        for (const operation of OPERATIONS) row.cells.push(await bench.cell(operation, bytes))
      })
    }
    // A backend may have failed half-way.
    row.cells.splice(
      0,
      row.cells.length,
      ...row.cells.filter(({ label }) => !this.#failed.has(label.backend)),
    )
    this.rows.push(row)
    this.rows.sort((a, b) => a.bytes - b.bytes)
    await this.turn(row)
    this.#giveUp()
    return row
  }

  /** One slice of every cell of a length. */
  async turn(row: Row): Promise<void> {
    row.turns++
    const before = row.spentMs
    if (this.#untidyMs >= LITTER_EVERY_MS) {
      makeLitter(this.#litter)
      this.#untidyMs = 0
    }
    for (const cell of [...row.cells]) {
      const { backend } = cell.label
      if (this.#hopeless.has(backend)) continue
      await this.#session.proceed()
      row.spentMs += (await this.#guarded(backend, () => timeSlice(this.#session, cell))) ?? 0
    }
    this.#untidyMs += row.spentMs - before
  }

  /** Gives every length of `rows` so many turns, as long as the budget lasts. */
  async turns(rows: readonly Row[], most: number): Promise<void> {
    for (let turn = 1; turn < most; turn++) {
      for (const row of rows) {
        if (row.turns > turn) continue
        const { budgetMs } = this.#session
        if (!(await this.#session.proceed(turn < FEW_TURNS ? budgetMs * OVERDRAW : budgetMs))) return
        await this.turn(row)
      }
    }
  }

  /** Spends what is left where more than one backend may be the fastest. */
  async spendWhereClose(): Promise<void> {
    while (await this.#session.proceed()) {
      let next: Row | undefined
      for (const row of this.rows) {
        if (row.turns >= MOST_TURNS || !this.#isContested(row)) continue
        if (next === undefined || row.spentMs < next.spentMs) next = row
      }
      if (next === undefined) return
      await this.turn(next)
    }
  }

  #isContested(row: Row): boolean {
    const [first, second] = [...this.timesOf(row).values()].sort((a, b) => a - b)
    return first !== undefined && second !== undefined && second < first * CONTESTED
  }

  /** Mean time of both operations by backend; without those that cannot win. */
  timesOf(row: Row): ReadonlyMap<string, number> {
    const times = new Map<string, number>()
    for (const cell of row.cells) {
      const { backend } = cell.label
      const time = settledOf(cell)
      if (time === undefined || this.#hopeless.has(backend)) continue
      times.set(backend, (times.get(backend) ?? 0) + time / OPERATIONS.length)
    }
    return times
  }

  /** Leaves out whoever is far behind one rival at every length. */
  #giveUp(): void {
    const done = this.rows.length >= this.#request.sizes.length
    const times = this.rows.map((row) => this.timesOf(row))
    for (const one of this.#benches) {
      // Native code and WebAssembly may catch up with longer messages; script has no cost per call to make up for.
      if (!done && (one.backend.kind !== 'js' || times.length < 2)) continue
      const behind = (other: Bench): boolean =>
        other !== one &&
        (other.backend.sync || !one.backend.sync) &&
        !this.#hopeless.has(other.backend.name) &&
        times.every((row) => {
          const mine = row.get(one.backend.name)
          const theirs = row.get(other.backend.name)
          return mine === undefined || (theirs !== undefined && mine >= theirs * HOPELESS)
        })
      if (this.#benches.some(behind)) this.#hopeless.add(one.backend.name)
    }
  }

  /** The length in the middle of the widest gap in which the fastest backend changes. */
  nextLength(): number | undefined {
    let widest: { readonly factor: number; readonly bytes: number } | undefined
    for (const [at, row] of this.rows.entries()) {
      const next = this.rows[at + 1]
      if (next === undefined) break
      const [before, after] = [this.timesOf(row), this.timesOf(next)]
      const [first, second] = [fastest(before), fastest(after)]
      if (first === undefined || second === undefined || first === second) continue
      const apart = (times: ReadonlyMap<string, number>): number =>
        Math.abs((times.get(first) ?? 0) / (times.get(second) ?? 1) - 1)
      const factor = next.bytes / row.bytes
      if (factor < BRACKET || (apart(before) < CLOSE && apart(after) < CLOSE)) continue
      if (widest === undefined || factor > widest.factor) {
        widest = { factor, bytes: Math.round(Math.sqrt(row.bytes * next.bytes)) }
      }
    }
    return widest?.bytes
  }

  /** Names of backends that failed. */
  get failed(): readonly string[] {
    return [...this.#failed]
  }

  /** What the budget did not suffice for, if anything. */
  get shortfall(): string | undefined {
    const hasty = this.rows.filter((row) => row.turns < FEW_TURNS).map(({ bytes }) => `${bytes} B`)
    return hasty.length === 0 ? undefined : `the budget ran out before ${hasty.join(', ')} settled`
  }
}

function fastest(times: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined
  for (const [name, time] of times) {
    if (best === undefined || time < (times.get(best) ?? 0)) best = name
  }
  return best
}

/**
 * Times one algorithm on all backends given, interleaved. Every length is timed at least once, even when the budget is
 * gone by then: one backend alone cannot be compared.
 * @param options - see {@link MeasureOptions}; `minRounds` is not used.
 * @throws the reason of `options.signal` when aborted.
 */
export async function measurePlacement(
  request: PlacementRequest,
  options: MeasureOptions,
): Promise<MeasureResult> {
  const opened = openSession(options)
  if ('gap' in opened) return nothing(opened.gap, opened.tickMs)
  const { session } = opened
  const run = new PlacementRun(session, request)
  try {
    await run.open()
    await run.settle()
    for (const bytes of request.sizes) await run.add(bytes)
    await run.turns(run.rows, ROW_TURNS)
    for (let step = 0; request.refine && step < MOST_REFINEMENTS; step++) {
      const bytes = run.nextLength()
      if (bytes === undefined || !(await session.proceed())) break
      await run.turns([await run.add(bytes)], ROW_TURNS)
    }
    await run.spendWhereClose()
    const { shortfall } = run
    if (shortfall !== undefined) run.gaps.push(`${request.algorithm}: ${shortfall}`)
  } finally {
    run.close()
  }
  const measurements = measurementsOf(run.rows.flatMap((row) => row.cells))
  const { tickMs } = session
  const { failed, gaps } = run
  const costs = fitCosts(measurements)
  return { measurements, costs, tickMs, spentMs: session.spentMs(), gaps, failed }
}
