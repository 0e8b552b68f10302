/** What was timed to place one algorithm, by length, and what follows from it. Pure functions over cells. */
import type { Backend } from '@aeadkit/core'
import { type Cell, LONG_BYTES, settledOf } from './measure-cells.ts'

/** All cells of one length. */
export interface Row {
  readonly bytes: number
  readonly cells: Cell[]
  turns: number
  spentMs: number
}

/** A backend that takes this many times as long as one rival at every length is not timed any further. */
export const HOPELESS = 2
/** At a long message so many times as slow as another: not timed again there, whatever memory the first call waited for. */
const LONG_LOSER = 5
/** Lengths between two measured ones are looked at while those are further apart than this factor. */
const BRACKET = 1.3
/** Where two times differ by no more than this share, a closer look would find noise. */
const CLOSE = 0.03
/** Within this factor of the fastest another backend may be the fastest after all. */
const CONTESTED = 1.25
/** Turns below which the figures of a length are first impressions. */
export const FEW_TURNS = 3

/** Operations that are timed. */
export const OPERATIONS = ['seal', 'open'] as const

/** Mean time of both operations by backend, or that of one, without the backends named. */
export function timesOf(
  row: Row,
  without: ReadonlySet<string>,
  only?: 'seal' | 'open',
): ReadonlyMap<string, number> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const cell of row.cells) {
    const { backend, operation } = cell.label
    if (only !== undefined && operation !== only) continue
    const time = settledOf(cell)
    if (time === undefined || without.has(backend)) continue
    const { sum, count } = sums.get(backend) ?? { sum: 0, count: 0 }
    sums.set(backend, { sum: sum + time, count: count + 1 })
  }
  return new Map([...sums].map(([name, { sum, count }]) => [name, sum / count]))
}

/** Backends that a long message need not be given to again. */
export function lengthLosers(row: Row): ReadonlySet<string> {
  if (row.bytes < LONG_BYTES) return new Set()
  const times = timesOf(row, new Set())
  const least = Math.min(...times.values())
  return new Set([...times].flatMap(([name, time]) => (time > least * LONG_LOSER ? [name] : [])))
}

/** Name of the fastest. */
export function fastest(times: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined
  for (const [name, time] of times) {
    if (best === undefined || time < (times.get(best) ?? 0)) best = name
  }
  return best
}

/** Whether more than one backend may be the fastest at a length. */
export function isContested(times: ReadonlyMap<string, number>): boolean {
  const [first, second] = [...times.values()].sort((a, b) => a - b)
  return first !== undefined && second !== undefined && second < first * CONTESTED
}

/** Whether a length has been timed too little to be relied on. */
export function isHasty({ turns }: Row): boolean {
  return turns < FEW_TURNS
}

/**
 * Names of backends that one rival leaves behind at every length they were timed at.
 * @param racers - those that are still in it.
 * @param done - whether all lengths have had a turn.
 */
export function leftBehind(
  rows: readonly Row[],
  racers: readonly Backend[],
  done: boolean,
): readonly string[] {
  const times = rows.map((row) => timesOf(row, new Set()))
  return racers.flatMap((one) => {
    const { kind, name, sync } = one
    // Native code and WebAssembly may catch up with longer messages; script has no cost per call to make up for.
    if (!done && (kind !== 'js' || times.length < 2)) return []
    // The first long call by promise may have been the one that started a thread.
    if (!sync && (rows.at(-1)?.turns ?? 0) < FEW_TURNS) return []
    const behind = (other: Backend): boolean =>
      other !== one &&
      (other.sync || !sync) &&
      times.every((row) => {
        const [mine, theirs] = [row.get(name), row.get(other.name)]
        return mine === undefined || (theirs !== undefined && mine >= theirs * HOPELESS)
      })
    return racers.some(behind) ? [name] : []
  })
}

/** The length in the middle of the widest gap in which the fastest backend of an operation changes. */
export function nextLength(rows: readonly Row[], without: ReadonlySet<string>): number | undefined {
  let widest: { readonly factor: number; readonly bytes: number } | undefined
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1]
    if (next === undefined) break
    const factor = next.bytes / row.bytes
    if (factor < BRACKET || factor <= (widest?.factor ?? 0)) continue
    if (OPERATIONS.some((operation) => changes(row, next, without, operation)))
      widest = { factor, bytes: Math.round(Math.sqrt(row.bytes * next.bytes)) }
  }
  return widest?.bytes
}

/** Whether another backend is the fastest at the second length, and not by a hair at both. */
function changes(row: Row, next: Row, without: ReadonlySet<string>, operation: 'seal' | 'open'): boolean {
  const [before, after] = [timesOf(row, without, operation), timesOf(next, without, operation)]
  const [first, second] = [fastest(before), fastest(after)]
  if (first === undefined || second === undefined || first === second) return false
  const apart = (times: ReadonlyMap<string, number>): number =>
    Math.abs((times.get(first) ?? 0) / (times.get(second) ?? 1) - 1)
  return apart(before) >= CLOSE || apart(after) >= CLOSE
}
