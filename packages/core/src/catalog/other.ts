import type { AlgorithmId } from '../algorithms.ts'
import {
  ARTICLE,
  at,
  FIPS_STALE,
  fact,
  fipsFact,
  ianaFact,
  LIMITS_STALE,
  notCommitting,
  RUNTIME_STALE,
  SPEED_STALE,
} from './facts.ts'
import type { CatalogFact, FamilyDescription } from './types.ts'

function chachaFacts(): Pick<FamilyDescription, 'fips' | 'constantTime' | 'hardware'> {
  return {
    fips: fipsFact(
      'Not approved, for a procedural reason: no NIST standard exists and no work on one is announced.',
    ),
    constantTime: fact(
      'secondary',
      [ARTICLE],
      'Structural for the cipher: additions, XORs and rotations only, no tables. The last reduction of Poly1305 depends on the care of the implementer.',
    ),
    hardware: fact(
      'secondary',
      [ARTICLE],
      'Needs no special instruction; faster with SSSE3, AVX2, AVX-512 or NEON. Its speed does not change when AES instructions are masked. With them AES-128-GCM was 2 to 2.4 times faster in one measurement, without them about 8 times slower.',
      '2026-09-13',
    ),
  }
}

/** ChaCha20-Poly1305. */
export function describeChacha(): FamilyDescription {
  return {
    name: 'ChaCha20-Poly1305',
    standard: fact('secondary', [at('RFC 8439', '§2.8')], 'RFC 8439, Informational (IRTF), June 2018.'),
    status: 'informational',
    standardDate: '2018-06',
    ianaAeadId: 29,
    iana: ianaFact(29),
    nonceReuse: fact(
      'secondary',
      [ARTICLE],
      'A repeated nonce reveals the XOR of the two plaintexts and the one-time Poly1305 key of that nonce, so messages under that nonce can be forged. Other nonces keep their authenticity.',
    ),
    commitment: notCommitting('general-knowledge', at('RFC 8439', 'structure of Poly1305')),
    ...chachaFacts(),
    staleWhen: ['a NIST standard for ChaCha20 appears (CMVP page §6.2.2, §6.2.6)', LIMITS_STALE, SPEED_STALE],
  }
}

/** XChaCha20-Poly1305. */
export function describeXchacha(): FamilyDescription {
  const draft = at('draft-irtf-cfrg-xchacha-03', '§2.3.1')
  return {
    name: 'XChaCha20-Poly1305',
    standard: fact(
      'primary',
      [draft],
      'draft-irtf-cfrg-xchacha-03, January 2020, expired: no RFC. Widely implemented all the same (libsodium and others).',
    ),
    status: 'expired-draft',
    standardDate: '2020-01',
    ianaAeadId: null,
    iana: ianaFact(null),
    nonceReuse: fact(
      'secondary',
      [ARTICLE, draft],
      'A repeated nonce reveals the XOR of the two plaintexts and allows forgery under that 24-byte nonce only. Random nonces collide with probability 2^-32 after 2^80 messages.',
    ),
    commitment: notCommitting('general-knowledge', draft),
    ...chachaFacts(),
    staleWhen: [
      'the draft is revived or replaced by a new document (datatracker)',
      'a NIST standard for ChaCha20 appears (CMVP page §6.2.2, §6.2.6)',
      LIMITS_STALE,
    ],
  }
}

const AEGIS: Readonly<Partial<Record<AlgorithmId, { readonly name: string; readonly iana: number }>>> = {
  'aegis-128l': { name: 'AEGIS-128L', iana: 32 },
  'aegis-256': { name: 'AEGIS-256', iana: 33 },
  'aegis-128x2': { name: 'AEGIS-128X2', iana: 34 },
  'aegis-128x4': { name: 'AEGIS-128X4', iana: 35 },
  'aegis-256x2': { name: 'AEGIS-256X2', iana: 36 },
  'aegis-256x4': { name: 'AEGIS-256X4', iana: 37 },
}

/** The AEGIS family. */
export function describeAegis(id: AlgorithmId): FamilyDescription {
  const { name, iana } = AEGIS[id]!
  const lanes = id.endsWith('x2') ? 2 : id.endsWith('x4') ? 4 : 1
  const single = id.includes('128') ? 'AEGIS-128L' : 'AEGIS-256'
  const rfc = at('RFC 10032', 'read in draft-irtf-cfrg-aegis-aead-18')
  const parallel =
    lanes === 1
      ? ''
      : ` The text says: use this parallel mode only where every party agrees, the default stays ${single}.`
  return {
    name,
    standard: fact(
      'primary',
      [at('RFC 10032', 'RFC Editor record'), rfc],
      `RFC 10032, Informational (IRTF), September 2026; not a standards-track document.${parallel}`,
    ),
    status: 'informational',
    standardDate: '2026-09',
    ianaAeadId: iana,
    iana: ianaFact(iana, 'primary'),
    nonceReuse: fact(
      'primary',
      [rfc],
      'A repeated nonce reveals the XOR of the two plaintexts at once and makes recovery of the state possible, so messages can be forged; the key does not follow from the state.',
    ),
    commitment: fact(
      'primary',
      [rfc],
      'With the 32-byte tag used here, about 2^128 work to make one sealed message open under two keys, as long as the attacker does not control the AAD (2^64 with a 16-byte tag). Where the attacker does control it there is no commitment: hash the AAD first.',
    ),
    fips: fipsFact('Not approved: no NIST standard holds it.'),
    constantTime: fact(
      'primary',
      [rfc, at('libsodium documentation', 'AEGIS')],
      'Hardware: as good as the AES round used. With the instruction it is constant time; table code leaks. The libsodium documentation says that without hardware AES it is slow and not guaranteed safe from side channels.',
    ),
    hardware: fact(
      'primary',
      [rfc],
      lanes === 1
        ? 'Wants the AES round instruction for cipher and authenticator; no carry-less multiply.'
        : `Wants the AES round on ${lanes === 2 ? '256-bit' : '512-bit'} vectors (VAES); no carry-less multiply.`,
    ),
    staleWhen: ['the RFC index shows a new document or erratum for RFC 10032', FIPS_STALE, RUNTIME_STALE],
  }
}

