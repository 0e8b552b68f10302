/**
 * How far one key may be used: exact limits per algorithm, checks of planned volumes, and the formulas behind them.
 */
export { advantagesOf, assertVolume, checkVolume } from './limits/check.ts'
export {
  blocksOf,
  ccm8Failures,
  ccm8MessagesAndFailures,
  ccmBlocks,
  ccmMessagesAndFailures,
  chachaFailureBlocks,
  chachaFailures,
  GCM_MAX_FAILURES,
  gcmBlocks,
  gcmFailureBlocks,
  gcmFailures,
  gcmMessages,
  isqrt,
  messageBlocks,
  mgm64Blocks,
  mgm128Blocks,
  pow2,
  randomNonceMessages,
  rootOfPow2,
  xaesMessages,
  xaesPrefixes,
} from './limits/formulas.ts'
export {
  ccmMultiKeyFailures,
  ccmMultiKeyMessagesAndFailures,
  chachaMultiKeyFailures,
  chachaMultiKeyMessages,
  gcm128ImplicitMultiKey,
  gcm256ImplicitMultiKey,
  gcmGenericMultiKey,
  gcmRandomisedMultiKey,
  perKeyExponent,
} from './limits/multi-key.ts'
export { limitsOf } from './limits/of.ts'
export {
  AEGIS_128_NONCE_MESSAGES,
  ASCON_BYTES,
  ASCON_FAILURES,
  CCM_CALLS,
  EXTENDED_NONCE_MESSAGES,
  FIPS_RANDOM_NONCE_MESSAGES,
  GCM_SIV_AAD_BYTES,
  GCM_SIV_PROVEN_AT,
  GCM_SIV_ROWS,
  type GcmSivRegime,
  gcmSivMessages,
  OCB_BLOCKS,
  type PublishedRow,
  SIV_MESSAGES,
} from './limits/published.ts'
export type {
  Advantages,
  AlgorithmLimits,
  Limit,
  LimitBasis,
  LimitKind,
  LimitOptions,
  LimitViolation,
  Volume,
  VolumeOptions,
} from './limits/types.ts'
