// The probe in every pinned runtime, against what the table of the selector says of it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clientHello, runtimeTls, serverChoice } from '@aeadkit/selector/protocols'
import { lockedVersions, programOf } from '../toolchain.mjs'
import { DATES, runWorkerd } from '../workerd/run.mjs'
import { runToEnd } from './bench.mjs'

const PROBE = fileURLToPath(new URL('probe.js', import.meta.url))
const BORINGSSL = fileURLToPath(new URL('boringssl.js', import.meta.url))
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
    const { code, stdout, output } = await runToEnd(program, [...args, PROBE])
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

const WORKER = `import { probeTls } from '@aeadkit/selector/protocols'
export default {
  async test() {
    const seen = await probeTls({ server: {} })
    console.log('probe ' + seen.state + ': ' + seen.reason)
  },
}
`

/** Workers cannot listen: the probe has to say so, with Node's modules and without. */
export async function workerTests(bench) {
  const program = programOf('workerd')
  bench.title(`probe in workerd ${lockedVersions()?.workerd}`)
  if (program === undefined) return bench.missing('workerd is not installed')
  for (const [date, reason] of [
    [DATES.today, 'no server: Not implemented'],
    [DATES.plain, 'this runtime has no node:tls'],
  ]) {
    const { output } = await runWorkerd(program, {
      entry: 'probe-worker.js',
      source: WORKER,
      date,
      seconds: 120,
    })
    const said = /probe (\w+: .*)/.exec(output)?.[1]
    bench.same(`compatibility date ${date}`, said ?? output.slice(-500), `unavailable: ${reason}`)
  }
}

/** Hides AES-NI, PCLMULQDQ and their vector forms from BoringSSL, which reads OpenSSL's variable. */
const MASK = '~0x200000200000000:~0x60000000000'

/** Both halves of AES-GCM on this machine; elsewhere than on Linux x64 nothing says so. */
function hasHardware() {
  try {
    const flags = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1].split(' ') ?? []
    return flags.includes('aes') && flags.includes('pclmulqdq')
  } catch {
    return false
  }
}

/** BoringSSL looks at the CPU: its rules, as functions, against Bun with the instructions and without. */
export async function boringsslTests(bench) {
  const program = programOf('bun')
  if (program === undefined) return bench.missing('bun is not installed')
  for (const hardware of [true, false]) {
    bench.title(`the rules of BoringSSL, in Bun ${hardware ? 'as it is' : `with OPENSSL_ia32cap=${MASK}`}`)
    if (hardware && !hasHardware()) {
      bench.missing('this machine shows no AES hardware')
      continue
    }
    const env = hardware ? {} : { OPENSSL_ia32cap: MASK }
    const { stdout } = await runToEnd(program, [BORINGSSL], { env })
    for (const { order, taken, hello } of JSON.parse(stdout)) {
      bench.same(
        `server, client ${order.join(', ')}`,
        taken,
        serverChoice('boringssl', { hardware, hello: order }).chosen,
      )
      bench.same('hello of its own client', hello, clientHello('boringssl', hardware))
    }
  }
}
