import { AeadError } from '@aeadkit/core'
import type { ProtocolContext, ResolvedOptions } from '../options.ts'
import { cipherOrder, GOST_SUITES, namesOf, type ProtocolAead } from '../protocols/order.ts'
import { speedNotes } from '../protocols/speed.ts'
import {
  nginxDirectives,
  nginxText,
  nodeText,
  openvpnText,
  sshText,
  TLS_NOTES,
  type TlsOrder,
  tlsSuiteOptions,
} from '../protocols/texts.ts'
import { endsHardware, type Facts, machineHere } from './facts.ts'
import { orderHardware } from './order-reasons.ts'
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

/** What advice is worked out from; the facts of a selection have it all. */
export type AdviceFacts = Pick<Facts, 'fips' | 'gost' | 'cnsa' | 'evidence'> & {
  readonly options: Pick<ResolvedOptions, 'context' | 'keyBits' | 'readers'>
  /** Program whose `tls` a client's order is for. Default: `node`. */
  readonly runtime?: string
}

/**
 * AES first on known hardware at both halves, ChaCha20 first otherwise; lists from outside leave theirs only. A server
 * of TLS follows its clients, whatever its own hardware.
 */
function orderOf(facts: AdviceFacts): readonly ProtocolAead[] {
  const { cnsa, fips, options } = facts
  const aes = options.context === 'tls-server' || orderHardware(facts).class === 'hardware'
  return cipherOrder(aes, { fips, cnsa, keyBits: options.keyBits })
}

/** @throws AeadError `no-candidate`: GOST binds, and the protocol has no cipher on its list. */
function refuseGost(facts: AdviceFacts): void {
  if (!facts.gost) return
  const rule = PROTOCOL_RULE[facts.options.context]!
  throw new AeadError(
    'no-candidate',
    `${facts.options.context} has no cipher that GOST lists (${rule}, V3)`,
    { details: { rules: [rule, 'V3'] } },
  )
}

/**
 * Suites of a TLS server or client, by version. A server's order does not depend on its hardware; GOST has suites of
 * TLS 1.3 only.
 */
export function tlsOrder(facts: AdviceFacts): TlsOrder {
  if (facts.gost) return { tls13: GOST_SUITES, tls12: [], followChaCha: false }
  const order = orderOf(facts)
  return {
    tls13: namesOf('tls1.3', order),
    tls12: namesOf('tls1.2', order),
    followChaCha: order.indexOf('chacha20-poly1305') > 0,
  }
}

function tlsServer(facts: AdviceFacts): Advice {
  const order = tlsOrder(facts)
  const settings: Setting[] = [{ program: 'nginx', text: nginxText(nginxDirectives('server', order)) }]
  // No build of Node has suites of GOST.
  if (!facts.gost) {
    settings.push({ program: 'node', text: nodeText('server', tlsSuiteOptions('server', order, true)) })
  }
  return {
    order: order.tls13,
    settings,
    notes: [
      ...(order.followChaCha
        ? [TLS_NOTES.clientDecides, TLS_NOTES.prioritize, TLS_NOTES.nginxOff, TLS_NOTES.nodeOff]
        : [TLS_NOTES.onlyThese]),
      TLS_NOTES.nginxInherits,
      ...speedNotes(facts.evidence),
    ],
  }
}

function tlsClient(facts: AdviceFacts): Advice {
  const order = tlsOrder(facts)
  return {
    order: order.tls13,
    settings: facts.gost
      ? [{ program: 'nginx', text: nginxText(nginxDirectives('client', order)) }]
      : [{ program: 'node', text: nodeText('client', tlsSuiteOptions('client', order, true)) }],
    notes: [TLS_NOTES.clientStates, ...speedNotes(facts.evidence)],
  }
}

function datagrams(facts: AdviceFacts): Advice {
  // QUIC and DTLS have no GOST suites.
  refuseGost(facts)
  const order = namesOf('tls1.3', orderOf(facts))
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

function ssh(facts: AdviceFacts): Advice {
  refuseGost(facts)
  const order = namesOf('ssh', orderOf(facts))
  const server = facts.options.context === 'ssh-server'
  const chacha = order.some((name) => name.startsWith('chacha20'))
  return {
    order,
    settings: [
      server
        ? { program: 'sshd_config', text: sshText('server', order, '*') }
        : { program: 'ssh_config', text: sshText('client', order, '*') },
    ],
    notes: [
      server
        ? "the server's list only says what is allowed: the client's order decides (RFC 4253 §7.1), so set it there"
        : "the client's first name that the server has is taken (RFC 4253 §7.1)",
      ...(orderHardware(facts).class === 'hardware'
        ? ['for bulk copies between machines with AES hardware: ssh -c aes128-gcm@openssh.com']
        : chacha
          ? ['an end without AES hardware is slower with aes128-gcm@openssh.com: set orders per host']
          : []),
      ...(chacha
        ? [
            'CVE-2023-48795 (Terrapin) concerns chacha20-poly1305@openssh.com where strict key exchange is missing on either side',
            'chacha20-poly1305@openssh.com encrypts the packet length with a second key, so speeds of ChaCha20-Poly1305 elsewhere only hint at it',
          ]
        : []),
      ...speedNotes(facts.evidence),
    ],
  }
}

function openvpn(facts: AdviceFacts): Advice {
  refuseGost(facts)
  const order = namesOf('openvpn', orderOf(facts))
  const chacha = order.find((name) => name.startsWith('CHACHA20'))
  return {
    order,
    settings: [{ program: 'openvpn', text: openvpnText(order) }],
    notes: [
      `the server takes its first entry that the client offers${
        chacha === undefined ? '' : `: put ${chacha} first on a gateway without AES, or per client`
      }`,
      'kernel offload (DCO) supports all of these',
      ...speedNotes(facts.evidence),
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

function diskSector(facts: AdviceFacts): Advice {
  const strong = facts.cnsa || facts.options.keyBits === 256
  const xts = strong ? 'AES-256-XTS' : 'AES-128-XTS'
  refuseGost(facts)
  // The machine with the disk reads it, whoever else may; XTS has no use for the multiply.
  const { readers } = facts.options
  const ends = endsHardware(
    readers === 'anywhere' ? 'here' : readers,
    facts.evidence,
    machineHere(facts.evidence),
  )
  const engine = ends.aesEngine
  const unknown = ends.class === 'unknown'
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
        : `AES hardware: ${engine ? 'present' : unknown ? 'unknown' : 'missing'} (${ends.why})`,
    ],
  }
}

const ADVICE: Readonly<Record<ProtocolContext, (facts: AdviceFacts) => Advice>> = {
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
export function adviceFor(context: ProtocolContext, facts: AdviceFacts): Advice {
  return ADVICE[context](facts)
}
