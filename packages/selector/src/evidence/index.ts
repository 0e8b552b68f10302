/** Evidence: what was observed about this runtime, with where it came from. */

export { createHost } from '../create-host.ts'
export type { Clock, EnvReading, Host, HostCrypto, Reading, RuntimeName } from '../host.ts'
export type { Abort } from '../within.ts'
export { type MeasurementCache, memoryCache } from './cache.ts'
export { collectEvidence, toHardwareReport } from './collect.ts'
export type { CollectOptions } from './collect-options.ts'
export { type Cost, costAt, fitCosts } from './costs.ts'
export {
  bothHalves,
  type CpuArch,
  type CpuFeature,
  type CpuFlags,
  cpuinfoArch,
  pairPresence,
  parseCpuinfo,
} from './cpu.ts'
export { parseDmesg, parseSysctl } from './cpu-bsd.ts'
export {
  collectFips,
  type FipsProbe,
  type FipsResult,
  fipsState,
  type OpensslConfig,
  parseOpensslConfig,
} from './fips.ts'
export {
  HARDWARE_RATIO,
  type HardwareClassInput,
  type HardwareVerdict,
  hardwareClassOf,
  SOFTWARE_RATIO,
} from './hardware-class.ts'
export { closingVaes, keepingChacha, keepingSecond, UNSET } from './mask-cures.ts'
export {
  applyMask,
  decodeIa32cap,
  type EffectiveCpu,
  effectiveCpu,
  type MaskDialect,
  type MaskInput,
  maskVariableOf,
  type VectorMask,
} from './masks.ts'
export { type MeasureRequest, type MeasureResult, measureCosts } from './measure.ts'
export { clockTick, DEFAULT_BUDGET_MS, type MeasureOptions } from './measure-session.ts'
