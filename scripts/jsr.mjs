// `deno publish --dry-run` of every package with a jsr.json, with the pinned Deno: slow types, exports, files, names.
// Publishes nothing and reaches no registry; packages of this repository are resolved through node_modules. Prints
// `N passed, N failed`.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOf } from '../runtime-tests/toolchain.mjs'
import { ROOT } from './ensure.mjs'
import { run } from './steps.mjs'
import { closingLine } from './tally.mjs'

/** Uncommitted changes are no reason to refuse a rehearsal. */
const ARGS = ['publish', '--dry-run', '--allow-dirty']

const SECONDS = 600

const tally = { passed: 0, failed: 0, skipped: 0 }
const folders = readdirSync(join(ROOT, 'packages'))
  .map((name) => join(ROOT, 'packages', name))
  .filter((folder) => existsSync(join(folder, 'jsr.json')))

async function rehearse(deno, folder, cache) {
  const start = performance.now()
  const env = { DENO_DIR: cache, NO_COLOR: '1' }
  const { code, output } = await run(deno, ARGS, { cwd: folder, env, quiet: true, seconds: SECONDS })
  const [, name] = /Simulating publish of (\S+) with files/.exec(output) ?? []
  // Success without a word about slow types would be a Deno that no longer looks for them.
  const whole =
    code === 0 && name !== undefined && /slow types/.test(output) && /Dry run complete/.test(output)
  tally[whole ? 'passed' : 'failed']++
  const files = output.match(/^\s+file:\/\/.*\)$/gm)?.length ?? 0
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (whole) console.log(`ok     ${name}: no slow types, ${files} files, ${seconds} s`)
  else console.log(`FAILED ${folder.slice(ROOT.length)}, ${seconds} s:\n${output}`)
}

const deno = programOf('deno')
if (deno === undefined) {
  tally[process.env.CI ? 'failed' : 'skipped'] += folders.length
  console.log('deno is not installed: node runtime-tests/toolchain.mjs')
} else {
  const cache = mkdtempSync(join(tmpdir(), 'aeadkit-deno-'))
  try {
    for (const folder of folders) await rehearse(deno, folder, cache)
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}
console.log(closingLine(tally))
process.exitCode = tally.failed > 0 ? 1 : 0
