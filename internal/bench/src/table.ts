import { barFor } from './bars.ts'
import { OURS } from './contenders.ts'
import type { Row } from './run.ts'
import type { Machine } from './runtime.ts'

const OWN: readonly string[] = Object.values(OURS)

/** Nanoseconds in three digits. */
export function shownTime(ns: number): string {
  if (ns < 1000) return `${ns.toFixed(0)} ns`
  return ns < 1e6 ? `${(ns / 1e3).toPrecision(3)} µs` : `${(ns / 1e6).toPrecision(3)} ms`
}

/** One Markdown table per algorithm and operation; ratios are peer time / ours, the bar in brackets where missed. */
export function markdown(
  rows: readonly Row[],
  machine: Machine,
  statistic: 'medianNs' | 'minNs' = 'medianNs',
): string {
  return [...groupRows(rows)].map(([title, group]) => tableOf(title, group, machine, statistic)).join('\n')
}

function groupRows(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const title = `${row.algorithm} ${row.operation}`
    groups.set(title, [...(groups.get(title) ?? []), row])
  }
  return groups
}

function tableOf(
  title: string,
  rows: readonly Row[],
  machine: Machine,
  statistic: 'medianNs' | 'minNs',
): string {
  const names = [...new Set(rows.map(({ contender }) => contender))]
  const sizes = [...new Set(rows.map(({ bytes }) => bytes))]
  const lines = [
    `### ${title}, ${machine.runtime}`,
    '',
    `| bytes | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---').join('|')}|`,
  ]
  for (const bytes of sizes) {
    const at = (name: string): Row | undefined =>
      rows.find((row) => row.bytes === bytes && row.contender === name)
    const ours = at(OURS.into)!
    const cells = names.map((name) => {
      const row = at(name)
      if (row === undefined) return ''
      if (name === OURS.into) return shownTime(row[statistic])
      const ratio = row[statistic] / ours[statistic]
      const bar = ours.operation === 'seal' ? barFor(row.algorithm, name, machine.runtime, bytes) : undefined
      const missed = bar !== undefined && ratio < bar && !OWN.includes(name) ? ` (bar ${bar})` : ''
      return `${shownTime(row[statistic])}, ${ratio.toFixed(2)}${missed}`
    })
    lines.push(`| ${bytes} | ${cells.join(' | ')} |`)
  }
  return `${lines.join('\n')}\n`
}
