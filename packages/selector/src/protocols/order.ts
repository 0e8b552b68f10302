import { type AlgorithmId, readOptions } from '@aeadkit/core'
import { refuse } from '../checks.ts'

/** The three AEADs every protocol here negotiates between. */
export type ProtocolAead = Extract<AlgorithmId, 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305'>

/** Lists and demands from outside that leave ciphers out. */
export interface OutsideLists {
  /** Of the three only AES-GCM is on the FIPS 140-3 list. */
  readonly fips: boolean
  /** Only AES-256-GCM. */
  readonly cnsa: boolean
  /** Least key strength demanded from outside. */
  readonly keyBits: 128 | 256 | undefined
}

/**
 * The order of preference: the one place it is written. Hardware for both halves of AES-GCM puts AES first, anything
 * else puts ChaCha20-Poly1305 first; 256-bit AES only leads under an outside demand.
 * @throws AeadError `invalid-argument`: neither true nor false, or no lists.
 */
export function cipherOrder(hardware: boolean, given: OutsideLists): readonly ProtocolAead[] {
  if (typeof hardware !== 'boolean') refuse('hardware', 'true or false', hardware)
  const lists = readOptions<OutsideLists>(given ?? null, ['fips', 'cnsa', 'keyBits'], 'cipherOrder')
  const strong = lists.cnsa || lists.keyBits === 256
  const aes: readonly ProtocolAead[] = strong ? ['aes-256-gcm'] : ['aes-128-gcm', 'aes-256-gcm']
  if (lists.fips || lists.cnsa) return aes
  return hardware ? [...aes, 'chacha20-poly1305'] : ['chacha20-poly1305', ...aes]
}

/** A vocabulary of cipher names. `tls1.3` has IANA names, `tls1.2` those of OpenSSL, which differ from IANA's. */
export type NameSpace = 'tls1.3' | 'tls1.2' | 'ssh' | 'openvpn'

type Names = Readonly<Record<ProtocolAead, readonly string[]>>

/** What each protocol calls the three. TLS 1.2 names the authentication as well, so each AEAD has two suites. */
export const PROTOCOL_NAMES: Readonly<Record<NameSpace, Names>> = {
  'tls1.3': {
    'aes-128-gcm': ['TLS_AES_128_GCM_SHA256'],
    'aes-256-gcm': ['TLS_AES_256_GCM_SHA384'],
    'chacha20-poly1305': ['TLS_CHACHA20_POLY1305_SHA256'],
  },
  'tls1.2': {
    'aes-128-gcm': ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
    'aes-256-gcm': ['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
    'chacha20-poly1305': ['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  },
  ssh: {
    'aes-128-gcm': ['aes128-gcm@openssh.com'],
    'aes-256-gcm': ['aes256-gcm@openssh.com'],
    'chacha20-poly1305': ['chacha20-poly1305@openssh.com'],
  },
  openvpn: {
    'aes-128-gcm': ['AES-128-GCM'],
    'aes-256-gcm': ['AES-256-GCM'],
    'chacha20-poly1305': ['CHACHA20-POLY1305'],
  },
}

/** TLS 1.3 suites of RFC 9367, the only ones on the GOST list; no other protocol here has any. */
export const GOST_SUITES: readonly string[] = [
  'TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_L',
  'TLS_GOSTR341112_256_WITH_KUZNYECHIK_MGM_S',
]

/** An order in the words of a protocol. */
export function namesOf(space: NameSpace, order: readonly ProtocolAead[]): readonly string[] {
  return order.flatMap((id) => PROTOCOL_NAMES[space][id])
}
