// The probe in every pinned runtime, against what the table of the selector says of it.
import { fileURLToPath } from 'node:url'
import { runtimeTls } from '@aeadkit/selector/protocols'
import { lockedVersions, programOf } from '../toolchain.mjs'
import { runToEnd } from './bench.mjs'

const PROBE = fileURLToPath(new URL('probe.js', import.meta.url))
const DENO = ['run', '--no-lock']

/** `closed`: nothing may be opened, and the probe has to say so instead of asking. */
const RUNS = [
  { name: 'host Node', file: () => process.execPath },
  { name: 'node-22', file: () => programOf('node-22') },
  { name: 'node-24', file: () => programOf('node-24') },
  { name: 'node-26', file: () => programOf('node-26') },
  { name: 'bun', file: () => programOf('bun') },
  { name: 'deno', file: () => programOf('deno'), args: [...DENO, '--allow-all'] },
  { name: 'deno', note: 'no permissions', file: () => programOf('deno'), args: DENO, closed: true },
]

const COMPARED = [
  'serverCiphers',
  'serverOrder',
  'clientOrder',
  'prioritizeChaCha',
  'clientCiphers',
  'minVersion',
  'handshake',
]

export async function runtimeTests(bench) {
  for (const { name, note, file, args = [], closed } of RUNS) {
    bench.title(
      `probe in ${name} ${lockedVersions()?.[name] ?? process.versions.node}${note ? `, ${note}` : ''}`,
    )
    const program = file()
    if (program === undefined) {
      bench.missing(`${name} is not installed`)
      continue
    }
    const { code, stdout, output } = await runToEnd(program, [...args, PROBE], { seconds: 60 })
    if (closed) {
      const said = /unavailable: [^\n]*/.exec(output)?.[0]
      bench.same('without permission', said, 'unavailable: the network is closed (permission prompt)')
      continue
    }
    if (code !== 0) {
      bench.fail('probe', output)
      continue
    }
    const seen = JSON.parse(stdout)
    const row = runtimeTls(seen.runtime)
    const known = row.versions.includes(seen.version)
    // Another Node on a laptop is no failure; in CI the versions are pinned.
    if (!known && !process.env.CI)
      console.log(`  ${seen.runtime} ${seen.version} is not in the table: compared all the same`)
    else
      bench.same(
        'version',
        seen.version,
        row.versions.find((version) => version === seen.version) ?? row.versions,
      )
    for (const what of COMPARED) bench.same(what, seen[what], row[what])
  }
}
