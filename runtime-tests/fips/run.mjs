// The FIPS matrix on one program: a process of its own for each state, judged by the table of internal/fips.
//   node runtime-tests/fips/run.mjs PROGRAM   prints every row; ends with 1 when one is not as expected
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setUpState, whyNoFips } from '@aeadkit-internal/fips'
import { judgeFips, rowText } from '@aeadkit-internal/fips/matrix'
import { run } from '../../scripts/steps.mjs'
import { MARK } from '../print.js'
import { STATES } from './states.mjs'

const CHILD = fileURLToPath(new URL('child.js', import.meta.url))

/** Runs one state and returns `{ report, problems }`. */
export async function runState(program, args, state, seconds = 300) {
  const setup = setUpState(state)
  try {
    const { code, output } = await run(program, [...setup.args, ...args, CHILD, state], {
      quiet: true,
      seconds,
      // What the caller's own process was started with must not decide.
      env: { OPENSSL_CONF: '', OPENSSL_MODULES: '', ...setup.env },
    })
    const line = output.split(/\r?\n/).find((each) => each.startsWith(MARK))
    if (line === undefined) return { problems: [`it ended with code ${code}:\n${output.slice(-2000)}`] }
    const report = JSON.parse(line.slice(MARK.length))
    return { report, problems: judgeFips(state, report) }
  } finally {
    setup.dispose()
  }
}

/**
 * Runs every state a program can be put into.
 * @returns `{ code, output }`; the output has every row, and ends with the count.
 */
export async function runFips(program, { args = [], states = STATES.openssl, seconds } = {}) {
  const lines = []
  let rows = 0
  let bad = 0
  for (const state of states) {
    const missing = state === 'real provider' ? whyNoFips() : undefined
    if (missing !== undefined) {
      if (process.env.CI) bad++
      lines.push(`${process.env.CI ? 'FAILED' : 'skipped'}: ${state}: ${missing}`)
      continue
    }
    const { report, problems } = await runState(program, args, state, seconds)
    bad += problems.length
    rows += report?.rows.length ?? 0
    if (report !== undefined) {
      const said = report.setFips === undefined ? '' : `, setFips(1): ${report.setFips}`
      const checks = Object.keys(report.checks).length
      lines.push(`${state}: ${report.observed}${said}${checks === 0 ? '' : `; ${checks} further checks`}`)
      lines.push(...report.rows.map((row) => `    ${rowText(row)}`))
    }
    lines.push(...problems.map((problem) => `  FAILED ${state}: ${problem}`))
  }
  lines.push(`FIPS matrix: ${rows} rows${bad === 0 ? ' as expected' : `, ${bad} problems`}`)
  return { code: bad === 0 && rows > 0 ? 0 : 1, output: `${lines.join('\n')}\n` }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [program = process.execPath, ...args] = process.argv.slice(2)
  const { code, output } = await runFips(program, {
    args,
    ...(args.length > 0 ? { states: STATES.other } : {}),
  })
  process.stdout.write(output)
  process.exitCode = code
}
