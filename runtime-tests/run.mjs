// npm run test:runtimes: installs the pinned runtimes, builds, runs the matrix, compares with what is committed.
//   --only ID,ID   some runtimes; nothing is compared that was not run
//   --write        commit what was seen: results.json and docs/SUPPORT.md
//   --write-golden commit the transcript, after a change of the script
// Ends with `N passed, N failed`. A missing runtime is a failure when CI is set, else a named skip.
import { join } from 'node:path'
import { build } from '../scripts/build.mjs'
import { ensure, ROOT } from '../scripts/ensure.mjs'
import { runNode } from '../scripts/steps.mjs'
import { closingLine } from '../scripts/tally.mjs'
import { compareGolden, writeGolden } from './golden.mjs'
import { MARK } from './print.js'
import { differences, readResults, rowOf, writeResults } from './results.mjs'
import { RUNTIMES, titleOf } from './runtimes.mjs'
import { ensureToolchain } from './toolchain.mjs'

/** Runtimes at a time. */
const AT_ONCE = 2

/** How often a runtime whose speeds differ from the committed judgement is timed again, alone. */
const TIMED_AGAIN = 3

function readOptions(args) {
  const options = { only: undefined, write: false, writeGolden: false }
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--write') options.write = true
    else if (args[i] === '--write-golden') options.writeGolden = true
    else if (args[i] === '--only' && args[i + 1] !== undefined) options.only = args[++i].split(',')
    else throw new Error(`Unknown option ${args[i]}; there are --only ID,ID, --write and --write-golden.`)
  }
  const known = RUNTIMES.map(({ id }) => id)
  const unknown = options.only?.find((id) => !known.includes(id))
  if (unknown !== undefined) throw new Error(`No runtime ${unknown}; there are ${known.join(', ')}.`)
  return options
}

/** The record a run printed, and the rest of its output. */
function readOutput({ output, record }) {
  if (record !== undefined) return { record, rest: output }
  const lines = output.split(/\r?\n/)
  const at = lines.findIndex((line) => line.startsWith(MARK))
  if (at < 0) return { record: undefined, rest: output }
  const rest = lines.filter((_, index) => index !== at).join('\n')
  return { record: JSON.parse(lines[at].slice(MARK.length)), rest }
}

/** Everything that failed in a run, as lines. */
function problemsOf(runtime, result, { record, rest }) {
  const problems = []
  if (result.code !== 0) problems.push(`it ended with code ${result.code}:\n${rest.slice(-2000)}`)
  if (runtime.refuseOutput?.test(rest)) problems.push(`it asked for something:\n${rest.slice(0, 1000)}`)
  if (runtime.expectOutput !== undefined && !runtime.expectOutput.test(rest)) {
    problems.push(`its output lacks ${runtime.expectOutput}`)
  }
  if (runtime.record === false) return problems
  if (record === undefined) return [...problems, `it printed no record:\n${rest.slice(-2000)}`]
  if (record.error !== undefined) return [...problems, record.error]
  problems.push(...record.backends.flatMap(({ failures }) => failures))
  for (const { path, name, error } of record.selector) {
    if (error !== undefined) problems.push(`${path.join(' / ')} / ${name}: ${error}`)
  }
  return problems
}

/** Cases that passed in a record. */
function passedIn(record) {
  let count = record.selector.filter(({ error }) => error === undefined).length
  for (const { wholeCases, algorithms } of record.backends) {
    count += wholeCases
    for (const { cases = 0 } of Object.values(algorithms)) count += cases
  }
  return count
}

function show(row, record) {
  for (const { name, version, algorithms, forgeries, missingInputs } of record.backends) {
    const inputs = missingInputs.length > 0 ? `; not on this runtime: ${missingInputs.join(', ')}` : ''
    console.log(`  ${name} (${version}): ${forgeries} forgeries refused${inputs}`)
    for (const id of Object.keys(algorithms)) {
      const { state, cases, vectors, reason, slow } = row.backends[name].algorithms[id]
      const speed = record.speeds.find((each) => each.backend === name && each.id === id)
      const figure = speed === undefined ? '' : `, ${speed.nanosecondsPerByte.toFixed(2)} ns/B`
      console.log(
        state === 'excluded'
          ? `    ${id.padEnd(20)} excluded: ${reason}`
          : `    ${id.padEnd(20)} ${cases} cases, ${vectors} vectors${figure}${slow ? ', slow' : ''}`,
      )
    }
  }
  for (const { name, reason } of record.missing) console.log(`  ${name}: unavailable: ${reason}`)
}

/** The speeds of two runs of one runtime: a busy machine makes a figure worse, never better. */
function bestOf(speeds, again) {
  return speeds.map((row) => {
    const other = again.find(({ backend, id }) => backend === row.backend && id === row.id)
    if (other === undefined) return row
    return { ...row, nanosecondsPerByte: Math.min(row.nanosecondsPerByte, other.nanosecondsPerByte) }
  })
}

