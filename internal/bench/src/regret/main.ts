// Regret of the selected path on this runtime and others.
//   npm run bench:regret [-- --runtimes=here,node-24,deno,bun,chromium] [--processes=3] [--rounds=9] [--json=file]
//     [--only=auto,...]
// Each row is the median over cold processes of their medians over rounds.
// Also by another program: bun internal/bench/dist/regret/main.js. Pinned runtimes come from the tests of the runtimes.
// On Node every selection is timed twice: as the machine is, and with AES and carry-less multiply masked.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import type { Machine } from '../runtime.ts'
import { ASKED, type Asked, type RegretRun } from './measure.ts'
import { mergeRuns } from './merge.ts'
import { gainText, holds, type Section, sectionText, summaryText } from './table.ts'

const MASK = '~0x200000200000000'
const CHILD = fileURLToPath(new URL('child.js', import.meta.url))
const AT = new URL('../../../../runtime-tests/', import.meta.url)

interface Program {
  readonly file: string
  /** Options before the script. */
  readonly before: readonly string[]
  readonly masks: readonly (string | undefined)[]
}

/** The program this runs in, as one that can be started again. */
function here(): Program {
  const { versions } = process as { versions: Record<string, string | undefined> }
  return program(process.execPath, versions.deno !== undefined, versions.bun !== undefined)
}

function program(file: string, deno: boolean, bun: boolean): Program {
  return {
    file,
    before: deno ? ['run', '--no-lock', '--allow-all'] : [],
    masks: deno || bun ? [undefined] : [undefined, MASK],
  }
}

async function named(name: string): Promise<Program> {
  if (name === 'here') return here()
  const { programOf } = (await import(new URL('toolchain.mjs', AT).href)) as {
    programOf(name: string): string | undefined
  }
  const file = programOf(name)
  if (file === undefined) throw new Error(`${name} is not installed: node runtime-tests/toolchain.mjs`)
  return program(file, name === 'deno', name === 'bun')
}

type ChildRun = RegretRun & { readonly machine: Machine }

const { values } = parseArgs({
  options: {
    runtimes: { type: 'string', default: 'here' },
    only: { type: 'string', default: ASKED.join() },
    rounds: { type: 'string', default: '9' },
    processes: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
})
const asked = values.only.split(',') as Asked[]
const turns = Array.from({ length: Math.max(1, Number(values.processes)) })

async function childRun(one: Program, mask: string | undefined, ask: Asked): Promise<ChildRun> {
  const { OPENSSL_ia32cap: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(one.file, [...one.before, CHILD, ask, values.rounds], {
    env: mask === undefined ? env : { ...env, OPENSSL_ia32cap: mask },
    maxBuffer: 2 ** 24,
  })
  return JSON.parse(stdout) as ChildRun
}

/** The page of the browser tests, over the bundled build. */
async function chromiumRuns(): Promise<Section> {
  const pages: Section[] = []
  const { runRegretPage } = (await import(new URL('browser/regret.mjs', AT).href)) as {
    runRegretPage(asked: readonly Asked[], rounds: number): Promise<Section>
  }
  for (const _ of turns) pages.push(await runRegretPage(asked, Number(values.rounds)))
  const [first] = pages as [Section]
  return { ...first, runs: asked.map((_, at) => mergeRuns(pages.map(({ runs }) => runs[at]!))) }
}

async function sectionsOf(name: string): Promise<readonly Section[]> {
  if (name === 'chromium') return [await chromiumRuns()]
  const one = await named(name)
  const sections: Section[] = []
  for (const mask of one.masks) {
    const runs: RegretRun[] = []
    const machines: Machine[] = []
    for (const ask of asked) {
      const children: ChildRun[] = []
      for (const _ of turns) children.push(await childRun(one, mask, ask))
      machines.push(...children.map(({ machine }) => machine))
      runs.push(mergeRuns(children))
    }
    const [first] = machines
    if (first === undefined) continue
    const title = `${first.runtime}${mask === undefined ? '' : ', masked'}`
    sections.push({ title, load: Math.max(...machines.map(({ load }) => load)), runs })
  }
  return sections
}

const sections: Section[] = []
for (const name of values.runtimes.split(',')) {
  for (const section of await sectionsOf(name)) {
    sections.push(section)
    console.log(sectionText(section))
  }
}
console.log(`# Summary\n\n${summaryText(sections)}\n`)
for (const section of sections) console.log(gainText(section))
const missed = sections.flatMap(({ runs }) => runs.flatMap((run) => run.rows)).filter((row) => !holds(row))
console.log(`${missed.length} rows miss the bar.`)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(sections, null, 2)}\n`)
