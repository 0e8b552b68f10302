import { AeadError, type AlgorithmId, nearestName } from '@aeadkit/core'
import { quoted } from '../checks.ts'

/** Protocols whose cipher names are in {@link SUITES}. */
export type SuiteProtocol = 'tls1.3' | 'tls1.2' | 'ssh' | 'openvpn'

/** One cipher or suite of a protocol. */
export interface Suite {
  readonly protocol: SuiteProtocol
  /** TLS: the name IANA registered. SSH and OpenVPN: the name on the wire or in the configuration. */
  readonly name: string
  /** What OpenSSL and everything configured through it calls it; equal to `name` where there is only one. */
  readonly openssl: string
  /** The AEAD of our table, or `null` where the suite has a tag length that the table leaves out (CCM_8). */
  readonly algorithm: AlgorithmId | null
  /** Code point of TLS, or `null`. */
  readonly code: number | null
  /** TLS 1.2: key exchange and authentication; `null` elsewhere, because they are negotiated apart. */
  readonly keyExchange: KeyExchange | null
  /** Where the row is defined. */
  readonly spec: string
}

/** Key exchange and authentication classes of TLS 1.2. */
export type KeyExchange =
  | 'ECDHE-ECDSA'
  | 'ECDHE-RSA'
  | 'DHE-RSA'
  | 'RSA'
  | 'PSK'
  | 'DHE-PSK'
  | 'ECDHE-PSK'
  | 'RSA-PSK'

const tls13 = (code: number, name: string, algorithm: AlgorithmId | null, spec: string): Suite => ({
  protocol: 'tls1.3',
  name,
  openssl: name,
  algorithm,
  code,
  keyExchange: null,
  spec,
})

const tls12 = (
  code: number,
  name: string,
  openssl: string,
  algorithm: AlgorithmId | null,
  keyExchange: KeyExchange,
  spec: string,
): Suite => ({ protocol: 'tls1.2', name, openssl, algorithm, code, keyExchange, spec })

const other = (protocol: 'ssh' | 'openvpn', name: string, algorithm: AlgorithmId, spec: string): Suite => ({
  protocol,
  name,
  openssl: name,
  algorithm,
  code: null,
  keyExchange: null,
  spec,
})

const PROTOCOL_SSH = 'OpenSSH PROTOCOL §1.6, PROTOCOL.chacha20poly1305'
const OPENVPN = 'OpenVPN 2.6 manual, --data-ciphers'

