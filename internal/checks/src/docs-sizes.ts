import { BARS } from './bars.ts'
import { SIZES_FILE } from './bundle-rules.ts'
import { table } from './markdown.ts'
import type { Repository } from './repository.ts'

/** The document about sizes. */
export const SIZES_DOC = 'docs/SIZES.md'

const bytes = (count: number): string => count.toLocaleString('en-US')

/** The generated parts of the document about sizes, or nothing when none were ever recorded. */
export function sizeTables(repository: Repository): { readonly part: string; readonly text: string }[] {
  if (!repository.files.includes(SIZES_FILE)) return []
  const sizes = JSON.parse(repository.text(SIZES_FILE)) as Readonly<Record<string, number>>
  const withBar = BARS.filter(({ name }) => sizes[name] !== undefined)
  const rows = withBar.map(({ name, bytes: most, missed }) => {
    const size = sizes[name]!
    return [
      name,
      bytes(size),
      bytes(most),
      size <= most ? 'yes' : `no, ${bytes(size - most)} over: ${missed?.why ?? 'undecided'}`,
    ]
  })
  const others = Object.entries(sizes).filter(([name]) => !withBar.some((bar) => bar.name === name))
  return [
    { part: 'bars', text: table(['Bundle', 'Bytes', 'At most', 'Met'], rows) },
    {
      part: 'backends',
      text: table(
        ['`createAead` and everything of', 'Bytes'],
        others.map(([name, size]) => [`\`${name}\``, bytes(size)]),
      ),
    },
  ]
}
