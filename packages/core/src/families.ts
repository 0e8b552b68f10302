import type { AlgorithmId, AlgorithmParams, BoundId, NonceReuseDamage } from './algorithms.ts'

/**
 * One algorithm of a family: sizes in bytes, source, and what it must return for the fixed inputs of self-test.ts, tag
 * where the algorithm puts it. Each answer was computed by two independent implementations (OpenSSL, @noble/ciphers,
 * libsodium), except CCM and OCB (OpenSSL alone, which passes the published vectors), XAES (its parts by both) and AEGIS
 * (libsodium alone).
 */
type Row = readonly [key: number, nonce: number, tag: number, spec: string, answer?: string]

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
    'aes-128-gcm': [
      16,
      12,
      16,
      'NIST SP 800-38D §5.2.1.1',
      '8cdadb4f3eee0756a38defd91d8704ac7a048fc68f91a3c299c869fbda4a40ea108ab31977da',
    ],
    'aes-256-gcm': [
      32,
      12,
      16,
      'NIST SP 800-38D §5.2.1.1',
      '18ed0361880f82a671ea4f335e3f9c32744c5a4e534ea582ae4307c466b4644b09f76c8fe980',
    ],
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
    'aes-128-ccm': [
      16,
      12,
      16,
      'NIST SP 800-38C §6.1, Appendix A.1; RFC 5116 §5.3',
      '76c9901f7147d9fe3780379d0add22e7292ac37f1c3495db0f92d95b44a64f187b66274c6b7e',
    ],
    'aes-256-ccm': [
      32,
      12,
      16,
      'NIST SP 800-38C §6.1, Appendix A.1; RFC 5116 §5.4',
      '0b9d3d484343ccc36d99922270c97fd39d9ab5fccee8bba671cafdbe981cf08c532f09264cec',
    ],
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
    'aes-128-gcm-siv': [
      16,
      12,
      16,
      'RFC 8452 §6',
      'b16f418448280b14a52ce50aa359f66cb86e96280e2cffaf310d02da1131839b00e0ea45ae4a',
    ],
    'aes-256-gcm-siv': [
      32,
      12,
      16,
      'RFC 8452 §6',
      '6f7df74784ae0f1245d85491e005a491541f90ea8eaad768e51d6b3429142c5db253030b0bb7',
    ],
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
    'aes-siv-cmac-256': [
      32,
      16,
      16,
      'RFC 5297 §6',
      '556594bc3c863b822ac1a904f42aadc8efd1f84e5f93230a5b00e2987c36a52090c29f44e69b',
    ],
    'aes-siv-cmac-512': [
      64,
      16,
      16,
      'RFC 5297 §6',
      '5cbdaa65418b643c23a9f2e44411cc9dff49aebdb1399500463df6ecd7909789203a137db2ce',
    ],
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
    'chacha20-poly1305': [
      32,
      12,
      16,
      'RFC 8439 §2.8',
      '2d140abd676b3936a14797f20758bda44ce1222dc48712eeb74fc04bb5ef7aaa4b8c508c8be6',
    ],
    'xchacha20-poly1305': [
      32,
      24,
      16,
      'draft-irtf-cfrg-xchacha-03 §2.3.1',
      'f6263ca033545bf25adf809edf570d7149d2b8e396e46a9313b8c559adc83dfc5af168bd1fb3',
    ],
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
    'xaes-256-gcm': [
      32,
      24,
      16,
      'C2SP XAES-256-GCM',
      'b235b60f5867ef731c1b6fa9d6d1b324f1e3d01d1bddee7154f8e15a9d0655c8a7cb96d84a5c',
    ],
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
    'aegis-128l': [
      16,
      16,
      32,
      'RFC 10032',
      '95a81f1d0361474fd990a877e3ba4a583588d9b22aefb5cca5bee6c3df274eaaa5d02a08c87497c1dce620780febf708c758b17c8722',
    ],
    'aegis-256': [
      32,
      32,
      32,
      'RFC 10032',
      '600ddd3083d7b2edebae69468f57eeaf33932109f5151ec3919e3487570e43b551d3d932ee4dd739c17d93d979194dcc752f144dff7f',
    ],
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
  { 'ascon-aead128': [16, 16, 16, 'NIST SP 800-232 §4'] },
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
  { 'kuznyechik-mgm': [32, 16, 16, 'RFC 9058 §4'] },
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
  { 'magma-mgm': [32, 8, 8, 'RFC 9058 §4'] },
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
    'aes-128-ocb': [
      16,
      12,
      16,
      'RFC 7253 §3.1',
      'd2d7035d7e1b097d339a8a3bc85019c9f841c7ba2607a64e627722743fad91d6bbd2325414ea',
    ],
    'aes-256-ocb': [
      32,
      12,
      16,
      'RFC 7253 §3.1',
      '2537cc66219532584d811651e07cfc16c21ccbc63759058f5df09d19e9f5c6d80fa0507081b5',
    ],
  },
]
