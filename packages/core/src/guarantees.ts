import type { AlgorithmParams } from './algorithms.ts'
import type { FipsModuleState } from './evidence.ts'

/**
 * Why timing does not depend on secrets.
 * - `structural`: follows from the operations used.
 * - `bitsliced`: table-free by construction of the implementation.
 * - `hardware`: the CPU's instructions do the secret-dependent work, and evidence says they are in use.
 * - `platform`: the platform's library chooses; no evidence against it.
 * - `none`: secret-dependent table look-ups are known.
 * - `unknown`: nothing is known.
 */
export type ConstantTimeLevel = 'structural' | 'bitsliced' | 'hardware' | 'platform' | 'none' | 'unknown'

/** A constant-time claim with its basis. */
export interface ConstantTimeClaim {
  readonly level: ConstantTimeLevel
  /** One line: what the claim rests on. */
  readonly basis: string
  /** Day the basis was last checked, `YYYY-MM-DD`. */
  readonly asOf: string
}

/** What one Aead promises, evaluated with the evidence at hand. */
export interface Guarantees {
  readonly constantTime: ConstantTimeClaim
  readonly fips: {
    /** Whether FIPS 140-3 lists the algorithm. */
    readonly algorithm: AlgorithmParams['fips']
    /** State of the module that runs it; `off` for code outside any module. */
    readonly module: FipsModuleState
  }
  /** Whether the backend must be handed the whole message in one call. */
  readonly oneShot: boolean
  /** Largest plaintext of one call on this backend, in bytes. */
  readonly maxBytes: number
  /** What the into-forms allocate: `message` is a temporary as long as the message. */
  readonly allocates: 'nothing' | 'message'
}

/** Levels from strongest to weakest; equal ranks are equally strong (design: structural = bitsliced = hardware). */
const RANK: Readonly<Record<ConstantTimeLevel, number>> = {
  structural: 0,
  bitsliced: 0,
  hardware: 0,
  platform: 1,
  unknown: 2,
  none: 3,
}

/** Whether `constantTime: 'required'` admits the level: `structural`, `bitsliced`, `hardware`, `platform`. */
export function isConstantTime(level: ConstantTimeLevel): boolean {
  return RANK[level] < RANK.unknown
}

/** The weaker of two claims; the first when equal. */
export function weakerClaim(a: ConstantTimeClaim, b: ConstantTimeClaim): ConstantTimeClaim {
  return RANK[b.level] > RANK[a.level] ? b : a
}
