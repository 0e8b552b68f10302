import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { algorithmTables } from './docs-algorithms.ts'
import { PROTOCOLS_FILE, protocolParts } from './docs-protocols.ts'
import { SIZES_DOC, sizeTables } from './docs-sizes.ts'
import { SUPPORT_FILE, supportTables } from './docs-support.ts'
import { table } from './markdown.ts'
import { REPORTS_FILE, reportTable } from './reports.ts'
import type { Repository } from './repository.ts'
import type { Rule } from './rule.ts'

/** One generated part of a document. */
export interface GeneratedPart {
  /** Document, relative to the root. */
  readonly file: string
  /** Name in the markers around the part. */
  readonly part: string
  /** The part in Markdown. */
  readonly text: string
}

/** Everything in the documents that the code knows, so that nobody types it. */
export function generatedParts(repository: Repository, rules: readonly Rule[]): GeneratedPart[] {
  return [
    ...algorithmTables().map(({ part, text }) => ({ file: 'docs/ALGORITHMS.md', part, text })),
    ...protocolParts().map(({ part, text }) => ({ file: PROTOCOLS_FILE, part, text })),
    ...supportTables(repository).map(({ part, text }) => ({ file: SUPPORT_FILE, part, text })),
    ...sizeTables(repository).map(({ part, text }) => ({ file: SIZES_DOC, part, text })),
    ...reportTable(repository).map(({ part, text }) => ({ file: REPORTS_FILE, part, text })),
    { file: 'README.md', part: 'packages', text: packageTable(repository) },
    { file: 'CONTRIBUTING.md', part: 'rules', text: ruleTable(rules) },
  ]
}

function packageTable({ published }: Repository): string {
  return table(
    ['Package', 'Holds'],
    published.map(({ manifest, folder }) => [
      `[\`${manifest.name}\`](${folder})`,
      manifest.description ?? '',
    ]),
  )
}

function ruleTable(rules: readonly Rule[]): string {
  return table(
    ['Rule', 'Says', 'Because'],
    rules.map(({ id, says, why }) => [`\`${id}\``, says, why]),
  )
}

const open = (part: string): string => `<!-- generated: ${part}; npm run docs writes it -->`
const close = (part: string): string => `<!-- end of ${part} -->`

/**
 * Puts a generated part between its markers.
 * @throws Error when the document lacks the markers.
 */
export function place(document: string, part: string, text: string): string {
  const start = document.indexOf(open(part))
  const end = document.indexOf(close(part))
  if (start < 0 || end < start) throw new Error(`the markers of "${part}" are missing`)
  return `${document.slice(0, start)}${open(part)}\n\n${text}\n\n${document.slice(end)}`
}

/** The documents with generated parts: what they hold and what they should hold. */
export function freshDocuments(
  repository: Repository,
  parts: readonly GeneratedPart[],
): {
  readonly file: string
  readonly present: string
  readonly wanted: string
  readonly problems: readonly string[]
}[] {
  return [...new Set(parts.map(({ file }) => file))].map((file) => {
    const path = join(repository.root, file)
    if (!existsSync(path)) return { file, present: '', wanted: '', problems: [`${file}: is missing`] }
    const present = readFileSync(path, 'utf8')
    const problems: string[] = []
    let wanted = present
    for (const { part, text } of parts.filter((each) => each.file === file)) {
      try {
        const next = place(wanted, part, text)
        if (next !== wanted) problems.push(`${file}: "${part}" is stale; npm run docs writes it`)
        wanted = next
      } catch (error) {
        problems.push(`${file}: ${(error as Error).message}`)
      }
    }
    return { file, present, wanted, problems }
  })
}
