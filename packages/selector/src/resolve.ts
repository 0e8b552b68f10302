import type { Evidence, FipsModuleState, HardwareReport } from '@aeadkit/core'
import { ALGORITHMS, readOptions } from '@aeadkit/core'
import {
  checkBoolean,
  checkCount,
  checkHost,
  checkOneOf,
  checkSetOf,
  checkWhole,
  isDay,
  isMachineName,
  MACHINE_NAME,
  refuse,
} from './checks.ts'
import { isMeasurement } from './evidence/cache.ts'
import { isRequested } from './fips-now.ts'
import {
  DEFAULT_TARGET,
  DEFAULT_VOLUME,
  MOST_BUDGET_MS,
  MOST_READERS,
  MOST_TIMINGS,
  OPT_IN_NAMES,
  OPTION_NAMES,
  OPTION_VALUES,
  type ResolvedOptions,
  type SelectOptions,
  type Volume,
} from './options.ts'

const VOLUME_NAMES = ['messages', 'messageBytes', 'aadBytes', 'failedOpens'] as const

/**
 * Reads the options once, so that what was checked is what is used: getters, and changes while evidence is collected,
 * have no effect. Checks what does not depend on the machine: `selectAead` calls it before it collects evidence, so
 * that a slip is reported at once.
 * @throws AeadError `invalid-argument`: which option, what it takes, and the nearest known name.
 */
export function readSelectOptions(given: SelectOptions): SelectOptions {
  const read = readOptions<SelectOptions>(given ?? null, OPTION_NAMES, 'selectAead')
  const options: SelectOptions = {
    ...read,
    volume: partOf(read.volume, VOLUME_NAMES, 'volume'),
    optIn: partOf(read.optIn, OPT_IN_NAMES, 'optIn'),
    readers: readersOf(read.readers),
    regulation: listed(read.regulation),
    backends: listed(read.backends),
  }
  checkOneOf('algorithm', options.algorithm, Object.keys(ALGORITHMS))
  for (const name of ['context', 'lifetime', 'nonce', 'rekey', 'fips', 'keyBits', 'profile'] as const) {
    checkOneOf(name, options[name], OPTION_VALUES[name])
  }
  for (const name of ['commitment', 'lease', 'constantTime', 'measure'] as const) {
    checkOneOf(name, options[name], OPTION_VALUES[name])
  }
  for (const name of ['wholeMessage', 'duplicatesVisible', 'constrained', 'sync'] as const) {
    checkBoolean(name, options[name])
  }
  checkSetOf('regulation', options.regulation, OPTION_VALUES.regulation)
  checkWhole('target', options.target, -128, -1)
  checkWhole('nonceTarget', options.nonceTarget, -128, -1)
  checkWhole('measureBudgetMs', options.measureBudgetMs, 0, MOST_BUDGET_MS)
  for (const name of OPT_IN_NAMES) checkBoolean(`optIn.${name}`, options.optIn?.[name])
  checkCount('volume.messages', options.volume?.messages, 1n)
  for (const name of VOLUME_NAMES.slice(1)) checkCount(`volume.${name}`, options.volume?.[name], 0n)
  checkBackends(options.backends)
  checkEvidence(options.evidence)
  checkSurroundings(options)
  return options
}

/** @throws AeadError `invalid-argument`: what surrounds a selection is not what it must be. */
export function checkSurroundings({
  allowSpawn,
  certificate,
  host,
  measurementCache: cache,
  signal,
}: Pick<SelectOptions, 'allowSpawn' | 'certificate' | 'host' | 'measurementCache' | 'signal'>): void {
  checkBoolean('allowSpawn', allowSpawn)
  if (certificate !== undefined && typeof certificate !== 'string') {
    refuse('certificate', 'a string as the operator states it', certificate)
  }
  checkHost(host)
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    refuse('signal', 'an AbortSignal', signal)
  }
  if (cache !== undefined && (typeof cache?.get !== 'function' || typeof cache.set !== 'function')) {
    refuse('measurementCache', 'an object with get(key) and set(key, text)', cache)
  }
}

