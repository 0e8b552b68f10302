import { AeadError } from '@aeadkit/core'
import type { ProtocolContext } from '../options.ts'
import type { Facts } from './facts.ts'
import { PROTOCOL_RULE } from './protocol.ts'

/** Ready text for one program. */
export interface Setting {
  /** Program the text is for. */
  readonly program: string
  /** Configuration or code, as it is written there. */
  readonly text: string
}

/** What to do where the protocol chooses: names in the protocol's own spelling, best first. */
export interface Advice {
  readonly order: readonly string[]
  readonly settings: readonly Setting[]
  readonly notes: readonly string[]
}

const SUITE = {
  aes128: 'TLS_AES_128_GCM_SHA256',
  aes256: 'TLS_AES_256_GCM_SHA384',
  chacha: 'TLS_CHACHA20_POLY1305_SHA256',
  // RFC 9367
  gost: ['TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L', 'TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S'],
} as const

/** AES first on known hardware at both halves, ChaCha20 first otherwise; lists from outside leave theirs only. */
function orderOf(
  facts: Facts,
  names: {
    readonly aes128: string
    readonly aes256: string
    readonly chacha: string
    readonly gost: readonly string[]
  },
  hardware: boolean,
): readonly string[] {
  if (facts.gost) {
    if (names.gost.length > 0) return names.gost
    const rule = PROTOCOL_RULE[facts.options.context]!
    throw new AeadError(
      'no-candidate',
      `${facts.options.context} has no cipher that GOST lists (${rule}, V3)`,
      {
        details: { rules: [rule, 'V3'] },
      },
    )
  }
  if (facts.cnsa || facts.options.keyBits === 256) {
    return facts.fips || facts.cnsa
      ? [names.aes256]
      : hardware
        ? [names.aes256, names.chacha]
        : [names.chacha, names.aes256]
  }
  if (facts.fips) return [names.aes128, names.aes256]
  return hardware ? [names.aes128, names.aes256, names.chacha] : [names.chacha, names.aes128, names.aes256]
}

function tlsServer(facts: Facts): Advice {
  const order = orderOf(facts, SUITE, true)
  const suites = order.join(':')
  if (!order.includes(SUITE.chacha)) {
    return {
      order,
      settings: [
        { program: 'nginx', text: `ssl_conf_command Ciphersuites ${suites};` },
        { program: 'node', text: `tls.createServer({ ciphers: '${suites}' })` },
      ],
      notes: ['the list from outside leaves no other suites; offer only these'],
    }
  }
  return {
    order,
    settings: [
      {
        program: 'nginx',
        // A mandate on the key size leaves suites out, and nginx offers all of them unless told.
        text: `ssl_prefer_server_ciphers on;\nssl_conf_command Options PrioritizeChaCha;${facts.options.keyBits === 256 ? `\nssl_conf_command Ciphersuites ${suites};` : ''}`,
      },
      {
        program: 'node',
        text: `tls.createServer({ ciphers: '${suites}', secureOptions: constants.SSL_OP_CIPHER_SERVER_PREFERENCE | constants.SSL_OP_PRIORITIZE_CHACHA })`,
      },
    ],
    notes: [
      "the client decides: its list states its hardware, and the server's own CPU plays no part",
      'PrioritizeChaCha moves ChaCha20-Poly1305 up only when the client lists it first, and does nothing without the server preference',
      'ssl_prefer_server_ciphers off, or honorCipherOrder: false in Node, is the other correct choice',
      'a block that sets ssl_conf_command loses the inherited ones; TLS 1.3 suites are not set by ssl_ciphers',
    ],
  }
}

function tlsClient(facts: Facts): Advice {
  const order = orderOf(facts, SUITE, facts.evidence.hardwareClass === 'hardware')
  return {
    order,
    settings: [{ program: 'node', text: `tls.connect({ ciphers: '${order.join(':')}' })` }],
    notes: ["a client's order states its own hardware; that is the signal every good server reads"],
  }
}

function datagrams(facts: Facts): Advice {
  // QUIC and DTLS have no GOST suites.
  const names = { ...SUITE, gost: [] }
  const order = orderOf(facts, names, facts.evidence.hardwareClass === 'hardware')
  const quic = facts.options.context === 'quic'
  return {
    order,
    settings: [{ program: 'openssl', text: `-ciphersuites ${order.join(':')}` }],
    notes: [
      'as a server treat the AES suites and ChaCha20-Poly1305 as equal and follow the client; as a client this order states your hardware',
      quic
        ? 'RFC 9001 §6.6: update keys before 2^23 packets with AES-GCM; close after 2^52 failed packets with AES-GCM, 2^36 with ChaCha20-Poly1305'
        : 'RFC 9147 §4.5.3: update keys before 2^24.5 records with AES-GCM; close after 2^36 failed records',
    ],
  }
}

