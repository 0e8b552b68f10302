import type { LimitBasis } from './limits/types.ts'

/** Protocols with their own usage limits. */
export type ProtocolId = 'tls-1.3' | 'dtls-1.3' | 'quic' | 'wireguard' | 'ssh' | 'gost-tls-1.3'

/** A protocol's number. */
export interface ProtocolCount {
  /** Exact integer, rounded down; `null` when the protocol sets none. */
  readonly max: bigint | null
  /** The exponent as the document writes it; `null` when it sets none. */
  readonly log2: number | null
  /** What is counted, and over which keys. */
  readonly counts: string
}

/** Limits a protocol prescribes for one group of ciphers. Constants of its document, not results of our formulas. */
export interface ProtocolLimit {
  readonly protocol: ProtocolId
  /** Ciphers the row is for: ids of `ALGORITHMS`, or a name outside it such as `aes-128-ccm-8`. */
  readonly ciphers: readonly string[]
  /** Condition the row holds under, or `null`. */
  readonly condition: string | null
  readonly confidentiality: ProtocolCount
  readonly integrity: ProtocolCount
  readonly basis: LimitBasis
  /** How the document arrives at its numbers. */
  readonly reasoning: string
  /** Document and section. */
  readonly source: string
  /** Whether the number was read in the document itself. */
  readonly certainty: 'primary' | 'general-knowledge'
}

const GCM: readonly string[] = ['aes-128-gcm', 'aes-256-gcm']
const CHACHA: readonly string[] = ['chacha20-poly1305']
const NO_LIMIT: ProtocolCount = { max: null, log2: null, counts: 'no limit set' }
const CLOSES: ProtocolCount = { max: null, log2: null, counts: 'the connection closes at the first failure' }