/** Backends, evidence and the cache are objects with a life of theirs; other parts are read as options are. */
function partOf<T>(given: T, known: readonly string[], where: string): T {
  return given === undefined ? given : readOptions(given, known, where)
}

/** A list that the caller can change later; what is none is for the checks to refuse. */
export function listed<T>(given: T): T {
  return Array.isArray(given) ? ([...given] as T) : given
}

const REPORT_NAMES = ['name', 'aes', 'clmul', 'asOf', 'runtime'] as const
const PRESENCE = ['yes', 'partial', 'no', 'unknown'] as const

/** @throws AeadError `invalid-argument`: neither a word nor a list of hardware reports. */
export function readersOf(readers: SelectOptions['readers']): SelectOptions['readers'] {
  if (readers === undefined || typeof readers === 'string') {
    checkOneOf('readers', readers, OPTION_VALUES.readers)
    return readers
  }
  if (!Array.isArray(readers) || readers.length === 0 || readers.length > MOST_READERS) {
    refuse('readers', `'here', 'anywhere' or 1 to ${MOST_READERS} hardware reports`, readers)
  }
  return Array.from(readers, (given: unknown, index) => {
    const at = `readers[${index}]`
    const report = readOptions((given ?? null) as HardwareReport, REPORT_NAMES, at)
    const { name, runtime = 'unknown' } = report
    for (const [part, text] of Object.entries({ name, runtime })) {
      if (!isMachineName(text)) refuse(`${at}.${part}`, MACHINE_NAME, text)
    }
    if (report.asOf !== undefined && !isDay(report.asOf)) {
      refuse(`${at}.asOf`, 'a day, YYYY-MM-DD', report.asOf)
    }
    for (const half of ['aes', 'clmul'] as const) {
      checkWord(`${at}.${half}`, report[half], PRESENCE)
    }
    return report
  })
}

/** @throws AeadError `invalid-argument`: no list of so many backends, or something else in it. */
export function checkBackends(backends: unknown, least = 1): void {
  if (!Array.isArray(backends) || backends.length < least) {
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

function checkWord(name: string, value: unknown, values: readonly string[]): void {
  if (value === undefined) refuse(name, `one of ${values.join(', ')}`, undefined)
  checkOneOf(name, value, values)
}

/**
 * @param where - what it is called.
 * @throws AeadError `invalid-argument`: evidence that `collectEvidence` cannot have made.
 */
export function checkEvidence(evidence: Evidence | undefined, where = 'evidence'): void {
  if (evidence === undefined) return
  if (typeof evidence !== 'object' || evidence === null)
    refuse(where, 'what collectEvidence returns', evidence)
  const { aes, clmul, fips, hardwareClass, items, measurements, source } = evidence
  checkWord(`${where}.aes`, aes, PRESENCE)
  checkWord(`${where}.clmul`, clmul, PRESENCE)
  checkWord(`${where}.hardwareClass`, hardwareClass, ['hardware', 'none', 'unknown'])
  checkWord(`${where}.source`, source, ['measured', 'flags', 'given', 'unknown'])
  checkWord(`${where}.fips.state`, fips?.state, FIPS_STATES)
  const { certificate, provider, reason } = fips
  for (const [name, text] of Object.entries({ reason, provider, certificate: certificate ?? '' })) {
    if (typeof text !== 'string') refuse(`${where}.fips.${name}`, 'a string', text)
  }
  const told = (one: unknown): boolean =>
    (['name', 'value', 'source'] as const).every(
      (part) => typeof (one as Record<string, unknown> | null)?.[part] === 'string',
    )
  if (!Array.isArray(items) || !items.every(told)) {
    refuse(`${where}.items`, 'a list of items with name, value and source', items)
  }
  if (
    !Array.isArray(measurements) ||
    measurements.length > MOST_TIMINGS ||
    !measurements.every(isMeasurement)
  ) {
    refuse(`${where}.measurements`, `at most ${MOST_TIMINGS} timings that a machine can take`, measurements)
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
  return withDefaults(readSelectOptions(options), fipsState)
}

/** {@link resolveOptions} for options that were read. */
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
