/** What the vectors folder states about one of its files. */
export interface ManifestRow {
  readonly file: string
  /** Number of entries; `1 + 2 + 1` in the table is 4. */
  readonly entries: number
  readonly source: string
  readonly commit: string
  readonly licence: string
}

function cellText(cell: string): string {
  return cell.trim().replaceAll('`', '')
}

/**
 * Reads the table of the vectors folder's README: family, file, cases, repository, path, commit, licence, format.
 * @param markdown - text of the README.
 * @returns rows by path; rows without a case count (licence texts, schemas) are left out.
 */
export function parseManifest(markdown: string): ReadonlyMap<string, ManifestRow> {
  const rows = new Map<string, ManifestRow>()
  for (const line of markdown.split('\n')) {
    if (!line.startsWith('| ')) continue
    const [family, name, cases, repository, path, commit, licence] = line.slice(1).split('|').map(cellText)
    if (family === undefined || name === undefined || cases === undefined || !/^\d/.test(cases)) continue
    const entries = [...cases.matchAll(/\d+/g)].reduce((sum, match) => sum + Number(match[0]), 0)
    const file = `${family}/${name}`
    const source = `${repository} ${path}`
    rows.set(file, { file, entries, source, commit: commit ?? 'unknown', licence: licence ?? 'unknown' })
  }
  return rows
}
