import { shownTime } from '../table.ts'
import type { RegretRow, RegretRun } from './measure.ts'

/** Largest regret. */
export const BAR = 1.05
/** Largest regret where the two best libraries lie within {@link CLOSE} of each other: choosing the second costs no more. */
export const CLOSE_BAR = 1.1
/** See {@link CLOSE_BAR}. */
export const CLOSE = 1.1

/** One runtime, masked or not, with what its processes found. */
export interface Section {
  /** Runtime and exact version, and what is special. */
  readonly title: string
  /** Largest load average when one of its processes began. */
  readonly load: number
  readonly runs: readonly RegretRun[]
}

/** The bar of a row. */
export function barOf({ secondRatio }: RegretRow): number {
  return secondRatio > 1 && secondRatio <= CLOSE ? CLOSE_BAR : BAR
}

/** Whether a row keeps its bar. */
export function holds(row: RegretRow): boolean {
  return row.regret <= barOf(row)
}

const size = (bytes: number): string => {
  if (bytes >= 1_048_576) return `${bytes / 1_048_576} MiB`
  return bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} B`
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** What was selected, then every row, of one runtime. */
export function sectionText({ title, load, runs }: Section): string {
  const chosen = runs.map(({ asked, algorithm, verdict, placement, selectMs }) => [
    asked,
    algorithm,
    verdict,
    placement,
    `${selectMs.toFixed(0)} ms`,
  ])
  const rows = runs
    .flatMap((run) => run.rows)
    .map((row) => [
      row.asked === 'auto' ? `${row.algorithm} (auto)` : row.algorithm,
      row.operation,
      size(row.bytes),
      row.profile,
      row.backend,
      shownTime(row.selectedNs),
      `${row.best} ${shownTime(row.bestNs)}`,
      row.regret.toFixed(2),
      row.spread === undefined ? '' : row.spread.map((one) => one.toFixed(2)).join(' to '),
      holds(row) ? `≤ ${barOf(row)}` : `**missed ${barOf(row)}**`,
      row.gain === null ? '' : row.gain.toFixed(2),
    ])
  const awaited = runs.some((run) => run.rows.some(({ backend }) => backend.includes('(awaited)')))
  const missing = [...new Set(runs.flatMap((run) => run.missing))]
  const excluded = [...new Set(runs.flatMap((run) => run.excluded))]
  return [
    `## ${title}, load ${load}`,
    '',
    tableOf(['asked', 'selected', 'verdict', 'placement', 'cold selection'], chosen),
    '',
    tableOf(
      [
        'algorithm',
        'operation',
        'size',
        'selected for',
        'backend',
        'time',
        'best bare',
        'regret',
        'spread',
        'bar',
        'gain',
      ],
      rows,
    ),
    '',
    ...(awaited
      ? [
          '- (awaited): calls without a promise stay with the first backend at every length; timed are `sealSync` and `openSync` below the crossover, and `seal` and `open` with their promise from there on',
        ]
      : []),
    ...missing.map((reason) => `- missing: ${reason}`),
    ...excluded.map((reason) => `- not counted, as no selection may use it: ${reason}`),
    '',
  ].join('\n')
}

/** One line per runtime: worst and median regret, rows that keep the bar. */
export function summaryText(sections: readonly Section[]): string {
  const rows = sections.flatMap(({ title, runs }) =>
    (['any length', 'this length'] as const).map((profile) => {
      const own = runs.flatMap((run) => run.rows).filter((row) => row.profile === profile)
      const sorted = [...own].sort((a, b) => a.regret - b.regret)
      const worst = sorted.at(-1)
      const auto = runs.find(({ asked }) => asked === 'auto')?.algorithm ?? ''
      return [
        title,
        profile,
        auto,
        `${own.filter(holds).length} of ${own.length}`,
        sorted[sorted.length >> 1]?.regret.toFixed(2) ?? '',
        worst === undefined
          ? ''
          : `${worst.regret.toFixed(2)} (${worst.algorithm} ${worst.operation} ${size(worst.bytes)})`,
      ]
    }),
  )
  return tableOf(
    ['runtime', 'selected for', 'readers: here', 'rows within the bar', 'median regret', 'worst'],
    rows,
  )
}

/** Gain over what a user writes by hand, one row per algorithm and operation. */
export function gainText({ title, runs }: Section): string {
  const own = runs
    .flatMap((run) => run.rows)
    .filter((row) => row.profile === 'any length' && row.gain !== null)
  if (own.length === 0) return ''
  const sizes = [...new Set(own.map(({ bytes }) => bytes))]
  const kinds = [...new Set(own.map((row) => `${row.algorithm} ${row.operation}`))]
  const rows = kinds.map((kind) => [
    kind,
    ...sizes.map((bytes) => {
      const row = own.find((one) => one.bytes === bytes && `${one.algorithm} ${one.operation}` === kind)
      return row?.gain?.toFixed(2) ?? ''
    }),
  ])
  return `### Gain over plain use by hand, ${title}\n\n${tableOf(['', ...sizes.map(size)], rows)}\n`
}
