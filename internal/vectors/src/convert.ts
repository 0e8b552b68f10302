import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { familyOf } from './families.ts'
import { countEntries, parseFile } from './formats.ts'
import type { Layout } from './locate.ts'
import { type ManifestRow, parseManifest } from './manifest.ts'
import type { AccumulatedVector, VectorFile } from './types.ts'

const NOT_VECTORS: readonly string[] = ['LICENSES', 'schemas']

/** Paths of every vector file below the folder, sorted, with forward slashes. */
export function listFiles(folder: string, layout: Layout): string[] {
  const names = readdirSync(folder).filter((name) => !NOT_VECTORS.includes(name))
  const isFolder = (name: string): boolean => statSync(join(folder, name)).isDirectory()
  const files =
    layout === 'wycheproof'
      ? names.filter((name) => name.endsWith('_test.json'))
      : names
          .filter(isFolder)
          .flatMap((name) => readdirSync(join(folder, name)).map((file) => `${name}/${file}`))
  return files.sort()
}

/** Row of the manifest for a file; one row may name several files by a star. */
function rowOf(rows: ReadonlyMap<string, ManifestRow>, file: string): ManifestRow | undefined {
  const exact = rows.get(file)
  if (exact !== undefined) return exact
  return [...rows.values()].find((row) => row.file.endsWith('*') && file.startsWith(row.file.slice(0, -1)))
}

/** The converted folder. */
export interface Converted {
  readonly files: readonly VectorFile[]
  readonly accumulated: AccumulatedVector | null
}

/**
 * Converts every file of the folder; files that hold no AEAD of the table are listed with their counts.
 * @throws Error when a file has another number of entries than the manifest states, or is not in the manifest.
 */
export function convertFolder(folder: string, layout: Layout): Converted {
  const rows =
    layout === 'shared'
      ? parseManifest(readFileSync(join(folder, 'README.md'), 'utf8'))
      : new Map<string, ManifestRow>()
  const files: VectorFile[] = []
  const entriesByRow = new Map<string, number>()
  let accumulated: AccumulatedVector | null = null
  for (const file of listFiles(folder, layout)) {
    const text = readFileSync(join(folder, file), 'utf8')
    const row = rowOf(rows, file)
    if (layout === 'shared' && row === undefined)
      throw new Error(`${file} is not listed in the vectors README`)
    const origin = row ?? {
      source: `C2SP/wycheproof testvectors_v1/${basename(file)}`,
      commit: 'unknown',
      licence: 'Apache-2.0',
    }
    const converted = convertFile(file, text)
    if (converted.accumulated !== undefined) accumulated = converted.accumulated
    if (row !== undefined)
      entriesByRow.set(row.file, (entriesByRow.get(row.file) ?? 0) + converted.file.entries)
    const { source, commit, licence } = origin
    files.push({ ...converted.file, source, commit, licence })
  }
  for (const row of rows.values()) {
    const entries = entriesByRow.get(row.file)
    if (entries !== row.entries) {
      throw new Error(
        `${row.file}: the vectors README states ${row.entries} entries, found ${entries ?? 'no file'}`,
      )
    }
  }
  return { files: mergeStarred(files, rows), accumulated }
}

type Unsourced = Omit<VectorFile, 'source' | 'commit' | 'licence'>

function convertFile(file: string, text: string): { file: Unsourced; accumulated?: AccumulatedVector } {
  const family = familyOf(basename(file))
  if ('reason' in family) {
    const entries = countEntries(basename(file), text)
    const exclusions = entries === 0 ? [] : [{ reason: family.reason, count: entries }]
    return { file: { file, algorithm: null, entries, count: entries, cases: [], exclusions } }
  }
  const { entries, cases, exclusions, accumulated } = parseFile(text, family)
  const ids = new Set(cases.map((item) => item.algorithm))
  const [only] = ids
  const algorithm = ids.size === 1 && only !== undefined ? only : null
  const count = cases.length + exclusions.reduce((sum, item) => sum + item.count, 0)
  const converted = { file, algorithm, entries, count, cases, exclusions }
  return accumulated === undefined ? { file: converted } : { file: converted, accumulated }
}

/** Files that share one starred row of the manifest are reported as that one row. */
function mergeStarred(files: readonly VectorFile[], rows: ReadonlyMap<string, ManifestRow>): VectorFile[] {
  const merged = new Map<string, VectorFile>()
  for (const file of files) {
    const row = rowOf(rows, file.file)
    const name = row?.file.endsWith('*') ? row.file : file.file
    const before = merged.get(name)
    if (before === undefined) {
      merged.set(name, { ...file, file: name })
      continue
    }
    const count = before.count + file.count
    const reason = before.exclusions[0]?.reason ?? `see ${dirname(name)}`
    merged.set(name, {
      ...before,
      entries: before.entries + file.entries,
      count,
      exclusions: [{ reason, count }],
    })
  }
  return [...merged.values()]
}
