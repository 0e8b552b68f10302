import {
  type BackendClaims,
  type ConstantTimeClaim,
  type Evidence,
  type FipsModuleState,
  type NativeLibrary,
  nativeAesClaim,
} from '@aeadkit/core'
import type { NodeMode } from './modes.ts'
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
  [, shape, needs]: NodeMode,
  crypto: NodeCrypto,
  library: Library,
  evidence: Evidence | undefined,
): BackendClaims {
  return {
    constantTime:
      needs === 'none'
        ? arx(shape === 'xchacha' ? ', HChaCha20 in TypeScript' : '')
        : nativeAesClaim(needs, library, evidence),
    oneShot: /ccm|siv/.test(shape),
    fipsModule: fipsState(crypto, evidence),
  }
}
