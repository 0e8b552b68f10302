// Builds and type checks every workspace through turbo, which caches what has not changed.
import { join } from 'node:path'
import { ROOT } from './ensure.mjs'
import { runNode } from './steps.mjs'

const TURBO = join(ROOT, 'node_modules', 'turbo', 'bin', 'turbo')

function turbo(task) {
  const args = ['run', task, '--output-logs=errors-only', '--no-update-notifier']
  return runNode(TURBO, args, { cwd: ROOT, quiet: true })
}

/** Builds every workspace into its `dist`. Shows output only if it fails. */
export const build = () => turbo('build')

/** Type checks sources and tests of every workspace. */
export const typecheck = () => turbo('typecheck')
