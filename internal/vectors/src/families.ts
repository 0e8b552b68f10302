import type { AlgorithmId } from '@aeadkit/core'

/** How a file is written; the vectors folder's README describes each. */
export type Format = 'wycheproof' | 'specification' | 'cfrg-aegis' | 'lwc-kat'

/** One known file: its format and which algorithm a key size, in bits, selects. */
export interface Family {
  readonly format: Format
  readonly byKeyBits: Readonly<Record<number, AlgorithmId>>
  /** Cases that name their own algorithm, by that name. */
  readonly byName?: Readonly<Record<string, AlgorithmId>>
}

/** A file that holds something else. */
export interface NotAnAead {
  readonly reason: string
}

const NOT_OF_THE_TABLE = 'not an AEAD of the table'
const GCM: Family['byKeyBits'] = { 128: 'aes-128-gcm', 256: 'aes-256-gcm' }
const CCM: Family['byKeyBits'] = { 128: 'aes-128-ccm', 256: 'aes-256-ccm' }
const GCM_SIV: Family['byKeyBits'] = { 128: 'aes-128-gcm-siv', 256: 'aes-256-gcm-siv' }
const SIV: Family['byKeyBits'] = { 256: 'aes-siv-cmac-256', 512: 'aes-siv-cmac-512' }
const OCB: Family['byKeyBits'] = { 128: 'aes-128-ocb', 256: 'aes-256-ocb' }

/** Files with AEAD cases, by name without folder and without a `wycheproof_` prefix. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  'aes_gcm_test.json': { format: 'wycheproof', byKeyBits: GCM },
  'aes_ccm_test.json': { format: 'wycheproof', byKeyBits: CCM },
  'aes_gcm_siv_test.json': { format: 'wycheproof', byKeyBits: GCM_SIV },
  'aead_aes_siv_cmac_test.json': { format: 'wycheproof', byKeyBits: SIV },
  'chacha20_poly1305_test.json': { format: 'wycheproof', byKeyBits: { 256: 'chacha20-poly1305' } },
  'xchacha20_poly1305_test.json': { format: 'wycheproof', byKeyBits: { 256: 'xchacha20-poly1305' } },
  'aegis128L_test.json': { format: 'wycheproof', byKeyBits: { 128: 'aegis-128l' } },
  'aegis256_test.json': { format: 'wycheproof', byKeyBits: { 256: 'aegis-256' } },
  'ascon_sp800_232_aead128_test.json': { format: 'wycheproof', byKeyBits: { 128: 'ascon-aead128' } },
  'rfc8452_appendix_c.json': { format: 'specification', byKeyBits: GCM_SIV },
  'rfc8439.json': { format: 'specification', byKeyBits: { 256: 'chacha20-poly1305' } },
  'draft_irtf_cfrg_xchacha_03.json': { format: 'specification', byKeyBits: { 256: 'xchacha20-poly1305' } },
  'c2sp_xaes256gcm_vectors.json': { format: 'specification', byKeyBits: { 256: 'xaes-256-gcm' } },
  'botan_ocb_aes128.json': { format: 'specification', byKeyBits: OCB },
  'rfc5297.json': { format: 'specification', byKeyBits: SIV },
  'rfc9058.json': {
    format: 'specification',
    byKeyBits: {},
    byName: { 'KUZNYECHIK-MGM': 'kuznyechik-mgm', 'MAGMA-MGM': 'magma-mgm' },
  },
  'cfrg_aegis-128l-test-vectors.json': { format: 'cfrg-aegis', byKeyBits: { 128: 'aegis-128l' } },
  'cfrg_aegis-256-test-vectors.json': { format: 'cfrg-aegis', byKeyBits: { 256: 'aegis-256' } },
  'cfrg_aegis-128x2-test-vectors.json': { format: 'cfrg-aegis', byKeyBits: { 128: 'aegis-128x2' } },
  'cfrg_aegis-128x4-test-vectors.json': { format: 'cfrg-aegis', byKeyBits: { 128: 'aegis-128x4' } },
  'cfrg_aegis-256x2-test-vectors.json': { format: 'cfrg-aegis', byKeyBits: { 256: 'aegis-256x2' } },
  'cfrg_aegis-256x4-test-vectors.json': { format: 'cfrg-aegis', byKeyBits: { 256: 'aegis-256x4' } },
  'LWC_AEAD_KAT_128_128_asconaead128.txt': { format: 'lwc-kat', byKeyBits: { 128: 'ascon-aead128' } },
}

/** Files known to hold something else, by the start of that same name; the first match counts. */
const OTHERS: readonly (readonly [start: string, reason: string])[] = [
  ['aes_siv_cmac_test', 'deterministic AES-SIV: one S2V component, no 16-byte nonce'],
  ['aegis128_test', `${NOT_OF_THE_TABLE}: AEGIS-128, not in RFC 10032`],
  ['cfrg_aegismac', `${NOT_OF_THE_TABLE}: a MAC`],
  ['cfrg_aesround', `${NOT_OF_THE_TABLE}: one AES round`],
  ['Adiantum', `${NOT_OF_THE_TABLE}: length-preserving, no tag`],
  ['stream_', `${NOT_OF_THE_TABLE}: age payload streams`],
  ['c2sp_chunked_encryption', `${NOT_OF_THE_TABLE}: chunked encryption, run by the stream package`],
  ['c2sp_chacha20_poly1305_siv', `${NOT_OF_THE_TABLE}: ChaCha20-Poly1305-SIV`],
]

/** What is known about a file; an unknown one is not an AEAD of the table either. */
export function familyOf(name: string): Family | NotAnAead {
  const plain = name.replace(/^wycheproof_/, '')
  const known = FAMILIES[plain]
  if (known !== undefined) return known
  const other = OTHERS.find(([start]) => plain.startsWith(start))
  return { reason: other?.[1] ?? NOT_OF_THE_TABLE }
}
