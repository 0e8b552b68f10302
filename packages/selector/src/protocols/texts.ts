/** Settings as text: what is written into a configuration or a program. Shared by `selectAead` and this subpath. */

/** Which side of a connection a setting is for. */
export type Role = 'server' | 'client'

/** Suites by version, in order; an empty TLS 1.2 list turns that version off. */
export interface TlsOrder {
  readonly tls13: readonly string[]
  /** OpenSSL names. */
  readonly tls12: readonly string[]
  /** Whether ChaCha20-Poly1305 is among them behind AES, so that a client that leads with it is to be followed. */
  readonly followChaCha: boolean
}

/** SSL_OP_PRIORITIZE_CHACHA of OpenSSL; BoringSSL has none, and Bun's constant of that name is 0. */
export const PRIORITIZE_CHACHA = 0x200000

/** The part of Node's `tls` options that is about suites. */
export interface TlsSuiteOptions {
  /** TLS 1.3 suites by their names, then those of TLS 1.2 by OpenSSL's. */
  readonly ciphers: string
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3'
  /** Servers only. */
  readonly honorCipherOrder?: boolean
  /** Servers only: `SSL_OP_PRIORITIZE_CHACHA`. */
  readonly secureOptions?: number
}

/**
 * Options for `tls.createServer` or `tls.connect`.
 * @param openssl - whether the library behind is OpenSSL, which alone knows how to follow a client that leads with
 *   ChaCha20-Poly1305; elsewhere the client's order decides altogether.
 */
export function tlsSuiteOptions(role: Role, order: TlsOrder, openssl: boolean): TlsSuiteOptions {
  const ciphers = [...order.tls13, ...order.tls12].join(':')
  const minVersion = order.tls12.length === 0 ? 'TLSv1.3' : 'TLSv1.2'
  if (role === 'client') return { ciphers, minVersion }
  if (!order.followChaCha) return { ciphers, minVersion, honorCipherOrder: true }
  if (!openssl) return { ciphers, minVersion, honorCipherOrder: false }
  return { ciphers, minVersion, honorCipherOrder: true, secureOptions: PRIORITIZE_CHACHA }
}

/** The options as a program has them. */
export function nodeText(role: Role, options: TlsSuiteOptions): string {
  const lines = [
    `  ciphers: '${options.ciphers}',`,
    `  minVersion: '${options.minVersion}',`,
    ...(options.honorCipherOrder === undefined ? [] : [`  honorCipherOrder: ${options.honorCipherOrder},`]),
    ...(options.secureOptions === undefined
      ? []
      : ['  secureOptions: constants.SSL_OP_PRIORITIZE_CHACHA, // constants of node:crypto']),
  ]
  return `tls.${role === 'server' ? 'createServer' : 'connect'}({\n${lines.join('\n')}\n})`
}

/** One directive of nginx: its name and what follows. */
export type Directive = readonly [name: string, value: string]

/** Directives of a server block, or of a location that is a client of an upstream server. */
export function nginxDirectives(role: Role, order: TlsOrder): readonly Directive[] {
  const prefix = role === 'server' ? 'ssl' : 'proxy_ssl'
  const old = order.tls12.length > 0
  return [
    [`${prefix}_protocols`, old ? 'TLSv1.2 TLSv1.3' : 'TLSv1.3'],
    ...(old ? [[`${prefix}_ciphers`, order.tls12.join(':')] as const] : []),
    [`${prefix}_conf_command`, `Ciphersuites ${order.tls13.join(':')}`],
    ...(role === 'server' ? [['ssl_prefer_server_ciphers', 'on'] as const] : []),
    ...(role === 'server' && order.followChaCha
      ? [['ssl_conf_command', 'Options PrioritizeChaCha'] as const]
      : []),
  ]
}

/** Directives as text. */
export function nginxText(directives: readonly Directive[]): string {
  return directives.map(([name, value]) => `${name} ${value};`).join('\n')
}

/** A `Host` block of ssh_config, or the line of sshd_config. */
export function sshText(role: Role, ciphers: readonly string[], host: string): string {
  const line = `Ciphers ${ciphers.join(',')}`
  return role === 'server' ? line : `Host ${host}\n    ${line}`
}

/** The line of an OpenVPN configuration. */
export function openvpnText(ciphers: readonly string[]): string {
  return `data-ciphers ${ciphers.join(':')}`
}

/** What to know of TLS settings. */
export const TLS_NOTES = {
  /** Of settings for nginx and for Node. */
  prioritize:
    'PrioritizeChaCha (in Node SSL_OP_PRIORITIZE_CHACHA) moves ChaCha20-Poly1305 up only when the client lists it first, and does nothing without the server preference',
  clientDecides: "the client decides: its list states its hardware, and the server's own CPU plays no part",
  clientStates: "a client's order states its own hardware; that is the signal every good server reads",
  onlyThese: 'the list from outside leaves no other suites; offer only these',
  nginxOff: 'ssl_prefer_server_ciphers off is the other correct choice in nginx',
  nodeOff: 'honorCipherOrder: false is the other correct choice in Node, whose default is true',
  nginxInherits:
    'a block that sets ssl_conf_command loses the inherited ones; TLS 1.3 suites are not set by ssl_ciphers',
} as const
