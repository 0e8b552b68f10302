/** Runs the probe in this runtime and prints what the table of runtimes says, as it was seen. */
import { probeTls, tlsOptions } from '@aeadkit/selector/protocols'

const NAMES = {
  'TLSv1.3': ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  'TLSv1.2': [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
  ],
}
const VERSIONS = Object.keys(NAMES)
const byVersion = (read) => Object.fromEntries(VERSIONS.map((version) => [version, read(version)]))
const list = (...at) => VERSIONS.flatMap((version) => at.map((index) => NAMES[version][index])).join(':')
const orders = (...rows) =>
  VERSIONS.flatMap((version) => rows.map((row) => row.map((index) => NAMES[version][index])))
const [AES128, AES256, CHACHA] = [0, 1, 2]

async function probe(server, clients) {
  const seen = await probeTls({ server, clients })
  if (seen.state !== 'done') throw new Error(`unavailable: ${seen.reason}`)
  return seen
}

/** Answers of a version, in the order asked. */
const of = ({ orders: rows }, version) => rows.filter((row) => row.version === version)

const two = { ciphers: list(CHACHA, AES128), honorCipherOrder: true }
const first = await probe(two, orders([AES128, CHACHA]))
const client = await probe({ ...two, honorCipherOrder: false }, orders([AES128, CHACHA], [CHACHA, AES128]))
const ready = tlsOptions({ runtime: 'node' }).options
const followed = await probe(ready, orders([CHACHA, AES256, AES128], [AES256, CHACHA, AES128]))
const closed = await probe({ ciphers: list(AES128), minVersion: 'TLSv1.3' }, orders([AES128]))

console.log(
  JSON.stringify({
    runtime: first.runtime,
    version: first.runtimeVersion,
    serverCiphers: byVersion((version) => first.effects[version].serverCiphers === 'yes'),
    serverOrder: byVersion((version) => first.effects[version].honorCipherOrder === 'yes'),
    clientOrder: byVersion((version) =>
      of(client, version).every(({ order, server }) => server.chosen === order[0]),
    ),
    prioritizeChaCha: byVersion((version) => {
      const [leads, buried] = of(followed, version)
      return leads.server.chosen === leads.order[0] && buried.server.chosen === buried.order[2]
    }),
    clientCiphers: byVersion((version) =>
      of(client, version).every(({ hello, order }) => hello?.join() === order.join()),
    ),
    minVersion: of(closed, 'TLSv1.2').every(({ server }) => server.chosen === null),
    handshake: byVersion((version) => of(first, version)[0].handshake.chosen),
  }),
)
