// The command line, as a user runs it.
import { fileURLToPath } from 'node:url'
import { runToEnd } from './bench.mjs'

const PROGRAM = fileURLToPath(new URL('../../packages/aeadkit/bin/aeadkit.js', import.meta.url))

/** What `aeadkit advise ARGS --json` prints. Nothing is measured: the tests say what the machine has. */
export async function advise(args) {
  const { code, stdout, output } = await runToEnd(process.execPath, [
    PROGRAM,
    'advise',
    ...args,
    '--measure',
    'never',
    '--json',
  ])
  if (code !== 0) throw new Error(`aeadkit advise ${args.join(' ')} ended with ${code}:\n${output}`)
  return JSON.parse(stdout)
}
