// The examples, one row each: what it needs beside Node, and how it is run.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { setUpFips, whyNoFips } from '../internal/fips/dist/index.js'
import { findChromium, NO_CHROMIUM, textOfPage } from '../runtime-tests/browser/chromium.mjs'
import { answer, serve } from '../runtime-tests/browser/serve.mjs'
import { programOf } from '../runtime-tests/toolchain.mjs'
import { ROOT } from '../scripts/ensure.mjs'
import { run, runNode } from '../scripts/steps.mjs'

/** After these a page or a program counts as hung. */
const SECONDS = 300

const USED = ['deno', 'bun', 'workerd']

/** Folders of the pinned programs, to be found by name as a user finds them. */
export function programFolders() {
  return USED.map((name) => programOf(name))
    .filter((path) => path !== undefined)
    .map((path) => dirname(path))
}

const needs = (name) => () => (programOf(name) === undefined ? `${name} is not installed` : undefined)

async function fips({ env, expect, folder, script, skip }) {
  await expect('expected.refused.txt', script('start'), 1)
  const why = whyNoFips()
  if (why !== undefined) return skip('the run with the provider', why)
  const setup = setUpFips()
  try {
    const options = { cwd: folder, env: { ...env, ...setup.env }, quiet: true, seconds: SECONDS }
    await expect('expected.txt', run(process.execPath, [...setup.args, 'main.js'], options))
  } finally {
    setup.dispose()
  }
}

/** Files of node_modules that contribute to a bundle, by its source map. */
function sourcesOf(assets) {
  return readdirSync(assets)
    .filter((name) => name.endsWith('.map'))
    .flatMap((name) => JSON.parse(readFileSync(join(assets, name), 'utf8')).sources)
    .flatMap((source) => source.split('node_modules/').slice(1))
}

/** Words of other backends that minifying leaves as they are. */
const FOREIGN_WORDS = ['node:', 'getCiphers', 'libsodium', '.subtle', 'noble', 'aes-gcm.wasm']

async function browser({ check, expect, folder, print, script }) {
  check('vite builds it', await script('build', {}, ['--', '--sourcemap', '--logLevel', 'error']))
  const dist = join(folder, 'dist')
  const assets = join(dist, 'assets')
  const code = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const texts = code.map((name) => readFileSync(join(assets, name)))
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
  print(`  bundle: ${code.join(', ')}, ${bytes} B minified and gzipped`)
  const sources = sourcesOf(assets)
  const foreign = sources.filter((file) => !/^@aeadkit\/(core|backend-wasm)\/(?!.*aes-gcm)/.test(file))
  check(`made of ${sources.length} files of core and backend-wasm, and of no other package or kernel`, {
    code: sources.length > 5 && foreign.length === 0 ? 0 : 1,
    output: foreign.join('\n'),
  })
  const words = FOREIGN_WORDS.filter((word) => texts.some((text) => text.includes(word)))
  check('contains no word of another backend', { code: words.length, output: words.join('\n') })
  const server = await serve((request, response) => answer(dist, {}, request, response))
  try {
    const shown = textOfPage(server.url, '#result', join(folder, 'profile'), SECONDS)
    await expect(
      'expected.txt',
      shown.then((output) => ({ code: 0, output })),
    )
  } finally {
    server.close()
  }
}

/** The port that workerd listens on, which it tells by its control channel. */
function portOf(workerd) {
  return new Promise((resolve, reject) => {
    let text = ''
    workerd.stdio[3].setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      const [, port] = /"event":"listen".*"port":(\d+)/.exec(text) ?? []
      if (port !== undefined) resolve(port)
    })
    workerd.on('error', reject)
    workerd.on('exit', () => reject(new Error('workerd ended')))
    setTimeout(() => reject(new Error('workerd listens nowhere')), SECONDS * 1000).unref()
  })
}

async function worker({ check, env, expect, folder, script }) {
  check('esbuild builds it', await script('build', {}, ['--', '--log-level=error']))
  const key = await script('key')
  let said = ''
  const args = ['serve', 'worker.capnp', '--socket-addr=http=127.0.0.1:0', '--control-fd=3']
  const workerd = spawn(programOf('workerd'), args, {
    cwd: folder,
    env: { ...process.env, ...env, AEAD_KEY: key.output.trim() },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const gone = new Promise((resolve) => workerd.once('exit', resolve))
  for (const stream of [workerd.stdout, workerd.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  try {
    const url = `http://127.0.0.1:${await portOf(workerd)}`
    await expect('expected.txt', script('request', {}, ['--', url]))
  } catch (error) {
    throw new Error(`${error.message}\n${said}`)
  } finally {
    workerd.kill('SIGKILL')
    await gone
  }
}

async function deno({ check, env, expect, folder }) {
  const options = { cwd: folder, env, quiet: true, seconds: SECONDS }
  const command = (...args) => run(programOf('deno'), args, options)
  check('main.ts has no type errors', await command('check', '--quiet', 'main.ts'))
  await expect('expected.closed.txt', command('task', '--quiet', 'start'))
  await expect('expected.txt', command('task', '--quiet', 'start:all'))
}

async function bun({ check, expect, folder, script }) {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  check('main.ts has no type errors', await runNode(tsc, ['-p', folder], { cwd: folder, quiet: true }))
  await expect('expected.txt', script('start'))
}

/** Every example. `missing` says why it cannot run here. */
export const EXAMPLES = [
  {
    name: 'browser-bundle',
    missing: () => (findChromium() === undefined ? NO_CHROMIUM : undefined),
    run: browser,
  },
  { name: 'node-app', run: ({ expect, script }) => expect('expected.txt', script('start')) },
  { name: 'fips-node', run: fips },
  { name: 'cloudflare-worker', missing: needs('workerd'), run: worker },
  { name: 'deno-app', missing: needs('deno'), run: deno },
  { name: 'bun-app', missing: needs('bun'), run: bun },
]
