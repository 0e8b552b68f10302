// npm test: installs, builds, lints, type checks, runs the repository checks and all tests of the host Node.
// The last line is `N passed, N failed`, with `, N skipped` when there were any.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, typecheck } from './build.mjs'
import { ensure, ROOT } from './ensure.mjs'
import { runNode, StepFailed, step } from './steps.mjs'
import { closingLine, NOTHING, readChecks, readReport, sum } from './tally.mjs'

const tool = (...path) => join(ROOT, 'node_modules', ...path)

/** On a laptop missing vectors are one line; in CI they are a failure, or the suite would shrink unnoticed. */
function vectors() {
  const folder = process.env.AEADKIT_VECTORS ?? join(ROOT, '..', 'shared', 'vectors')
  if (existsSync(folder)) return undefined
  const message = `No conformance vectors at ${folder} (AEADKIT_VECTORS names another folder)`
  if (process.env.CI) return { code: 1, output: `${message}; CI needs them.\n` }
  console.log(`${message}: only the known answers of the repository run.`)
  return undefined
}

async function checks() {
  const result = await runNode(join(ROOT, 'internal', 'checks', 'dist', 'main.js'), [], {
    cwd: ROOT,
    echo: true,
  })
  return { ...result, shown: true, tally: readChecks(result) }
}

async function tests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'aeadkit-test-'))
  const report = join(folder, 'report.json')
  try {
    const result = await runNode(
      tool('vitest', 'vitest.mjs'),
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
      { cwd: ROOT },
    )
    const { tally, skipped } = readReport(report, result.code)
    for (const line of skipped) console.log(line)
    return { code: tally.failed > 0 ? 1 : 0, tally }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let total = NOTHING
try {
  await step('install', () => ensure())
  await step('vectors', vectors)
  await step('build', build)
  await step('lint', () => runNode(tool('@biomejs', 'biome', 'bin', 'biome'), ['check', '.'], { cwd: ROOT }))
  await step('typecheck', typecheck)
  // Both run to their end, so that the closing line counts all of them.
  const checked = await step('checks', checks, { mayFail: true })
  const tested = await step('tests', () => tests(process.argv.slice(2)), { mayFail: true })
  total = sum(checked?.tally ?? { ...NOTHING, failed: 1 }, tested?.tally ?? { ...NOTHING, failed: 1 })
} catch (error) {
  if (!(error instanceof StepFailed)) console.error(error)
  total = sum(total, { ...NOTHING, failed: 1 })
}
console.log(closingLine(total))
process.exitCode = total.failed > 0 ? 1 : 0
