/**
 * Times the operations themselves, in this process: flags say what is possible, a timing says what is used. Runs only
 * when asked, inside a budget, interleaved so that a slow moment hits all candidates alike.
 */
import type { AlgorithmId, Backend, BackendKind, Measurement, SyncAead } from '@aeadkit/core'
import { ALGORITHMS, createAead } from '@aeadkit/core'
import type { Clock } from '../host.ts'
import { type Cost, fitCosts } from './costs.ts'

/** One backend and algorithm to time. */
export interface MeasureRequest {
  readonly backend: Backend
  readonly algorithm: AlgorithmId
  readonly operations: readonly ('seal' | 'open')[]
  /** Plaintext lengths in bytes. */
  readonly sizes: readonly number[]
}

/** What is needed of an AbortSignal; declared here for consumers without DOM or Node types. */
export interface Abort {
  /** Throws the reason once aborted. */
  throwIfAborted(): void
}

/** Options of {@link measureCosts}. */
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
  /** Gives other work its turn between slices. Default: a timer of 0 ms. */
  readonly pause?: () => Promise<void>
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
}

/** Default of `budgetMs`. */
export const DEFAULT_BUDGET_MS = 120
/** A timed slice spans at least this many steps of the clock, so that its rounding is below 5 %. */
const TICKS_PER_SLICE = 20
/** A slice also lasts this long: short enough to fit between two interruptions, long enough to swamp the reading. */
const SLICE_MS = 0.1
/** Untimed calls before the first timed one, so that compilers and caches settle. */
const WARM_UP_CALLS = 2
/** And never more than this many, whatever the clock says. */
const WARM_UP_MAX_CALLS = 1000
/** Untimed work before the first timing of a request, so that the engine compiles what runs in it. */
const WARM_UP_MS: Readonly<Record<BackendKind, number>> = { native: 0, wasm: 0.5, js: 2 }
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
/** A slice never repeats more often, whatever the clock says. */
const MAX_REPEATS = 65_536

/** One combination being timed. `run` performs the operation `times` times. */
interface Cell {
  readonly label: Omit<Measurement, 'nanoseconds' | 'bestNanoseconds'>
  readonly run: (times: number) => Promise<void> | undefined
  repeats: number
  readonly nanoseconds: number[]
}

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

function syncRun(
  aead: SyncAead,
  label: Cell['label'],
  nonce: Uint8Array,
  plaintext: Uint8Array,
): Cell['run'] {
  const out = new Uint8Array(plaintext.length + aead.params.tagBytes)
  if (label.operation === 'seal') {
    return (times) => {
      for (let at = 0; at < times; at++) aead.sealIntoSync(out, nonce, plaintext)
      return undefined
    }
  }
  const sealed = aead.sealSync(nonce, plaintext)
  return (times) => {
    for (let at = 0; at < times; at++) aead.openIntoSync(out, nonce, sealed)
    return undefined
  }
}

/** Cells of one request and how to let go of its key. */
async function cellsOf(request: MeasureRequest): Promise<{ cells: Cell[]; destroy: () => void }> {
  const { backend, algorithm } = request
  const key = crypto.getRandomValues(new Uint8Array(ALGORITHMS[algorithm].keyBytes))
  // The nonce repeats on purpose: the key lives only here and the plaintext is zeros.
  const aead = await createAead(backend, algorithm, key, { nonceCheck: false })
  const nonce = new Uint8Array(aead.params.nonceBytes)
  const cells: Cell[] = []
  for (const bytes of request.sizes.filter((size) => size <= aead.guarantees.maxBytes)) {
    const plaintext = new Uint8Array(bytes)
    for (const operation of request.operations) {
      const label = { backend: backend.name, algorithm, operation, bytes }
      let run: Cell['run']
      if (aead.sync) {
        run = syncRun(aead as SyncAead, label, nonce, plaintext)
      } else {
        const sealed = await aead.seal(nonce, plaintext)
        run = async (times) => {
          for (let at = 0; at < times; at++) {
            await (operation === 'seal' ? aead.seal(nonce, plaintext) : aead.open(nonce, sealed))
          }
        }
      }
      cells.push({ label, run, repeats: 1, nanoseconds: [] })
    }
  }
  return { cells, destroy: () => aead.destroy() }
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2
}

/** Significant digits kept: more would be noise in JSON. */
const rounded = (value: number): number => Number(value.toPrecision(4))

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Budget, cancellation and turn-taking of one measurement. */
class Session {
  readonly #options: MeasureOptions
  readonly #budgetMs: number
  /** CPU time where it is fine enough: it leaves out the time in which others ran. */
  readonly #cpu: (() => number) | undefined
  readonly #start: number
  readonly #cpuStart: number
  #pausedAt: number

