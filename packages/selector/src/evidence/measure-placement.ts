/**
 * Times one algorithm on all its backends to place it: at the lengths that matter first, then where the fastest
 * changes, as callers run it: each result an array of its own.
 */
import type { AlgorithmId, Backend } from '@aeadkit/core'
import { fitCosts } from './costs.ts'
import { codeOf, type MeasureResult, nothing } from './measure.ts'
import { type Bench, type Cell, measurementsOf, openBench, timeSlice } from './measure-cells.ts'
import { type MeasureOptions, openSession, type Session } from './measure-session.ts'
import {
  FEW_TURNS,
  fastest,
  isContested,
  isHasty,
  leftBehind,
  lengthLosers,
  nextLength,
  type Row,
  timesOf,
} from './placement-rows.ts'
import { promiseFactor, timePromise } from './promise-cost.ts'
import {
  giveBack,
  growHeap,
  LONG_ONLY_BYTES,
  MAPPED_FROM_BYTES,
  makeLitter,
  SETTLE_BYTES,
  SETTLE_TURN,
  SETTLED_BY,
  SETTLED_BY_LONG,
  settleCalls,
} from './settle.ts'

/** What is to be placed. */
export interface PlacementRequest {
  readonly algorithm: AlgorithmId
  /** Those that may run it; at least two, or there is nothing to place. */
  readonly backends: readonly Backend[]
  /** Plaintext lengths in bytes, ascending. */
  readonly sizes: readonly number[]
  /** Whether any length may come: then it is looked between these for the one where the fastest backend changes. */
  readonly refine: boolean
}

const OPERATIONS = ['seal', 'open'] as const

/** The cost per byte of script is the same at every length; long messages would eat the budget. */
const LONGEST_JS_BYTES = 65_536
const MOST_REFINEMENTS = 6
/** Turns of a length before it is taken to be known well enough to look between it and the next. */
const ROW_TURNS = 5
/**
 * For first impressions the budget may be overdrawn up to these factors: a choice by them costs more, for longer. Most
 * of all at the longest messages, of which the first waits for memory that nobody has used yet.
 */
const OVERDRAW = 1.5
const OVERDRAW_SECOND = 4
/** Turns after which nothing more is to be learned from lengths at which one backend is far ahead of the others. */
const MOST_TURNS = 40
/** So many milliseconds of timing come between two collections of garbage, */
const LITTER_EVERY_MS = 2
/** which matter from this length on, in bytes: shorter results come from memory in use. */
const LITTER_FROM_BYTES = 4096

class PlacementRun {
  readonly gaps: string[] = []
  readonly rows: Row[] = []
  /** Names of backends that failed. */
  readonly failed: Set<string> = new Set()
  /** Timings behind a promise. */
  readonly promised: Cell[] = []
  readonly #session: Session
  readonly #request: PlacementRequest
  readonly #litter: unknown[] = []
  readonly #benches: Bench[] = []
  /** Timed since the last collection, in milliseconds; one is due from the start. */
  #untidyMs = LITTER_EVERY_MS
  #grown = false
  /** Names of backends that cannot win any more. */
  readonly #hopeless: Set<string> = new Set()

  constructor(session: Session, request: PlacementRequest) {
    this.#session = session
    this.#request = request
  }

  /** Sets the keys up; what a backend lacks is a gap. */
  async open(): Promise<void> {
    const { algorithm, backends } = this.#request
    for (const backend of backends) {
      try {
        this.#benches.push(await openBench(this.#session, backend, algorithm, false))
      } catch (error) {
        this.#leaveOut(backend.name, error)
      }
    }
  }

