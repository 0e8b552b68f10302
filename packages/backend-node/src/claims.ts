import type { AlgorithmId, BackendClaims, ConstantTimeClaim, Evidence, FipsModuleState } from '@aeadkit/core'
import { MODES, type NodeMode } from './modes.ts'
import type { NodeCrypto } from './native.ts'

/** Day the statements below were last held against the libraries' sources. */
const AS_OF = '2026-11-30'

/** What the host's library is, as far as timing goes. */
export type Library = 'openssl' | 'boringssl' | 'other'

type Level = ConstantTimeClaim['level']
type Judgement = readonly [level: Level, basis: string]

const ARX: Judgement = [
  'structural',
  "ChaCha20 and Poly1305 of the platform's library: additions, XORs and rotations, no table and no branch on secrets",
]
const XCHACHA: Judgement = [
  'structural',
  "HChaCha20 in TypeScript and the platform library's ChaCha20-Poly1305: additions, XORs and rotations only",
]
const UNOBSERVED: Judgement = [
  'platform',
  "the platform's library chooses its AES code; no evidence about this CPU was given",
]
const INSTRUCTIONS: Judgement = ['hardware', 'the CPU shows the instructions and no mask hides them']
const MEASURED: Judgement = ['hardware', 'AES-GCM measured at least as fast as ChaCha20-Poly1305 here']
const BORINGSSL: Judgement = [
  'platform',
  'BoringSSL has constant-time code for AES and GHASH without the instructions',
]
const TABLE_GHASH: Judgement = [
  'none',
  "without a usable carry-less multiply OpenSSL's GHASH reads a table at secret-dependent places",
]
const SLOW: Judgement = [
  'none',
  "AES-GCM measured as slow as without the instructions: OpenSSL's code then reads tables at secret-dependent places",
]
const OTHER_LIBRARY: Judgement = [
  'unknown',
  'the instructions are missing, and what the library of this runtime does without them was not examined',
]
const VECTOR_PERMUTE: Judgement = [
  'platform',
  "without AES instructions OpenSSL's vector-permute AES is used: no table look-ups by secrets",
]
const TABLE_AES: Judgement = [
  'none',
  'without AES instructions, and no sign of SSSE3 or NEON, OpenSSL falls to AES with tables',
]

/** Libraries to which OpenSSL's fall-back to tables does not apply. */
const WITHOUT_TABLES: Readonly<Partial<Record<Library, Judgement>>> = {
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

function judgeAes(needs: 'aes' | 'aes+clmul', library: Library, evidence: Evidence | undefined): Judgement {
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

function judge(mode: NodeMode, library: Library, evidence: Evidence | undefined): Judgement {
  if (mode.needs === 'none') return mode.shape === 'xchacha' ? XCHACHA : ARX
  return judgeAes(mode.needs, library, evidence)
}

/** FIPS state: what the evidence says, else off when the process did not ask for FIPS. */
function fipsState(crypto: NodeCrypto, evidence: Evidence | undefined): FipsModuleState {
  if (evidence !== undefined) return evidence.fips.state
  try {
    return crypto.getFips?.() === 0 ? 'off' : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** Claims about one algorithm of this backend. */
export function claimsOf(
  id: AlgorithmId,
  crypto: NodeCrypto,
  library: Library,
  evidence: Evidence | undefined,
): BackendClaims {
  const mode = MODES[id]
  const [level, basis] =
    mode === undefined
      ? (['unknown', `${id} is not part of this backend`] as const)
      : judge(mode, library, evidence)
  const oneShot = mode?.shape === 'ccm' || mode?.shape === 'gcm-siv' || mode?.shape === 'siv'
  return {
    constantTime: { level, basis, asOf: AS_OF },
    oneShot,
    fipsModule: fipsState(crypto, evidence),
  }
}
