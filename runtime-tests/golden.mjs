// The committed transcript, and what of it a run did not say.
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('golden.txt', import.meta.url)

const headOf = (section) => section.split('\n', 1)[0]

/** Sections by their first line. */
function sectionsOf(text) {
  return new Map(
    text
      .trimEnd()
      .split(/\n(?=## )/)
      .map((section) => [headOf(section), section]),
  )
}

/** The committed text: first what every runtime prints, then the algorithms that not every runtime has. */
export function readGolden() {
  return readFileSync(FILE, 'utf8')
}

/** First lines that differ, for people. */
function difference(expected, actual) {
  const a = expected.split('\n')
  const b = actual.split('\n')
  const at = a.findIndex((line, i) => line !== b[i])
  const show = (line) =>
    line === undefined ? 'nothing' : line.length > 160 ? `${line.slice(0, 160)}…` : line
  return at < 0
    ? `it has ${b.length - a.length} lines more`
    : `line ${at + 1}: expected ${show(a[at])}, got ${show(b[at])}`
}

/**
 * Compares a record with the golden text, byte for byte.
 * @returns `{ compared, problems }`: sections compared, and one line per section that differs.
 */
export function compareGolden(record, golden = readGolden()) {
  const problems = []
  const common = record.transcript.join('\n')
  const expected = golden.slice(0, common.length)
  let compared = record.transcript.length
  if (common.length === 0 || expected !== common || !/^\n(## |$)/.test(golden.slice(common.length))) {
    problems.push(`the transcript differs: ${difference(expected, common)}`)
  }
  const wanted = sectionsOf(golden)
  for (const { backend, id, text } of record.sections) {
    compared++
    const section = wanted.get(`## ${id}`)
    if (section === undefined) problems.push(`golden.txt has no section for ${id}, which ${backend} has`)
    else if (section !== text) problems.push(`${backend} / ${id}: ${difference(section, text)}`)
  }
  return { compared, problems }
}

/** Writes the golden text from a set of records that agree; only for a change of the script itself. */
export function writeGolden(records) {
  const [first] = records
  const known = new Set(first.transcript.map(headOf))
  const others = new Map()
  for (const { sections } of records) {
    for (const { id, text } of sections) if (!known.has(headOf(text))) others.set(id, text)
  }
  const rest = [...others.keys()].sort().map((id) => others.get(id))
  writeFileSync(FILE, `${[...first.transcript, ...rest].join('\n')}\n`)
}
