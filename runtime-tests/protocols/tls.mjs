// TLS servers of every runtime with the options we advise, against `openssl s_client`.
import { fileURLToPath } from 'node:url'
import { runtimeTls, SUITES, serverChoice, tlsOptions, toIanaName } from '@aeadkit/selector/protocols'
import { programOf } from '../toolchain.mjs'
import { runToEnd } from './bench.mjs'
import { connect, makeCertificate } from './openssl.mjs'

const SERVER = fileURLToPath(new URL('server.js', import.meta.url))

const AES128 = { 'TLSv1.3': 'TLS_AES_128_GCM_SHA256', 'TLSv1.2': 'ECDHE-ECDSA-AES128-GCM-SHA256' }
const AES256 = { 'TLSv1.3': 'TLS_AES_256_GCM_SHA384', 'TLSv1.2': 'ECDHE-ECDSA-AES256-GCM-SHA384' }
const CHACHA = { 'TLSv1.3': 'TLS_CHACHA20_POLY1305_SHA256', 'TLSv1.2': 'ECDHE-ECDSA-CHACHA20-POLY1305' }

/** Client orders and what a server that follows its clients takes; `equal` where it follows them altogether. */
export const ORDERS = [
  { order: [AES128, CHACHA, AES256], follows: AES128, equal: AES128 },
  { order: [CHACHA, AES128, AES256], follows: CHACHA, equal: CHACHA },
  // What OpenSSL's clients send by themselves: no sign of missing hardware, so AES-128 is taken.
  { order: [AES256, CHACHA, AES128], follows: AES128, equal: AES256 },
]
/** Only suites that a list from outside leaves out. */
export const UNAPPROVED = CHACHA

/** Runtimes by the arguments that start the server in them. */
const RUNTIMES = [
  { runtime: 'node', name: 'Node 20', command: () => [process.execPath] },
  ...['22', '24', '26'].map((major) => ({
    runtime: 'node',
    name: `Node ${major}`,
    command: () => [programOf(`node-${major}`)],
  })),
  { runtime: 'bun', name: 'Bun', command: () => [programOf('bun')] },
  { runtime: 'deno', name: 'Deno', command: () => [programOf('deno'), 'run', '--no-lock', '--allow-all'] },
]

const label = (version, order) => `${version} ${order.map((names) => names[version]).join(', ')}`

/** Every order, in both versions, against one server. */
export async function tryOrders(bench, port, expected) {
  for (const version of ['TLSv1.3', 'TLSv1.2']) {
    for (const row of ORDERS) {
      const order = row.order.map((names) => names[version])
      bench.same(label(version, row.order), await connect(port, version, order), expected(row)[version])
    }
  }
}

/** The functions that predict a choice have to predict what happened. */
function predict(bench, options) {
  for (const version of ['TLSv1.3', 'TLSv1.2']) {
    for (const row of ORDERS) {
      const predicted = serverChoice('openssl', {
        hardware: true,
        version,
        hello: row.order.map((names) => names[version]),
        order: options.suites[version],
        serverPreference: options.options.honorCipherOrder,
        prioritizeChaCha: options.options.secureOptions !== undefined,
      }).chosen
      bench.same(`predicted for ${label(version, row.order)}`, predicted, toIanaName(row.follows[version]))
    }
  }
}

async function oneRuntime(bench, { runtime, name, command }, { key, cert }) {
  const [file, ...args] = command()
  if (file === undefined) return bench.missing(`${name} is not installed`)
  const row = runtimeTls(runtime)
  for (const fips of ['off', 'approved-algorithms']) {
    const { options } = tlsOptions({ runtime, fips })
    const server = await bench.start(file, [...args, SERVER, key, cert, JSON.stringify(options)], {
      ready: /^listening (\d+)$/m,
    })
    const port = server.found[1]
    if (fips === 'off') {
      bench.title(
        `${name}: tls.createServer with ${JSON.stringify(options).slice(0, 60)}..., openssl s_client`,
      )
      await tryOrders(bench, port, (each) => (row.prioritizeChaCha['TLSv1.3'] ? each.follows : each.equal))
    } else {
      for (const version of ['TLSv1.3', 'TLSv1.2']) {
        const taken = await connect(port, version, [UNAPPROVED[version]])
        const kept = row.serverCiphers[version]
        bench.same(
          `${version} FIPS list, ${UNAPPROVED[version]}`,
          taken,
          kept ? 'refused' : UNAPPROVED[version],
        )
      }
    }
    await server.stop()
  }
}

/** The table of suites against the list of the system's OpenSSL, names and code points both ways. */
async function compareTable(bench) {
  bench.title('the table of suites, openssl ciphers -V -stdname')
  // No build of OpenSSL has those of GOST without an engine.
  const tls13 = SUITES.filter(({ name, protocol }) => protocol === 'tls1.3' && !name.includes('GOST'))
  const tls12 = SUITES.filter(({ protocol }) => protocol === 'tls1.2')
  const args = ['ciphers', '-V', '-stdname', '-ciphersuites', tls13.map(({ name }) => name).join(':')]
  const { stdout } = await runToEnd('openssl', [...args, 'ALL:COMPLEMENTOFALL'])
  const theirs = stdout
    .split('\n')
    // ARIA is not in our table of algorithms; DSS and anonymous key exchange are gone everywhere.
    .filter((line) => /Enc=(AESGCM|AESCCM8?|CHACHA20)/.test(line) && !/Au=(None|DSS)/.test(line))
    .map((line) => /0x(..),0x(..) - (\S+)\s+- (\S+)/.exec(line).slice(1))
    .map(([high, low, name, openssl]) => `${Number.parseInt(high + low, 16)} ${name} ${openssl}`)
  const ours = [...tls13, ...tls12].map(({ code, name, openssl }) => `${code} ${name} ${openssl}`)
  bench.same('suites compared', theirs.length, ours.length)
  bench.same(
    'only in one of the two',
    [...theirs, ...ours].filter((row) => theirs.includes(row) !== ours.includes(row)),
    [],
  )
}

/** Why there is something to advise: what Node does when nobody says anything. */
async function nodeByDefault(bench, { key, cert }) {
  bench.title('Node without any options, openssl s_client')
  const server = await bench.start(process.execPath, [SERVER, key, cert, '{}'], {
    ready: /^listening (\d+)$/m,
  })
  const order = [CHACHA, AES128, AES256]
  const taken = await connect(
    server.found[1],
    'TLSv1.3',
    order.map((names) => names['TLSv1.3']),
  )
  bench.same(label('TLSv1.3', order), taken, AES256['TLSv1.3'])
  await server.stop()
}

/** TLS servers in every runtime. */
export async function tlsTests(bench) {
  await compareTable(bench)
  const certificate = await makeCertificate(bench.folder)
  await nodeByDefault(bench, certificate)
  for (const runtime of RUNTIMES) await oneRuntime(bench, runtime, certificate)
  bench.title('the rules of OpenSSL, as a function')
  predict(bench, tlsOptions({ runtime: 'node' }))
}
