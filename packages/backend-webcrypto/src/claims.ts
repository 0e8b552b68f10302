import {
  type BackendClaims,
  type ConstantTimeClaim,
  type Evidence,
  type FipsModuleState,
  nativeAesClaim,
} from '@aeadkit/core'
import { libraryOf } from './host.ts'
import type { SubtleMode } from './subtle.ts'

/** Day the statements below were last held against the libraries' sources. */
const AS_OF = '2026-11-30'

const ARX: ConstantTimeClaim = {
  level: 'structural',
  basis:
    "ChaCha20 and Poly1305 of the platform's library: additions, XORs and rotations, no table and no branch on secrets",
  asOf: AS_OF,
}

/** What is said of a WebCrypto that was handed in, unless the caller knows more. */
export const HANDED_IN: ConstantTimeClaim = {
  level: 'unknown',
  basis: 'the WebCrypto was handed in, and whoever did so said nothing about its timing',
  asOf: AS_OF,
}

/** Claims about the platform's own WebCrypto. */
export function platformClaims(mode: SubtleMode | undefined, evidence: Evidence | undefined): BackendClaims {
  const needs = mode?.needs ?? 'gcm'
  const fipsModule: FipsModuleState = evidence?.fips.state ?? 'unknown'
  const constantTime = needs === 'none' ? ARX : nativeAesClaim(needs, libraryOf(), evidence)
  return { constantTime, oneShot: true, fipsModule }
}
