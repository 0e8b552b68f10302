/**
 * Algorithm table, limits, backend contract, keys, sealer and meter of aeadkit.
 * @module
 */
export { createAead, createAeadSync } from './aead/aead.ts'
export type { Aead, AeadOptions, SyncAead } from './aead/types.ts'
export { type AesNeeds, type NativeLibrary, nativeAesClaim } from './aes-claim.ts'
export {
  ALGORITHMS,
  type AlgorithmId,
  type AlgorithmParams,
  type BoundId,
  isAlgorithmId,
  isMisuseResistant,
  type NonceReuseDamage,
} from './algorithms.ts'
export type {
  AsyncBackend,
  Availability,
  Backend,
  BackendClaims,
  BackendKind,
  Bytes,
  HybridSetUp,
  LaterHalf,
  RawAsyncAead,
  RawAsyncBackend,
  RawBackendBase,
  RawSyncAead,
  RawSyncBackend,
  SyncBackend,
  Unavailable,
} from './backend.ts'
export { type BytesInput, toBytes } from './bytes.ts'
export {
  defineAsyncBackend,
  defineHybridBackend,
  defineNarrowBackend,
  defineSyncBackend,
  paramsOf,
} from './define.ts'
export {
  AeadError,
  type AeadErrorCode,
  type AeadErrorDetails,
  type AeadErrorOptions,
  isAeadError,
  jsonSafe,
} from './errors.ts'
export type {
  Evidence,
  EvidenceItem,
  FipsEvidence,
  FipsModuleState,
  HardwareClass,
  HardwareReport,
  Measurement,
  Presence,
} from './evidence.ts'
export {
  type AlgorithmFamily,
  GCM_FAMILY,
  GCM_SIV_FAMILY,
  POLY1305_FAMILY,
  SIV_FAMILY,
} from './families.ts'
export {
  type ConstantTimeClaim,
  type ConstantTimeLevel,
  type Guarantees,
  isConstantTime,
  weakerClaim,
} from './guarantees.ts'
export { decodeKey, encodeKey, generateKey, importKey, type KeyMaterial, type KeyRecord } from './keys.ts'
export { type DetachedSealed, joinSealed, splitSealed } from './layout.ts'
export {
  type Advantages,
  AEGIS_128_NONCE_MESSAGES,
  type AlgorithmLimits,
  ASCON_BYTES,
  ASCON_FAILURES,
  advantagesOf,
  assertVolume,
  blocksOf,
  CCM_CALLS,
  ccm8Failures,
  ccm8MessagesAndFailures,
  ccmBlocks,
  ccmMessagesAndFailures,
  ccmMultiKeyFailures,
  ccmMultiKeyMessagesAndFailures,
  chachaFailureBlocks,
  chachaFailures,
  chachaMultiKeyFailures,
  chachaMultiKeyMessages,
  checkVolume,
  EXTENDED_NONCE_MESSAGES,
  FIPS_RANDOM_NONCE_MESSAGES,
  GCM_MAX_FAILURES,
  GCM_SIV_AAD_BYTES,
  GCM_SIV_PROVEN_AT,
  GCM_SIV_ROWS,
  type GcmSivRegime,
  gcm128ImplicitMultiKey,
  gcm256ImplicitMultiKey,
  gcmBlocks,
  gcmFailureBlocks,
  gcmFailures,
  gcmGenericMultiKey,
  gcmMessages,
  gcmRandomisedMultiKey,
  gcmSivMessages,
  isqrt,
  type Limit,
  type LimitBasis,
  type LimitKind,
  type LimitOptions,
  type LimitViolation,
  limitsOf,
  messageBlocks,
  mgm64Blocks,
  mgm128Blocks,
  OCB_BLOCKS,
  type PublishedRow,
  perKeyExponent,
  pow2,
  randomNonceMessages,
  rootOfPow2,
  SIV_MESSAGES,
  type Volume,
  type VolumeOptions,
  xaesMessages,
  xaesPrefixes,
} from './limits.ts'
export {
  createMeter,
  type KeyMeter,
  type KeySnapshot,
  type KeyUsage,
  type Meter,
  type MeterBinding,
  type MeterOptions,
  type MeterSnapshot,
  type MeterWarning,
} from './meter.ts'
export { didYouMean, nearestName, readOptions } from './names.ts'
export {
  PROTOCOL_LIMITS,
  type ProtocolCount,
  type ProtocolId,
  type ProtocolLimit,
  protocolLimitsOf,
} from './protocol-limits.ts'
export { type BoxFormat, boxKeyId } from './sealer/box.ts'
export type { CounterNonces, LeasedNonces, NonceOption } from './sealer/nonces.ts'
export { createSealer, overheadBytes } from './sealer/sealer.ts'
export type { Sealer, SealerOptions } from './sealer/types.ts'