/** Every protocol row. TLS, DTLS and QUIC rest on different bounds and targets: do not derive one from another. */
// biome-ignore format: a table reads best with one count in one line
export const PROTOCOL_LIMITS: readonly ProtocolLimit[] = [
  {
    protocol: 'tls-1.3', ciphers: GCM, condition: null,
    confidentiality: { max: 23_726_566n, log2: 24.5, counts: 'full-size records per key' },
    integrity: CLOSES,
    basis: 'published-constant',
    reasoning: 'sqrt(2^-60) * 2^64.5 / 2^10; the text speaks of a 2^-57 margin. 23703418 with L + 1 in place of L',
    source: 'RFC 9846 §5.5', certainty: 'primary',
  },
  {
    protocol: 'tls-1.3', ciphers: CHACHA, condition: null,
    confidentiality: { max: null, log2: null, counts: 'none: the 64-bit sequence number wraps first' },
    integrity: CLOSES,
    basis: 'published-constant', reasoning: 'no limit from the mode', source: 'RFC 9846 §5.5', certainty: 'primary',
  },
  {
    protocol: 'dtls-1.3', ciphers: GCM, condition: null,
    confidentiality: { max: 23_726_566n, log2: 24.5, counts: 'full-size records per key' },
    integrity: { max: 68_719_476_736n, log2: 36, counts: 'failed records per key' },
    basis: 'published-constant', reasoning: 'target 2^-57; the integrity number is lower than the analysis allows',
    source: 'RFC 9147 §4.5.3', certainty: 'primary',
  },
  {
    protocol: 'dtls-1.3', ciphers: CHACHA, condition: null,
    confidentiality: NO_LIMIT,
    integrity: { max: 68_719_476_736n, log2: 36, counts: 'failed records per key' },
    basis: 'published-constant', reasoning: 'target 2^-57', source: 'RFC 9147 §4.5.3', certainty: 'primary',
  },
  {
    protocol: 'dtls-1.3', ciphers: ['aes-128-ccm'], condition: null,
    confidentiality: { max: 8_388_608n, log2: 23, counts: 'records per key' },
    integrity: { max: 11_863_283n, log2: 23.5, counts: 'failed records per key' },
    basis: 'published-constant', reasoning: 'targets 2^-60 and 2^-57 at L = 2^10', source: 'RFC 9147 §4.5.3', certainty: 'primary',
  },
  {
    protocol: 'dtls-1.3', ciphers: ['aes-128-ccm-8'], condition: 'must not be used without extra protection against forgery',
    confidentiality: { max: 8_388_608n, log2: 23, counts: 'records per key' },
    integrity: { max: 128n, log2: 7, counts: 'failed records per key' },
    basis: 'published-constant', reasoning: 'targets 2^-60 and 2^-57 at L = 2^10, 8-byte tag', source: 'RFC 9147 §4.5.3', certainty: 'primary',
  },
  {
    protocol: 'quic', ciphers: GCM, condition: null,
    confidentiality: { max: 8_388_608n, log2: 23, counts: 'packets per key' },
    integrity: { max: 4_503_599_627_370_496n, log2: 52, counts: 'failed packets per connection, over all its keys' },
    basis: 'published-constant', reasoning: '2(ql)^2 / 2^128 <= 2^-57 with l = 2^12', source: 'RFC 9001 §6.6', certainty: 'primary',
  },
  {
    protocol: 'quic', ciphers: GCM, condition: 'no packet longer than 2^11 bytes',
    confidentiality: { max: 268_435_456n, log2: 28, counts: 'packets per key' },
    integrity: { max: 144_115_188_075_855_872n, log2: 57, counts: 'failed packets per connection, over all its keys' },
    basis: 'published-constant', reasoning: 'as above with shorter packets', source: 'RFC 9001 §6.6', certainty: 'primary',
  },
  {
    protocol: 'quic', ciphers: CHACHA, condition: null,
    confidentiality: { max: null, log2: null, counts: 'none: above the 2^62 packet numbers' },
    integrity: { max: 68_719_476_736n, log2: 36, counts: 'failed packets per connection, over all its keys' },
    basis: 'published-constant', reasoning: 'v = 2^46 / l at l = 2^10', source: 'RFC 9001 §6.6', certainty: 'primary',
  },
  {
    protocol: 'quic', ciphers: ['aes-128-ccm'], condition: null,
    confidentiality: { max: 2_965_820n, log2: 21.5, counts: 'packets per key' },
    integrity: { max: 2_965_820n, log2: 21.5, counts: 'failed packets per connection, over all its keys' },
    basis: 'published-constant', reasoning: 'v + q <= 2^34.5 / l, halved', source: 'RFC 9001 §6.6', certainty: 'primary',
  },
  {
    protocol: 'quic', ciphers: ['aes-128-ccm'], condition: 'no packet longer than 2^11 bytes',
    confidentiality: { max: 94_906_265n, log2: 26.5, counts: 'packets per key' },
    integrity: { max: 94_906_265n, log2: 26.5, counts: 'failed packets per connection, over all its keys' },
    basis: 'published-constant', reasoning: 'as above with shorter packets', source: 'RFC 9001 §6.6', certainty: 'primary',
  },
  {
    protocol: 'wireguard', ciphers: CHACHA, condition: 'or after 120 seconds, whichever is first',
    confidentiality: { max: 1_152_921_504_606_846_976n, log2: 60, counts: 'messages before a rekey' },
    integrity: NO_LIMIT,
    basis: 'published-constant', reasoning: 'constant of the protocol', source: 'WireGuard paper, timers', certainty: 'general-knowledge',
  },
  {
    protocol: 'ssh', ciphers: ['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305'], condition: null,
    confidentiality: { max: null, log2: null, counts: 'rekey by data volume and time; the OpenSSH default depends on the cipher' },
    integrity: CLOSES,
    basis: 'published-constant', reasoning: 'rule of RFC 4344, no single number', source: 'RFC 4344 §3', certainty: 'general-knowledge',
  },
  {
    protocol: 'gost-tls-1.3', ciphers: ['kuznyechik-mgm', 'magma-mgm'], condition: 'suites ending in _L',
    confidentiality: { max: 18_446_744_073_709_551_615n, log2: 64, counts: 'largest record sequence number, 2^64 - 1' },
    integrity: CLOSES,
    basis: 'published-constant', reasoning: 'the suite changes the record key by a key tree', source: 'RFC 9367', certainty: 'general-knowledge',
  },
  {
    protocol: 'gost-tls-1.3', ciphers: ['kuznyechik-mgm'], condition: 'suites ending in _S',
    confidentiality: { max: 4_398_046_511_103n, log2: 42, counts: 'largest record sequence number, 2^42 - 1' },
    integrity: CLOSES,
    basis: 'published-constant', reasoning: 'the suite changes the record key by a key tree', source: 'RFC 9367', certainty: 'general-knowledge',
  },
  {
    protocol: 'gost-tls-1.3', ciphers: ['magma-mgm'], condition: 'suites ending in _S',
    confidentiality: { max: 549_755_813_887n, log2: 39, counts: 'largest record sequence number, 2^39 - 1' },
    integrity: CLOSES,
    basis: 'published-constant', reasoning: 'the suite changes the record key by a key tree', source: 'RFC 9367', certainty: 'general-knowledge',
  },
]

/**
 * The rows of one protocol, optionally for one cipher.
 * @param protocol - one of {@link ProtocolId}.
 * @param cipher - an algorithm id or one of the names in the rows.
 */
export function protocolLimitsOf(protocol: ProtocolId, cipher?: string): readonly ProtocolLimit[] {
  return PROTOCOL_LIMITS.filter(
    (row) => row.protocol === protocol && (cipher === undefined || row.ciphers.includes(cipher)),
  )
}
