import {
  AEGIS_FAMILY,
  ASCON_FAMILY,
  CCM_FAMILY,
  GCM_FAMILY,
  GCM_SIV_FAMILY,
  MGM_64_FAMILY,
  MGM_128_FAMILY,
  OCB_FAMILY,
  POLY1305_FAMILY,
  SIV_FAMILY,
  XAES_FAMILY,
} from './families.ts'
import { type AlgorithmTable, tableOf } from './table.ts'

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

/** All of it. */
export const TABLE: AlgorithmTable = /* @__PURE__ */ (() =>
  tableOf([
    GCM_FAMILY,
    CCM_FAMILY,
    GCM_SIV_FAMILY,
    SIV_FAMILY,
    POLY1305_FAMILY,
    XAES_FAMILY,
    AEGIS_FAMILY,
    ASCON_FAMILY,
    MGM_128_FAMILY,
    MGM_64_FAMILY,
    OCB_FAMILY,
  ]))()

/** Every algorithm aeadkit knows, by id; frozen. Consumers read sizes from here and never repeat them. */
export const ALGORITHMS: Readonly<Record<AlgorithmId, AlgorithmParams>> = /* @__PURE__ */ (() =>
  TABLE.params)()

/** Whether `id` names an algorithm of {@link ALGORITHMS}. */
export function isAlgorithmId(id: unknown): id is AlgorithmId {
  return typeof id === 'string' && Object.hasOwn(ALGORITHMS, id)
}

/** Whether a repeated nonce reveals only equality and allows no forgery. */
export function isMisuseResistant(params: AlgorithmParams): boolean {
  return params.nonceReuse.plaintext === 'equality' && params.nonceReuse.forgery === 'none'
}
