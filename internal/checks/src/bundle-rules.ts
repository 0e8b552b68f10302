import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bar, barProblems, barSizes } from './bars.ts'
import { type Bundle, bundle } from './bundle.ts'
import { BACKEND_PREFIX } from './layout.ts'
import { type Repository, readJson, type Workspace } from './repository.ts'
import type { Rule } from './rule.ts'

/** Recorded sizes. */
export const SIZES_FILE = 'internal/checks/sizes.json'
const GROWTH = 1.03
const NODE_BACKEND = '@aeadkit/backend-node'

type Sizes = Readonly<Record<string, number>>

const cache = new WeakMap<Repository, Promise<Map<Workspace, Bundle>>>()

const bars = new WeakMap<Repository, Promise<ReadonlyMap<Bar, number>>>()

/** The sizes that have a bar, measured once per repository. */
function measuredBars(repository: Repository): Promise<ReadonlyMap<Bar, number>> {
  let made = bars.get(repository)
  if (made === undefined) {
    made = barSizes(repository)
    bars.set(repository, made)
  }
  return made
}

/** Bundles `createAead` with each backend alone, once per repository. */
function bundles(repository: Repository): Promise<Map<Workspace, Bundle>> {
  let made = cache.get(repository)
  if (made === undefined) {
    made = bundleBackends(repository)
    cache.set(repository, made)
  }
  return made
}

async function bundleBackends(repository: Repository): Promise<Map<Workspace, Bundle>> {
  const made = new Map<Workspace, Bundle>()
  for (const backend of backendsOf(repository)) {
    const program = `export { createAead } from '@aeadkit/core'\nexport * from '${backend.name}'\n`
    made.set(backend, await bundle(program, backend.path, backend.name === NODE_BACKEND ? 'node' : 'browser'))
  }
  return made
}

function backendsOf({ published }: Repository): Workspace[] {
  return published.filter(({ name }) => name.startsWith(BACKEND_PREFIX))
}

function intruders(repository: Repository, backend: Workspace, { text, inputs }: Bundle): string[] {
  const problems: string[] = []
  for (const other of backendsOf(repository)) {
    if (other === backend) continue
    const short = other.name.slice(BACKEND_PREFIX.length)
    const libraries = Object.keys(other.manifest.dependencies ?? {}).filter(
      (name) => backend.manifest.dependencies?.[name] === undefined && !name.startsWith('@aeadkit/'),
    )
    const words = [
      `backend-${short}`,
      `${short}Backend`,
      `create${short[0]?.toUpperCase()}${short.slice(1)}Backend`,
    ]
    for (const word of [...words, ...libraries]) {
      if (text.includes(word) || inputs.some((file) => file.includes(word))) problems.push(`contains ${word}`)
    }
  }
  if (backend.name !== NODE_BACKEND && text.includes('node:')) problems.push('contains node:')
  const catalog = inputs.find((file) => /(^|\/)catalog\b/.test(file))
  if (catalog !== undefined) problems.push(`contains the long texts of ${catalog}`)
  return problems
}

function compareSizes(recorded: Sizes, measured: Sizes): string[] {
  const problems = Object.entries(measured).flatMap(([name, bytes]) => {
    const before = recorded[name]
    if (before === undefined)
      return [`${name}: ${bytes} B is not recorded in ${SIZES_FILE}; run with --write-sizes`]
    if (bytes <= before * GROWTH) return []
    return [`${name}: ${bytes} B, recorded ${before} B, at most ${Math.floor(before * GROWTH)} B`]
  })
  const gone = Object.keys(recorded).filter((name) => measured[name] === undefined)
  return [
    ...problems,
    ...gone.map((name) => `${name}: recorded in ${SIZES_FILE}, but nothing of that name is bundled`),
  ]
}

/** Rules about bundles of one backend. */
export const BUNDLE_RULES: readonly Rule[] = [
  {
    id: 'bundle-alone',
    says: 'A bundle of one backend holds nothing of another, no module of Node, and none of the long texts.',
    why: 'One backend, one algorithm, nothing else is how constrained bundles use this.',
    check: async (repository) => ({
      problems: [...(await bundles(repository))].flatMap(([backend, made]) =>
        intruders(repository, backend, made).map((text) => `${backend.folder}: its bundle ${text}`),
      ),
    }),
  },
  {
    id: 'bundle-bars',
    says: 'Bundles with a bar in internal/checks/src/bars.ts stay within it, or the bar says why not.',
    why: 'Sizes are promised; a promise that is not kept is said, not forgotten.',
    check: async (repository) => barProblems(await measuredBars(repository)),
  },
  {
    id: 'bundle-size',
    says: `A recorded bundle grows by at most ${Math.round((GROWTH - 1) * 100)} % over ${SIZES_FILE}.`,
    why: 'Growth is decided, not discovered.',
    check: async (repository, { writeSizes = false }) => {
      const file = join(repository.root, SIZES_FILE)
      const measured: Sizes = Object.fromEntries([
        ...[...(await bundles(repository))].map(([backend, { gzipBytes }]) => [backend.name, gzipBytes]),
        ...[...(await measuredBars(repository))].map(([{ name }, bytes]) => [name, bytes]),
      ])
      if (writeSizes) writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
      return { problems: compareSizes(existsSync(file) ? readJson<Sizes>(file) : {}, measured) }
    },
  },
]
