import { posix } from 'node:path'
import { BACKEND_PREFIX, HOST_FILE, layoutOf, matches, SUBTLE_PACKAGE } from './layout.ts'
import { type Repository, sourcesOf, type Workspace } from './repository.ts'
import type { Rule } from './rule.ts'
import { type ImportUse, isNodeModule, packageOf, readSource, type SourceFacts } from './syntax.ts'

interface Source {
  readonly workspace: Workspace
  /** Path below the workspace's folder. */
  readonly file: string
  /** Path below the root, for messages. */
  readonly place: string
  readonly facts: SourceFacts
}

const cache = new WeakMap<Repository, readonly Source[]>()

/** All TypeScript of all workspaces, parsed once per repository. */
function sources(repository: Repository): readonly Source[] {
  let list = cache.get(repository)
  if (list === undefined) {
    list = repository.workspaces.flatMap((workspace) =>
      [...sourcesOf(workspace, 'src'), ...sourcesOf(workspace, 'test')].map((file) => {
        const place = `${workspace.folder}/${file}`
        return { workspace, file, place, facts: readSource(file, repository.text(place)) }
      }),
    )
    cache.set(repository, list)
  }
  return list
}

const inSrc = (source: Source): boolean => source.file.startsWith('src/')
const publishedSources = (repository: Repository): Source[] =>
  sources(repository).filter((source) => source.workspace.published && inSrc(source))

/** Lists the imports of `from` for which `problem` returns a text. */
function badImports(
  from: readonly Source[],
  problem: (use: ImportUse, specifier: string, source: Source) => string | undefined,
): string[] {
  return from.flatMap((source) =>
    source.facts.imports.flatMap((use) => {
      const text = problem(use, use.specifier ?? '', source)
      return text === undefined ? [] : [`${source.place}:${use.line}: ${text}`]
    }),
  )
}

const isRelative = (specifier: string): boolean => specifier.startsWith('.') || specifier.startsWith('/')

/** The package behind a specifier, unless it is the importing one (by name or by `#`), a file, or a module of Node. */
function otherPackage(specifier: string, { name }: Workspace): string | undefined {
  if (specifier === '' || /^[#./]/.test(specifier) || isNodeModule(specifier)) return undefined
  const target = packageOf(specifier)
  return target === name ? undefined : target
}

/** Rules about what a source file may import or touch. */
export const IMPORT_RULES: readonly Rule[] = [
  {
    id: 'import-layers',
    says: 'A package imports only the packages that internal/checks/src/layout.ts allows it.',
    why: 'core stays free of everything, and a backend alone drags nothing else in.',
    check: (repository) => ({
      problems: badImports(publishedSources(repository), (_use, specifier, { workspace }) => {
        const target = otherPackage(specifier, workspace)
        if (target === undefined) return undefined
        const layout = layoutOf(workspace.name)
        if (layout === undefined) return `${workspace.name} is not in the table of layout.ts`
        if (repository.workspaces.some(({ name }) => name === target) || target.startsWith('@aeadkit')) {
          return matches(target, layout.workspace) ? undefined : `${workspace.name} may not import ${target}`
        }
        return layout.maxLibraries > 0 ? undefined : `${workspace.name} may not import the library ${target}`
      }),
    }),
  },
  {
    id: 'import-declared',
    says: 'Every package that a source imports is among its dependencies.',
    why: 'Hoisting hides a missing dependency until somebody installs the package alone.',
    check: (repository) => ({
      problems: badImports(publishedSources(repository), (_use, specifier, { workspace }) => {
        const target = otherPackage(specifier, workspace)
        if (target === undefined) return undefined
        const { dependencies, peerDependencies } = workspace.manifest
        return target in { ...dependencies, ...peerDependencies }
          ? undefined
          : `${target} is not a dependency of ${workspace.name}`
      }),
    }),
  },
  {
    id: 'import-backends-lazily',
    says: 'Only aeadkit imports backends, each by import() with a literal specifier; no backend imports another.',
    why: 'Bundlers follow literal specifiers and leave out what a runtime cannot load.',
    check: (repository) => ({
      problems: badImports(publishedSources(repository), (use, specifier, { workspace }) => {
        if (use.kind === 'dynamic' && use.specifier === undefined)
          return 'import() without a literal specifier'
        const target = packageOf(specifier)
        if (!target.startsWith(BACKEND_PREFIX) || target === workspace.name) return undefined
        if (layoutOf(workspace.name)?.namesBackends !== true) return `${workspace.name} names ${target}`
        return use.kind === 'static' ? `${target} is imported statically; use import()` : undefined
      }),
    }),
  },
  {
    id: 'import-node',
    says: 'Modules of Node are imported only in backend-node, aeadkit and the subpaths that are about Node.',
    why: 'Everything else must load in a browser and in a worker.',
    check: (repository) => ({
      problems: badImports(publishedSources(repository), (_use, specifier, { workspace, file }) => {
        if (!isNodeModule(specifier)) return undefined
        const short = file.slice('src/'.length, -'.ts'.length)
        if (matches(short, layoutOf(workspace.name)?.nodeFiles ?? [])) return undefined
        return `${specifier} is imported; use getBuiltinModule in ${HOST_FILE}`
      }),
    }),
  },
  {
    id: 'host-access',
    says: `getBuiltinModule is named only in ${HOST_FILE} of a package.`,
    why: 'One file per package decides what happens where the platform denies access.',
    check: (repository) => ({
      problems: uses(publishedSources(repository), 'getBuiltinModule', ({ file }) => file === HOST_FILE),
    }),
  },
  {
    id: 'subtle-access',
    says: `crypto.subtle is touched only in ${SUBTLE_PACKAGE}.`,
    why: 'It is missing in insecure contexts, and everything but getRandomValues has another way.',
    check: (repository) => ({
      problems: uses(
        publishedSources(repository),
        'subtle',
        ({ workspace }) => workspace.name === SUBTLE_PACKAGE,
      ),
    }),
  },
  {
    id: 'import-relative',
    says: 'Relative imports end in .ts and stay inside the package.',
    why: 'One source runs in Deno, in Node with type stripping, and on JSR, where nothing lies above the package.',
    check: (repository) => ({
      problems: badImports(sources(repository), (_use, specifier, { workspace, file }) => {
        if (!isRelative(specifier)) return undefined
        const target = posix.normalize(posix.join(posix.dirname(file), specifier))
        if (target.startsWith('..') && (workspace.published || !specifier.endsWith('.mjs'))) {
          return `${specifier} leads out of ${workspace.folder}`
        }
        return /\.(ts|mjs|json)$/.test(specifier) ? undefined : `${specifier} does not end in .ts`
      }),
    }),
  },
]

function uses(from: readonly Source[], name: string, allowed: (source: Source) => boolean): string[] {
  return from
    .filter((source) => !allowed(source))
    .flatMap((source) =>
      source.facts.names
        .filter((use) => use.name === name)
        .map((use) => `${source.place}:${use.line}: ${name} is named here`),
    )
}