  /** A backend that fails is left out from then on, with all that was timed of it: it must not be chosen. */
  #leaveOut(name: string, error: unknown): void {
    this.#session.throwIfAborted()
    this.gaps.push(`${this.#request.algorithm} on ${name}: ${codeOf(error)}`)
    this.failed.add(name)
    this.#hopeless.add(name)
    for (const { cells } of this.rows) this.#drop(cells)
    this.#drop(this.promised)
  }

  /** Takes out what belongs to a backend that has failed. */
  #drop(cells: Cell[]): void {
    cells.splice(0, cells.length, ...cells.filter(({ label }) => !this.failed.has(label.backend)))
  }

  async #guarded<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.failed.has(name)) return undefined
    try {
      return await work()
    } catch (error) {
      this.#leaveOut(name, error)
      return undefined
    }
  }

  close(): void {
    for (const bench of this.#benches) bench.destroy()
  }

  /** Runs a short message until engines have compiled it; nothing of it counts. */
  async settle(): Promise<void> {
    const session = this.#session
    const { backends, sizes } = this.#request
    const bytes = Math.min(sizes[0] ?? SETTLE_BYTES, SETTLE_BYTES)
    const due: { cell: Cell; calls: number }[] = []
    for (const bench of this.#benches) {
      if (bytes > bench.maxBytes) continue
      const calls = settleCalls(bench.backend, backends)
      await this.#guarded(bench.backend.name, async () => {
        for (const operation of OPERATIONS) {
          due.push({ cell: await bench.cell(operation, bytes), calls: calls[operation] })
        }
      })
    }
    const short = (sizes[0] ?? 0) < LONG_ONLY_BYTES
    const untilMs = session.budgetMs * (short ? SETTLED_BY : SETTLED_BY_LONG)
    for (let left = due; left.length > 0; left = left.filter(({ calls }) => calls > 0)) {
      for (const one of left) {
        if (!(await session.proceed(untilMs))) return
        const calls = Math.min(one.calls, SETTLE_TURN)
        one.calls -= calls
        await this.#guarded(one.cell.label.backend, () => session.time(one.cell.run, calls))
      }
    }
  }

  /** Whether this answers by promise where another does not, and any length may come. */
  #isBeside({ backend }: Bench): boolean {
    return this.#request.refine && !backend.sync && this.#benches.some((one) => one.backend.sync)
  }

  /**
   * Times all backends at one more length, once. A promise beside a backend without one is looked at where it is at
   * its worst and at its best; in between only once it has won there.
   */
  async add(bytes: number): Promise<Row> {
    const row: Row = { bytes, cells: [], turns: 0, spentMs: 0 }
    const { sizes } = this.#request
    const outermost = bytes === sizes[0] || bytes === sizes.at(-1)
    const waits = (bench: Bench): boolean =>
      !outermost && this.rows.length < sizes.length && this.#isBeside(bench)
    for (const bench of this.#benches) if (!waits(bench)) await this.#addCells(row, bench)
    this.#drop(row.cells)
    this.rows.push(row)
    this.rows.sort((a, b) => a.bytes - b.bytes)
    await this.turn(row)
    this.#giveUp()
    return row
  }

  async #addCells(row: Row, bench: Bench): Promise<void> {
    const { kind, name } = bench.backend
    const longest = kind === 'js' ? Math.min(LONGEST_JS_BYTES, bench.maxBytes) : bench.maxBytes
    if (row.bytes > longest || this.#hopeless.has(name)) return
    await this.#guarded(name, async () => {
      for (const operation of OPERATIONS) row.cells.push(await bench.cell(operation, row.bytes))
    })
  }

  /** One slice of every cell of a length. */
  async turn(row: Row): Promise<void> {
    row.turns++
    const before = row.spentMs
    const mapped = row.bytes >= MAPPED_FROM_BYTES
    if (mapped && this.#session.reusesMemory) {
      await (this.#grown ? giveBack() : growHeap(this.#litter, row.bytes))
      this.#grown = true
    }
    if (row.bytes >= LITTER_FROM_BYTES && this.#untidyMs >= LITTER_EVERY_MS) this.#tidy()
    const beaten = lengthLosers(row)
    for (const cell of [...row.cells]) {
      const { backend } = cell.label
      if (this.#hopeless.has(backend) || beaten.has(backend)) continue
      await this.#session.proceed()
      // One long result is enough for the next to need memory of its own.
      if (mapped) this.#tidy()
      row.spentMs += (await this.#guarded(backend, () => timeSlice(this.#session, cell))) ?? 0
    }
    this.#untidyMs += row.spentMs - before
  }

  #tidy(): void {
    makeLitter(this.#litter)
    this.#untidyMs = 0
  }

  /** Gives every length of `rows` so many turns, as long as the budget lasts. */
  async turns(rows: readonly Row[], most: number): Promise<void> {
    const { budgetMs } = this.#session
    for (let turn = 1; turn < most; turn++) {
      for (const row of rows) {
        const hasty = isHasty(row)
        if (row.turns > turn || (!hasty && !isContested(this.#timesOf(row)))) continue
        const overdraw = turn === 1 || row.bytes < MAPPED_FROM_BYTES ? OVERDRAW_SECOND : OVERDRAW
        const untilMs = hasty ? budgetMs * overdraw : budgetMs
        if (!(await this.#session.proceed(untilMs))) continue
        await this.turn(row)
      }
      this.#giveUp()
    }
  }

  /** Times at all lengths what answers by promise, if that can pay for what it costs short messages. */
  async judgePromises(): Promise<void> {
    const waiting = this.#benches.filter(
      (bench) => this.#isBeside(bench) && !this.#hopeless.has(bench.backend.name),
    )
    if (waiting.length === 0) return
    await this.#timePromise()
    for (const bench of waiting) {
      const { name } = bench.backend
      if (!this.#canPay(name)) this.#hopeless.add(name)
    }
    for (const row of this.rows) {
      const late = waiting.filter((bench) =>
        row.cells.every((cell) => cell.label.backend !== bench.backend.name),
      )
      for (const bench of late) await this.#addCells(row, bench)
      for (let turn = 0; late.length > 0 && turn < FEW_TURNS; turn++) {
        if (await this.#session.proceed(this.#session.budgetMs * OVERDRAW)) await this.turn(row)
      }
    }
  }

  /** What a promise adds to the shortest message on the backend that is the fastest there. */
  async #timePromise(): Promise<void> {
    const [row] = this.rows
    if (row === undefined) return
    const name = fastest(this.#timesOf(row))
    const backend = this.#benches.find((one) => one.backend.name === name)?.backend
    if (!backend?.sync) return
    await this.#guarded(backend.name, async () => {
      this.promised.push(await timePromise(this.#session, backend, this.#request.algorithm, row.bytes))
    })
  }

  /** Whether messages at the longest length gain more by the promise than the shortest lose by it. */
  #canPay(name: string): boolean {
    const [first, last] = [this.rows[0], this.rows.at(-1)]
    const paid = first === undefined ? undefined : promiseFactor(this.promised, first)
    const times = [...(last === undefined ? [] : this.#timesOf(last))]
    const mine = times.find(([backend]) => backend === name)?.[1]
    const direct = this.#benches.flatMap(({ backend }) => (backend.sync ? [backend.name] : []))
    const others = times.flatMap(([backend, time]) => (direct.includes(backend) ? [time] : []))
    return paid === undefined || mine === undefined || paid < Math.min(...others) / mine
  }

  /** Looks between the lengths where the fastest backend changes. */
  async refine(): Promise<void> {
    for (let step = 0; step < MOST_REFINEMENTS; step++) {
      const bytes = nextLength(this.rows, this.#hopeless)
      if (bytes === undefined || !(await this.#session.proceed())) return
      await this.turns([await this.add(bytes)], ROW_TURNS)
    }
  }

  /** Spends what is left where more than one backend may be the fastest. */
  async spendWhereClose(): Promise<void> {
    while (await this.#session.proceed()) {
      let next: Row | undefined
      for (const row of this.rows) {
        if (row.turns >= MOST_TURNS || !isContested(this.#timesOf(row))) continue
        if (next === undefined || row.spentMs < next.spentMs) next = row
      }
      if (next === undefined) return
      await this.turn(next)
    }
  }

  #timesOf(row: Row): ReadonlyMap<string, number> {
    return timesOf(row, this.#hopeless)
  }

  /** Leaves out whoever is far behind one rival at every length. */
  #giveUp(): void {
    const racers = this.#benches.map(({ backend }) => backend).filter(({ name }) => !this.#hopeless.has(name))
    const done = this.rows.length >= this.#request.sizes.length
    for (const name of leftBehind(this.rows, racers, done)) this.#hopeless.add(name)
  }

  /** What the budget did not suffice for, if anything. */
  get shortfall(): string | undefined {
    const hasty = this.rows.filter(isHasty).map(({ bytes }) => `${bytes} B`)
    return hasty.length === 0 ? undefined : `the budget ran out before ${hasty.join(', ')} settled`
  }
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
  const byWall = request.backends.some(({ sync }) => !sync)
  const opened = openSession({ ...options, byWall })
  if ('gap' in opened) return nothing(opened.gap, opened.tickMs)
  const { session } = opened
  const run = new PlacementRun(session, request)
  try {
    await run.open()
    await run.settle()
    for (const bytes of request.sizes) await run.add(bytes)
    await run.turns(run.rows, ROW_TURNS)
    if (request.refine) {
      await run.judgePromises()
      await run.refine()
    }
    await run.spendWhereClose()
    if (run.shortfall !== undefined) run.gaps.push(`${request.algorithm}: ${run.shortfall}`)
  } finally {
    run.close()
  }
  const measurements = measurementsOf([...run.rows.flatMap((row) => row.cells), ...run.promised])
  const failed = [...run.failed]
  const costs = fitCosts(measurements)
  return { measurements, costs, tickMs: session.tickMs, spentMs: session.spentMs(), gaps: run.gaps, failed }
}
