// Bundles `import { selectAead } from 'aeadkit'` as applications do, looks for what must not be in the bundle, and
// runs it: in Chromium and in workerd.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'
import { textOfPage } from '../browser/chromium.mjs'
import { STRICT } from '../browser/run.mjs'
import { answer, serve } from '../browser/serve.mjs'
import { testWorker } from '../workerd/run.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))

const COMMON = { bundle: true, format: 'esm', splitting: true, sourcemap: true, logLevel: 'error' }

/** Writes a bundle into a folder; each leaves source maps, which name its parts. */
const BUNDLERS = {
  async vite(outDir) {
    await vite({
      root: HERE,
      configFile: false,
      logLevel: 'error',
      build: { outDir, emptyOutDir: true, sourcemap: true },
    })
  },
  async esbuild(outdir) {
    await esbuild({ ...COMMON, entryPoints: [join(HERE, 'page.js')], outdir, minify: true })
    copyFileSync(join(HERE, 'index.html'), join(outdir, 'index.html'))
  },
  async workerd(outdir) {
    const conditions = ['workerd', 'worker', 'browser']
    await esbuild({ ...COMMON, entryPoints: [join(HERE, 'worker.js')], outdir, conditions })
  },
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
}

/** What is in a bundle and must not be: parts of backend-node, and imports of Node's modules by any bundler's way. */
function intruders(folder) {
  const files = filesBelow(folder)
  const sources = files
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).sources)
  if (!sources.some((source) => source.includes('backend-noble/'))) return ['its source maps name no part']
  const parts = sources.filter((source) => /backend-node\/|aeadkit\/dist\/backends\.js$/.test(source))
  const imports = files
    .filter((file) => file.endsWith('.js'))
    .flatMap(
      (file) => readFileSync(file, 'utf8').match(/\b(from|import|require)\b\s*\(?\s*["'`]node:\w+/g) ?? [],
    )
  return [...parts, ...imports]
}

async function bundled(bundler, run) {
  const folder = mkdtempSync(join(tmpdir(), 'aeadkit-umbrella-'))
  try {
    await BUNDLERS[bundler](join(folder, 'site'))
    const found = intruders(join(folder, 'site'))
    if (found.length > 0) return { code: 1, output: `the bundle contains ${found.join(', ')}` }
    return await run(join(folder, 'site'), folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * The bundle in a page of localhost.
 * @param bundler - `vite` or `esbuild`.
 * @param options.strict - serve it under the policy that refuses WebAssembly.
 * @returns `{ code, output }`.
 */
export function runUmbrellaPage(bundler, { strict = false, seconds }) {
  return bundled(bundler, async (site, folder) => {
    const server = await serve((request, response) => answer(site, strict ? STRICT : {}, request, response))
    try {
      const shown = await textOfPage(server.url, '#result', join(folder, 'profile'), seconds)
      return { code: shown.startsWith('FAILED') ? 1 : 0, output: `bundled: ${shown}` }
    } catch (error) {
      return { code: 1, output: error.message }
    } finally {
      server.close()
    }
  })
}

/** The bundle as a Worker. */
export function runUmbrellaWorker(workerd, { seconds }) {
  return bundled('workerd', (site) => testWorker(workerd, site, 'worker.js', { seconds }))
}
