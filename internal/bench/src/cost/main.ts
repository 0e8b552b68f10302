// What imports and selections cost.
//   npm run bench:cost [-- --processes=15] [--program=path of another runtime] [--json=file]
// Every figure is the median over processes of their own, which take turns; wall time, in milliseconds.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from '../rounds.ts'
import { machine } from '../runtime.ts'

const CHILD = fileURLToPath(new URL('child.js', import.meta.url))
/** A hit must cost no more, in milliseconds. */
const HIT_BAR_MS = 3

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '15' },
    program: { type: 'string', default: process.execPath },
    json: { type: 'string' },
  },
})
const processes = Math.max(15, Number(values.processes))
const deno = /deno[^/\\]*$/.test(values.program)

interface Sample {
  /** The whole process, from start to end. */
  readonly processMs: number
  readonly [name: string]: number
}

function sample(args: readonly string[]): Sample {
  const start = performance.now()
  const before = deno ? ['run', '--no-lock', '--allow-all'] : []
  const text = execFileSync(values.program, [...before, CHILD, ...args], { encoding: 'utf8' })
  return { processMs: performance.now() - start, ...(JSON.parse(text) as object) }
}

const folder = mkdtempSync(join(tmpdir(), 'aeadkit-cost-'))
const filled = join(folder, 'filled')
let empty = 0
/** What is compared; a new empty folder each time shows a miss of the file cache. */
const KINDS: Readonly<Record<string, () => readonly string[]>> = {
  'bare start': () => ['bare'],
  'import @aeadkit/core': () => ['import', '@aeadkit/core'],
  'import @aeadkit/selector': () => ['import', '@aeadkit/selector'],
  'import aeadkit': () => ['import', 'aeadkit'],
  'select, memory cache': () => ['select', 'memory'],
  'select, file cache missed': () => ['select', join(folder, `empty-${empty++}`)],
  'select, file cache hit': () => ['select', filled],
}

const samples = new Map<string, Sample[]>(Object.keys(KINDS).map((kind) => [kind, []]))
try {
  sample(['select', filled])
  for (let round = 0; round < processes; round++) {
    for (const [kind, args] of Object.entries(KINDS)) samples.get(kind)?.push(sample(args()))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const middle = (kind: string, name: string): number | undefined => {
  const all = (samples.get(kind) ?? []).flatMap((one) => one[name] ?? [])
  return all.length === 0 ? undefined : median(all)
}
const shown = (ms: number | undefined): string => (ms === undefined ? '' : ms.toFixed(ms < 10 ? 2 : 1))
const bare = middle('bare start', 'processMs') ?? 0
const here = machine()
const rows = Object.keys(KINDS).map((kind) => {
  const whole = middle(kind, 'processMs') ?? 0
  const parts = ['importMs', 'loadMs', 'firstMs', 'secondMs', 'laterMs'].map((name) => middle(kind, name))
  return { kind, overBareMs: whole - bare, parts }
})
console.log(
  `${values.program === process.execPath ? here.runtime : values.program}, ${here.cpu}, load ${here.load}`,
)
console.log(`Medians of ${processes} processes each, in milliseconds; the bare start takes ${shown(bare)}.\n`)
console.log(
  '| | process over bare start | import | load backends | first selectAead | second | later, in a warm process |',
)
console.log('|---|---|---|---|---|---|---|')
for (const { kind, overBareMs, parts } of rows) {
  console.log(`| ${[kind, shown(overBareMs), ...parts.map(shown)].join(' | ')} |`)
}
const hits = ['select, memory cache', 'select, file cache hit'].map((kind) => middle(kind, 'laterMs') ?? 0)
console.log(
  `\nWith a hit selectAead() takes ${hits.map(shown).join(' ms (memory), ')} ms (files); bar ${HIT_BAR_MS}: ${
    hits.every((ms) => ms <= HIT_BAR_MS) ? 'kept' : 'missed'
  }.`,
)
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ machine: here, processes, bare, rows }, null, 2)}\n`)
}
