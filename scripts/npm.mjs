// npm as every script here runs it, and its downloads tried again when the network failed: a dropped connection says
// nothing about this repository. Nothing outside Node is imported: `ensure` runs before anything is installed.
//   node scripts/npm.mjs FOLDER FLAG...   `npm ci` in a folder with a lock file of its own
import { pathToFileURL } from 'node:url'
import { run } from './steps.mjs'

/** How often a download is tried, and how long the pause before the second time is; it doubles. */
const TRIES = 3
const PAUSE_MS = 5000

/** Codes and words by which npm says that the network failed; anything else would fail again. */
const NETWORK = new RegExp(
  [
    'ECONN(RESET|REFUSED|ABORTED)',
    'E(SOCKET)?TIMEDOUT',
    'EAI_AGAIN',
    'ENOTFOUND',
    'E(NET|HOST)UNREACH',
    'ERR_SOCKET_TIMEOUT',
    'EINTEGRITY',
    'E(408|429|5\\d\\d)',
  ]
    .map((code) => `\\b${code}\\b`)
    .concat('network (timeout|socket)', 'socket hang up')
    .join('|'),
)

/** Runs npm; options as for `run`. */
export function npm(args, options = {}) {
  const cli = process.env.npm_execpath
  return cli?.endsWith('npm-cli.js') === true
    ? run(process.execPath, [cli, ...args], options)
    : run('npm', args, { ...options, shell: process.platform === 'win32' })
}

/**
 * Runs what downloads until the network lets it, a few times at most; each failure is told. What fails by anything
 * else is not tried again.
 * @param attempt - resolves to `{ code, output }`.
 * @returns the last result.
 */
export async function downloaded(what, attempt, { pauseMs = PAUSE_MS } = {}) {
  for (let tries = 1, pause = pauseMs; ; tries++, pause *= 2) {
    const result = await attempt()
    const why = result.code === 0 ? undefined : NETWORK.exec(result.output)?.[0]
    if (why === undefined || tries === TRIES) return result
    console.log(`${what}: ${why}; once more in ${pause / 1000} s (${tries} of ${TRIES} failed)`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, ...flags] = process.argv.slice(2)
  const { code } = await downloaded(folder, () => npm(['ci', ...flags], { cwd: folder, echo: true }))
  process.exitCode = code
}
