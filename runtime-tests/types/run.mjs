// Type checks the consumers with each TypeScript release of package.json, over the built packages.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const releases = Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies)

/** Releases that know no require() of an ES module, and what they say of it. */
const WITHOUT_REQUIRE = ['typescript-5.6', 'typescript-5.7']
const NO_REQUIRE = /TS14(71|79)/

function compile(release, config) {
  const tsc = join(folder, 'node_modules', release, 'bin', 'tsc')
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', join(folder, config)], {
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

let passed = 0
let failed = 0
function tell(what, holds, output) {
  holds ? passed++ : failed++
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  if (!holds) console.log(output)
}

for (const release of releases) {
  const whole = compile(release, 'tsconfig.json')
  tell(release, whole.status === 0, whole.output)
  const required = compile(release, 'tsconfig.require.json')
  if (WITHOUT_REQUIRE.includes(release))
    tell(`${release} refuses require(), as documented`, NO_REQUIRE.test(required.output), required.output)
  else tell(`${release}, require()`, required.status === 0, required.output)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