function ssh(facts: Facts): Advice {
  const names = {
    aes128: 'aes128-gcm@openssh.com',
    aes256: 'aes256-gcm@openssh.com',
    chacha: 'chacha20-poly1305@openssh.com',
    gost: [],
  }
  const order = orderOf(facts, names, facts.ends.class === 'hardware')
  const server = facts.options.context === 'ssh-server'
  return {
    order,
    settings: [
      server
        ? { program: 'sshd_config', text: `Ciphers ${order.join(',')}` }
        : { program: 'ssh_config', text: `Ciphers ${order.join(',')}` },
    ],
    notes: [
      server
        ? "the server's list only says what is allowed: the client's order decides (RFC 4253 §7.1), so set it there"
        : "the client's first name that the server has is taken (RFC 4253 §7.1)",
      facts.ends.class === 'hardware'
        ? 'for bulk copies between machines with AES hardware: ssh -c aes128-gcm@openssh.com'
        : 'on a machine without AES hardware aes128-gcm@openssh.com makes things worse; set orders per host',
      'CVE-2023-48795 (Terrapin) concerns chacha20-poly1305@openssh.com where strict key exchange is missing on either side',
    ],
  }
}

function openvpn(facts: Facts): Advice {
  const names = { aes128: 'AES-128-GCM', aes256: 'AES-256-GCM', chacha: 'CHACHA20-POLY1305', gost: [] }
  const order = orderOf(facts, names, facts.ends.class === 'hardware')
  return {
    order,
    settings: [{ program: 'openvpn', text: `data-ciphers ${order.join(':')}` }],
    notes: [
      'the server takes the first entry of its list that the client offers: put CHACHA20-POLY1305 first on a gateway without AES, or per client',
      'kernel offload (DCO) supports just these ciphers',
    ],
  }
}

function wireguard(): Advice {
  return {
    order: ['chacha20-poly1305'],
    settings: [],
    notes: ['WireGuard always uses ChaCha20-Poly1305: there is nothing to choose'],
  }
}

function diskSector(facts: Facts): Advice {
  const strong = facts.cnsa || facts.options.keyBits === 256
  const xts = strong ? 'AES-256-XTS' : 'AES-128-XTS'
  if (facts.gost) {
    throw new AeadError(
      'no-candidate',
      'disk-sector: no sector encryption known here is on the GOST list (V9, V3)',
      {
        details: { rules: ['V9', 'V3'] },
      },
    )
  }
  // The machine with the disk reads it, whoever else may; XTS has no use for the multiply.
  const local = facts.options.readers === 'anywhere'
  const engine = local ? facts.evidence.aes === 'yes' : facts.ends.aesEngine
  const unknown = local ? facts.evidence.aes === 'unknown' : facts.ends.class === 'unknown'
  const adiantum = !(facts.fips || facts.cnsa) && !engine
  return {
    order: adiantum ? (unknown ? ['Adiantum', xts] : ['Adiantum']) : [xts],
    settings: [
      {
        program: 'cryptsetup',
        text: adiantum
          ? 'cryptsetup luksFormat --cipher xchacha12,aes-adiantum-plain64 --key-size 256'
          : `cryptsetup luksFormat --cipher aes-xts-plain64 --key-size ${strong ? 512 : 256}`,
      },
    ],
    notes: [
      'this is not an AEAD: it keeps the length and does not authenticate, so changed sectors go unnoticed',
      'where a sector has room for a tag and a nonce, ask again with context own-protocol or file-format',
      facts.fips || facts.cnsa
        ? 'the list from outside has AES-XTS, whatever the hardware'
        : `chosen by AES hardware: ${engine ? 'known' : unknown ? 'unknown' : 'missing'}`,
    ],
  }
}

const ADVICE: Readonly<Record<ProtocolContext, (facts: Facts) => Advice>> = {
  'tls-server': tlsServer,
  'tls-client': tlsClient,
  quic: datagrams,
  dtls: datagrams,
  'ssh-client': ssh,
  'ssh-server': ssh,
  openvpn,
  wireguard,
  'disk-sector': diskSector,
}

/** Orders and settings for a context where the protocol chooses (rules V5 to V9). */
export function adviceFor(context: ProtocolContext, facts: Facts): Advice {
  return ADVICE[context](facts)
}
