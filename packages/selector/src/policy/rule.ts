import type { AlgorithmId, AlgorithmLimits, AlgorithmParams, LimitViolation } from '@aeadkit/core'
import type { Candidate } from './candidates.ts'
import type { Facts } from './facts.ts'

/** What kind of case the verdict answers. */
export type VerdictClass =
  | 'hardware-aes'
  | 'no-hardware-aes'
  | 'portable'
  | 'fips'
  | 'gost'
  | 'cnsa'
  | 'script'
  | 'misuse-resistant'
  | 'constrained'
  | 'protocol'

/** Rules of the verdict tables. V2a and V2b are parts of V2 with their own conditions. */
export type VerdictRuleId =
  | 'V1'
  | 'V2'
  | 'V2a'
  | 'V2b'
  | 'V3'
  | 'V4'
  | 'V5'
  | 'V6'
  | 'V7'
  | 'V8'
  | 'V9'
  | 'V10'
  | 'V11'
  | 'V12'
  | 'V13'
  | 'V14'
  | 'V15'
  | 'V16'
  | 'V17'
  | 'V18'
  | 'V19'
  | 'V20'
  | 'V21'
  | 'V22'

/** Filters that are conditions of the caller or the machine and have no number in the verdict tables. */
export type FilterId =
  | 'aegis-opt-in'
  | 'availability'
  | 'constant-time'
  | 'fips-module'
  | 'key-bits'
  | 'limits'
  | 'message-size'
  | 'sync'
  | 'whole-message'

/** Any id that can stand in `verdict.rules` or `verdict.rejected`. */
export type RuleId = VerdictRuleId | FilterId

/** One candidate passed over, with the rule that did it. */
export interface Rejection {
  readonly algorithm: AlgorithmId
  readonly rule: RuleId
  /** One sentence for a person. */
  readonly reason: string
}

/** A candidate with its limits at the caller's volume and targets. */
export interface Assessed extends Candidate {
  readonly params: AlgorithmParams
  readonly limits: AlgorithmLimits
  readonly violations: readonly LimitViolation[]
  /** Backends that pass every filter on backends. */
  readonly permitted: Candidate['backends']
  /** Whether those backends have an admitted constant-time claim. */
  readonly constantTimeMet: boolean
}

/** What a rule names when its condition holds. */
export interface Preference {
  /** In order; the first survivor is taken. */
  readonly algorithms: readonly AlgorithmId[]
  readonly class: VerdictClass
  /** Why, one sentence or more. */
  readonly reasons: readonly string[]
  /** Further rules that shaped the list. */
  readonly also?: readonly VerdictRuleId[]
  /** Why the candidates it does not name are passed over. Default: that the rule names another first. */
  readonly against?: string
  /**
   * What does not send a candidate to the back here: a limit not shown at the target (`target`), or also a missing
   * constant-time claim (`all`).
   */
  readonly regardless?: 'target' | 'all'
}

/** What the rules may ask about the candidates while ranking. */
export interface Field {
  /** The candidate if it survived every filter. */
  survivor(id: AlgorithmId): Assessed | undefined
  /** Whether the limits filter, and only that, dropped it. */
  exceeded(id: AlgorithmId): boolean
}

/** Two or more demands no single algorithm meets. */
export interface Conflict {
  readonly rules: readonly VerdictRuleId[]
  readonly message: string
  /** The separate answers that do exist. */
  readonly profiles: readonly { readonly for: string; readonly algorithm: AlgorithmId }[]
}

/** One row of the rule table: what it does. */
export interface RuleRow {
  readonly id: RuleId
  /** Demands that exclude each other. */
  conflict?(facts: Facts): Conflict | undefined
  /** First pass: why the candidate is out, or `undefined`. */
  reject?(candidate: Assessed, facts: Facts): string | undefined
  /** Second pass: what the rule names, or `undefined` when it does not apply. */
  prefer?(facts: Facts, field: Field): Preference | undefined
}

/** A rule with its texts. */
export interface Rule extends RuleRow {
  /** The rule in one line. */
  readonly title: string
  /** Why it is so, and where that is written. */
  readonly source: string
}
