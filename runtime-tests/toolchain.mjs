// Installs the pinned runtimes into `toolchain/node_modules`, which no workspace and no npm script sees.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { whyInstall } from '../scripts/ensure.mjs'
import { downloaded, npm } from '../scripts/npm.mjs'

const FOLDER = fileURLToPath(new URL('toolchain', import.meta.url))

/** Programs by alias, below `toolchain/node_modules`. */
const PROGRAMS = {
  'node-22': 'node-22/bin/node',
  'node-24': 'node-24/bin/node',
  'node-26': 'node-26/bin/node',
  deno: '@deno/linux-x64-glibc/deno',
  bun: '@oven/bun-linux-x64/bin/bun',
  workerd: '@cloudflare/workerd-linux-64/bin/workerd',
}

/** Path of a pinned program, or undefined when it is not installed here. */
export function programOf(name) {
  const path = join(FOLDER, 'node_modules', PROGRAMS[name])
  return existsSync(path) ? path : undefined
}

/**
 * Installs what the lock file names, without scripts. Elsewhere than on Linux x64 npm refuses these packages, and the
 * runtimes are missing.
 * @returns why they are missing, or undefined.
 */
export async function ensureToolchain() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'the pinned runtimes are for Linux x64'
  if (lockedVersions() === undefined) return 'the lock file is missing'
  const why = whyInstall(FOLDER)
  const complete = Object.keys(PROGRAMS).every((name) => programOf(name) !== undefined)
  if (why === undefined && complete) return undefined
  console.log(`Installing the runtimes: ${why ?? 'a program is missing'}.`)
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const { code, output } = await downloaded('npm ci of the runtimes', () =>
    npm(args, { cwd: FOLDER, quiet: true }),
  )
  return code === 0 ? undefined : `npm ci of the runtimes failed:\n${output}`
}

/** Exact versions by alias, from the lock file. */
export function lockedVersions() {
  const file = join(FOLDER, 'package-lock.json')
  if (!existsSync(file)) return undefined
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  const names = {
    ...PROGRAMS,
    deno: '@deno/linux-x64-glibc',
    bun: '@oven/bun-linux-x64',
    workerd: '@cloudflare/workerd-linux-64',
  }
  return Object.fromEntries(
    Object.entries(names).map(([name, path]) => {
      const key = path.startsWith('node-') ? path.split('/')[0] : path
      return [name, packages[`node_modules/${key}`]?.version ?? 'unknown']
    }),
  )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const why = await ensureToolchain()
  if (why !== undefined) console.error(why)
  for (const [name, version] of Object.entries(lockedVersions() ?? {})) {
    console.log(`${programOf(name) === undefined ? 'missing' : 'present'} ${name} ${version}`)
  }
  process.exitCode = why === undefined ? 0 : 1
}
