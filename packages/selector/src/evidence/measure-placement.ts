/**
 * Times one algorithm on all its backends to place it: at the lengths that matter first, then where the fastest
 * changes, as callers run it: each result an array of its own.
 */
import { fitCosts } from './costs.ts'
import { type MeasureResult, nothing } from './measure.ts'
import { type Bench, type Cell, measurementsOf, timeSlice } from './measure-cells.ts'
import { type MeasureOptions, openSession, type Session } from './measure-session.ts'
import { type PlacementRequest, Racers } from './placement-racers.ts'
import {
  FEW_TURNS,
  fastest,
  isContested,
  isHasty,
  leftBehind,
  lengthLosers,
  nextLength,
  OPERATIONS,
  type Row,
  timesOf,
} from './placement-rows.ts'
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

/** The cost per byte of script is the same at every length; long messages would eat the budget. */
const LONGEST_JS_BYTES = 65_536
/** Turns that a promise has to itself before it is judged. */
const PROMISE_TURNS = 12
const MOST_REFINEMENTS = 8
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
  readonly rows: Row[] = []
  readonly racers: Racers
  readonly #session: Session
  readonly #request: PlacementRequest
  readonly #litter: unknown[] = []
  /** Timed since the last collection, in milliseconds; one is due from the start. */
  #untidyMs = LITTER_EVERY_MS
  #grown = false

  constructor(session: Session, request: PlacementRequest) {
    this.#session = session
    this.#request = request
    this.racers = new Racers(session, request, () => {
      for (const { cells } of this.rows) this.#drop(cells)
    })
  }

  /** Takes out what belongs to a backend that has failed. */
  #drop(cells: Cell[]): void {
    cells.splice(0, cells.length, ...cells.filter(({ label }) => !this.racers.failed.has(label.backend)))
  }

  /** Runs a short message until engines have compiled it; nothing of it counts. */
  async settle(): Promise<void> {
    const session = this.#session
    const { backends, sizes } = this.#request
    const bytes = Math.min(sizes[0] ?? SETTLE_BYTES, SETTLE_BYTES)
    const due: { cell: Cell; calls: number }[] = []
    for (const bench of this.racers.benches) {
      if (bytes > bench.maxBytes) continue
      const calls = settleCalls(bench.backend, backends)
      await this.racers.guarded(bench.backend.name, async () => {
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
        await this.racers.guarded(one.cell.label.backend, () => session.time(one.cell.run, calls))
      }
    }
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
      !outermost && this.rows.length < sizes.length && this.racers.isBeside(bench)
    for (const bench of this.racers.benches) if (!waits(bench)) await this.#addCells(row, bench)
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
    if (row.bytes > longest || this.racers.hopeless.has(name)) return
    await this.racers.guarded(name, async () => {
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
      if (this.racers.hopeless.has(backend) || beaten.has(backend)) continue
      await this.#session.proceed()
      // One long result is enough for the next to need memory of its own.
      if (mapped) this.#tidy()
      row.spentMs += (await this.racers.guarded(backend, () => timeSlice(this.#session, cell))) ?? 0
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

  /** Times at all lengths what answers by promise and has won at the longest. */
  async addPromises(): Promise<void> {
    const waiting = this.racers.benches.filter(
      (bench) => this.racers.isBeside(bench) && !this.racers.hopeless.has(bench.backend.name),
    )
    for (const { backend } of waiting) {
      await this.#settlePromises(backend.name)
      if (!this.#wins(backend.name)) this.racers.hopeless.add(backend.name)
    }
    for (const row of this.rows) {
      const late = waiting.filter(
        ({ backend }) =>
          !this.racers.hopeless.has(backend.name) &&
          row.cells.every((cell) => cell.label.backend !== backend.name),
      )
      for (const bench of late) await this.#addCells(row, bench)
      for (let turn = 0; late.length > 0 && turn < FEW_TURNS; turn++) {
        const overdraw = turn === 0 ? OVERDRAW_SECOND : OVERDRAW
        if (await this.#session.proceed(this.#session.budgetMs * overdraw)) await this.turn(row)
      }
    }
  }

  /** Threads and their memory have to warm up: the first calls would speak against every promise. */
  async #settlePromises(name: string): Promise<void> {
    const untilMs = this.#session.budgetMs * OVERDRAW_SECOND
    const cells = this.rows.at(-1)?.cells.filter(({ label }) => label.backend === name) ?? []
    for (let turn = 0; turn < PROMISE_TURNS; turn++) {
      for (const cell of cells) {
        if (!(await this.#session.proceed(untilMs))) return
        await this.racers.guarded(name, () => timeSlice(this.#session, cell))
      }
    }
  }

  /** Whether it is the fastest at the longest length, in one operation at least. */
  #wins(name: string): boolean {
    const last = this.rows.at(-1)
    return OPERATIONS.some((operation) => {
      const times = last === undefined ? undefined : timesOf(last, this.racers.hopeless, operation)
      return times !== undefined && fastest(times) === name
    })
  }

  /** Looks between the lengths where the fastest backend changes. */
  async refine(): Promise<void> {
    for (let step = 0; step < MOST_REFINEMENTS; step++) {
      const bytes = nextLength(this.rows, this.racers.hopeless)
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
    return timesOf(row, this.racers.hopeless)
  }

  /** Leaves out whoever is far behind one rival at every length. */
  #giveUp(): void {
    const racers = this.racers.benches
      .map(({ backend }) => backend)
      .filter(({ name }) => !this.racers.hopeless.has(name))
    const done = this.rows.length >= this.#request.sizes.length
    for (const name of leftBehind(this.rows, racers, done)) this.racers.hopeless.add(name)
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
    await run.racers.open()
    await run.settle()
    for (const bytes of request.sizes) await run.add(bytes)
    await run.turns(run.rows, ROW_TURNS)
    if (request.refine) {
      await run.addPromises()
      await run.refine()
    }
    await run.spendWhereClose()
    if (run.shortfall !== undefined) run.racers.gaps.push(`${request.algorithm}: ${run.shortfall}`)
  } finally {
    run.racers.close()
  }
  const measurements = measurementsOf(run.rows.flatMap((row) => row.cells))
  const { failed, gaps } = run.racers
  const costs = fitCosts(measurements)
  const { tickMs } = session
  return { measurements, costs, tickMs, spentMs: session.spentMs(), gaps, failed: [...failed] }
}
