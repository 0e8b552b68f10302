import type { Evidence } from './evidence.ts'
import type { ConstantTimeClaim, ConstantTimeLevel } from './guarantees.ts'

/** Day the statements below were last held against the libraries' sources. */
const AS_OF = '2026-11-30'

/** What a platform's native library is, as far as the timing of its AES goes. */
export type NativeLibrary = 'openssl' | 'boringssl' | 'other'

/**
 * What the library's code is made of, and so which instructions it needs to be free of table look-ups by secrets:
 * - `aes`: AES alone, as in CCM and SIV.
 * - `aes+clmul`: AES and the multiply, each by itself, as in GCM-SIV.
 * - `gcm`: the library's AES-GCM, which may have a way of its own to instructions.
 * - `gcm+aes`: that, and AES alone for a derived key, as in XAES.
 */
export type AesNeeds = 'aes' | 'aes+clmul' | 'gcm' | 'gcm+aes'

type Judgement = readonly [level: ConstantTimeLevel, basis: string]

const UNOBSERVED: Judgement = ['platform', 'the library chooses its AES code, and this CPU is unknown']
const INSTRUCTIONS: Judgement = ['hardware', 'the CPU has the instructions and no mask that shows hides them']
const WIDE: Judgement = ['hardware', 'AES-GCM runs on VAES with AVX-512']
const MEASURED: Judgement = ['hardware', 'AES-GCM measured at least as fast as ChaCha20-Poly1305 here']
const BORINGSSL: Judgement = ['platform', 'BoringSSL is constant-time without the instructions as well']
const TABLE_GHASH: Judgement = [
  'none',
  "without carry-less multiply OpenSSL's GHASH reads tables at secret-dependent places",
]
const SLOW: Judgement = ['none', 'AES-GCM measured slow: OpenSSL reads tables at secret-dependent places']
const OTHER_LIBRARY: Judgement = [
  'unknown',
  'what this library does without the instructions was not examined',
]
const VECTOR_PERMUTE: Judgement = [
  'platform',
  'without the instructions OpenSSL uses vector-permute AES, without tables',
]
const TABLE_AES: Judgement = [
  'none',
  'without SSSE3 or NEON as well OpenSSL reads tables at secret-dependent places',
]

/** Libraries to which OpenSSL's fall-back to tables does not apply. */
const WITHOUT_TABLES: Readonly<Partial<Record<NativeLibrary, Judgement>>> = {
  boringssl: BORINGSSL,
  other: OTHER_LIBRARY,
}

/**
 * Whether OpenSSL's vector-permute AES can run: SSSE3 on x86, NEON on ARM. Flags after masks decide; the bare flags
 * count only where no mask is set.
 */
function hasVectorPermute({ arch, items }: Evidence): boolean {
  const seen = (names: RegExp): string | undefined =>
    items.find(({ name, value }) => value !== 'unknown' && names.test(name))?.value
  const masked = seen(/^env.OPENSSL_(ia32|arm)cap$/) !== undefined
  const word = seen(/^cpu.effective.(ssse3|neon)$/) ?? (masked ? undefined : seen(/^cpu.flags.(ssse3|neon)$/))
  return word === undefined ? arch === 'arm64' && !masked : word === 'yes'
}

function judge(needs: AesNeeds, library: NativeLibrary, evidence: Evidence | undefined): Judgement {
  if (evidence === undefined) return UNOBSERVED
  const { aes, clmul, hardwareClass, source } = evidence
  const elsewhere = WITHOUT_TABLES[library]
  const measured = source === 'measured'
  const fast = hardwareClass === 'hardware'
  const needsClmul = needs !== 'aes'
  if (aes === 'yes' && (clmul === 'yes' || !needsClmul)) {
    // The measurement is of AES-GCM; with the multiply missing it says nothing about the AES half.
    if (hardwareClass === 'none' && clmul === 'yes') return elsewhere ?? SLOW
    return INSTRUCTIONS
  }
  if (aes !== 'no' && !(needsClmul && clmul === 'no')) {
    if (fast && measured) return MEASURED
    return hardwareClass === 'none' && measured && needsClmul ? (elsewhere ?? SLOW) : UNOBSERVED
  }
  // A mask of AES-NI and PCLMULQDQ leaves AES-GCM of OpenSSL 3.1 and later another way; AES alone has none.
  const wayRound = /^gcm/.test(needs) && fast && source !== 'given'
  if (wayRound && (needs === 'gcm' || aes === 'yes')) return measured ? MEASURED : WIDE
  if (elsewhere !== undefined) return elsewhere
  // Carry-less multiply alone is used by OpenSSL even where the AES instructions are missing.
  if (needsClmul && clmul !== 'yes' && !wayRound) return TABLE_GHASH
  return hasVectorPermute(evidence) ? VECTOR_PERMUTE : TABLE_AES
}

/**
 * The constant-time claim of AES in a platform's native library: `platform`, raised to `hardware` or lowered to
 * `none` or `unknown` by evidence. For backends over such a library, so that all of them judge alike.
 * @param needs - what the mode is made of.
 * @param library - which library answers.
 * @param evidence - what was observed here, if anything.
 */
export function nativeAesClaim(
  needs: AesNeeds,
  library: NativeLibrary,
  evidence: Evidence | undefined,
): ConstantTimeClaim {
  const [level, basis] = judge(needs, library, evidence)
  return { level, basis, asOf: AS_OF }
}
