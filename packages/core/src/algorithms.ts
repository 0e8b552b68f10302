/** Identifier of one AEAD with its key size. One spelling everywhere: API, vectors, benches, command line, docs. */
export type AlgorithmId =
  | 'aes-128-gcm'
  | 'aes-256-gcm'
  | 'aes-128-ccm'
  | 'aes-256-ccm'
  | 'aes-128-gcm-siv'
  | 'aes-256-gcm-siv'
  | 'aes-siv-cmac-256'
  | 'aes-siv-cmac-512'
  | 'chacha20-poly1305'
  | 'xchacha20-poly1305'
  | 'xaes-256-gcm'
  | 'aegis-128l'
  | 'aegis-256'
  | 'aegis-128x2'
  | 'aegis-128x4'
  | 'aegis-256x2'
  | 'aegis-256x4'
  | 'ascon-aead128'
  | 'kuznyechik-mgm'
  | 'magma-mgm'
  | 'aes-128-ocb'
  | 'aes-256-ocb'

/** What repeating a nonce under one key for two different messages costs. */
export interface NonceReuseDamage {
  /**
   * - `xor`: the XOR of the two plaintexts is revealed.
   * - `prefix`: relations of the first differing blocks are revealed.
   * - `blocks`: equality of blocks at equal positions is revealed.
   * - `equality`: only that two (nonce, AAD, plaintext) triples are identical.
   */
  readonly plaintext: 'xor' | 'prefix' | 'blocks' | 'equality'
  /**
   * What an attacker can forge afterwards.
   * - `key`: any message under the key.
   * - `nonce-prefix`: messages sharing the derived key, that is the first 12 nonce bytes.
   * - `nonce`: messages under that nonce only.
   * - `state`: the state for that nonce becomes recoverable, the key does not.
   * - `limited`: limited integrity survives.
   * - `none`: nothing.
   */
  readonly forgery: 'key' | 'nonce-prefix' | 'nonce' | 'state' | 'limited' | 'none'
}

/** The usage bound that applies; the formulas and constants are in `limits.ts`. */
export type BoundId =
  | 'gcm'
  | 'ccm'
  | 'gcm-siv'
  | 'siv'
  | 'poly1305'
  | 'xaes'
  | 'aegis'
  | 'ascon'
  | 'mgm-128'
  | 'mgm-64'
  | 'ocb'

/** Facts about one AEAD. Sizes are in bytes; longer texts are in `describeAlgorithm` of `@aeadkit/core/catalog`. */
export interface AlgorithmParams {
  /** The algorithm these facts are about. */
  readonly id: AlgorithmId
  /** Exact key length in bytes. */
  readonly keyBytes: number
  /** Exact nonce length in bytes; no other length is taken outside `@aeadkit/core/unsafe`. */
  readonly nonceBytes: number
  /** Exact tag length in bytes. */
  readonly tagBytes: number
  /** Whether the tag follows the ciphertext or precedes it (synthetic-IV modes of RFC 5297). */
  readonly tagPosition: 'end' | 'start'
  /** Largest plaintext of one message in bytes. */
  readonly maxPlaintextBytes: bigint
  /** Largest AAD of one message in bytes. */
  readonly maxAadBytes: bigint
  /** How many of the nonce's bits a random nonce may use. One less than the nonce has: the top bit must be 0. */
  readonly randomNonceBits: number
  /** Which usage bound applies. */
  readonly bound: BoundId
  /** Whether the mode needs the whole message before its first output byte (or its length, for CCM). */
  readonly wholeMessage: boolean
  /** What a repeated nonce costs. */
  readonly nonceReuse: NonceReuseDamage
  /**
   * `false`, or the work (log2) to find one ciphertext that opens under two keys when the attacker does not
   * control the AAD.
   */
  readonly committing: false | 64 | 128
  /** Whether FIPS 140-3 lists it: `composition` is built from approved functions and needs your laboratory's word. */
  readonly fips: 'approved' | 'composition' | 'not-approved'
  /** The CPU instructions each half wants to be fast; `none` means ordinary integer or vector code. */
  readonly cpu: { readonly cipher: 'aes' | 'none'; readonly authenticator: 'aes' | 'clmul' | 'none' }
  /** Document and section the sizes come from. */
  readonly spec: string
}

/** What algorithms of one construction share; see the fields of {@link AlgorithmParams}. */
type Family = readonly [
  /** 2^a - b bytes of plaintext. */
  plaintext: readonly [a: number, b: number],
  /** 2^a - b bytes of AAD. */
  aad: readonly [a: number, b: number],
  bound: BoundId,
  reusedPlaintext: NonceReuseDamage['plaintext'],
  reusedForgery: NonceReuseDamage['forgery'],
  committing: AlgorithmParams['committing'],
  fips: AlgorithmParams['fips'],
  cipher: AlgorithmParams['cpu']['cipher'],
  authenticator: AlgorithmParams['cpu']['authenticator'],
]

/** Sizes in bytes, then what is shared. */
type Row = readonly [key: number, nonce: number, tag: number, family: Family, spec: string]

