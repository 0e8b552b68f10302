import {
  type ByVersion,
  cipherOrder,
  nginxSnippet,
  type OutsideLists,
  openvpnSettings,
  RUNTIME_TLS,
  type RuntimeTls,
  SUITES,
  sshClientConfig,
  TLS_LIBRARIES,
  tlsOptions,
} from '@aeadkit/selector/protocols'
import { table } from './markdown.ts'

/** The guide whose tables and samples are generated here. */
export const PROTOCOLS_FILE = 'docs/protocols.md'

const FREE: OutsideLists = { fips: false, cnsa: false, keyBits: undefined }

/** Situations that need different orders. */
const ORDERS: readonly (readonly [title: string, hardware: boolean, lists: OutsideLists])[] = [
  ['AES and carry-less multiply, or a TLS server', true, FREE],
  ['one of the two missing or unknown', false, FREE],
  ['keys of 256 bits demanded, with hardware', true, { ...FREE, keyBits: 256 }],
  ['keys of 256 bits demanded, without', false, { ...FREE, keyBits: 256 }],
  ['FIPS 140-3', false, { ...FREE, fips: true }],
  ['CNSA', false, { ...FREE, cnsa: true }],
]

const code = (text: string): string => `\`${text}\``
const list = (names: readonly string[]): string => names.map(code).join(', ')

/** The generated tables and samples of the guide. */
export function protocolParts(): { readonly part: string; readonly text: string }[] {
  return [
    { part: 'orders', text: orders() },
    { part: 'libraries', text: libraries() },
    { part: 'runtimes', text: runtimes() },
    { part: 'node', text: fenced('js', tlsOptions({ runtime: 'node' }).text) },
    { part: 'nginx', text: fenced('nginx', nginxSnippet().text) },
    { part: 'ssh', text: fenced('', sshClientConfig({ hardware: 'hardware' }).text) },
    { part: 'openvpn', text: fenced('', openvpnSettings({ hardware: 'none' }).text) },
    { part: 'suites', text: suites() },
  ]
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

function orders(): string {
  return table(
    ['Situation', 'Order'],
    ORDERS.map(([title, hardware, lists]) => [title, list(cipherOrder(hardware, lists))]),
  )
}

function groups(order: (typeof TLS_LIBRARIES)['go']['server']['hardware']): string {
  return order.map((group) => (typeof group === 'string' ? code(group) : `(${list(group)})`)).join(', ')
}

function libraries(): string {
  return table(
    ['Library', 'Server with hardware', 'Server without', 'Who decides', 'In TLS 1.2', 'Source', 'Checked'],
    Object.values(TLS_LIBRARIES).map(({ asOf, library, says, server, source, tls12 }) => [
      code(library),
      groups(server.hardware),
      groups(server.none),
      says,
      tls12 ?? 'the same',
      source,
      asOf,
    ]),
  )
}

function versions(obeyed: ByVersion): string {
  const kept = Object.entries(obeyed).filter(([, value]) => value)
  return kept.length === 2 ? 'yes' : kept.length === 0 ? 'no' : `${kept[0]?.[0]} only`
}

const COLUMNS: readonly (readonly [head: string, cell: (row: RuntimeTls) => string])[] = [
  ['Runtime', ({ runtime, versions: seen }) => `${runtime} ${seen.join(', ')}`],
  ['Library', ({ library }) => library],
  ['Server: `ciphers` leave suites out', ({ serverCiphers }) => versions(serverCiphers)],
  ['Server: `honorCipherOrder: true`', ({ serverOrder }) => versions(serverOrder)],
  ['Server: `honorCipherOrder: false`', ({ clientOrder }) => versions(clientOrder)],
  ['Server: `SSL_OP_PRIORITIZE_CHACHA`', ({ prioritizeChaCha }) => versions(prioritizeChaCha)],
  ['Client: `ciphers`', ({ clientCiphers }) => versions(clientCiphers)],
  ['Without AES hardware', ({ withoutHardware }) => withoutHardware ?? 'the same'],
  ['Observed', ({ asOf }) => asOf],
]

function runtimes(): string {
  return table(
    COLUMNS.map(([head]) => head),
    RUNTIME_TLS.map((row) => COLUMNS.map(([, cell]) => cell(row))),
  )
}

function suites(): string {
  return table(
    ['Protocol', 'Name', 'OpenSSL', 'Algorithm', 'Key exchange', 'Code', 'Specification'],
    SUITES.map(({ algorithm, code: point, keyExchange, name, openssl, protocol, spec }) => [
      protocol,
      code(name),
      openssl === name ? 'the same' : code(openssl),
      algorithm === null ? 'tag of 8 bytes: not in our table' : code(algorithm),
      keyExchange ?? '',
      point === null ? '' : `0x${point.toString(16).padStart(4, '0')}`,
      spec,
    ]),
  )
}
