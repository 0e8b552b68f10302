/** Budget, clock and turn-taking of one measurement. */
import type { Clock } from '../host.ts'
import { type Abort, ANSWER_MS, unlessAborted, within } from '../within.ts'

/** Options of a measurement. */
export interface MeasureOptions {
  /**
   * Total time in milliseconds; 0 means never. CPU time where the clock tells it finely enough, so that a busy
   * machine gets no worse an answer, and then at most four times as much passes by the clock. Default: 120.
   */
  readonly budgetMs?: number
  /**
   * Rounds that are finished even when the budget is gone: on a machine busy with other work the time runs out before
   * anything is timed. Ignored for budget 0. Default: 0.
   */
  readonly minRounds?: number
  readonly clock: Clock
  /** Aborting rejects with the signal's reason. */
  readonly signal?: Abort
  /**
   * Whether slices are timed by the clock on the wall though CPU time is known: what answers by promise is, as its work
   * may be on other threads, and has to be compared with the like. Default: false.
   */
  readonly byWall?: boolean
  /**
   * Whether long results are taken from memory in use once such memory was given back, as by V8 with the allocator of
   * the C library: then it is given back before long messages are timed. Default: false.
   */
  readonly reusesMemory?: boolean
  /** Gives other work its turn between slices. Default: `setImmediate`, or a timer of 0 ms. */
  readonly pause?: () => Promise<void>
}

/** Default of `budgetMs`. */
export const DEFAULT_BUDGET_MS = 120
/** A timed slice spans at least this many steps of the clock, so that its rounding is below 5 %. */
const TICKS_PER_SLICE = 20
/** A slice also lasts this long: short enough to fit between two interruptions, long enough to swamp the reading. */
const SLICE_MS = 0.1
/** Other work gets its turn this often. */
const PAUSE_EVERY_MS = 12
/** Readings after which a clock that has not moved is taken to stand still (as in workers without I/O). */
const TICK_READINGS = 50_000
/** The clock on the wall may run this many times the budget while others use the CPU. */
const MAX_STRETCH = 4
/** CPU time is used when it moves in steps of at most this: some systems only count whole scheduler ticks. */
const CPU_TICK_MS = 0.01
/** Readings spent on finding that out; each is a system call. */
const CPU_TICK_READINGS = 500

/**
 * Smallest step the clock makes.
 * @param readings - after how many readings a clock that has not moved is given up.
 * @returns milliseconds, or `undefined` when it does not move while code runs.
 */
export function clockTick(clock: Clock, readings: number = TICK_READINGS): number | undefined {
  let smallest: number | undefined
  let previous = clock.now()
  for (let reading = 0, steps = 0; reading < readings && steps < 8; reading++) {
    const now = clock.now()
    if (now > previous) {
      smallest = Math.min(smallest ?? Number.POSITIVE_INFINITY, now - previous)
      steps++
    }
    previous = now
  }
  return smallest
}

/** Performs an operation `times` times. */
export type Run = (times: number) => Promise<void> | undefined

/** A timer of 0 ms waits for 1 to 4 ms where it is clamped: a tenth of the budget, spent on nothing. */
const nextTurn = (): Promise<void> => {
  const { setImmediate } = globalThis as { readonly setImmediate?: (resume: () => void) => unknown }
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve)
    else setTimeout(resolve, 0)
  })
}

/** One measurement with time left, or why there cannot be one. */
export type Opened = { readonly session: Session } | { readonly gap: string; readonly tickMs?: number }

/**
 * Begins a measurement.
 * @throws the reason of `options.signal` when aborted.
 */
export function openSession(options: MeasureOptions): Opened {
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS
  options.signal?.throwIfAborted()
  if (budgetMs <= 0) return { gap: 'the budget is 0' }
  const tickMs = clockTick(options.clock)
  if (tickMs === undefined) return { gap: 'the clock stands still while code runs' }
  if (TICKS_PER_SLICE * tickMs > budgetMs) {
    return { gap: `the clock moves in steps of ${tickMs} ms, too coarse for the budget`, tickMs }
  }
  return { session: new Session(options, budgetMs, tickMs) }
}

/** See {@link openSession}. */
export class Session {
  readonly budgetMs: number
  /** Smallest step of the clock in milliseconds. */
  readonly tickMs: number
  /** How long one timed slice lasts at least. */
  readonly sliceMs: number
  readonly reusesMemory: boolean
  readonly #options: MeasureOptions
  /** CPU time where it is fine enough: it leaves out the time in which others ran. */
  readonly #cpu: (() => number) | undefined
  readonly #start: number
  readonly #cpuStart: number
  #pausedAt: number

  constructor(options: MeasureOptions, budgetMs: number, tickMs: number) {
    this.#options = options
    this.budgetMs = budgetMs
    this.reusesMemory = options.reusesMemory === true
    this.tickMs = tickMs
    this.sliceMs = Math.max(SLICE_MS, TICKS_PER_SLICE * tickMs)
    const cpu = options.clock.cpu?.bind(options.clock)
    const step = cpu && clockTick({ now: cpu }, CPU_TICK_READINGS)
    this.#cpu = step !== undefined && step <= CPU_TICK_MS ? cpu : undefined
    this.#cpuStart = this.#cpu?.() ?? 0
    this.#start = options.clock.now()
    this.#pausedAt = this.#start
  }

  /** Milliseconds of the budget that are gone. */
  spentMs(): number {
    const wall = this.#options.clock.now() - this.#start
    if (this.#cpu === undefined) return wall
    return Math.max(Math.min(this.#cpu() - this.#cpuStart, wall), wall / MAX_STRETCH)
  }

  /**
   * Lets others run now and then.
   * @param untilMs - how much of the budget may be gone. Default: all of it.
   * @returns whether there is some left.
   */
  async proceed(untilMs: number = this.budgetMs): Promise<boolean> {
    const { clock, pause = nextTurn } = this.#options
    if (clock.now() - this.#pausedAt > PAUSE_EVERY_MS) {
      await pause()
      this.#pausedAt = clock.now()
    }
    this.throwIfAborted()
    return this.spentMs() < untilMs
  }

  /** @throws the reason of the signal once aborted. */
  throwIfAborted(): void {
    this.#options.signal?.throwIfAborted()
  }

  /**
   * What a backend that is timed gives.
   * @throws LateError when it does not answer; the reason of the signal when aborted; what the promise rejects with.
   */
  answer<T>(value: Promise<T>): Promise<T> {
    return unlessAborted(within(ANSWER_MS, value), this.#options.signal)
  }

  /**
   * Milliseconds that `times` runs take.
   * @throws what {@link answer} throws; whatever the runs throw.
   */
  async time(run: Run, times: number): Promise<number> {
    const { clock } = this.#options
    const cpuStart = this.#cpu?.()
    const start = clock.now()
    const pending = run(times)
    // Awaiting a value that is no promise would add a turn of the queue to every synchronous slice.
    if (pending !== undefined) {
      let end = start
      await this.answer(
        pending.then(() => {
          end = clock.now()
        }),
      )
      // A promise may wait for another thread, whose CPU time is not what the caller waits for.
      return end - start
    }
    const wall = clock.now() - start
    if (this.#cpu === undefined || cpuStart === undefined || this.#options.byWall === true) return wall
    const cpu = this.#cpu() - cpuStart
    // Other threads of this process count as well, so it can exceed the time that passed.
    return cpu > 0 ? Math.min(wall, cpu) : wall
  }
}
