// The command line on one program: the page of doctor as JSON, and a question of explain that must time nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../scripts/steps.mjs'

const CLI = fileURLToPath(new URL('../../packages/aeadkit/dist/cli.js', import.meta.url))

/** Everything that is not as it must be on every runtime, as lines. */
function judge(runtime, doctor, answer) {
  const problems = []
  const expect = (what, seen, wanted) => {
    if (seen !== wanted) problems.push(`${what}: expected ${wanted}, got ${seen}`)
  }
  const { choices, classes, findings, runs } = doctor
  expect('runtime', runs.runtime, runtime)
  expect('uses', choices.map(({ id }) => id).join(), 'stored,local,small-messages,fips-module')
  expect('stored data', choices[0].algorithm, 'xchacha20-poly1305')
  expect('module', choices[3].error?.code, 'fips-unavailable')
  expect('algorithms of the list', choices[3].withoutModule?.algorithm, 'aes-128-gcm')
  if (!['off', 'unknown'].includes(runs.fips.state)) problems.push(`FIPS state ${runs.fips.state}`)
  if (runs.backends.length < 3) problems.push(`${runs.backends.length} backends`)
  for (const { name, works } of runs.backends) if (works.length === 0) problems.push(`${name} does nothing`)
  // Software AES must be told, and must not be chosen for speed.
  if (runs.hardware.class === 'none') {
    if (/^aes/.test(choices[1].algorithm)) problems.push(`chose ${choices[1].algorithm} without instructions`)
    if (findings.length === 0) problems.push('AES without instructions, and no reason is told')
  }
  // Where no module can be, none is assumed: the refusal is the answer, and the classes have no such row.
  const node = runtime === 'node'
  const under = classes.find(({ id }) => id === 'fips')
  expect('what if a module', answer.after.selection?.algorithm ?? null, node ? 'aes-128-gcm' : null)
  expect('what if a module, refused', answer.after.error?.code, node ? undefined : 'fips-unavailable')
  expect('class under a module', under.algorithm, node ? 'aes-128-gcm' : null)
  if (!node && !/has no FIPS module/.test(under.error?.message)) problems.push('why no module is not told')
  expect('timed', answer.timed, false)
  return problems
}

/**
 * @param program - path of the runtime.
 * @param options.runtime - its name.
 * @param options.args - what comes before the file.
 * @returns `{ code, output }`.
 */
export async function runCli(program, { runtime, args = [], seconds }) {
  const cache = mkdtempSync(join(tmpdir(), 'aeadkit-cli-'))
  const ask = async (...words) => {
    const env = { XDG_CACHE_HOME: cache, NO_COLOR: '1' }
    const { code, output } = await run(program, [...args, CLI, ...words], { quiet: true, seconds, env })
    if (code !== 0) throw new Error(`${words.join(' ')} ended with code ${code}:\n${output.slice(0, 2000)}`)
    return JSON.parse(output)
  }
  try {
    const doctor = await ask('doctor', '--json')
    const answer = await ask('explain', '--rekey', 'possible', '--what-if', 'fips=on', '--json')
    const problems = judge(runtime, doctor, answer)
    const lines = problems.map((problem) => `FAILED ${problem}`)
    if (problems.length === 0) lines.push('command line: doctor and explain answer')
    return { code: problems.length === 0 ? 0 : 1, output: `${lines.join('\n')}\n` }
  } catch (error) {
    return { code: 1, output: `${error.message}\n` }
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}
