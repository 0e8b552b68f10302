import type { AlgorithmId } from '../algorithms.ts'
import {
  AES_AND_CLMUL_TIME,
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
import type { FamilyDescription } from './types.ts'

const AES_ONLY_TIME =
  'Hardware: only the AES half matters, there is no GHASH. Constant time where the AES round instruction exists and is used, or where the library runs AES without tables.'
const AES_ROUND =
  'Both halves want the AES round: AES-NI or VAES, ARM AESE and AESMC, RISC-V Zvkned or Zkne/Zknd, s390x CPACF, POWER vcrypto.'
const CLMUL =
  'a carry-less multiply: PCLMULQDQ or VPCLMULQDQ, ARM PMULL, RISC-V Zvkg, Zvbc or Zbc, CPACF GHASH, POWER vpmsum'

function bits(id: AlgorithmId): 128 | 256 {
  return id.includes('128') ? 128 : 256
}

/** AES-GCM. */
export function describeGcm(id: AlgorithmId): FamilyDescription {
  const keyBits = bits(id)
  const ianaAeadId = keyBits === 128 ? 1 : 2
  return {
    name: `AES-${keyBits}-GCM`,
    standard: fact(
      'primary',
      [
        at('NIST SP 800-38D', '§5.2.1.1; second pre-draft call of 1 June 2026'),
        at('RFC 5116', '§5.1 and §5.2'),
      ],
      'NIST SP 800-38D, November 2007, final; a revision is open that will drop tags under 96 bits. RFC 5116 registers it. New formats should take 96-bit nonces and full tags only.',
    ),
    status: 'standard',
    standardDate: '2007-11',
    ianaAeadId,
    iana: ianaFact(ianaAeadId),
    nonceReuse: fact(
      'secondary',
      [ARTICLE],
      'A repeated nonce reveals the XOR of the two plaintexts and makes the authentication subkey H recoverable. H belongs to the whole key, so any message under the key can then be forged.',
    ),
    commitment: notCommitting('general-knowledge', at('NIST SP 800-38D', 'structure of GHASH')),
    fips: fipsFact(
      'Approved security function (SP 800-38D). Its nonce rules apply: with random nonces at most 2^32 messages per key. Whether your module covers it is in its certificate.',
      at('NIST SP 800-38D', '§8'),
    ),
    constantTime: fact('secondary', [ARTICLE, at('OpenSSL', 'GHASH source comment')], AES_AND_CLMUL_TIME),
    hardware: fact(
      'secondary',
      [ARTICLE],
      `Wants the AES round and ${CLMUL}; with one half missing count it as missing both. With both it is the fastest choice for large messages; without them 15 to 20 times slower in one measurement. AES-256 costs about a quarter of the throughput of AES-128.`,
      '2026-09-13',
    ),
    staleWhen: [
      'SP 800-38D Rev. 1 is published: short tags go, nonce rules may change (CSRC)',
      LIMITS_STALE,
      SPEED_STALE,
      FIPS_STALE,
    ],
  }
}

/** AES-CCM. */
export function describeCcm(id: AlgorithmId): FamilyDescription {
  const keyBits = bits(id)
  const ianaAeadId = keyBits === 128 ? 3 : 4
  return {
    name: `AES-${keyBits}-CCM`,
    standard: fact(
      'secondary',
      [
        at('NIST SP 800-38C', '§6.1 and Appendix A.1'),
        at('RFC 3610', 'all'),
        at('RFC 5116', '§5.3 and §5.4'),
      ],
      'NIST SP 800-38C, 2004, updated 2007, final; also RFC 3610 and RFC 5116. With a 12-byte nonce one message holds at most 16777215 bytes. The length must be known before the first byte: it cannot be streamed.',
    ),
    status: 'standard',
    standardDate: '2004',
    ianaAeadId,
    iana: ianaFact(ianaAeadId),
    nonceReuse: fact(
      'general-knowledge',
      [at('NIST SP 800-38C', 'structure of CTR and CBC-MAC')],
      'A repeated nonce reveals the XOR of the two plaintexts and weakens authentication for that nonce; there is no key-wide hash subkey to recover.',
    ),
    commitment: notCommitting('general-knowledge', at('Attacks on CCM commitment', 'published 2023')),
    fips: fipsFact(
      'Approved security function (SP 800-38C). Whether your module covers it is in its certificate.',
    ),
    constantTime: fact('secondary', [ARTICLE], AES_ONLY_TIME),
    hardware: fact(
      'general-knowledge',
      [at('NIST SP 800-38C', 'structure of CTR and CBC-MAC')],
      `${AES_ROUND} The MAC is a serial chain of AES calls, so it is slower than AES-GCM on a CPU with both instructions; it fits chips with one AES engine.`,
    ),
    staleWhen: [LIMITS_STALE, FIPS_STALE],
  }
}

/** AES-GCM-SIV. */
export function describeGcmSiv(id: AlgorithmId): FamilyDescription {
  const keyBits = bits(id)
  const ianaAeadId = keyBits === 128 ? 30 : 31
  return {
    name: `AES-${keyBits}-GCM-SIV`,
    standard: fact('primary', [at('RFC 8452', '§6 and §9')], 'RFC 8452, Informational (IRTF), April 2019.'),
    status: 'informational',
    standardDate: '2019-04',
    ianaAeadId,
    iana: ianaFact(ianaAeadId),
    nonceReuse: fact(
      'primary',
      [at('RFC 8452', '§9')],
      'A repeated nonce reveals only whether two triples of nonce, AAD and plaintext are identical; nothing can be forged. The security bound falls with the number of repeats.',
    ),
    commitment: notCommitting('general-knowledge', at('RFC 8452', 'structure of POLYVAL')),
    fips: fipsFact('Not approved: built from AES, but no NIST standard holds the mode.'),
    constantTime: fact('secondary', [ARTICLE], AES_AND_CLMUL_TIME.replace('GHASH', 'the hash')),
    hardware: fact(
      'secondary',
      [ARTICLE],
      `Wants the AES round and, for POLYVAL, ${CLMUL}. Two passes over the message: the whole of it must be in memory.`,
    ),
    staleWhen: [FIPS_STALE, RUNTIME_STALE],
  }
}

/** AES-SIV. */
export function describeSiv(id: AlgorithmId): FamilyDescription {
  const short = id === 'aes-siv-cmac-256'
  const ianaAeadId = short ? 15 : 17
  return {
    name: short ? 'AES-SIV-CMAC-256' : 'AES-SIV-CMAC-512',
    standard: fact(
      'secondary',
      [at('RFC 5297', '§6')],
      `RFC 5297, Informational, October 2008. The key is two halves of ${short ? 16 : 32} bytes; OpenSSL calls it AES-${short ? 128 : 256}-SIV. The tag is also the synthetic IV and comes before the ciphertext.`,
    ),
    status: 'informational',
    standardDate: '2008-10',
    ianaAeadId,
    iana: ianaFact(ianaAeadId),
    nonceReuse: fact(
      'secondary',
      [at('RFC 5297', 'deterministic construction')],
      'A repeated nonce reveals only that identical inputs are identical; nothing can be forged.',
    ),
    commitment: notCommitting('primary', at('C2SP XAES-256-GCM', 'comparison of AEADs')),
    fips: fipsFact('Not approved: no NIST standard holds the mode.'),
    constantTime: fact('secondary', [ARTICLE], AES_ONLY_TIME),
    hardware: fact(
      'secondary',
      [ARTICLE],
      `${AES_ROUND} CMAC and CTR, no carry-less multiply. Two passes over the message: the whole of it must be in memory.`,
    ),
    staleWhen: [FIPS_STALE, RUNTIME_STALE],
  }
}

/** XAES-256-GCM. */
export function describeXaes(): FamilyDescription {
  const c2sp = at('C2SP XAES-256-GCM', 'specification and its rationale')
  return {
    name: 'XAES-256-GCM',
    standard: fact(
      'primary',
      [c2sp],
      'C2SP specification (community), stable. A counter-mode KDF with CMAC-AES-256 on the first 12 nonce bytes gives the key of AES-256-GCM, which takes the last 12.',
    ),
    status: 'community',
    standardDate: null,
    ianaAeadId: null,
    iana: ianaFact(null),
    nonceReuse: fact(
      'primary',
      [c2sp],
      'As AES-GCM, but inside one derived key: the XOR of the two plaintexts, and forgery of messages that share the first 12 nonce bytes.',
    ),
    commitment: fact(
      'primary',
      [c2sp],
      'Not committing: one sealed message can be made to open under two keys. A committing variant, KC-XAES, is published.',
    ),
    fips: fact(
      'primary',
      [c2sp, at('NIST SP 800-108r1', 'counter mode')],
      'Composition of approved functions (SP 800-108r1 KDF, then AES-256-GCM), designed with FIPS in mind; no CMVP statement, guidance entry or certificate naming it was found. Ask your laboratory: the KDF must be tested with exactly these parameters, the derived key must stay inside the boundary, and the 12 random nonce bytes must come from an approved generator.',
    ),
    constantTime: fact('secondary', [ARTICLE], AES_AND_CLMUL_TIME),
    hardware: fact(
      'primary',
      [c2sp],
      `Wants the AES round and ${CLMUL}, as AES-256-GCM; each message pays for a key derivation besides.`,
    ),
    staleWhen: [
      'a CMVP statement, implementation guidance entry or certificate names it',
      LIMITS_STALE,
      FIPS_STALE,
    ],
  }
}

/** AES-OCB3. */
export function describeOcb(id: AlgorithmId): FamilyDescription {
  const keyBits = bits(id)
  const ianaAeadId = keyBits === 128 ? 20 : 26
  return {
    name: `AES-${keyBits}-OCB3`,
    standard: fact('secondary', [at('RFC 7253', '§3.1')], 'RFC 7253, Informational (IRTF), May 2014.'),
    status: 'informational',
    standardDate: '2014-05',
    ianaAeadId,
    iana: ianaFact(ianaAeadId),
    nonceReuse: fact(
      'general-knowledge',
      [at('RFC 7253', 'structure of the mode')],
      'A repeated nonce reveals equality of blocks at equal positions and the offsets; forgery is easy. Both goals fail together.',
    ),
    commitment: notCommitting('general-knowledge', at('RFC 7253', 'structure of the mode')),
    fips: fipsFact('Not approved: no NIST standard holds the mode.'),
    constantTime: fact('general-knowledge', [at('RFC 7253', 'structure of the mode')], AES_ONLY_TIME),
    hardware: fact(
      'general-knowledge',
      [at('RFC 7253', 'structure of the mode')],
      `${AES_ROUND} One AES call per block and a checksum, no carry-less multiply.`,
    ),
    staleWhen: [FIPS_STALE, RUNTIME_STALE],
  }
}