/** Ascon-AEAD128. */
export function describeAscon(): FamilyDescription {
  return {
    name: 'Ascon-AEAD128',
    standard: fact(
      'secondary',
      [at('NIST SP 800-232', '§4')],
      'NIST SP 800-232, final, 13 August 2025. It is not Ascon-128a of version 1.2: another IV and little-endian words, so old libraries do not interoperate.',
    ),
    status: 'standard',
    standardDate: '2025-08-13',
    ianaAeadId: null,
    iana: ianaFact(null),
    nonceReuse: fact(
      'secondary',
      [at('NIST SP 800-232', '§4.4.3')],
      'A repeated nonce reveals relations of plaintexts with a common prefix. Limited integrity survives while any pair of nonce and AAD repeats at most 2^8 times: a margin, not a licence.',
    ),
    commitment: fact(
      'primary',
      [at('C2SP XAES-256-GCM', 'comparison of AEADs')],
      'About 2^64 work, the birthday bound on the tag, to make one sealed message open under two keys.',
    ),
    fips: fact(
      'secondary',
      [
        at('CMVP list of approved security functions (SP 800-140C)', '§6.2.2'),
        ARTICLE,
        at('NIST SP 800-232', 'all'),
      ],
      'Approved security function since 2 September 2025 (SP 800-232). That does not say that your module covers it: read its certificate.',
      '2026-09-13',
    ),
    constantTime: fact('secondary', [ARTICLE], 'Structural: a bit-sliced permutation, no tables.'),
    hardware: fact(
      'secondary',
      [ARTICLE],
      'Needs no special instruction. Made for small devices: where code size or chip area counts. Not meant for servers.',
    ),
    staleWhen: [FIPS_STALE, RUNTIME_STALE],
  }
}

/** Kuznyechik-MGM and Magma-MGM. */
export function describeMgm(id: AlgorithmId): FamilyDescription {
  const magma = id === 'magma-mgm'
  const rfc = at('RFC 9058', '§4 and §6')
  const cipher: CatalogFact['sources'][number] = magma ? at('RFC 8891', 'all') : at('RFC 7801', 'all')
  return {
    name: magma ? 'Magma-MGM' : 'Kuznyechik-MGM',
    standard: fact(
      'secondary',
      [rfc, cipher],
      `RFC 9058, Informational (independent stream), June 2021, after R 1323565.1.026-2019; the cipher is in ${cipher.document}. The top bit of the nonce must be 0, and AAD and plaintext may not both be empty.`,
    ),
    status: 'informational',
    standardDate: '2021-06',
    ianaAeadId: null,
    iana: ianaFact(null),
    nonceReuse: fact(
      'general-knowledge',
      [rfc],
      'A repeated nonce reveals the XOR of the two plaintexts and relations for that nonce. The coefficients are derived per nonce and block, so there is no key-wide subkey to recover.',
    ),
    commitment: fact('general-knowledge', [rfc], 'Nothing is published: treat it as not committing.'),
    fips: fact(
      'secondary',
      [
        at('CMVP list of approved security functions (SP 800-140C)', '§6.2.2'),
        at('Article on AES and ChaCha20', 'Role of domestic standards'),
      ],
      'Not approved under FIPS 140-3. In Russia, systems under FSTEC or FSB requirements take it; a TypeScript library computes it but is not a certified means of protection.',
      '2026-09-13',
    ),
    constantTime: fact(
      'secondary',
      [at('Article on AES and ChaCha20', 'Role of domestic standards')],
      'Discipline: nearly all portable code looks its S-boxes up in tables; constant time needs an implementation written for it.',
    ),
    hardware: fact(
      'general-knowledge',
      [rfc, cipher],
      magma
        ? 'No common CPU has instructions for it. Its 64-bit block allows little data per key: about 724 KiB at 2^-32 by the birthday estimate, so never bulk storage.'
        : 'No common CPU has instructions for the cipher, which is heavier than AES in software; a carry-less multiply helps the authenticator.',
    ),
    staleWhen: ['the Russian standards or RFC 9058 are replaced', RUNTIME_STALE],
  }
}
