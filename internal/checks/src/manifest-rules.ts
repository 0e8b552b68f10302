import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { BACKEND_PREFIX, layoutOf, matches } from './layout.ts'
import { isRealFile, type Manifest, type Repository, type Workspace } from './repository.ts'
import type { Rule } from './rule.ts'

const REQUIRED_FILES = ['LICENSE', 'README.md', 'CHANGELOG.md']
const PACKED = ['dist', ...REQUIRED_FILES]
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/
const SELF = './package.json'

function perPackage(
  check: (workspace: Workspace, repository: Repository) => readonly string[],
): Rule['check'] {
  return (repository) => ({
    problems: repository.published.flatMap((workspace) =>
      check(workspace, repository).map((text) => `${workspace.folder}: ${text}`),
    ),
  })
}

/** The file names of one entry of `exports`, with the conditions that lead to them. */
export function targetsOf(
  entry: unknown,
  conditions: readonly string[] = [],
): { conditions: string; file: string }[] {
  if (typeof entry === 'string') return [{ conditions: conditions.join('.') || 'default', file: entry }]
  if (typeof entry !== 'object' || entry === null) return []
  return Object.entries(entry).flatMap(([name, value]) => targetsOf(value, [...conditions, name]))
}

function wrongExports({ manifest, path, files, jsr, name }: Workspace): string[] {
  const problems: string[] = []
  const entries = Object.entries(manifest.exports ?? {}).filter(([key]) => key !== SELF)
  if (entries.length === 0) problems.push('package.json exports nothing')
  for (const [key, entry] of entries) {
    for (const { conditions, file } of targetsOf(entry)) {
      const where = `exports "${key}" (${conditions})`
      if (!file.startsWith('./dist/')) problems.push(`${where} points to ${file}, not into dist`)
      else if (!existsSync(join(path, file))) problems.push(`${where} points to ${file}, which is not built`)
    }
    const source = jsr?.exports[key]
    // JSR takes modules in TypeScript or JavaScript only.
    if (jsr === undefined || targetsOf(entry).every(({ file }) => /\.wasm(\.d\.ts)?$/.test(file))) continue
    if (source === undefined) problems.push(`jsr.json does not export "${key}"`)
    else if (!/^\.\/src\/.+\.ts$/.test(source))
      problems.push(`jsr.json "${key}" is ${source}, not a file of src`)
    else if (!files.includes(source.slice(2)))
      problems.push(`jsr.json "${key}" is ${source}, which does not exist`)
    else if (!targetsOf(entry).some(({ file }) => file === builtFrom(source))) {
      problems.push(`jsr.json "${key}" is ${source}, but package.json does not export ${builtFrom(source)}`)
    }
  }
  for (const key of Object.keys(jsr?.exports ?? {})) {
    if (manifest.exports?.[key] === undefined)
      problems.push(`jsr.json exports "${key}", package.json does not`)
  }
  if (name.startsWith('@') !== (jsr !== undefined)) {
    problems.push(
      name.startsWith('@') ? 'jsr.json is missing' : 'jsr.json exists, but JSR refuses a name without scope',
    )
  }
  if (jsr !== undefined && jsr.name !== name) problems.push(`jsr.json is named ${jsr.name}`)
  if (jsr !== undefined && jsr.version !== manifest.version) {
    problems.push(`jsr.json has version ${jsr.version}, package.json ${manifest.version}`)
  }
  return problems
}

function builtFrom(source: string): string {
  return source.replace('./src/', './dist/').replace(/\.ts$/, '.js')
}

function wrongFields({ manifest, path }: Workspace, repository: Repository): string[] {
  const problems: string[] = []
  const want = (holds: boolean, text: string): void => {
    if (!holds) problems.push(text)
  }
  want(manifest.type === 'module', 'type is not "module"')
  want(manifest.sideEffects === false, 'sideEffects is not false')
  want(manifest.license === 'MIT', 'license is not "MIT"')
  want(
    manifest.engines?.node === repository.manifest.engines?.node,
    `engines.node is ${manifest.engines?.node}, the workspace has ${repository.manifest.engines?.node}`,
  )
  for (const name of PACKED) want(manifest.files?.includes(name) === true, `files does not list ${name}`)
  for (const file of REQUIRED_FILES) want(isRealFile(join(path, file)), `${file} is missing or a link`)
  for (const [name, file] of Object.entries(manifest.bin ?? {})) {
    const tracked = repository.files.includes(join(path, file).slice(repository.root.length + 1))
    want(tracked, `bin ${name} points to ${file}, which is not committed; npm would not link it`)
  }
  const licence = join(path, 'LICENSE')
  const own = join(repository.root, 'LICENSE')
  if (isRealFile(licence) && isRealFile(own)) {
    want(
      readFileSync(licence, 'utf8') === readFileSync(own, 'utf8'),
      'LICENSE differs from the one at the root',
    )
  }
  return problems
}