/** Every AEAD suite and cipher that OpenSSL 3, OpenSSH and OpenVPN can negotiate, each once. */
// biome-ignore format: a table reads best with one suite in one line
export const SUITES: readonly Suite[] = [
  /* @__PURE__ */ tls13(0x1301, 'TLS_AES_128_GCM_SHA256', 'aes-128-gcm', 'RFC 9846, formerly RFC 8446 §B.4'),
  /* @__PURE__ */ tls13(0x1302, 'TLS_AES_256_GCM_SHA384', 'aes-256-gcm', 'RFC 9846, formerly RFC 8446 §B.4'),
  /* @__PURE__ */ tls13(0x1303, 'TLS_CHACHA20_POLY1305_SHA256', 'chacha20-poly1305', 'RFC 9846, formerly RFC 8446 §B.4'),
  /* @__PURE__ */ tls13(0x1304, 'TLS_AES_128_CCM_SHA256', 'aes-128-ccm', 'RFC 9846, formerly RFC 8446 §B.4'),
  /* @__PURE__ */ tls13(0x1305, 'TLS_AES_128_CCM_8_SHA256', null, 'RFC 9846, formerly RFC 8446 §B.4'),
  /* @__PURE__ */ tls13(0xc103, 'TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L', 'kuznyechik-mgm', 'RFC 9367 §4'),
  /* @__PURE__ */ tls13(0xc104, 'TLS_GOSTR341112_256_WITH_MAGMA_MGM_L', 'magma-mgm', 'RFC 9367 §4'),
  /* @__PURE__ */ tls13(0xc105, 'TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S', 'kuznyechik-mgm', 'RFC 9367 §4'),
  /* @__PURE__ */ tls13(0xc106, 'TLS_GOSTR341112_256_WITH_MAGMA_MGM_S', 'magma-mgm', 'RFC 9367 §4'),

  /* @__PURE__ */ tls12(0xc02b, 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256', 'aes-128-gcm', 'ECDHE-ECDSA', 'RFC 5289'),
  /* @__PURE__ */ tls12(0xc02c, 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'aes-256-gcm', 'ECDHE-ECDSA', 'RFC 5289'),
  /* @__PURE__ */ tls12(0xcca9, 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305', 'chacha20-poly1305', 'ECDHE-ECDSA', 'RFC 7905'),
  /* @__PURE__ */ tls12(0xc02f, 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256', 'aes-128-gcm', 'ECDHE-RSA', 'RFC 5289'),
  /* @__PURE__ */ tls12(0xc030, 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384', 'aes-256-gcm', 'ECDHE-RSA', 'RFC 5289'),
  /* @__PURE__ */ tls12(0xcca8, 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305', 'chacha20-poly1305', 'ECDHE-RSA', 'RFC 7905'),
  /* @__PURE__ */ tls12(0xc0ac, 'TLS_ECDHE_ECDSA_WITH_AES_128_CCM', 'ECDHE-ECDSA-AES128-CCM', 'aes-128-ccm', 'ECDHE-ECDSA', 'RFC 7251'),
  /* @__PURE__ */ tls12(0xc0ad, 'TLS_ECDHE_ECDSA_WITH_AES_256_CCM', 'ECDHE-ECDSA-AES256-CCM', 'aes-256-ccm', 'ECDHE-ECDSA', 'RFC 7251'),
  /* @__PURE__ */ tls12(0xc0ae, 'TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8', 'ECDHE-ECDSA-AES128-CCM8', null, 'ECDHE-ECDSA', 'RFC 7251'),
  /* @__PURE__ */ tls12(0xc0af, 'TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8', 'ECDHE-ECDSA-AES256-CCM8', null, 'ECDHE-ECDSA', 'RFC 7251'),
  /* @__PURE__ */ tls12(0x009e, 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256', 'DHE-RSA-AES128-GCM-SHA256', 'aes-128-gcm', 'DHE-RSA', 'RFC 5288'),
  /* @__PURE__ */ tls12(0x009f, 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384', 'DHE-RSA-AES256-GCM-SHA384', 'aes-256-gcm', 'DHE-RSA', 'RFC 5288'),
  /* @__PURE__ */ tls12(0xccaa, 'TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'DHE-RSA-CHACHA20-POLY1305', 'chacha20-poly1305', 'DHE-RSA', 'RFC 7905'),
  /* @__PURE__ */ tls12(0xc09e, 'TLS_DHE_RSA_WITH_AES_128_CCM', 'DHE-RSA-AES128-CCM', 'aes-128-ccm', 'DHE-RSA', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc09f, 'TLS_DHE_RSA_WITH_AES_256_CCM', 'DHE-RSA-AES256-CCM', 'aes-256-ccm', 'DHE-RSA', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0a2, 'TLS_DHE_RSA_WITH_AES_128_CCM_8', 'DHE-RSA-AES128-CCM8', null, 'DHE-RSA', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0a3, 'TLS_DHE_RSA_WITH_AES_256_CCM_8', 'DHE-RSA-AES256-CCM8', null, 'DHE-RSA', 'RFC 6655'),
  /* @__PURE__ */ tls12(0x009c, 'TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256', 'aes-128-gcm', 'RSA', 'RFC 5288'),
  /* @__PURE__ */ tls12(0x009d, 'TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384', 'aes-256-gcm', 'RSA', 'RFC 5288'),
  /* @__PURE__ */ tls12(0xc09c, 'TLS_RSA_WITH_AES_128_CCM', 'AES128-CCM', 'aes-128-ccm', 'RSA', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc09d, 'TLS_RSA_WITH_AES_256_CCM', 'AES256-CCM', 'aes-256-ccm', 'RSA', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0a0, 'TLS_RSA_WITH_AES_128_CCM_8', 'AES128-CCM8', null, 'RSA', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0a1, 'TLS_RSA_WITH_AES_256_CCM_8', 'AES256-CCM8', null, 'RSA', 'RFC 6655'),
  /* @__PURE__ */ tls12(0x00a8, 'TLS_PSK_WITH_AES_128_GCM_SHA256', 'PSK-AES128-GCM-SHA256', 'aes-128-gcm', 'PSK', 'RFC 5487'),
  /* @__PURE__ */ tls12(0x00a9, 'TLS_PSK_WITH_AES_256_GCM_SHA384', 'PSK-AES256-GCM-SHA384', 'aes-256-gcm', 'PSK', 'RFC 5487'),
  /* @__PURE__ */ tls12(0xccab, 'TLS_PSK_WITH_CHACHA20_POLY1305_SHA256', 'PSK-CHACHA20-POLY1305', 'chacha20-poly1305', 'PSK', 'RFC 7905'),
  /* @__PURE__ */ tls12(0xc0a4, 'TLS_PSK_WITH_AES_128_CCM', 'PSK-AES128-CCM', 'aes-128-ccm', 'PSK', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0a5, 'TLS_PSK_WITH_AES_256_CCM', 'PSK-AES256-CCM', 'aes-256-ccm', 'PSK', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0a8, 'TLS_PSK_WITH_AES_128_CCM_8', 'PSK-AES128-CCM8', null, 'PSK', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0a9, 'TLS_PSK_WITH_AES_256_CCM_8', 'PSK-AES256-CCM8', null, 'PSK', 'RFC 6655'),
  /* @__PURE__ */ tls12(0x00aa, 'TLS_DHE_PSK_WITH_AES_128_GCM_SHA256', 'DHE-PSK-AES128-GCM-SHA256', 'aes-128-gcm', 'DHE-PSK', 'RFC 5487'),
  /* @__PURE__ */ tls12(0x00ab, 'TLS_DHE_PSK_WITH_AES_256_GCM_SHA384', 'DHE-PSK-AES256-GCM-SHA384', 'aes-256-gcm', 'DHE-PSK', 'RFC 5487'),
  /* @__PURE__ */ tls12(0xccad, 'TLS_DHE_PSK_WITH_CHACHA20_POLY1305_SHA256', 'DHE-PSK-CHACHA20-POLY1305', 'chacha20-poly1305', 'DHE-PSK', 'RFC 7905'),
  /* @__PURE__ */ tls12(0xc0a6, 'TLS_DHE_PSK_WITH_AES_128_CCM', 'DHE-PSK-AES128-CCM', 'aes-128-ccm', 'DHE-PSK', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0a7, 'TLS_DHE_PSK_WITH_AES_256_CCM', 'DHE-PSK-AES256-CCM', 'aes-256-ccm', 'DHE-PSK', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0aa, 'TLS_PSK_DHE_WITH_AES_128_CCM_8', 'DHE-PSK-AES128-CCM8', null, 'DHE-PSK', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xc0ab, 'TLS_PSK_DHE_WITH_AES_256_CCM_8', 'DHE-PSK-AES256-CCM8', null, 'DHE-PSK', 'RFC 6655'),
  /* @__PURE__ */ tls12(0xccac, 'TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-PSK-CHACHA20-POLY1305', 'chacha20-poly1305', 'ECDHE-PSK', 'RFC 7905'),
  /* @__PURE__ */ tls12(0x00ac, 'TLS_RSA_PSK_WITH_AES_128_GCM_SHA256', 'RSA-PSK-AES128-GCM-SHA256', 'aes-128-gcm', 'RSA-PSK', 'RFC 5487'),
  /* @__PURE__ */ tls12(0x00ad, 'TLS_RSA_PSK_WITH_AES_256_GCM_SHA384', 'RSA-PSK-AES256-GCM-SHA384', 'aes-256-gcm', 'RSA-PSK', 'RFC 5487'),
  /* @__PURE__ */ tls12(0xccae, 'TLS_RSA_PSK_WITH_CHACHA20_POLY1305_SHA256', 'RSA-PSK-CHACHA20-POLY1305', 'chacha20-poly1305', 'RSA-PSK', 'RFC 7905'),

  /* @__PURE__ */ other('ssh', 'aes128-gcm@openssh.com', 'aes-128-gcm', PROTOCOL_SSH),
  /* @__PURE__ */ other('ssh', 'aes256-gcm@openssh.com', 'aes-256-gcm', PROTOCOL_SSH),
  /* @__PURE__ */ other('ssh', 'chacha20-poly1305@openssh.com', 'chacha20-poly1305', PROTOCOL_SSH),
  /* @__PURE__ */ other('openvpn', 'AES-128-GCM', 'aes-128-gcm', OPENVPN),
  /* @__PURE__ */ other('openvpn', 'AES-256-GCM', 'aes-256-gcm', OPENVPN),
  /* @__PURE__ */ other('openvpn', 'CHACHA20-POLY1305', 'chacha20-poly1305', OPENVPN),
]

/**
 * The row of a name, in either vocabulary. Names are compared exactly: programs do so too.
 * @param name - an IANA or OpenSSL name, or one of SSH or OpenVPN.
 * @param protocol - only look among the names of this protocol.
 * @throws AeadError `invalid-argument` naming the nearest known name.
 */
export function suiteOf(name: string, protocol?: SuiteProtocol): Suite {
  const found = findSuite(name, protocol)
  if (found !== undefined) return found
  const rows = SUITES.filter((suite) => protocol === undefined || suite.protocol === protocol)
  const known = [...new Set(rows.flatMap((suite) => [suite.name, suite.openssl]))]
  const what = protocol === undefined ? 'cipher' : `${protocol} cipher`
  const text = typeof name === 'string' ? quoted(name.slice(0, 64)) : typeof name
  const near = typeof name === 'string' ? nearestOf(name, known) : undefined
  const ask = near === undefined ? '' : `: did you mean ${near}?`
  throw new AeadError('invalid-argument', `unknown ${what} ${text}${ask}`, {
    details: { protocol: protocol ?? null, nearest: near ?? null },
  })
}

/** The search for the nearest name reads _ in a question as -, so the known names are put to it in that spelling. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string): string => text.replaceAll('_', '-')
  const near = nearestName(plain(name), known.map(plain))
  return known.find((candidate) => plain(candidate) === near)
}

/** The row of a name in either vocabulary, or `undefined`: for lists of a peer, which may name anything. */
export function findSuite(name: string, protocol?: SuiteProtocol): Suite | undefined {
  return SUITES.find(
    (suite) =>
      (protocol === undefined || suite.protocol === protocol) &&
      (suite.name === name || suite.openssl === name),
  )
}

/** The row of a TLS code point, or `undefined`. */
export function suiteOfCode(code: number): Suite | undefined {
  return SUITES.find((suite) => suite.code === code)
}

/**
 * Translates to the IANA name.
 * @throws AeadError `invalid-argument` for an unknown name and for ciphers that IANA does not list (SSH, OpenVPN).
 */
export function toIanaName(name: string): string {
  return tlsSuite(name).name
}

/**
 * Translates to the name OpenSSL uses.
 * @throws AeadError `invalid-argument` as {@link toIanaName}.
 */
export function toOpensslName(name: string): string {
  return tlsSuite(name).openssl
}

function tlsSuite(name: string): Suite {
  const suite = suiteOf(name)
  if (suite.code !== null) return suite
  throw new AeadError('invalid-argument', `${name} is a cipher of ${suite.protocol}, not a TLS suite`)
}
