// OpenVPN with the printed line: two processes that negotiate over loopback, without a network device.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { advise } from './advise.mjs'
import { onFreePort, programPath, runToEnd } from './bench.mjs'

/** An authority and two certificates of it. */
async function makeAuthority(folder) {
  const file = (name) => join(folder, `vpn-${name}`)
  const openssl = async (...args) => {
    const { code, output } = await runToEnd('openssl', args)
    if (code !== 0) throw new Error(`openssl ${args[0]} failed:\n${output}`)
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  await openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
    '-subj',
    '/CN=ca',
    '-days',
    '2',
  )
  for (const name of ['server', 'client']) {
    await openssl(
      'req',
      ...key,
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.csr`),
      '-subj',
      `/CN=${name}`,
    )
    const signer = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial']
    await openssl(
      'x509',
      '-req',
      '-in',
      file(`${name}.csr`),
      ...signer,
      '-out',
      file(`${name}.pem`),
      '-days',
      '2',
    )
  }
  return file
}

function configure(file, name, lines) {
  const path = file(`${name}.conf`)
  const common = [
    'dev null',
    'proto udp4',
    `ca ${file('ca.pem')}`,
    `cert ${file(`${name}.pem`)}`,
    `key ${file(`${name}.key`)}`,
    'verb 4',
  ]
  writeFileSync(path, `${[...common, ...lines].join('\n')}\n`)
  return path
}

/** The cipher both ends say they use; the server's and the client's printed line each. */
async function negotiated(bench, openvpn, file, serverLine, clientLine) {
  const { port, server } = await onFreePort(async (port) => {
    const lines = ['local 127.0.0.1', `lport ${port}`, 'tls-server', 'dh none', serverLine]
    const args = ['--config', configure(file, 'server', lines)]
    return { port, server: await bench.start(openvpn, args, { ready: /UDPv4 link remote|link remote:/ }) }
  })
  const clientFile = configure(file, 'client', [
    'nobind',
    `remote 127.0.0.1 ${port}`,
    'tls-client',
    clientLine,
  ])
  const client = await bench.start(openvpn, ['--config', clientFile], {
    // The data channel may come up after the process calls itself ready.
    ready: /Data Channel: cipher '[^']+'/,
  })
  const cipher = (output) => /Data Channel: cipher '([^']+)'/.exec(output)?.[1]
  const seen = cipher(client.output())
  await client.stop()
  await server.stop()
  return seen
}

export async function openvpnTests(bench) {
  const openvpn = programPath('openvpn')
  if (openvpn === undefined) return bench.missing('openvpn is not installed (scripts/install-servers.sh)')
  const aes = await advise(['openvpn', '--hardware', 'hardware'])
  const chacha = await advise(['openvpn', '--hardware', 'none'])
  const fips = await advise(['openvpn', '--fips', 'approved-algorithms'])
  bench.title('openvpn --show-ciphers')
  const { output } = await runToEnd(openvpn, ['--show-ciphers'])
  const known = new Set(output.split('\n').map((line) => line.split(' ')[0]))
  for (const name of aes.ciphers) bench.same(name, known.has(name) ? 'known' : 'unknown', 'known')

  const file = await makeAuthority(bench.folder)
  for (const [what, server, client, expected] of [
    ['a gateway with AES, a client without', aes, chacha, 'AES-128-GCM'],
    ['a gateway without AES, a client with', chacha, aes, 'CHACHA20-POLY1305'],
    ['a gateway under FIPS, a client without AES', fips, chacha, 'AES-128-GCM'],
  ]) {
    bench.title(`openvpn, ${what}`)
    console.log(`  | server: ${server.text}\n  | client: ${client.text}`)
    bench.same(
      "the server's order decides",
      await negotiated(bench, openvpn, file, server.text, client.text),
      expected,
    )
  }
}