const GCM: Family = [[36, 32], [61, 1], 'gcm', 'xor', 'key', false, 'approved', 'aes', 'clmul']
const CCM: Family = [[24, 1], [64, 1], 'ccm', 'xor', 'nonce', false, 'approved', 'aes', 'aes']
const GCM_SIV: Family = [
  [36, 0],
  [36, 0],
  'gcm-siv',
  'equality',
  'none',
  false,
  'not-approved',
  'aes',
  'clmul',
]
const SIV: Family = [[132, 0], [132, 0], 'siv', 'equality', 'none', false, 'not-approved', 'aes', 'aes']
const POLY: Family = [[38, 64], [64, 1], 'poly1305', 'xor', 'nonce', false, 'not-approved', 'none', 'none']
const XAES: Family = [[36, 32], [61, 1], 'xaes', 'xor', 'nonce-prefix', false, 'composition', 'aes', 'clmul']
const AEGIS: Family = [[61, 1], [61, 1], 'aegis', 'xor', 'state', 128, 'not-approved', 'aes', 'aes']
const ASCON: Family = [[54, 16], [54, 16], 'ascon', 'prefix', 'limited', 64, 'approved', 'none', 'none']
const MGM: Family = [[61, 1], [61, 1], 'mgm-128', 'xor', 'nonce', false, 'not-approved', 'none', 'clmul']
const MGM_64: Family = [[29, 1], [29, 1], 'mgm-64', 'xor', 'nonce', false, 'not-approved', 'none', 'none']
const OCB: Family = [[52, 0], [52, 0], 'ocb', 'blocks', 'key', false, 'not-approved', 'aes', 'aes']

const ROWS: Readonly<Record<AlgorithmId, Row>> = {
  'aes-128-gcm': [16, 12, 16, GCM, 'NIST SP 800-38D §5.2.1.1'],
  'aes-256-gcm': [32, 12, 16, GCM, 'NIST SP 800-38D §5.2.1.1'],
  'aes-128-ccm': [16, 12, 16, CCM, 'NIST SP 800-38C §6.1, Appendix A.1; RFC 5116 §5.3'],
  'aes-256-ccm': [32, 12, 16, CCM, 'NIST SP 800-38C §6.1, Appendix A.1; RFC 5116 §5.4'],
  'aes-128-gcm-siv': [16, 12, 16, GCM_SIV, 'RFC 8452 §6'],
  'aes-256-gcm-siv': [32, 12, 16, GCM_SIV, 'RFC 8452 §6'],
  'aes-siv-cmac-256': [32, 16, 16, SIV, 'RFC 5297 §6'],
  'aes-siv-cmac-512': [64, 16, 16, SIV, 'RFC 5297 §6'],
  'chacha20-poly1305': [32, 12, 16, POLY, 'RFC 8439 §2.8'],
  'xchacha20-poly1305': [32, 24, 16, POLY, 'draft-irtf-cfrg-xchacha-03 §2.3.1'],
  'xaes-256-gcm': [32, 24, 16, XAES, 'C2SP XAES-256-GCM'],
  'aegis-128l': [16, 16, 32, AEGIS, 'RFC 10032'],
  'aegis-256': [32, 32, 32, AEGIS, 'RFC 10032'],
  'aegis-128x2': [16, 16, 32, AEGIS, 'RFC 10032'],
  'aegis-128x4': [16, 16, 32, AEGIS, 'RFC 10032'],
  'aegis-256x2': [32, 32, 32, AEGIS, 'RFC 10032'],
  'aegis-256x4': [32, 32, 32, AEGIS, 'RFC 10032'],
  'ascon-aead128': [16, 16, 16, ASCON, 'NIST SP 800-232 §4'],
  'kuznyechik-mgm': [32, 16, 16, MGM, 'RFC 9058 §4'],
  'magma-mgm': [32, 8, 8, MGM_64, 'RFC 9058 §4'],
  'aes-128-ocb': [16, 12, 16, OCB, 'RFC 7253 §3.1'],
  'aes-256-ocb': [32, 12, 16, OCB, 'RFC 7253 §3.1'],
}

/** The rows in full: every bundle carries them, so that what can be derived is not written. */
function expanded(): Readonly<Record<AlgorithmId, AlgorithmParams>> {
  const { freeze } = Object
  const bytes = ([a, b]: readonly [number, number]): bigint => (1n << BigInt(a)) - BigInt(b)
  const table = {} as Record<AlgorithmId, AlgorithmParams>
  for (const id of Object.keys(ROWS) as AlgorithmId[]) {
    const [keyBytes, nonceBytes, tagBytes, family, spec] = ROWS[id]
    const [most, mostAad, bound, plaintext, forgery, committing, fips, cipher, authenticator] = family
    // An assignment to a size, a tag length say, would change it for everybody.
    table[id] = freeze({
      id,
      keyBytes,
      nonceBytes,
      tagBytes,
      tagPosition: bound === 'siv' ? 'start' : 'end',
      maxPlaintextBytes: bytes(most),
      maxAadBytes: bytes(mostAad),
      // The nonces of MGM begin with a bit that must be 0.
      randomNonceBits: 8 * nonceBytes - (/mgm/.test(bound) ? 1 : 0),
      bound,
      wholeMessage: /siv|ccm/.test(bound),
      nonceReuse: freeze({ plaintext, forgery }),
      committing,
      fips,
      cpu: freeze({ cipher, authenticator }),
      spec,
    })
  }
  return freeze(table)
}

/** Every algorithm aeadkit knows, by id; frozen. Consumers read sizes from here and never repeat them. */
export const ALGORITHMS: Readonly<Record<AlgorithmId, AlgorithmParams>> = /* @__PURE__ */ expanded()

/** Whether `id` names an algorithm of {@link ALGORITHMS}. */
export function isAlgorithmId(id: unknown): id is AlgorithmId {
  return typeof id === 'string' && Object.hasOwn(ALGORITHMS, id)
}

/** Whether a repeated nonce reveals only equality and allows no forgery. */
export function isMisuseResistant(params: AlgorithmParams): boolean {
  return params.nonceReuse.plaintext === 'equality' && params.nonceReuse.forgery === 'none'
}