  constructor(options: MeasureOptions, budgetMs: number) {
    this.#options = options
    this.#budgetMs = budgetMs
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

  /** Lets others run now and then. @returns whether there is budget left. */
  async proceed(): Promise<boolean> {
    const { clock, signal, pause = nextTurn } = this.#options
    if (clock.now() - this.#pausedAt > PAUSE_EVERY_MS) {
      await pause()
      this.#pausedAt = clock.now()
    }
    signal?.throwIfAborted()
    return this.spentMs() < this.#budgetMs
  }

  /** Milliseconds that `times` runs take. */
  async time(cell: Cell, times: number): Promise<number> {
    const { clock } = this.#options
    const cpuStart = this.#cpu?.()
    const start = clock.now()
    const pending = cell.run(times)
    // Awaiting a value that is no promise would add a turn of the queue to every synchronous slice.
    if (pending !== undefined) await pending
    const wall = clock.now() - start
    // A promise may wait for another thread, whose CPU time is not what the caller waits for.
    if (pending !== undefined || this.#cpu === undefined || cpuStart === undefined) return wall
    const cpu = this.#cpu() - cpuStart
    // Other threads of this process count as well, so it can exceed the time that passed.
    return cpu > 0 ? Math.min(wall, cpu) : wall
  }
}

/** Warms a cell up and finds how many messages fill a slice. */
async function calibrate(
  session: Session,
  cell: Cell,
  warmUpMs: number,
  sliceMs: number,
  tickMs: number,
): Promise<void> {
  let warm = await session.time(cell, WARM_UP_CALLS)
  // Bounded by calls as well: a coarse clock may show no time for any of them.
  for (let calls = 0; warm < warmUpMs && calls < WARM_UP_MAX_CALLS; calls++)
    warm += await session.time(cell, 1)
  for (let repeats = 1; ; ) {
    const spent = await session.time(cell, repeats)
    cell.repeats = repeats
    if (spent >= sliceMs || repeats >= MAX_REPEATS) {
      cell.nanoseconds.push((spent * 1e6) / repeats)
      return
    }
    const wanted = (repeats * sliceMs * 1.2) / Math.max(spent, tickMs)
    repeats = Math.min(MAX_REPEATS, Math.max(repeats * 2, Math.ceil(wanted)))
  }
}

/**
 * Times every requested combination: warm-up, then rounds over all of them until the budget is spent. Kept are the
 * median and the best of the short runs.
 * @param requests - what to time; what a backend lacks is reported in `gaps`.
 * @param options - see {@link MeasureOptions}.
 * @throws the reason of `options.signal` when aborted.
 */
export async function measureCosts(
  requests: readonly MeasureRequest[],
  options: MeasureOptions,
): Promise<MeasureResult> {
  const nothing = (gap: string, tickMs?: number): MeasureResult => {
    return { measurements: [], costs: [], tickMs, spentMs: 0, gaps: [gap] }
  }
  const budgetMs = options.budgetMs ?? DEFAULT_BUDGET_MS
  options.signal?.throwIfAborted()
  if (budgetMs <= 0) return nothing('the budget is 0')
  if (requests.length === 0) return nothing('nothing to measure')
  const minRounds = options.minRounds ?? 0
  const session = new Session(options, budgetMs)
  /** Takes turns and looks at the budget, which does not matter until the rounds that are due are done. */
  const goOn = async (round: number): Promise<boolean> => (await session.proceed()) || round < minRounds
  const tickMs = clockTick(options.clock)
  if (tickMs === undefined) return nothing('the clock stands still while code runs')
  const sliceMs = Math.max(SLICE_MS, TICKS_PER_SLICE * tickMs)
  if (TICKS_PER_SLICE * tickMs > budgetMs)
    return nothing(`the clock moves in steps of ${tickMs} ms, too coarse for the budget`, tickMs)

  const gaps: string[] = []
  const ready: Cell[] = []
  const opened: (() => void)[] = []
  try {
    // Each request is set up and timed once before the next: the order is one of importance.
    for (const request of requests) {
      const label = `${request.algorithm} on ${request.backend.name}`
      if (!(await goOn(0))) {
        gaps.push(`${label}: budget spent`)
        continue
      }
      let cells: readonly Cell[]
      try {
        const made = await cellsOf(request)
        opened.push(made.destroy)
        cells = made.cells
      } catch (error) {
        gaps.push(`${label}: ${(error as { code?: string }).code ?? 'failed'}`)
        continue
      }
      for (const [at, cell] of cells.entries()) {
        if (await goOn(0)) {
          const warmUpMs = at === 0 ? WARM_UP_MS[request.backend.kind] : 0
          await calibrate(session, cell, warmUpMs, sliceMs, tickMs)
          ready.push(cell)
        } else gaps.push(`${cell.label.operation} ${cell.label.bytes} B, ${label}: budget spent`)
      }
    }
    for (let round = 0; ready.length > 0 && (await goOn(round)); round++) {
      for (const cell of ready) {
        if (!(await goOn(round))) break
        const spent = await session.time(cell, cell.repeats)
        // The first timing came straight after the warm-up; it counts only while there is no other.
        if (round === 0) cell.nanoseconds.length = 0
        cell.nanoseconds.push((spent * 1e6) / cell.repeats)
      }
    }
  } finally {
    for (const destroy of opened) destroy()
  }
  const measurements = ready.flatMap((cell): Measurement[] => {
    const sorted = cell.nanoseconds.filter((time) => time > 0).sort((a, b) => a - b)
    const [best] = sorted
    if (best === undefined) return []
    return [{ ...cell.label, nanoseconds: rounded(medianOf(sorted)), bestNanoseconds: rounded(best) }]
  })
  return { measurements, costs: fitCosts(measurements), tickMs, spentMs: session.spentMs(), gaps }
}
