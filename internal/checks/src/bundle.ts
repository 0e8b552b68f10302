import { gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import { isNodeModule } from './syntax.ts'

const MARK = Symbol('resolved')

/** Keeps modules of Node out of the bundle; an import of one that is not used leaves nothing. */
const nodeOutside: Plugin = {
  name: 'node-outside',
  setup(setup) {
    setup.onResolve({ filter: /.*/ }, ({ path }) =>
      isNodeModule(path) ? { path, external: true, sideEffects: false } : undefined,
    )
  },
}

/**
 * Takes `sideEffects: false` away from the project's own files, so that every statement has to vanish on its own
 * merit. Libraries keep what they say of themselves.
 */
const distrustOwnFiles: Plugin = {
  name: 'distrust-own-files',
  setup(setup) {
    setup.onResolve({ filter: /.*/ }, async ({ path, pluginData, kind, importer, resolveDir }) => {
      if (pluginData === MARK || isNodeModule(path)) return undefined
      // Loaded when asked for, so no part of an import that uses nothing.
      if (kind === 'dynamic-import') return { path, external: true }
      const found = await setup.resolve(path, { kind, importer, resolveDir, pluginData: MARK })
      if (found.errors.length > 0 || found.external || found.path.includes('node_modules')) return found
      return { path: found.path, sideEffects: true }
    })
  },
}

/** What is left of a built file and its imports when nothing of them is used; the empty string when all is well. */
export async function bundleEffects(file: string): Promise<string> {
  const result = await build({
    stdin: { contents: `import ${JSON.stringify(file)}`, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    treeShaking: true,
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [nodeOutside, distrustOwnFiles],
  })
  const text = result.outputFiles[0]?.text ?? ''
  return text
    .split('\n')
    .filter((line) => !line.startsWith('// '))
    .join('\n')
    .trim()
}

/** A finished bundle. */
export interface Bundle {
  /** Not minified, for reading. */
  readonly text: string
  /** Files that contribute at least one byte, relative to `resolveDir`. */
  readonly inputs: readonly string[]
  /** Size in bytes when minified and compressed with gzip. */
  readonly gzipBytes: number
}

/** Bundles a small program for a browser, or for Node. */
export async function bundle(
  contents: string,
  resolveDir: string,
  platform: 'browser' | 'node',
): Promise<Bundle> {
  const options = {
    stdin: { contents, resolveDir },
    absWorkingDir: resolveDir,
    bundle: true,
    write: false,
    format: 'esm',
    platform,
    treeShaking: true,
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    outfile: 'out.js',
  } as const
  const [plain, small] = await Promise.all([build(options), build({ ...options, minify: true })])
  return {
    text: plain.outputFiles[0]?.text ?? '',
    inputs: contributing(plain.metafile),
    gzipBytes: gzipSync(small.outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length,
  }
}

function contributing({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  )
}
