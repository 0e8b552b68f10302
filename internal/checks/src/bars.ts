import { bundle } from './bundle.ts'
import type { Repository, Workspace } from './repository.ts'

/** One import of a small program. */
interface Import {
  /** What it takes; `*` is everything. */
  readonly names: string
  /** Package, with its subpath if any. */
  readonly from: string
}

/** A bundle that may have at most so many bytes. */
export interface Bar {
  /** What it is, in a few words; the key in the file of sizes. */
  readonly name: string
  readonly imports: readonly Import[]
  /** What does not count: the size of a bundle of these is taken off. */
  readonly over?: readonly Import[]
  readonly platform: 'browser' | 'node'
  /** Most bytes, minified and compressed with gzip. */
  readonly bytes: number
  /** Where the number comes from. */
  readonly source: string
  /** Where it is not met: the most bytes until it is, and what they are for. */
  readonly missed?: { readonly atMost: number; readonly why: string }
}

const AEAD: Import = { names: '{ createAead }', from: '@aeadkit/core' }
const CORE: Import = { names: '*', from: '@aeadkit/core' }
const SOURCE = 'set before the code was written'

/** Every bar. */
export const BARS: readonly Bar[] = [
  {
    name: 'createAead + noble ChaCha20-Poly1305',
    imports: [AEAD, { names: '{ nobleBackend }', from: '@aeadkit/backend-noble/chacha20-poly1305' }],
    platform: 'browser',
    bytes: 8192,
    source: SOURCE,
    missed: {
      atMost: 12_170,
      why: '@noble/ciphers takes 4,912 of it, core with its checks and the self-test the rest',
    },
  },
  {
    name: 'createAead + wasm ChaCha20-Poly1305',
    imports: [
      AEAD,
      { names: '{ createWasmBackend }', from: '@aeadkit/backend-wasm/chacha20-poly1305.columns' },
    ],
    platform: 'browser',
    bytes: 11_264,
    source: SOURCE,
    missed: {
      atMost: 13_550,
      why: 'the module takes 3,747 of it, its glue 3,000, core with its checks and the self-test the rest',
    },
  },
  {
    name: 'createAead + node',
    imports: [AEAD, { names: '{ nodeBackend }', from: '@aeadkit/backend-node' }],
    platform: 'node',
    bytes: 6144,
    source: SOURCE,
    missed: {
      atMost: 12_250,
      why: 'core with its checks, the self-test and the facts of all algorithms takes more than half of it, thirteen algorithms over node:crypto the rest',
    },
  },
  {
    name: 'selectAead with given backends, on top of core',
    imports: [CORE, { names: '{ selectAead }', from: '@aeadkit/selector' }],
    over: [CORE],
    platform: 'browser',
    bytes: 12_288,
    source: SOURCE,
    missed: {
      atMost: 39_950,
      why: 'rules, measuring and placement, what keeps caches and backends that fail or fall silent from ending a selection, what keeps it from doing twice or testing what it does not need, and the texts of reasons, duties and advice are one import, with the pairs that hand long messages to a promise',
    },
  },
  {
    name: 'restoreSelection with given backends, on top of core',
    imports: [CORE, { names: '{ restoreSelection }', from: '@aeadkit/selector' }],
    over: [CORE],
    platform: 'browser',
    bytes: 16_384,
    source: 'what it took once it had nothing of rules and of measuring',
  },
]

const PACKAGE = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/

/** The package an import names, when this repository has it with that subpath. */
function packageOf({ published }: Repository, { from }: Import): Workspace | undefined {
  const [, name, subpath] = PACKAGE.exec(from) ?? []
  const found = published.find((workspace) => workspace.name === name)
  const exported = found?.manifest.exports as Readonly<Record<string, unknown>> | undefined
  return exported?.[subpath === undefined ? '.' : `./${subpath}`] === undefined ? undefined : found
}

/** Size of a bundle of the imports; the last package has the others among its dependencies. */
async function sizeOf(repository: Repository, imports: readonly Import[], bar: Bar): Promise<number> {
  const home = packageOf(repository, bar.imports.at(-1)!)!
  const program = imports.map(({ names, from }) => `export ${names} from '${from}'\n`).join('')
  return (await bundle(program, home.path, bar.platform)).gzipBytes
}

/** Size of each bar's bundle; what this repository lacks a package for is left out. */
export async function barSizes(repository: Repository): Promise<ReadonlyMap<Bar, number>> {
  const sizes = new Map<Bar, number>()
  for (const bar of BARS) {
    if (bar.imports.some((each) => packageOf(repository, each) === undefined)) continue
    const whole = await sizeOf(repository, bar.imports, bar)
    sizes.set(bar, bar.over === undefined ? whole : whole - (await sizeOf(repository, bar.over, bar)))
  }
  return sizes
}

/** What breaks a bar; a bar not met but within what is said of it is only told. */
export function barProblems(sizes: ReadonlyMap<Bar, number>): { problems: string[]; warnings: string[] } {
  const problems: string[] = []
  const warnings: string[] = []
  for (const [{ name, bytes, source, missed }, measured] of sizes) {
    const figures = `${name}: ${measured} B, the bar is ${bytes} B (${source})`
    if (measured <= bytes) {
      if (missed !== undefined) warnings.push(`${figures}: met, so its excuse can go`)
    } else if (missed === undefined) problems.push(figures)
    else if (measured > missed.atMost) problems.push(`${figures}, and ${missed.atMost} B until it is met`)
    else warnings.push(`${figures}; not met: ${missed.why}`)
  }
  return { problems, warnings }
}
