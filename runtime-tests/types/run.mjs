// Type checks the consumers with each TypeScript release of package.json, over the built packages.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const releases = Object.keys(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies)
let failed = 0
for (const release of releases) {
  const tsc = join(folder, 'node_modules', release, 'bin', 'tsc')
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${release}`)
  if (status === 0) continue
  failed++
  console.log(stdout + stderr)
}
console.log(`${releases.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
