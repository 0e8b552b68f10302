// The runtimes of the matrix, one row each.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../scripts/steps.mjs'
import { findChromium, NO_CHROMIUM } from './browser/chromium.mjs'
import { runBrowser } from './browser/run.mjs'
import { runCli } from './cli/run.mjs'
import { STATES } from './fips/states.mjs'
import { lockedVersions, programOf } from './toolchain.mjs'
import { runUmbrellaPage, runUmbrellaWorker } from './umbrella/run.mjs'
import { everyPackageWorker } from './workerd/every-package.mjs'
import { DATES, runWorkerd } from './workerd/run.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const script = (name) => join(ROOT, 'runtime-tests', name)

/** A child process over one of the entries here. */
const child = (file, args) => (seconds) => run(file, args, { cwd: ROOT, quiet: true, seconds })

/** A pseudo-terminal: without one Deno would never ask for a permission, and nothing would be shown. */
const inTerminal = (command) => (seconds) =>
  run('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: ROOT,
    quiet: true,
    seconds,
  })

const pinned = (name, start) => {
  const path = programOf(name)
  return path === undefined ? { missing: `${name} is not installed` } : { start: start(path) }
}

function hostNode(args, entry = 'node/main.js') {
  const [major] = process.versions.node.split('.')
  if (major !== '20') return { missing: `the host Node is ${process.versions.node}, not 20` }
  return { start: child(process.execPath, [...args, script(entry)]) }
}

function chromium(strict) {
  if (findChromium() === undefined) return { missing: NO_CHROMIUM }
  return { start: (seconds) => runBrowser({ strict, seconds }) }
}

const BUNDLED = { seconds: 300, record: false, expectOutput: /bundled: (.*)/ }

/** `aeadkit` bundled for browsers, in a page. */
function umbrellaPage(bundler, strict = false) {
  return {
    id: `umbrella-${bundler}${strict ? '-strict' : ''}`,
    name: 'Chromium',
    note: `\`aeadkit\` bundled by ${bundler}${strict ? ', no wasm-unsafe-eval' : ''}`,
    ...BUNDLED,
    find: () =>
      findChromium() === undefined
        ? { missing: NO_CHROMIUM }
        : { start: (seconds) => runUmbrellaPage(bundler, { strict, seconds }) },
  }
}

/** The FIPS matrix: processes in every state, judged by one table. A provider can only be loaded into OpenSSL. */
const fips = (row) => ({ note: 'FIPS matrix', seconds: 600, record: false, expectOutput: FIPS_SAID, ...row })
const FIPS_SAID = /FIPS matrix: \d+ rows as expected/

async function fipsOf(found, options) {
  if (found.missing !== undefined) return found
  // They import built packages, and this file is read before the build.
  const { runFips } = await import('./fips/run.mjs')
  const { whyNoFips } = await import('@aeadkit-internal/fips')
  const missing = options.states === STATES.openssl ? whyNoFips() : undefined
  return missing === undefined
    ? { start: (seconds) => runFips(found.path, { ...options, seconds }) }
    : { missing }
}

const pinnedPath = (name) => {
  const path = programOf(name)
  return path === undefined ? { missing: `${name} is not installed` } : { path }
}

/**
 * Every runtime. `pinned`: its name in the toolchain, whose exact version its title then says. `host`: it
 * is the Node that runs this. `seconds`: after these it counts as hung. `find` says what starts it, or why it is missing. `few`
 * says that only some vectors run, and why. `record: false` marks a run whose exit code is all it has to say.
 */
