import { median } from '../rounds.ts'
import { type Inputs, nextNonce } from './inputs.ts'

/** One thing to time: a call that returns its result, or a promise of it. */
export interface Task {
  readonly name: string
  run(): unknown
  /** Takes part in the rounds however slow it is. */
  readonly keep: boolean
}

/** How long to measure. */
export interface Effort {
  /** Rounds in which every task has its turn once; odd. */
  readonly rounds: number
  /** Length of one sample in milliseconds; a turn is the best of {@link SAMPLES}. */
  readonly sampleMs: number
  /** Calls before anything counts, in milliseconds for each task, twice. */
  readonly warmMs: number
}

/** Samples of one turn, of which the best counts: others use the machine as well. */
export const SAMPLES = 3

/** Whoever takes this many times as long as the fastest after the warm-up takes no part in the rounds. */
const TOO_SLOW = 6

/** Nanoseconds per call of one task, one entry per round. */
export interface Rounds {
  readonly name: string
  readonly rounds: readonly number[]
  readonly medianNs: number
}

async function repeat(task: Task, inputs: Inputs, calls: number): Promise<number> {
  const start = performance.now()
  for (let call = 0; call < calls; call++) {
    nextNonce(inputs)
    const result = task.run()
    if (result instanceof Promise) await result
  }
  return performance.now() - start
}

/** Warms a task up. @returns milliseconds of one call, on average: a single one may be below the clock's step. */
async function callMs(task: Task, inputs: Inputs, warmMs: number): Promise<number> {
  let [calls, spent] = [0, 0]
  while (spent < warmMs) {
    const turn = Math.max(1, Math.min(64, calls))
    spent += await repeat(task, inputs, turn)
    calls += turn
  }
  return spent / calls
}

/** Numbers from 0 to 1 that look random and are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The same in another order. */
function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/**
 * Times all tasks interleaved, in another order each round: in a fixed one, turned or not, each would always come after
 * the same other one, and pay for the collection and the caches that it leaves.
 */
export async function timeRounds(
  tasks: readonly Task[],
  inputs: Inputs,
  { rounds, sampleMs, warmMs }: Effort,
): Promise<readonly Rounds[]> {
  // Twice: what runs later makes the engine optimize again what ran before.
  const first = new Map<Task, number>()
  for (const task of tasks) first.set(task, await callMs(task, inputs, warmMs))
  const measured: { readonly task: Task; readonly ms: number; readonly times: number[] }[] = []
  for (const task of tasks) {
    const ms = Math.min(first.get(task) ?? Number.POSITIVE_INFINITY, await callMs(task, inputs, warmMs))
    measured.push({ task, ms, times: [] })
  }
  const fastest = Math.min(...measured.map(({ ms }) => ms))
  const kept = measured.filter(({ ms, task }) => task.keep || ms <= fastest * TOO_SLOW)
  const random = numbers(rounds)
  for (let round = 0; round < rounds; round++) {
    for (const { task, ms, times } of shuffled(kept, random)) {
      const calls = Math.max(1, Math.round(sampleMs / ms))
      let best = Number.POSITIVE_INFINITY
      for (let sample = 0; sample < SAMPLES; sample++) {
        best = Math.min(best, await repeat(task, inputs, calls))
      }
      times.push((best * 1e6) / calls)
    }
  }
  return kept.map(({ task, times }) => ({ name: task.name, rounds: times, medianNs: median(times) }))
}

/** Median over the rounds of the first's time over the second's. */
export function medianRatio(first: Rounds, second: Rounds): number {
  return median(first.rounds.map((time, round) => time / second.rounds[round]!))
}
