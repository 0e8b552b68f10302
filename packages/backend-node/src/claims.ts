import {
  type AesNeeds,
  type AlgorithmId,
  type BackendClaims,
  type ConstantTimeClaim,
  type Evidence,
  type FipsModuleState,
  type NativeLibrary,
  nativeAesClaim,
} from '@aeadkit/core'
import { MODES } from './modes.ts'
import type { NodeCrypto } from './native.ts'

/** Day the statements below were last held against the libraries' sources. */
const AS_OF = '2026-11-30'

/** What the host's library is, as far as timing goes. */
export type Library = NativeLibrary

const arx = (hchacha: string): ConstantTimeClaim => ({
  level: 'structural',
  basis: `ChaCha20 and Poly1305 of the platform's library${hchacha}: no table and no branch on secrets`,
  asOf: AS_OF,
})

/** FIPS state: what the evidence says, else off when the process did not ask for FIPS. */
export function fipsState(crypto: NodeCrypto, evidence?: Evidence): FipsModuleState {
  if (evidence !== undefined) return evidence.fips.state
  try {
    return crypto.getFips?.() === 0 ? 'off' : 'unknown'
  } catch {
    return 'unknown'
  }
}

const NOT_HERE: ConstantTimeClaim = { level: 'unknown', basis: 'not part of this backend', asOf: AS_OF }

/** Claims about one algorithm of this backend. */
export function claimsOf(
  id: AlgorithmId,
  crypto: NodeCrypto,
  library: Library,
  evidence: Evidence | undefined,
): BackendClaims {
  const [, shape = '', needs] = MODES[id] ?? []
  const own = needs === 'none' ? arx(shape === 'xchacha' ? ', HChaCha20 in TypeScript' : '') : undefined
  return {
    constantTime:
      own ?? (needs === undefined ? NOT_HERE : nativeAesClaim(needs as AesNeeds, library, evidence)),
    oneShot: /ccm|siv/.test(shape),
    fipsModule: fipsState(crypto, evidence),
  }
}
