// npm start: installs, builds, and runs the main job on this machine.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { ensure, ROOT } from './ensure.mjs'
import { runNode, step } from './steps.mjs'

const JOB = join(ROOT, 'packages', 'aeadkit', 'dist', 'demo.js')

try {
  await step('install', () => ensure())
  if (!existsSync(JOB)) console.log('Building the packages for the first time: this takes about a minute.')
  await step('build', () => build())
  if (!existsSync(JOB)) throw new Error('The build has not written packages/aeadkit/dist/demo.js.')
  const { code } = await runNode(JOB, process.argv.slice(2), { cwd: ROOT })
  process.exitCode = code
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
