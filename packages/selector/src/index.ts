/**
 * Picks an AEAD for who must read the data and the fastest permitted backend for it here, with reasons, limits and
 * duties.
 * @module
 */

export { type MeasurementCache, memoryCache } from './evidence/cache.ts'
export { type CollectOptions, collectEvidence, toHardwareReport } from './evidence/collect.ts'
export { type Explanation, explain, explainLimits } from './explain.ts'
export {
  type CipherContext,
  type Context,
  DEFAULT_TARGET,
  DEFAULT_VOLUME,
  type FipsChoice,
  isProtocolContext,
  type NonceRegime,
  OPTION_NAMES,
  OPTION_VALUES,
  type OptIn,
  type ProtocolContext,
  type ResolvedOptions,
  type SelectOptions,
  type VolumeOptions,
} from './options.ts'
export { pairBackend } from './placement/pair.ts'
export { place } from './placement/place.ts'
export type { Advice, Setting } from './policy/advice.ts'
export type { FilterId, Rejection, Rule, RuleId, VerdictClass, VerdictRuleId } from './policy/rule.ts'
export { RULES } from './policy/rules.ts'
export { resolveOptions } from './resolve.ts'
export { type RestoreOptions, restoreSelection } from './restore.ts'
export { type CipherSelectOptions, selectAead } from './select.ts'
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
