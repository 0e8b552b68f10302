import type { Evidence } from './evidence.ts'
import type { ConstantTimeClaim, ConstantTimeLevel } from './guarantees.ts'

/** Day the statements below were last held against the libraries' sources. */
const AS_OF = '2026-11-30'

/** What a platform's native library is, as far as the timing of its AES goes. */
export type NativeLibrary = 'openssl' | 'boringssl' | 'other'

/** Which instructions the library's code needs to be free of table look-ups by secrets. */
export type AesNeeds = 'aes' | 'aes+clmul'

type Judgement = readonly [level: ConstantTimeLevel, basis: string]

const UNOBSERVED: Judgement = [
  'platform',
  "the platform's library chooses its AES code; nothing is known of this CPU",
]
const INSTRUCTIONS: Judgement = ['hardware', 'the CPU has the instructions and no mask hides them']
const MEASURED: Judgement = ['hardware', 'AES-GCM measured at least as fast as ChaCha20-Poly1305 here']
const BORINGSSL: Judgement = ['platform', 'BoringSSL is constant-time without the instructions as well']
const TABLE_GHASH: Judgement = [
  'none',
  "without carry-less multiply OpenSSL's GHASH reads tables at secret-dependent places",
]
const SLOW: Judgement = [
  'none',
  'AES-GCM measured as slow as without the instructions: OpenSSL reads tables at secret-dependent places',
]
const OTHER_LIBRARY: Judgement = [
  'unknown',
  'without the instructions: what this library does then was not examined',
]
const VECTOR_PERMUTE: Judgement = [
  'platform',
  'without the instructions OpenSSL uses vector-permute AES: no table look-ups by secrets',
]
const TABLE_AES: Judgement = [
  'none',
  'without the instructions, SSSE3 or NEON OpenSSL reads tables at secret-dependent places',
]

/** Libraries to which OpenSSL's fall-back to tables does not apply. */
const WITHOUT_TABLES: Readonly<Partial<Record<NativeLibrary, Judgement>>> = {
  boringssl: BORINGSSL,
  other: OTHER_LIBRARY,
}

/** Variables that hide CPU features from OpenSSL; the evidence names them when they are set. */
const MASKS: readonly string[] = ['env.OPENSSL_ia32cap', 'env.OPENSSL_armcap']

/**
 * Whether OpenSSL's vector-permute AES can run: SSSE3 on x86, NEON on ARM. Flags after masks decide; the bare flags
 * count only where no mask is set.
 */
function hasVectorPermute(evidence: Evidence): boolean {
  const value = (name: string): string | undefined => evidence.items.find((item) => item.name === name)?.value
  const masked = MASKS.some((name) => value(name) !== undefined)
  const shows = (feature: string): boolean | undefined => {
    const seen = value(`cpu.effective.${feature}`) ?? (masked ? undefined : value(`cpu.flags.${feature}`))
    return seen === undefined || seen === 'unknown' ? undefined : seen === 'yes'
  }
  return shows('ssse3') ?? shows('neon') ?? (evidence.arch === 'arm64' && !masked)
}

function judge(needs: AesNeeds, library: NativeLibrary, evidence: Evidence | undefined): Judgement {
  if (evidence === undefined) return UNOBSERVED
  const { aes, clmul, hardwareClass, source } = evidence
  const measuredNone = hardwareClass === 'none' && source === 'measured'
  const needsClmul = needs === 'aes+clmul'
  if (aes === 'yes' && (clmul === 'yes' || !needsClmul)) {
    // The measurement is of AES-GCM; with the multiply missing it says nothing about the AES half.
    if (hardwareClass !== 'none' || clmul !== 'yes') return INSTRUCTIONS
    return WITHOUT_TABLES[library] ?? SLOW
  }
  const missing = aes === 'no' || (needsClmul && clmul === 'no')
  if (!missing) {
    if (hardwareClass === 'hardware' && source === 'measured') return MEASURED
    if (measuredNone && needsClmul) return WITHOUT_TABLES[library] ?? SLOW
    return UNOBSERVED
  }
  const elsewhere = WITHOUT_TABLES[library]
  if (elsewhere !== undefined) return elsewhere
  // Carry-less multiply alone is used by OpenSSL even where the AES instructions are missing.
  if (needsClmul && clmul !== 'yes') return TABLE_GHASH
  return hasVectorPermute(evidence) ? VECTOR_PERMUTE : TABLE_AES
}

/**
 * The constant-time claim of AES in a platform's native library: `platform`, raised to `hardware` or lowered to
 * `none` or `unknown` by evidence. For backends over such a library, so that all of them judge alike.
 * @param needs - `aes+clmul` for GCM and its relatives, `aes` for modes of AES alone.
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
