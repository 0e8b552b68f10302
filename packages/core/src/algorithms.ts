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

/** An assignment to a size, a tag length say, would change it for everybody. */
function frozen<T extends object>(table: T): T {
  for (const value of Object.values(table)) if (typeof value === 'object' && value !== null) frozen(value)
  return Object.freeze(table)
}

/** Every algorithm aeadkit knows, by id; frozen. Consumers read sizes from here and never repeat them. */
// biome-ignore format: a table reads best with one algorithm in three lines
export const ALGORITHMS: Readonly<Record<AlgorithmId, AlgorithmParams>> = /* @__PURE__ */ frozen({
  'aes-128-gcm': { id: 'aes-128-gcm', keyBytes: 16, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 68_719_476_704n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 96, bound: 'gcm', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'key' }, committing: false, fips: 'approved', cpu: { cipher: 'aes', authenticator: 'clmul' }, spec: 'NIST SP 800-38D §5.2.1.1' },
  'aes-256-gcm': { id: 'aes-256-gcm', keyBytes: 32, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 68_719_476_704n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 96, bound: 'gcm', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'key' }, committing: false, fips: 'approved', cpu: { cipher: 'aes', authenticator: 'clmul' }, spec: 'NIST SP 800-38D §5.2.1.1' },
  'aes-128-ccm': { id: 'aes-128-ccm', keyBytes: 16, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 16_777_215n, maxAadBytes: 18_446_744_073_709_551_615n, randomNonceBits: 96, bound: 'ccm', wholeMessage: true,
    nonceReuse: { plaintext: 'xor', forgery: 'nonce' }, committing: false, fips: 'approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'NIST SP 800-38C §6.1, Appendix A.1; RFC 5116 §5.3' },
  'aes-256-ccm': { id: 'aes-256-ccm', keyBytes: 32, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 16_777_215n, maxAadBytes: 18_446_744_073_709_551_615n, randomNonceBits: 96, bound: 'ccm', wholeMessage: true,
    nonceReuse: { plaintext: 'xor', forgery: 'nonce' }, committing: false, fips: 'approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'NIST SP 800-38C §6.1, Appendix A.1; RFC 5116 §5.4' },
  'aes-128-gcm-siv': { id: 'aes-128-gcm-siv', keyBytes: 16, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 68_719_476_736n, maxAadBytes: 68_719_476_736n, randomNonceBits: 96, bound: 'gcm-siv', wholeMessage: true,
    nonceReuse: { plaintext: 'equality', forgery: 'none' }, committing: false, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'clmul' }, spec: 'RFC 8452 §6' },
  'aes-256-gcm-siv': { id: 'aes-256-gcm-siv', keyBytes: 32, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 68_719_476_736n, maxAadBytes: 68_719_476_736n, randomNonceBits: 96, bound: 'gcm-siv', wholeMessage: true,
    nonceReuse: { plaintext: 'equality', forgery: 'none' }, committing: false, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'clmul' }, spec: 'RFC 8452 §6' },
  'aes-siv-cmac-256': { id: 'aes-siv-cmac-256', keyBytes: 32, nonceBytes: 16, tagBytes: 16, tagPosition: 'start',
    maxPlaintextBytes: 5_444_517_870_735_015_415_413_993_718_908_291_383_296n, maxAadBytes: 5_444_517_870_735_015_415_413_993_718_908_291_383_296n, randomNonceBits: 128, bound: 'siv', wholeMessage: true,
    nonceReuse: { plaintext: 'equality', forgery: 'none' }, committing: false, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 5297 §6' },
  'aes-siv-cmac-512': { id: 'aes-siv-cmac-512', keyBytes: 64, nonceBytes: 16, tagBytes: 16, tagPosition: 'start',
    maxPlaintextBytes: 5_444_517_870_735_015_415_413_993_718_908_291_383_296n, maxAadBytes: 5_444_517_870_735_015_415_413_993_718_908_291_383_296n, randomNonceBits: 128, bound: 'siv', wholeMessage: true,
    nonceReuse: { plaintext: 'equality', forgery: 'none' }, committing: false, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 5297 §6' },
  'chacha20-poly1305': { id: 'chacha20-poly1305', keyBytes: 32, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 274_877_906_880n, maxAadBytes: 18_446_744_073_709_551_615n, randomNonceBits: 96, bound: 'poly1305', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'nonce' }, committing: false, fips: 'not-approved', cpu: { cipher: 'none', authenticator: 'none' }, spec: 'RFC 8439 §2.8' },
  'xchacha20-poly1305': { id: 'xchacha20-poly1305', keyBytes: 32, nonceBytes: 24, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 274_877_906_880n, maxAadBytes: 18_446_744_073_709_551_615n, randomNonceBits: 192, bound: 'poly1305', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'nonce' }, committing: false, fips: 'not-approved', cpu: { cipher: 'none', authenticator: 'none' }, spec: 'draft-irtf-cfrg-xchacha-03 §2.3.1' },
  'xaes-256-gcm': { id: 'xaes-256-gcm', keyBytes: 32, nonceBytes: 24, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 68_719_476_704n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 192, bound: 'xaes', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'nonce-prefix' }, committing: false, fips: 'composition', cpu: { cipher: 'aes', authenticator: 'clmul' }, spec: 'C2SP XAES-256-GCM' },
  'aegis-128l': { id: 'aegis-128l', keyBytes: 16, nonceBytes: 16, tagBytes: 32, tagPosition: 'end',
    maxPlaintextBytes: 2_305_843_009_213_693_951n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 128, bound: 'aegis', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'state' }, committing: 128, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 10032' },
  'aegis-256': { id: 'aegis-256', keyBytes: 32, nonceBytes: 32, tagBytes: 32, tagPosition: 'end',
    maxPlaintextBytes: 2_305_843_009_213_693_951n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 256, bound: 'aegis', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'state' }, committing: 128, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 10032' },
  'aegis-128x2': { id: 'aegis-128x2', keyBytes: 16, nonceBytes: 16, tagBytes: 32, tagPosition: 'end',
    maxPlaintextBytes: 2_305_843_009_213_693_951n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 128, bound: 'aegis', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'state' }, committing: 128, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 10032' },
  'aegis-128x4': { id: 'aegis-128x4', keyBytes: 16, nonceBytes: 16, tagBytes: 32, tagPosition: 'end',
    maxPlaintextBytes: 2_305_843_009_213_693_951n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 128, bound: 'aegis', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'state' }, committing: 128, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 10032' },
  'aegis-256x2': { id: 'aegis-256x2', keyBytes: 32, nonceBytes: 32, tagBytes: 32, tagPosition: 'end',
    maxPlaintextBytes: 2_305_843_009_213_693_951n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 256, bound: 'aegis', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'state' }, committing: 128, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 10032' },
  'aegis-256x4': { id: 'aegis-256x4', keyBytes: 32, nonceBytes: 32, tagBytes: 32, tagPosition: 'end',
    maxPlaintextBytes: 2_305_843_009_213_693_951n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 256, bound: 'aegis', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'state' }, committing: 128, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 10032' },
  'ascon-aead128': { id: 'ascon-aead128', keyBytes: 16, nonceBytes: 16, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 18_014_398_509_481_968n, maxAadBytes: 18_014_398_509_481_968n, randomNonceBits: 128, bound: 'ascon', wholeMessage: false,
    nonceReuse: { plaintext: 'prefix', forgery: 'limited' }, committing: 64, fips: 'approved', cpu: { cipher: 'none', authenticator: 'none' }, spec: 'NIST SP 800-232 §4' },
  'kuznyechik-mgm': { id: 'kuznyechik-mgm', keyBytes: 32, nonceBytes: 16, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 2_305_843_009_213_693_951n, maxAadBytes: 2_305_843_009_213_693_951n, randomNonceBits: 127, bound: 'mgm-128', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'nonce' }, committing: false, fips: 'not-approved', cpu: { cipher: 'none', authenticator: 'clmul' }, spec: 'RFC 9058 §4' },
  'magma-mgm': { id: 'magma-mgm', keyBytes: 32, nonceBytes: 8, tagBytes: 8, tagPosition: 'end',
    maxPlaintextBytes: 536_870_911n, maxAadBytes: 536_870_911n, randomNonceBits: 63, bound: 'mgm-64', wholeMessage: false,
    nonceReuse: { plaintext: 'xor', forgery: 'nonce' }, committing: false, fips: 'not-approved', cpu: { cipher: 'none', authenticator: 'none' }, spec: 'RFC 9058 §4' },
  'aes-128-ocb': { id: 'aes-128-ocb', keyBytes: 16, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 4_503_599_627_370_496n, maxAadBytes: 4_503_599_627_370_496n, randomNonceBits: 96, bound: 'ocb', wholeMessage: false,
    nonceReuse: { plaintext: 'blocks', forgery: 'key' }, committing: false, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 7253 §3.1' },
  'aes-256-ocb': { id: 'aes-256-ocb', keyBytes: 32, nonceBytes: 12, tagBytes: 16, tagPosition: 'end',
    maxPlaintextBytes: 4_503_599_627_370_496n, maxAadBytes: 4_503_599_627_370_496n, randomNonceBits: 96, bound: 'ocb', wholeMessage: false,
    nonceReuse: { plaintext: 'blocks', forgery: 'key' }, committing: false, fips: 'not-approved', cpu: { cipher: 'aes', authenticator: 'aes' }, spec: 'RFC 7253 §3.1' },
})

/** Whether `id` names an algorithm of {@link ALGORITHMS}. */
export function isAlgorithmId(id: unknown): id is AlgorithmId {
  return typeof id === 'string' && Object.hasOwn(ALGORITHMS, id)
}

/** Whether a repeated nonce reveals only equality and allows no forgery. */
export function isMisuseResistant(params: AlgorithmParams): boolean {
  return params.nonceReuse.plaintext === 'equality' && params.nonceReuse.forgery === 'none'
}
