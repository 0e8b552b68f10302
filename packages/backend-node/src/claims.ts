import {
  type AlgorithmId,
  type BackendClaims,
  type ConstantTimeClaim,
  type Evidence,
  type FipsModuleState,
  type NativeLibrary,
  nativeAesClaim,
} from '@aeadkit/core'
import { MODES, type NodeMode } from './modes.ts'
import type { NodeCrypto } from './native.ts'

/** Day the statements below were last held against the libraries' sources. */
const AS_OF = '2026-11-30'

/** What the host's library is, as far as timing goes. */
export type Library = NativeLibrary

const ARX: ConstantTimeClaim = {
  level: 'structural',
  basis:
    "ChaCha20 and Poly1305 of the platform's library: additions, XORs and rotations, no table and no branch on secrets",
  asOf: AS_OF,
}
const XCHACHA: ConstantTimeClaim = {
  level: 'structural',
  basis:
    "HChaCha20 in TypeScript and the platform library's ChaCha20-Poly1305: additions, XORs and rotations only",
  asOf: AS_OF,
}

function judge(mode: NodeMode, library: Library, evidence: Evidence | undefined): ConstantTimeClaim {
  if (mode.needs === 'none') return mode.shape === 'xchacha' ? XCHACHA : ARX
  return nativeAesClaim(mode.needs, library, evidence)
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
  const constantTime: ConstantTimeClaim =
    mode === undefined
      ? { level: 'unknown', basis: `${id} is not part of this backend`, asOf: AS_OF }
      : judge(mode, library, evidence)
  const oneShot = mode?.shape === 'ccm' || mode?.shape === 'gcm-siv' || mode?.shape === 'siv'
  return {
    constantTime,
    oneShot,
    fipsModule: fipsState(crypto, evidence),
  }
}
