// The system's openssl: certificates, and a client that nobody here wrote.
import { join } from 'node:path'
import { runToEnd } from './bench.mjs'

/** A self-signed certificate; `ecdsa` or `rsa`. */
export async function makeCertificate(folder, kind = 'ecdsa') {
  const key = join(folder, `${kind}.key`)
  const cert = join(folder, `${kind}.pem`)
  const algorithm =
    kind === 'ecdsa' ? ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] : ['-newkey', 'rsa:2048']
  const args = [
    'req',
    '-x509',
    ...algorithm,
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
    '-subj',
    '/CN=localhost',
  ]
  const { code, output } = await runToEnd('openssl', [...args, '-days', '2'])
  if (code !== 0) throw new Error(`openssl req failed:\n${output}`)
  return { key, cert }
}

const FLAGS = { 'TLSv1.3': ['-tls1_3', '-ciphersuites'], 'TLSv1.2': ['-tls1_2', '-cipher'] }

/**
 * Connects with an order of suites.
 * @returns the suite taken, as openssl names it, or `refused`.
 */
export async function connect(port, version, order) {
  const args = ['s_client', '-connect', `127.0.0.1:${port}`, ...FLAGS[version], order.join(':')]
  const { output } = await runToEnd('openssl', args, { input: '' })
  const taken = /^New, (\S+), Cipher is (\S+)$/m.exec(output)
  if (taken === null || taken[2] === '(NONE)') return 'refused'
  return taken[1] === version ? taken[2] : `${taken[2]} in ${taken[1]}`
}
