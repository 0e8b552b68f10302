// Bundles an entry for a runtime that takes no bare specifiers, as an application's build would: with the package
// conditions of that runtime, dynamic imports as chunks of their own, wasm files as modules beside them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Keeps `*.wasm` imports as they are, for runtimes that import compiled modules; the file is copied beside. */
const WASM = { '.wasm': 'copy' }

/**
 * @param entries - files relative to this folder, or `{ name, source }` of one that is only text.
 * @param outdir - folder to write to.
 * @param conditions - package conditions of the runtime, for example `browser`.
 * @returns the names of the written files.
 */
export async function bundle(entries, outdir, conditions) {
  await build({
    absWorkingDir: ROOT,
    ...(Array.isArray(entries)
      ? { entryPoints: entries.map((entry) => join('runtime-tests', entry)), entryNames: '[name]' }
      : {
          stdin: {
            contents: entries.source,
            resolveDir: join(ROOT, 'runtime-tests'),
            sourcefile: entries.name,
          },
          entryNames: entries.name.replace(/\.js$/, ''),
        }),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: [...conditions, 'import'],
    assetNames: '[name]',
    loader: WASM,
    // libsodium's loader names Node's modules in branches that other runtimes never take.
    external: ['node:*', 'fs', 'path', 'crypto', 'url', 'module'],
    legalComments: 'none',
    logLevel: 'error',
  })
  return readdirSync(outdir).sort()
}
