import type { Evidence, FipsModuleState } from '@aeadkit/core'
import { ALGORITHMS } from '@aeadkit/core'
import {
  checkBoolean,
  checkCount,
  checkHost,
  checkNames,
  checkOneOf,
  checkSetOf,
  checkWhole,
  isDay,
  isMachineName,
  refuse,
} from './checks.ts'
import { isMeasurement } from './evidence/cache.ts'
import { isRequested } from './fips-now.ts'
import {
  DEFAULT_TARGET,
  DEFAULT_VOLUME,
  OPTION_NAMES,
  OPTION_VALUES,
  type ResolvedOptions,
  type SelectOptions,
  type Volume,
} from './options.ts'

const VOLUME_NAMES = ['messages', 'messageBytes', 'aadBytes', 'failedOpens'] as const

/**
 * Checks what does not depend on the machine. `selectAead` calls it before it collects evidence, so that a slip is
 * reported at once.
 * @throws AeadError `invalid-argument`: which option, what it takes, and the nearest known name.
 */
export function checkOptions(options: SelectOptions, where = 'selectAead'): void {
  if (options === undefined) refuse(where, 'an object', options)
  checkNames(options, OPTION_NAMES, where)
  checkOneOf('algorithm', options.algorithm, Object.keys(ALGORITHMS))
  for (const name of ['context', 'lifetime', 'nonce', 'rekey', 'fips', 'keyBits', 'profile'] as const) {
    checkOneOf(name, options[name], OPTION_VALUES[name])
  }
  for (const name of ['commitment', 'lease', 'constantTime', 'measure'] as const) {
    checkOneOf(name, options[name], OPTION_VALUES[name])
  }
  for (const name of ['wholeMessage', 'duplicatesVisible', 'constrained', 'sync', 'allowSpawn'] as const) {
    checkBoolean(name, options[name])
  }
  checkSetOf('regulation', options.regulation, OPTION_VALUES.regulation)
  checkWhole('target', options.target, -128, -1)
  checkWhole('nonceTarget', options.nonceTarget, -128, -1)
  checkWhole('measureBudgetMs', options.measureBudgetMs, 0, 60_000)
  checkNames(options.volume, VOLUME_NAMES, 'volume')
  checkNames(options.optIn, ['aegis', 'approvedComposition'], 'optIn')
  checkBoolean('optIn.aegis', options.optIn?.aegis)
  checkBoolean('optIn.approvedComposition', options.optIn?.approvedComposition)
  checkCount('volume.messages', options.volume?.messages, 1n)
  for (const name of VOLUME_NAMES.slice(1)) checkCount(`volume.${name}`, options.volume?.[name], 0n)
  if (options.certificate !== undefined && typeof options.certificate !== 'string') {
    refuse('certificate', 'a string as the operator states it', options.certificate)
  }
  checkReaders(options.readers)
  checkBackends(options.backends)
  checkEvidence(options.evidence)
  checkHost(options.host)
  if (options.signal !== undefined && typeof options.signal?.throwIfAborted !== 'function') {
    refuse('signal', 'an AbortSignal', options.signal)
  }
  const cache = options.measurementCache
  if (cache !== undefined && (typeof cache?.get !== 'function' || typeof cache.set !== 'function')) {
    refuse('measurementCache', 'an object with get(key) and set(key, text)', cache)
  }
}

/**
 * Reads the options once, so that what was checked is what is used: getters, and changes while evidence is collected,
 * have no effect.
 * @throws AeadError `invalid-argument`, as {@link checkOptions}.
 */
export function readOptions(given: SelectOptions): SelectOptions {
  checkNames(given, OPTION_NAMES, 'selectAead')
  const read = OPTION_NAMES.map((name) => [name, copyOf(name, given?.[name])] as const)
  const copy = given && Object.fromEntries(read.filter(([, value]) => value !== undefined))
  checkOptions(copy as SelectOptions)
  return copy as SelectOptions
}

/** Options with parts of their own; backends, evidence and the cache are objects with a life of theirs. */
const WITH_PARTS: readonly (keyof SelectOptions)[] = ['readers', 'volume', 'regulation', 'optIn', 'backends']

