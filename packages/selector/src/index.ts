/**
 * Picks an AEAD for who must read the data and the fastest permitted backend for it here, with reasons, limits and
 * duties.
 * @module
 */

export { isMachineName, MACHINE_NAME } from './checks.ts'
export { choiceText } from './choice-text.ts'
export {
  type CollectOptions,
  type Cost,
  closingVaes,
  collectEvidence,
  costAt,
  createHost,
  type EnvReading,
  fitCosts,
  HARDWARE_RATIO,
  type Host,
  keepingChacha,
  keepingSecond,
  type MeasurementCache,
  type MeasureOptions,
  type MeasureRequest,
  type MeasureResult,
  maskVariableOf,
  measureCosts,
  memoryCache,
  type Reading,
  SOFTWARE_RATIO,
  toHardwareReport,
  UNSET,
} from './evidence/index.ts'
export { type ExplainOptions, type Explanation, explain, explainLimits } from './explain.ts'
export {
  type CipherContext,
  type Context,
  DEFAULT_TARGET,
  DEFAULT_VOLUME,
  type FipsChoice,
  isProtocolContext,
  type NonceRegime,
  OPT_IN_NAMES,
  OPTION_NAMES,
  OPTION_VALUES,
  type OptIn,
  type ProtocolContext,
  type ResolvedOptions,
  type SelectOptions,
  type SelectVolume,
} from './options.ts'
export {
  type Crossover,
  type PairPlacement,
  type Placement,
  type PlacementCandidate,
  type PlacementInput,
  pairBackend,
  pairRanges,
  place,
  type RangeClaims,
  type SinglePlacement,
  type SizeCost,
} from './placement/index.ts'
export type { Advice, Setting } from './policy/advice.ts'
export type { FilterId, Rejection, Rule, RuleId, VerdictClass, VerdictRuleId } from './policy/rule.ts'
export { RULES } from './policy/rule-texts.ts'
export { resolveOptions } from './resolve.ts'
export { RESTORE_NAMES, type RestoreOptions, restoreSelection } from './restore.ts'
export { type CipherSelectOptions, selectAead, type WithBackends } from './select.ts'
export {
  type AnySelection,
  type BackendChoice,
  FACTS_AS_OF,
  type ProtocolSelection,
  type Selection,
  type SelectionBase,
  type SelectionLimits,
  type SelectionSealerOptions,
  type Verdict,
} from './selection.ts'
export type { SelectionJson } from './selection-json.ts'