function inexact(place: string, manifest: Manifest): string[] {
  // Peers are what the user already has; a range is their point.
  const { dependencies, devDependencies, optionalDependencies } = manifest
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, range]) => !EXACT.test(range))
    .map(([name, range]) => `${place}: ${name} is "${range}", not an exact version`)
}

function wrongDependencies({ name, manifest }: Workspace, repository: Repository): string[] {
  const layout = layoutOf(name)
  if (layout === undefined) return ['has no entry in the table of layout.ts']
  const { dependencies, optionalDependencies, peerDependencies } = manifest
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  const own = new Set(repository.workspaces.map((workspace) => workspace.name))
  const libraries = wanted.filter((target) => !own.has(target) && !target.startsWith('@aeadkit'))
  const problems = wanted
    .filter((target) => !libraries.includes(target) && !matches(target, layout.workspace))
    .map((target) => `may not depend on ${target}`)
  if (libraries.length > layout.maxLibraries) {
    problems.push(`depends on ${libraries.join(', ')}; at most ${layout.maxLibraries} libraries are allowed`)
  }
  return problems
}

/** Finds one cycle in the graph of workspaces, devDependencies included. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const next of edges.get(name) ?? []) {
      const cycle = visit(next, [...path, name])
      if (cycle !== undefined) return cycle
    }
    done.add(name)
    return undefined
  }
  for (const name of edges.keys()) {
    const cycle = visit(name, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

function cycles(repository: Repository): string[] {
  const own = new Set(repository.workspaces.map(({ name }) => name))
  const edges = new Map(
    repository.workspaces.map(({ name, manifest }) => [
      name,
      Object.keys({
        ...manifest.dependencies,
        ...manifest.peerDependencies,
        ...manifest.devDependencies,
      }).filter((target) => own.has(target)),
    ]),
  )
  const cycle = findCycle(edges)
  return cycle === undefined ? [] : [`package.json: ${cycle.join(' -> ')}`]
}

function unequalVersions({ published }: Repository): string[] {
  const group = published.filter(({ name }) => name === '@aeadkit/core' || name.startsWith(BACKEND_PREFIX))
  const versions = new Set(group.map(({ manifest }) => manifest.version))
  if (versions.size <= 1) return []
  return group.map(({ folder, manifest }) => `${folder}: version ${manifest.version}`)
}

/** Rules about package.json and jsr.json. */
export const MANIFEST_RULES: readonly Rule[] = [
  {
    id: 'exports',
    says: 'package.json exports built files of dist, and jsr.json exports their sources under the same keys and version.',
    why: 'A key that only one registry has breaks half of the users.',
    check: perPackage(wrongExports),
  },
  {
    id: 'manifest',
    says: 'Every published package is ESM without side effects, has the floor of Node, and packs its papers as real files.',
    why: 'JSR rejects links, and bundlers drop unused code only where sideEffects is false.',
    check: perPackage(wrongFields),
  },
  {
    id: 'publint',
    says: 'publint finds nothing in any published package.',
    why: 'It knows what resolvers and bundlers trip over.',
    check: async ({ published }) => {
      const found = await Promise.all(
        published.map(async ({ path, folder, manifest }) => {
          const { messages } = await publint({ pkgDir: path, strict: true, pack: false })
          return messages.map(
            (message) => `${folder}: ${formatMessage(message, { ...manifest }) ?? message.code}`,
          )
        }),
      )
      return { problems: found.flat() }
    },
  },
  {
    id: 'exact-versions',
    says: 'Dependencies are exact versions; only peers may be ranges.',
    why: 'What was tested is what gets installed.',
    check: (repository) => ({
      problems: [
        ...inexact('package.json', repository.manifest),
        ...repository.workspaces.flatMap(({ folder, manifest }) =>
          inexact(`${folder}/package.json`, manifest),
        ),
      ],
    }),
  },
  {
    id: 'dependencies',
    says: 'A published package depends only on what internal/checks/src/layout.ts allows.',
    why: 'Every dependency is code that a user of cryptography has to trust.',
    check: perPackage(wrongDependencies),
  },
  {
    id: 'no-cycles',
    says: 'Workspaces form no dependency cycle, devDependencies included.',
    why: 'The build order would not exist.',
    check: (repository) => ({ problems: cycles(repository) }),
  },
  {
    id: 'fixed-versions',
    says: 'core and the backends have one version.',
    why: 'The contract between them is not stable before 1.0.',
    check: (repository) => ({ problems: unequalVersions(repository) }),
  },
]
