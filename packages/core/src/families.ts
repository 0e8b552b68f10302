import type { AlgorithmId, AlgorithmParams, BoundId, NonceReuseDamage } from './algorithms.ts'

/**
 * One algorithm of a family: sizes in bytes, source, and the known answer as `fingerprint` of self-test.ts gives it.
 * Each answer was computed by two independent implementations (OpenSSL, @noble/ciphers, libsodium), except CCM and OCB
 * (OpenSSL alone, which passes the published vectors), XAES (its parts by both) and AEGIS (libsodium alone). In full they
 * are in the tests.
 */
type Row = readonly [key: number, nonce: number, tag: number, spec: string, answer?: bigint]

/** Algorithms of one construction, packed: every bundle carries some. See the fields of {@link AlgorithmParams}. */
export type AlgorithmFamily = readonly [
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
  rows: Readonly<Partial<Record<AlgorithmId, Row>>>,
]

/** AES-GCM. */
export const GCM_FAMILY: AlgorithmFamily = [
  [36, 32],
  [61, 1],
  'gcm',
  'xor',
  'key',
  false,
  'approved',
  'aes',
  'clmul',
  {
    'aes-128-gcm': [16, 12, 16, 'NIST SP 800-38D §5.2.1.1', 0x9fa5_b50c_03c9_c282n],
    'aes-256-gcm': [32, 12, 16, 'NIST SP 800-38D §5.2.1.1', 0x1699_e4d2_597c_29f2n],
  },
]

/** AES-CCM. */
export const CCM_FAMILY: AlgorithmFamily = [
  [24, 1],
  [64, 1],
  'ccm',
  'xor',
  'nonce',
  false,
  'approved',
  'aes',
  'aes',
  {
    'aes-128-ccm': [16, 12, 16, 'NIST SP 800-38C §6.1, Appendix A.1; RFC 5116 §5.3', 0xb492_6101_3eb9_6d20n],
    'aes-256-ccm': [32, 12, 16, 'NIST SP 800-38C §6.1, Appendix A.1; RFC 5116 §5.4', 0x8c50_38d7_4cd4_22c6n],
  },
]

/** AES-GCM-SIV. */
export const GCM_SIV_FAMILY: AlgorithmFamily = [
  [36, 0],
  [36, 0],
  'gcm-siv',
  'equality',
  'none',
  false,
  'not-approved',
  'aes',
  'clmul',
  {
    'aes-128-gcm-siv': [16, 12, 16, 'RFC 8452 §6', 0xf82e_f5ae_bb70_bcddn],
    'aes-256-gcm-siv': [32, 12, 16, 'RFC 8452 §6', 0x44ba_0217_dcd9_ef63n],
  },
]

/** AES-SIV. */
export const SIV_FAMILY: AlgorithmFamily = [
  [132, 0],
  [132, 0],
  'siv',
  'equality',
  'none',
  false,
  'not-approved',
  'aes',
  'aes',
  {
    'aes-siv-cmac-256': [32, 16, 16, 'RFC 5297 §6', 0xd458_e36f_850a_5896n],
    'aes-siv-cmac-512': [64, 16, 16, 'RFC 5297 §6', 0xdde6_73c0_a2f3_8673n],
  },
]

/** ChaCha20-Poly1305 and XChaCha20-Poly1305. */
export const POLY1305_FAMILY: AlgorithmFamily = [
  [38, 64],
  [64, 1],
  'poly1305',
  'xor',
  'nonce',
  false,
  'not-approved',
  'none',
  'none',
  {
    'chacha20-poly1305': [32, 12, 16, 'RFC 8439 §2.8', 0x3424_f78e_e1df_7059n],
    'xchacha20-poly1305': [32, 24, 16, 'draft-irtf-cfrg-xchacha-03 §2.3.1', 0xb08d_208c_499d_7e2an],
  },
]