const tally = { passed: 0, failed: 0, skipped: 0 }
const rows = {}
const records = new Map()
const ci = Boolean(process.env.CI)

function fail(id, problems) {
  tally.failed += problems.length
  for (const problem of problems) console.log(`  FAILED ${id}: ${problem}`)
}

async function runOne(runtime, committed, options) {
  const { id } = runtime
  const title = titleOf(runtime)
  const found = await runtime.find()
  if (found.missing !== undefined) {
    console.log(`--- ${title}: ${ci ? 'FAILED' : 'skipped'}: ${found.missing}`)
    tally[ci ? 'failed' : 'skipped']++
    return
  }
  const start = performance.now()
  const result = await found.start(runtime.seconds)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const output = readOutput(result)
  const problems = problemsOf(runtime, result, output)
  console.log(`--- ${title}: ${problems.length === 0 ? 'ok' : 'FAILED'}, ${seconds} s`)
  if (runtime.few !== undefined) console.log(`  ${runtime.few}`)
  fail(id, problems)
  if (runtime.record === false) {
    if (problems.length > 0) return
    tally.passed++
    console.log(`  ${runtime.expectOutput.exec(output.rest)[0]}`)
    rows[id] = { title, said: runtime.expectOutput.exec(output.rest)[0] }
    stale(id, committed, options)
    return
  }
  const { record } = output
  if (record?.backends === undefined) return
  records.set(id, record)
  rows[id] = rowOf(title, runtime.few, record, committed[id])
  show(rows[id], record)
  tally.passed += passedIn(record)
  if (!options.writeGolden) {
    const golden = compareGolden(record)
    fail(id, golden.problems)
    tally.passed += golden.compared - golden.problems.length
    console.log(`  golden transcript: ${golden.compared} sections compared, ${golden.problems.length} differ`)
  }
  if (!record.vectors.present) {
    console.log(`  ${record.vectors.reason}; results are not compared`)
    if (ci) fail(id, ['CI needs the vectors'])
  }
}

/** What is found is compared, not the patch version of the Node that happens to run this; a run that writes names it. */
function comparable({ host }, row) {
  if (host !== true || row === undefined) return row
  return { ...row, title: row.title.replace(/^(Node \d+)[.\d]*/, '$1') }
}

function stale(id, committed, { write }) {
  if (write) return
  const runtime = RUNTIMES.find((each) => each.id === id)
  const [speed, found] = [true, false].map((wanted) =>
    differences(comparable(runtime, committed[id]), comparable(runtime, rows[id])).filter(
      (line) => line.includes(' / slow: ') === wanted,
    ),
  )
  // A busy machine says nothing about a runtime: speeds are judged by a run that writes, and only told by others.
  if (speed.length > 0)
    console.log(`  speed differs from the committed judgement: ${speed.slice(0, 8).join('; ')}`)
  if (found.length === 0) tally.passed++
  else fail(id, [`results.json is stale (npm run test:runtimes -- --write): ${found.slice(0, 8).join('; ')}`])
}

/** Whether the committed and the new judgement of speed differ for a runtime. */
function speedDiffers(id, committed) {
  return differences(committed[id] ?? {}, rows[id]).some((line) => line.includes(' / slow: '))
}

/** Runs a runtime alone, for its speeds only, and judges again from the best figures so far. */
async function timeAgain(runtime, record, committed) {
  const { id, few } = runtime
  const again = readOutput(await (await runtime.find()).start(runtime.seconds)).record
  record.speeds = bestOf(record.speeds, again?.speeds ?? [])
  rows[id] = rowOf(rows[id].title, few, record, committed[id])
  console.log(`--- ${rows[id].title}: timed again, alone`)
}

async function main() {
  const options = readOptions(process.argv.slice(2))
  await ensure()
  const why = await ensureToolchain()
  if (why !== undefined) console.log(`No pinned runtimes: ${why}`)
  const built = await build()
  if (built.code !== 0) throw new Error(`The build failed:\n${built.output}`)
  const committed = readResults()
  const queue = RUNTIMES.filter(({ id }) => options.only?.includes(id) ?? true)
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      try {
        await runOne(next, committed, options)
      } catch (error) {
        fail(next.id, [error.stack])
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  for (const runtime of RUNTIMES) {
    const record = records.get(runtime.id)
    if (record === undefined || !record.vectors.present) continue
    for (
      let more = options.write ? TIMED_AGAIN : 0;
      more > 0 && speedDiffers(runtime.id, committed);
      more--
    ) {
      await timeAgain(runtime, record, committed)
    }
    stale(runtime.id, committed, options)
  }
  if (options.writeGolden) writeGolden([...records.values()])
  if (options.write) {
    writeResults(
      rows,
      RUNTIMES.map(({ id }) => id),
    )
    await runNode(join(ROOT, 'internal', 'checks', 'dist', 'write-docs.js'), [], { cwd: ROOT })
  }
}

try {
  await main()
} catch (error) {
  console.error(error.message)
  tally.failed++
}
console.log(closingLine(tally))
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0