function copyOf(name: keyof SelectOptions, value: unknown): unknown {
  if (!WITH_PARTS.includes(name) || typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return { ...value }
  if (name === 'backends') return [...value]
  return value.map((item: unknown) => (typeof item === 'object' && item !== null ? { ...item } : item))
}

const PRESENCE = ['yes', 'partial', 'no', 'unknown'] as const

/** @throws AeadError `invalid-argument`: neither a word nor a list of hardware reports. */
export function checkReaders(readers: unknown): void {
  if (readers === undefined) return
  if (typeof readers === 'string') {
    checkOneOf('readers', readers, OPTION_VALUES.readers)
    return
  }
  if (!Array.isArray(readers)) {
    refuse('readers', "'here', 'anywhere' or a list of hardware reports", readers)
  }
  if (readers.length === 0) refuse('readers', 'at least one hardware report', readers)
  for (const [index, report] of readers.entries()) {
    const at = `readers[${index}]`
    if (typeof report !== 'object' || report === null)
      refuse(at, 'a hardware report { name, aes, clmul }', report)
    checkNames(report, ['name', 'aes', 'clmul', 'asOf', 'runtime'], at)
    const line = 'a string of at most 200 characters on one line'
    if (!isMachineName(report.name)) refuse(`${at}.name`, line, report.name)
    if (report.runtime !== undefined && !isMachineName(report.runtime)) {
      refuse(`${at}.runtime`, line, report.runtime)
    }
    if (report.asOf !== undefined && !isDay(report.asOf)) {
      refuse(`${at}.asOf`, 'a day, YYYY-MM-DD', report.asOf)
    }
    for (const half of ['aes', 'clmul'] as const) {
      if (report[half] === undefined) refuse(`${at}.${half}`, `one of ${PRESENCE.join(', ')}`, undefined)
      checkOneOf(`${at}.${half}`, report[half], PRESENCE)
    }
  }
}

function checkBackends(backends: unknown): void {
  if (!Array.isArray(backends) || backends.length === 0) {
    refuse('backends', 'a list of at least one backend', backends)
  }
  const names = new Set<string>()
  for (const [index, backend] of backends.entries()) {
    const shaped =
      typeof backend === 'object' &&
      backend !== null &&
      typeof backend.name === 'string' &&
      typeof backend.probe === 'function' &&
      Array.isArray(backend.algorithms) &&
      ['native', 'wasm', 'js'].includes(backend.kind) &&
      typeof backend.sync === 'boolean' &&
      typeof backend.raw?.claims === 'function' &&
      Number.isSafeInteger(backend.raw.maxBytes)
    if (!shaped)
      refuse(`backends[${index}]`, 'a backend made by defineSyncBackend or defineAsyncBackend', backend)
    // A selection names its backends, so that it can be restored: two of one name could not be told apart.
    if (names.has(backend.name))
      refuse('backends', `names that differ; ${backend.name} is given twice`, backends)
    names.add(backend.name)
  }
}

const FIPS_STATES = ['off', 'requested-unusable', 'enforcing', 'unknown'] as const

/** @throws AeadError `invalid-argument`: evidence that `collectEvidence` cannot have made. */
export function checkEvidence(evidence: Evidence | undefined): void {
  if (evidence === undefined) return
  if (typeof evidence !== 'object' || evidence === null)
    refuse('evidence', 'what collectEvidence returns', evidence)
  const required: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['evidence.aes', evidence.aes, PRESENCE],
    ['evidence.clmul', evidence.clmul, PRESENCE],
    ['evidence.hardwareClass', evidence.hardwareClass, ['hardware', 'none', 'unknown']],
    ['evidence.source', evidence.source, ['measured', 'flags', 'given', 'unknown']],
    ['evidence.fips.state', evidence.fips?.state, FIPS_STATES],
  ]
  for (const [name, value, values] of required) {
    if (value === undefined) refuse(name, `one of ${values.join(', ')}`, undefined)
    checkOneOf(name, value, values)
  }
  for (const [name, text] of [
    ['evidence.fips.reason', evidence.fips.reason],
    ['evidence.fips.provider', evidence.fips.provider],
    ['evidence.fips.certificate', evidence.fips.certificate ?? ''],
  ] as const) {
    if (typeof text !== 'string') refuse(name, 'a string', text)
  }
  const { items, measurements } = evidence
  const told = (one: unknown): boolean =>
    (['name', 'value', 'source'] as const).every(
      (part) => typeof (one as Record<string, unknown> | null)?.[part] === 'string',
    )
  if (!Array.isArray(items) || !items.every(told)) {
    refuse('evidence.items', 'a list of items with name, value and source', items)
  }
  if (!Array.isArray(measurements) || !measurements.every(isMeasurement)) {
    refuse('evidence.measurements', 'a list of timings that a machine can take', measurements)
  }
}

/**
 * Checks every option and fills in the defaults.
 * @param options - as the caller wrote them.
 * @param fipsState - what was observed of the process's FIPS machinery; decides `fips: 'auto'`.
 * @throws AeadError `invalid-argument`.
 */
export function resolveOptions(
  options: SelectOptions,
  fipsState: FipsModuleState = 'unknown',
): ResolvedOptions {
  checkOptions(options)
  return withDefaults(options, fipsState)
}

/** {@link resolveOptions} for options that were checked. */
export function withDefaults(options: SelectOptions, fipsState: FipsModuleState): ResolvedOptions {
  const readers = options.readers ?? 'anywhere'
  const fipsAsked = options.fips ?? 'auto'
  const fips = fipsAsked === 'auto' ? (isRequested(fipsState) ? 'module' : 'off') : fipsAsked
  const target = options.target ?? DEFAULT_TARGET.target
  const count = (name: keyof Volume): bigint => BigInt(options.volume?.[name] ?? DEFAULT_VOLUME[name])
  return {
    algorithm: options.algorithm,
    context: options.context ?? 'own-protocol',
    readers,
    lifetime: options.lifetime ?? (readers === 'anywhere' ? 'frozen' : 'negotiated'),
    nonce: options.nonce ?? 'random',
    volume: {
      messages: count('messages'),
      messageBytes: count('messageBytes'),
      aadBytes: count('aadBytes'),
      failedOpens: count('failedOpens'),
    },
    sized: options.volume?.messageBytes !== undefined,
    rekey: options.rekey ?? 'impossible',
    target,
    nonceTarget: options.nonceTarget ?? (fips === 'off' ? target : DEFAULT_TARGET.fipsNonceTarget),
    fips,
    fipsAsked,
    regulation: [...new Set(options.regulation ?? [])].sort(),
    keyBits: options.keyBits,
    profile: options.profile ?? 'throughput',
    wholeMessage: options.wholeMessage ?? true,
    duplicatesVisible: options.duplicatesVisible ?? false,
    commitment: options.commitment ?? 'none',
    constrained: options.constrained ?? false,
    optIn: {
      aegis: options.optIn?.aegis ?? false,
      approvedComposition: options.optIn?.approvedComposition ?? false,
    },
    lease: options.lease,
    constantTime: options.constantTime ?? (fips === 'off' ? 'required' : 'preferred'),
    sync: options.sync ?? false,
  }
}