/** XAES-256-GCM. */
export const XAES_FAMILY: AlgorithmFamily = [
  [36, 32],
  [61, 1],
  'xaes',
  'xor',
  'nonce-prefix',
  false,
  'composition',
  'aes',
  'clmul',
  {
    'xaes-256-gcm': [32, 24, 16, 'C2SP XAES-256-GCM', 0x3ac6_3f79_5089_cb18n],
  },
]

/** AEGIS. */
export const AEGIS_FAMILY: AlgorithmFamily = [
  [61, 1],
  [61, 1],
  'aegis',
  'xor',
  'state',
  128,
  'not-approved',
  'aes',
  'aes',
  {
    'aegis-128l': [16, 16, 32, 'RFC 10032', 0x6439_042e_9134_588bn],
    'aegis-256': [32, 32, 32, 'RFC 10032', 0x9988_396b_d351_775en],
    'aegis-128x2': [16, 16, 32, 'RFC 10032'],
    'aegis-128x4': [16, 16, 32, 'RFC 10032'],
    'aegis-256x2': [32, 32, 32, 'RFC 10032'],
    'aegis-256x4': [32, 32, 32, 'RFC 10032'],
  },
]

/** Ascon-AEAD128. */
export const ASCON_FAMILY: AlgorithmFamily = [
  [54, 16],
  [54, 16],
  'ascon',
  'prefix',
  'limited',
  64,
  'approved',
  'none',
  'none',
  {
    'ascon-aead128': [16, 16, 16, 'NIST SP 800-232 §4'],
  },
]

/** Kuznyechik-MGM. */
export const MGM_128_FAMILY: AlgorithmFamily = [
  [61, 1],
  [61, 1],
  'mgm-128',
  'xor',
  'nonce',
  false,
  'not-approved',
  'none',
  'clmul',
  {
    'kuznyechik-mgm': [32, 16, 16, 'RFC 9058 §4'],
  },
]

/** Magma-MGM. */
export const MGM_64_FAMILY: AlgorithmFamily = [
  [29, 1],
  [29, 1],
  'mgm-64',
  'xor',
  'nonce',
  false,
  'not-approved',
  'none',
  'none',
  {
    'magma-mgm': [32, 8, 8, 'RFC 9058 §4'],
  },
]

/** AES-OCB. */
export const OCB_FAMILY: AlgorithmFamily = [
  [52, 0],
  [52, 0],
  'ocb',
  'blocks',
  'key',
  false,
  'not-approved',
  'aes',
  'aes',
  {
    'aes-128-ocb': [16, 12, 16, 'RFC 7253 §3.1', 0x9028_9c5b_2e00_0c11n],
    'aes-256-ocb': [32, 12, 16, 'RFC 7253 §3.1', 0x91b9_2139_70c0_d3b8n],
  },
]

/** Facts of some algorithms by id, and their known answers. */
export interface AlgorithmTable {
  readonly params: Readonly<Record<AlgorithmId, AlgorithmParams>>
  readonly answers: Readonly<Partial<Record<AlgorithmId, bigint>>>
}

/** The families in full, frozen. What can be derived is not written in them. */
export function tableOf(families: readonly AlgorithmFamily[]): AlgorithmTable {
  const { freeze } = Object
  const bytes = ([a, b]: readonly [number, number]): bigint => (1n << BigInt(a)) - BigInt(b)
  const params = {} as Record<AlgorithmId, AlgorithmParams>
  const answers: Partial<Record<AlgorithmId, bigint>> = {}
  for (const family of families) {
    const [most, mostAad, bound, plaintext, forgery, committing, fips, cipher, authenticator, rows] = family
    for (const id of Object.keys(rows) as AlgorithmId[]) {
      const [keyBytes, nonceBytes, tagBytes, spec, answer] = rows[id]!
      if (answer !== undefined) answers[id] = answer
      // An assignment to a size, a tag length say, would change it for everybody.
      params[id] = freeze({
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
  }
  return { params: freeze(params), answers }
}
