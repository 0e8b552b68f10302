import type { Context } from '../options.ts'
import type { Facts } from './facts.ts'
import { isRegulated } from './family.ts'
import { approvedGcm } from './regulation.ts'
import type { RuleRow, VerdictRuleId } from './rule.ts'

type ProtocolRuleId = 'V5' | 'V6' | 'V7' | 'V8' | 'V9'

/** What each of these rules says; it is the reason of the answer as well. */
export const PROTOCOL_TITLES: Readonly<Record<ProtocolRuleId, string>> = {
  V5: 'WireGuard: ChaCha20-Poly1305, fixed; with FIPS 140-3, GOST or CNSA a conflict',
  V6: 'TLS, QUIC, DTLS: an ordered list and server settings, not one cipher',
  V7: "SSH: the client's Ciphers order decides",
  V8: 'OpenVPN: data-ciphers in the order of the hardware of both ends',
  V9: 'disk sectors without room for tag and nonce: AES-XTS with AES hardware, Adiantum without; not an AEAD',
}

/** Which rule answers for a protocol context. */
export const PROTOCOL_RULE: Readonly<Partial<Record<Context, ProtocolRuleId>>> = {
  wireguard: 'V5',
  'tls-server': 'V6',
  'tls-client': 'V6',
  quic: 'V6',
  dtls: 'V6',
  'ssh-client': 'V7',
  'ssh-server': 'V7',
  openvpn: 'V8',
  'disk-sector': 'V9',
}

function binding(facts: Facts): { readonly rule: VerdictRuleId; readonly name: string } {
  if (facts.fips) return { rule: 'V2', name: 'fips140-3' }
  return facts.gost ? { rule: 'V3', name: 'gost' } : { rule: 'V4', name: 'cnsa' }
}

/** Block 2: the protocol has already chosen. The advice itself is in advice.ts. */
export const PROTOCOL: readonly RuleRow[] = [
  {
    // The protocol has one cipher by design; a list that excludes it excludes the tunnel.
    id: 'V5',
    conflict: (facts) => {
      if (facts.options.context !== 'wireguard' || !isRegulated(facts)) return undefined
      const { name, rule } = binding(facts)
      return {
        rules: ['V5', rule],
        message: `WireGuard always uses ChaCha20-Poly1305, which ${name} does not list: use another tunnel`,
        profiles: [
          { for: 'wireguard', algorithm: 'chacha20-poly1305' },
          {
            for: name,
            algorithm: rule === 'V3' ? 'kuznyechik-mgm' : approvedGcm(facts),
          },
        ],
      }
    },
  },
  {
    // A server cannot see the client's CPU; it sees the order of the client's list, and that is the signal.
    id: 'V6',
  },
  {
    // RFC 4253 §7.1: the first name on the client's list that the server has.
    id: 'V7',
  },
  {
    // The first entry of the server's list that the client offers is taken.
    id: 'V8',
  },
  {
    // No room for a tag or a nonce: length-preserving encryption, which authenticates nothing.
    id: 'V9',
  },
]
