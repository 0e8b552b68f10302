import { Bench } from 'tinybench'

/** One thing to time. */
export interface Timed {
  readonly name: string
  /** One call. */
  run(): unknown
  /** Runs before each call, the same for all. */
  readonly before: () => void
}

/** How long to measure. */
export interface Effort {
  /** Rounds in which every task has its turn once; odd, so that there is a middle one. */
  readonly rounds: number
  /** Length of one sample: many calls, so that the clock does not count. */
  readonly sampleMs: number
  /** Calls before anything counts, for each task: engines optimize late. */
  readonly warmMs: number
}

/** Times of one task over all rounds, in nanoseconds per call. */
export interface Timing {
  readonly name: string
  readonly medianNs: number
  readonly minNs: number
}

/** Medians of interleaved rounds. */
export function time(tasks: readonly Timed[], effort: Effort): Timing[] {
  // Twice: what runs later makes the engine optimize again what ran before.
  for (const task of tasks) callsPer(task, effort)
  const measured = tasks.map((task) => {
    const calls = callsPer(task, effort)
    const bench = new Bench({ time: 0, iterations: 1, warmup: false, throws: true })
    bench.add(task.name, () => repeat(task, calls))
    return { task, calls, bench, rounds: [] as number[], best: Number.POSITIVE_INFINITY }
  })
  for (let round = 0; round < effort.rounds; round++) {
    for (const item of measured) {
      item.bench.reset()
      const [done] = item.bench.runSync()
      const result = done?.result
      if (result?.state !== 'completed') throw new Error(`${item.task.name}: ${result?.state}`)
      item.rounds.push((result.latency.p50 * 1e6) / item.calls)
      item.best = Math.min(item.best, (result.latency.min * 1e6) / item.calls)
    }
  }
  return measured.map(({ task, rounds, best }) => ({
    name: task.name,
    medianNs: median(rounds),
    minNs: best,
  }))
}

function repeat(task: Timed, calls: number): void {
  const { before } = task
  for (let i = 0; i < calls; i++) {
    before()
    task.run()
  }
}

/** Warms up, and finds how many calls fill a sample. */
function callsPer(task: Timed, { warmMs, sampleMs }: Effort): number {
  const start = performance.now()
  let calls = 0
  let spent = 0
  while (spent < warmMs) {
    repeat(task, 8)
    calls += 8
    spent = performance.now() - start
  }
  return Math.max(1, Math.round((calls * sampleMs) / spent))
}

/** The middle of a list. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}
