import {
  ALGORITHMS,
  type AlgorithmId,
  type AsyncBackend,
  type Availability,
  type Backend,
  type BackendKind,
  type ConstantTimeLevel,
  type Evidence,
  type FipsModuleState,
  type HardwareReport,
  type Measurement,
  type Presence,
  paramsOf,
  type RawAsyncBackend,
  type RawSyncBackend,
  type SyncBackend,
} from '@aeadkit/core'

/** Every id of the table. */
export const ALL: readonly AlgorithmId[] = Object.keys(ALGORITHMS) as AlgorithmId[]

/** What a fake backend says of itself. It has no ciphers: selection only asks. */
export interface FakeOptions {
  readonly kind?: BackendKind
  readonly sync?: boolean
  readonly algorithms?: readonly AlgorithmId[]
  /** Constant-time level, for all algorithms or by algorithm. */
  readonly level?: ConstantTimeLevel | ((id: AlgorithmId) => ConstantTimeLevel)
  readonly fipsModule?: FipsModuleState
  readonly maxBytes?: number
  /** Algorithms that fail their self-test. */
  readonly broken?: readonly AlgorithmId[]
}

/** A backend without ciphers. */
export function fake(name: string, options: FakeOptions = {}): Backend {
  const { algorithms = ALL, broken = [], fipsModule = 'off', kind = 'native', level = 'platform' } = options
  const probeSync = (id: AlgorithmId): Availability =>
    !algorithms.includes(id)
      ? { available: false, stage: 'absent', reason: 'not here' }
      : broken.includes(id)
        ? { available: false, stage: 'self-test', reason: 'wrong answer' }
        : { available: true }
  const base = {
    name,
    kind,
    algorithms,
    maxBytes: options.maxBytes ?? 2 ** 31 - 64,
    version: () => 'fake 1.0',
    probe: () => true as const,
    claims: ({ id }: { id: AlgorithmId }) => ({
      constantTime: {
        level: typeof level === 'function' ? level(id) : level,
        basis: 'as the test says',
        asOf: '2026-11-30',
      },
      oneShot: false,
      fipsModule,
    }),
  }
  const create = (): never => {
    throw new Error('a fake has no ciphers')
  }
  if (options.sync === false) {
    const raw: RawAsyncBackend = { ...base, create }
    const backend: AsyncBackend = {
      sync: false,
      name,
      kind,
      algorithms,
      raw,
      paramsOf,
      setUp: create,
      probe: async (id) => probeSync(id),
    }
    return backend
  }
  const raw: RawSyncBackend = { ...base, create }
  const backend: SyncBackend = {
    sync: true,
    name,
    kind,
    algorithms,
    raw,
    paramsOf,
    setUp: create,
    probeSync,
    probe: async (id) => probeSync(id),
  }
  return backend
}

/** One backend with everything, as the golden rows want. */
export const EVERYTHING: readonly Backend[] = [fake('native')]

/** The same inside an enforcing FIPS module, beside a script backend that must never be used there. */
export const MODULE: readonly Backend[] = [
  fake('native', { fipsModule: 'enforcing' }),
  fake('script', { kind: 'js', level: 'structural' }),
]

/** Evidence with parts replaced. */
export function evidence(parts: Partial<Evidence> = {}, fips: FipsModuleState = 'off'): Evidence {
  return {
    runtime: 'node',
    runtimeVersion: '20.20.2',
    arch: 'x64',
    cpuModel: 'test',
    aes: 'yes',
    clmul: 'yes',
    source: 'measured',
    hardwareClass: 'hardware',
    fips: {
      state: fips,
      certificate: null,
      provider: fips === 'enforcing' ? 'fips' : 'unknown',
      reason: 'test',
    },
    items: [],
    measurements: [],
    ...parts,
  }
}

export const HARDWARE: Evidence = evidence()
export const NO_HARDWARE: Evidence = evidence({ aes: 'no', clmul: 'no', hardwareClass: 'none' })
/** Flags say yes, the measurement says no: a mask, or software AES in the runtime. */
export const MASKED: Evidence = evidence({ hardwareClass: 'none' })

/** Flags of the CPU as they are read, before masks, and what is left of them for the library of this runtime. */
function withFlags(flags: Presence | undefined, parts: Partial<Evidence>): Evidence {
  const item = (name: string, value: string) =>
    ({ name, value, source: '/proc/cpuinfo', certainty: 'observed' }) as const
  return evidence({
    ...parts,
    items: [
      ...(flags === undefined
        ? [item('cpu.flags', 'unknown')]
        : [item('cpu.flags.aes', flags), item('cpu.flags.clmul', flags)]),
      { ...item('hardware.class', parts.hardwareClass ?? 'hardware'), source: 'measured: as the test says' },
    ],
  })
}
/** The CPU has both halves, and the runtime computes AES in software of its own. */
export const DENO: Evidence = withFlags('yes', { runtime: 'deno', hardwareClass: 'none' })
/** The CPU has both halves, and a variable of OpenSSL hides them from this process. */
export const MASKED_NODE: Evidence = withFlags('yes', { aes: 'no', clmul: 'no', hardwareClass: 'none' })
/** The variable hides the multiply alone. */
export const HALF_MASKED_NODE: Evidence = withFlags('yes', { clmul: 'no', hardwareClass: 'none' })
/** Deno that may not read the flags. */
export const DENIED: Evidence = withFlags(undefined, {
  runtime: 'deno',
  aes: 'unknown',
  clmul: 'unknown',
  hardwareClass: 'none',
})
/** No flags to read, and a library that uses the instructions. */
export const FLAGLESS: Evidence = withFlags(undefined, { aes: 'unknown', clmul: 'unknown' })
/** A CPU without the instructions, whose flags say so. */
export const OLD_CPU: Evidence = withFlags('no', { aes: 'no', clmul: 'no', hardwareClass: 'none' })
export const PARTIAL: Evidence = evidence({ clmul: 'no', hardwareClass: 'none', source: 'flags' })
export const UNKNOWN: Evidence = evidence({
  aes: 'unknown',
  clmul: 'unknown',
  hardwareClass: 'unknown',
  source: 'unknown',
})
export const ENFORCING: Evidence = evidence({}, 'enforcing')

export const ZEN3: HardwareReport = { name: 'zen3', aes: 'yes', clmul: 'yes' }
export const PI5: HardwareReport = { name: 'raspberry-pi-5', aes: 'yes', clmul: 'yes' }
export const PI4: HardwareReport = { name: 'raspberry-pi-4', aes: 'no', clmul: 'no' }
export const GUEST: HardwareReport = { name: 'guest', aes: 'yes', clmul: 'no' }
export const PHONE: HardwareReport = { name: 'phone', aes: 'unknown', clmul: 'unknown' }

/** A timing from MB/s. */
export function timing(
  backend: string,
  algorithm: AlgorithmId,
  bytes: number,
  megabytes: number,
): Measurement {
  return { backend, algorithm, operation: 'seal', bytes, nanoseconds: (bytes * 1000) / megabytes }
}

/** The same backend, noting the arrays that its keys come in: not their content now, which may be wiped later. */
export function spyingOnKeys(backend: SyncBackend, keys: Uint8Array[]): SyncBackend {
  const create: typeof backend.raw.create = (params, key) => {
    keys.push(key)
    return backend.raw.create(params, key)
  }
  return { ...backend, raw: { ...backend.raw, create } }
}
