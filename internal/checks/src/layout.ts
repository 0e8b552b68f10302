/** What a package may depend on and import, as data. */
export interface PackageLayout {
  /** Workspace packages it may depend on; `*` at the end stands for any continuation. */
  readonly workspace: readonly string[]
  /** How many other libraries it may depend on. */
  readonly maxLibraries: number
  /** Source files, below `src/` and without `.ts`, that may import `node:*`; `*` is any continuation. */
  readonly nodeFiles: readonly string[]
  /** Whether it may import backends, lazily and by literal specifier. */
  readonly namesBackends: boolean
}

const CORE = ['@aeadkit/core']

const PLAIN: PackageLayout = { workspace: CORE, maxLibraries: 0, nodeFiles: [], namesBackends: false }

/** The layout of each published package; backends without an entry of their own follow {@link BACKEND}. */
export const LAYOUT: Readonly<Record<string, PackageLayout>> = {
  '@aeadkit/core': { ...PLAIN, workspace: [] },
  '@aeadkit/backend-node': { ...PLAIN, nodeFiles: ['*'] },
  '@aeadkit/selector': PLAIN,
  '@aeadkit/conformance': PLAIN,
  '@aeadkit/stream': { ...PLAIN, nodeFiles: ['workers*'] },
  '@aeadkit/ledger': { ...PLAIN, nodeFiles: ['file*', 'redis*', 'postgres*'] },
  aeadkit: {
    workspace: [
      '@aeadkit/core',
      '@aeadkit/backend-*',
      '@aeadkit/selector',
      '@aeadkit/stream',
      '@aeadkit/ledger',
    ],
    maxLibraries: Number.POSITIVE_INFINITY,
    nodeFiles: ['*'],
    namesBackends: true,
  },
}

/** Any backend: core and at most one third-party library. */
export const BACKEND: PackageLayout = { ...PLAIN, maxLibraries: 1 }

/** Prefix of every backend package. */
export const BACKEND_PREFIX = '@aeadkit/backend-'

/** The only package that touches `crypto.subtle`. */
export const SUBTLE_PACKAGE = '@aeadkit/backend-webcrypto'

/** The only file of a package that touches `process.getBuiltinModule`. */
export const HOST_FILE = 'src/host.ts'

/** Layout of a published package, or `undefined` when the table names none. */
export function layoutOf(name: string): PackageLayout | undefined {
  return LAYOUT[name] ?? (name.startsWith(BACKEND_PREFIX) ? BACKEND : undefined)
}

/** Whether `name` fits one of `patterns`, each exact or with `*` at its end. */
export function matches(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  )
}