export const RUNTIMES = [
  { id: 'node-20', name: 'Node', host: true, seconds: 1200, find: () => hostNode([]) },
  {
    id: 'node-20-jitless',
    name: 'Node',
    host: true,
    note: '--jitless',
    seconds: 1800,
    few: 'no compiler and no WebAssembly: at most 8 vectors of each file',
    find: () => hostNode(['--jitless']),
  },
  {
    id: 'node-20-peculiar',
    name: 'Node',
    host: true,
    note: '@peculiar/webcrypto',
    seconds: 1200,
    find: () => hostNode([], 'node/peculiar.js'),
  },
  ...['22', '24', '26'].map((major) => ({
    id: `node-${major}`,
    name: 'Node',
    pinned: `node-${major}`,
    seconds: 1200,
    find: () => pinned(`node-${major}`, (path) => child(path, [script('node/main.js')])),
  })),
  {
    id: 'deno',
    name: 'Deno',
    pinned: 'deno',
    seconds: 1200,
    find: () =>
      pinned('deno', (path) => child(path, ['run', '--no-lock', '--allow-all', script('deno/main.js')])),
  },
  {
    id: 'deno-closed',
    name: 'Deno',
    note: 'no permissions',
    pinned: 'deno',
    seconds: 1200,
    // A prompt waits for an answer that never comes, and says so.
    refuseOutput: /Deno requests/,
    find: () => pinned('deno', (path) => inTerminal(`'${path}' run --no-lock '${script('deno/main.js')}'`)),
  },
  {
    id: 'bun',
    name: 'Bun',
    pinned: 'bun',
    seconds: 1200,
    find: () => pinned('bun', (path) => child(path, [script('bun/main.js')])),
  },
  {
    id: 'workerd',
    name: 'workerd',
    pinned: 'workerd',
    seconds: 1200,
    find: () =>
      pinned('workerd', (path) => (seconds) => runWorkerd(path, { entry: 'workerd/worker.js', seconds })),
  },
  {
    id: 'workerd-plain',
    name: 'workerd',
    note: `compatibility date ${DATES.plain}`,
    pinned: 'workerd',
    seconds: 1200,
    find: () =>
      pinned(
        'workerd',
        (path) => (seconds) => runWorkerd(path, { entry: 'workerd/plain.js', date: DATES.plain, seconds }),
      ),
  },
  {
    id: 'workerd-imports',
    name: 'workerd',
    note: 'every package at global scope',
    pinned: 'workerd',
    seconds: 300,
    record: false,
    expectOutput: /imported at global scope: (.*)/,
    find: () =>
      pinned(
        'workerd',
        (path) => (seconds) =>
          runWorkerd(path, { entry: 'every-package.js', source: everyPackageWorker(), seconds }),
      ),
  },
  ...[
    { id: 'cli-deno', name: 'Deno', pinned: 'deno', args: ['run', '--no-lock', '--allow-all'] },
    {
      id: 'cli-deno-few',
      name: 'Deno',
      note: 'few permissions',
      pinned: 'deno',
      args: ['run', '--no-lock', '--no-prompt', '--allow-read=.'],
    },
    { id: 'cli-bun', name: 'Bun', pinned: 'bun', args: ['run'] },
  ].map(({ args, note, ...row }) => ({
    ...row,
    note: note === undefined ? 'command line' : `command line, ${note}`,
    seconds: 300,
    record: false,
    expectOutput: /command line: (.*)/,
    find: () =>
      pinned(row.pinned, (path) => (seconds) => runCli(path, { runtime: row.pinned, args, seconds })),
  })),
  { id: 'chromium', name: 'Chromium', seconds: 1200, find: () => chromium(false) },
  {
    id: 'chromium-strict',
    name: 'Chromium',
    note: 'no wasm-unsafe-eval',
    seconds: 1200,
    few: 'what is new here is the policy: at most 8 vectors of each file',
    find: () => chromium(true),
  },
  umbrellaPage('vite'),
  umbrellaPage('vite', true),
  umbrellaPage('esbuild'),
  {
    id: 'umbrella-workerd',
    name: 'workerd',
    note: '`aeadkit` bundled by esbuild',
    pinned: 'workerd',
    ...BUNDLED,
    find: () => pinned('workerd', (path) => (seconds) => runUmbrellaWorker(path, { seconds })),
  },
  fips({
    id: 'fips-node-20',
    name: 'Node',
    host: true,
    find: () => {
      const { missing } = hostNode([])
      return fipsOf(missing === undefined ? { path: process.execPath } : { missing }, {
        states: STATES.openssl,
      })
    },
  }),
  ...['22', '24', '26'].map((major) =>
    fips({
      id: `fips-node-${major}`,
      name: 'Node',
      pinned: `node-${major}`,
      find: () => fipsOf(pinnedPath(`node-${major}`), { states: STATES.openssl }),
    }),
  ),
  fips({
    id: 'fips-deno',
    name: 'Deno',
    pinned: 'deno',
    find: () =>
      fipsOf(pinnedPath('deno'), { states: STATES.other, args: ['run', '--no-lock', '--allow-all'] }),
  }),
  fips({
    id: 'fips-bun',
    name: 'Bun',
    pinned: 'bun',
    find: () => fipsOf(pinnedPath('bun'), { states: STATES.other, args: ['run'] }),
  }),
]

/** Name, exact version when known, and what is special about the run. */
export function titleOf({ host, name, pinned, note }) {
  const locked = pinned === undefined ? undefined : lockedVersions()?.[pinned]
  const version = host === true ? process.versions.node : locked
  return `${name}${version === undefined ? '' : ` ${version}`}${note === undefined ? '' : `, ${note}`}`
}
