/**
 * Algorithm table, limits, backend contract, keys, sealer and meter of aeadkit.
 * @module
 */
export { type Aead, type AeadOptions, createAead, createAeadSync, type SyncAead } from './aead.ts'
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
  RawAsyncAead,
  RawAsyncBackend,
  RawBackendBase,
  RawSyncAead,
  RawSyncBackend,
  SyncBackend,
} from './backend.ts'
export { type BoxFormat, boxKeyId } from './box.ts'
export { type BytesInput, toBytes } from './bytes.ts'
export { defineAsyncBackend, defineSyncBackend, paramsOf } from './define.ts'
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
  type ConstantTimeClaim,
  type ConstantTimeLevel,
  type Guarantees,
  isConstantTime,
  weakerClaim,
} from './guarantees.ts'
export { decodeKey, encodeKey, generateKey, importKey, type KeyMaterial, type KeyRecord } from './keys.ts'
export * from './limits.ts'
export * from './meter.ts'
export { didYouMean, nearestName, refuseUnknownOptions } from './names.ts'
export type { CounterNonces, LeasedNonces, NonceOption } from './nonces.ts'
export * from './protocol-limits.ts'
export { createSealer, overheadBytes, type Sealer, type SealerOptions } from './sealer.ts'
