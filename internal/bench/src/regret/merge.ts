// Several processes as one: within one of them the same code can be 10 % faster for where the compiler has put it.
import { median } from '../rounds.ts'
import type { RegretRow, RegretRun } from './measure.ts'

/** What most of them say, in the order of their first mention; all of it where they differ. */
function said(values: readonly string[]): string {
  return [...new Set(values)].join(' / ')
}

function mostFrequent(values: readonly string[]): string {
  const count = (value: string): number => values.filter((one) => one === value).length
  return values.reduce((best, value) => (count(value) > count(best) ? value : best))
}

/** Pairs with the crossovers of all processes side by side. */
function backendsOf(rows: readonly RegretRow[]): string {
  const parts = rows.map(({ backend }) => /^(.+ <) (\d+) (≤ .+)$/.exec(backend))
  const [first] = parts
  const alike = first && parts.every((part) => part?.[1] === first[1] && part?.[3] === first[3])
  if (!alike) return said(rows.map(({ backend }) => backend))
  return `${first[1]} ${said(parts.map((part) => part?.[2] ?? ''))} ${first[3]}`
}

function mergeRows(rows: readonly RegretRow[]): RegretRow {
  const [first] = rows
  if (first === undefined) throw new Error('a row is missing')
  const middle = (pick: (row: RegretRow) => number): number => median(rows.map(pick))
  const regrets = rows.map(({ regret }) => regret)
  const gains = rows.flatMap(({ gain }) => (gain === null ? [] : [gain]))
  return {
    ...first,
    backend: backendsOf(rows),
    selectedNs: middle((row) => row.selectedNs),
    best: mostFrequent(rows.map(({ best }) => best)),
    bestNs: middle((row) => row.bestNs),
    regret: median(regrets),
    spread: [Math.min(...regrets), Math.max(...regrets)],
    secondRatio: middle((row) => row.secondRatio),
    gain: gains.length === 0 ? null : median(gains),
  }
}

/**
 * One run out of those of several processes that were asked the same: row by row the median.
 * @throws Error when they have chosen different algorithms: their rows are not of one thing.
 */
export function mergeRuns(runs: readonly RegretRun[]): RegretRun {
  const [first, ...others] = runs
  if (first === undefined) throw new Error('nothing ran')
  const odd = others.find(({ algorithm }) => algorithm !== first.algorithm)
  if (odd !== undefined)
    throw new Error(`${first.asked}: ${first.algorithm} in one process, ${odd.algorithm} in another`)
  return {
    ...first,
    placement: said(runs.map(({ placement }) => placement)),
    selectMs: median(runs.map(({ selectMs }) => selectMs)),
    rows: first.rows.map((_, at) => mergeRows(runs.map(({ rows }) => rows[at]!))),
    missing: [...new Set(runs.flatMap(({ missing }) => missing))],
    excluded: [...new Set(runs.flatMap(({ excluded }) => excluded))],
  }
}
