import { table } from './markdown.ts'
import type { Repository } from './repository.ts'

/** What the runtime matrix showed; `npm run test:runtimes -- --write` writes it. */
export const RESULTS_FILE = 'runtime-tests/results.json'

/** The document made of it. */
export const SUPPORT_FILE = 'docs/SUPPORT.md'

type Algorithm =
  | { readonly state: 'proven'; readonly cases: number; readonly vectors: number; readonly slow?: boolean }
  | { readonly state: 'excluded'; readonly reason: string }

type BackendRow =
  | { readonly missing: string }
  | {
      readonly kind: string
      readonly cases: number
      readonly algorithms: Readonly<Record<string, Algorithm>>
    }

interface RuntimeRow {
  readonly title: string
  readonly few?: string
  readonly said?: string
  readonly selector?: number
  readonly sections?: number
  readonly backends?: Readonly<Record<string, BackendRow>>
}

/** Numbers reasons as they come up. */
class Notes {
  readonly #reasons: string[] = []

  mark(reason: string): string {
    let at = this.#reasons.indexOf(reason)
    if (at < 0) at = this.#reasons.push(reason) - 1
    return `(${at + 1})`
  }

  lines(): string[] {
    return this.#reasons.map((reason, index) => `${index + 1}. ${reason}`)
  }
}

function cell(row: BackendRow, id: string, notes: Notes): string {
  if ('missing' in row) return `no ${notes.mark(row.missing)}`
  const algorithm = row.algorithms[id]
  if (algorithm === undefined) return ''
  if (algorithm.state === 'excluded')
    return `no ${notes.mark(algorithm.reason.replaceAll(id, 'this cipher'))}`
  const counts = `${algorithm.cases} + ${algorithm.vectors}`
  return algorithm.slow === true ? `slow ${counts}` : counts
}

function backendPart(name: string, runtimes: readonly RuntimeRow[]): string {
  const rows = runtimes.flatMap(({ title, backends }) => {
    const row = backends?.[name]
    return row === undefined ? [] : [{ title, row }]
  })
  const ids = [...new Set(rows.flatMap(({ row }) => ('missing' in row ? [] : Object.keys(row.algorithms))))]
  const notes = new Notes()
  const body = ids.map((id) => [`\`${id}\``, ...rows.map(({ row }) => cell(row, id, notes))])
  const reasons = notes.lines()
  return [
    `### ${name}`,
    '',
    table(['Algorithm', ...rows.map(({ title }) => title)], body),
    ...(reasons.length > 0 ? ['', ...reasons] : []),
  ].join('\n')
}

function runtimePart(runtimes: readonly RuntimeRow[]): string {
  return table(
    ['Runtime', 'Backends', 'Selector and report cases', 'Transcript sections', 'Note'],
    runtimes.map(({ title, backends, selector, sections, few, said }) => [
      title,
      Object.keys(backends ?? {}).join(', '),
      String(selector ?? ''),
      String(sections ?? ''),
      few ?? said ?? '',
    ]),
  )
}

/** The generated part of the support document, or nothing when the matrix has never run. */
export function supportTables(repository: Repository): { readonly part: string; readonly text: string }[] {
  if (!repository.files.includes(RESULTS_FILE)) return []
  const results = JSON.parse(repository.text(RESULTS_FILE)) as Readonly<Record<string, RuntimeRow>>
  const runtimes = Object.values(results)
  const names = [...new Set(runtimes.flatMap(({ backends }) => Object.keys(backends ?? {})))]
  return [
    { part: 'runtimes', text: runtimePart(runtimes) },
    { part: 'support', text: names.map((name) => backendPart(name, runtimes)).join('\n\n') },
  ]
}
