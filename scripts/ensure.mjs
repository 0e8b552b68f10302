// Installs what the lock file names, and only when node_modules does not already hold exactly that.
// Nothing outside Node is imported here: this file runs before anything is installed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { downloaded, npm } from './npm.mjs'

/** Folder of the repository, wherever the command was called from. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const FLOOR = [20, 19]

/**
 * Says why an installation is needed, or returns `undefined` when node_modules already matches the lock file. The
 * contents are compared, not the dates: after `git pull`, a branch switch or a copy of the folder the dates say
 * nothing.
 */
export function whyInstall(root = ROOT) {
  const hidden = join(root, 'node_modules', '.package-lock.json') // npm writes it last, so it marks a whole install
  if (!existsSync(hidden)) return 'node_modules is missing or incomplete'
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(hidden)
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue
    const found = present[path]
    if (found === undefined) {
      if (entry.optional && !fitsHere(entry)) continue
      return `${path} is missing`
    }
    if (found.version !== entry.version || found.integrity !== entry.integrity) {
      return `${path} is ${found.version ?? 'a link'}, the lock file wants ${entry.version ?? 'a link'}`
    }
    if (!existsSync(join(root, path))) return `${path} is missing`
  }
  for (const path of Object.keys(present)) {
    if (wanted[path] === undefined) return `${path} is no longer in the lock file`
  }
  return undefined
}

/** Installs if needed; throws when Node is too old or the installation fails. */
export async function ensure(root = ROOT) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1])) {
    throw new Error(`Node ${FLOOR.join('.')} or later is needed; this is Node ${process.versions.node}.`)
  }
  const why = whyInstall(root)
  if (why === undefined) return
  console.log(`Installing dependencies: ${why}.`)
  // --include=dev: NODE_ENV=production would leave out the compiler.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const { code } = await downloaded('npm ci', () => npm(args, { cwd: root, echo: true }))
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}. Its messages are above.`)
  const still = whyInstall(root)
  if (still !== undefined) throw new Error(`After npm ci ${still}. Remove node_modules and try again.`)
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

/** Whether npm installs an optional package here. A C library name decides too late to be asked: never required. */
function fitsHere({ os, cpu, libc }) {
  if (libc !== undefined) return false
  return admits(os, process.platform) && admits(cpu, process.arch) && (os ?? cpu) !== undefined
}

function admits(list, value) {
  if (list === undefined) return true
  if (list.includes(`!${value}`)) return false
  return list.includes(value) || list.every((item) => item.startsWith('!'))
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await ensure()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
