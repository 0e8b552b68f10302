import type { AlgorithmParams, Availability, Backend, Evidence } from '@aeadkit/core'
import { AeadError, ALGORITHMS, isAlgorithmId, isConstantTime, limitsOf, readOptions } from '@aeadkit/core'
import { checkHost, checkOneOf, describeValue } from './checks.ts'
import { evidenceOf, look } from './evidence/sight.ts'
import { isRequested, recheckOf, requireModule, tightened } from './fips-now.ts'
import type { Host } from './host.ts'
import { type FipsChoice, OPTION_VALUES, type ResolvedOptions, type SelectOptions } from './options.ts'
import { fromOf } from './placement/claims.ts'
import { type Placement, place } from './placement/place.ts'
import { askProbe } from './policy/ask.ts'
import { type CandidateBackend, listCandidates, probeKey } from './policy/candidates.ts'
import { limitOptionsOf } from './policy/facts.ts'
import { checkEvidence, resolveOptions } from './resolve.ts'
import { limitsFor, realise } from './select.ts'
import { makeSelection, type Selection, type Verdict } from './selection.ts'
import type { SelectionJson } from './selection-json.ts'

/** Options of {@link restoreSelection}. */
export interface RestoreOptions {
  /** Backends to choose from here, in the caller's order. At least one. */
  readonly backends: readonly Backend[]
  /** `preferred` lets a backend without a constant-time claim seal as well as open. Default: as stored. */
  readonly constantTime?: 'required' | 'preferred' | undefined
  /**
   * How FIPS 140-3 binds here. Default: `module` when this process requests FIPS, else as stored. Where `auto` was
   * asked, by this option or by the stored selection, FIPS requested later makes `createAead` and `createSealer`
   * refuse; any other value stays the caller's decision.
   */
  readonly fips?: FipsChoice | undefined
  /** Evidence collected earlier; given: nothing is collected. */
  readonly evidence?: Evidence | undefined
  /** FIPS certificate as the operator states it; passed through. */
  readonly certificate?: string | undefined
  /** The platform to look at, for simulations. Default: the one this code runs on. */
  readonly host?: Host | undefined
}

/** Names of {@link RestoreOptions}. */
export const RESTORE_NAMES: readonly (keyof RestoreOptions)[] = [
  'backends',
  'constantTime',
  'fips',
  'evidence',
  'certificate',
  'host',
]

/**
 * The same algorithm as when the selection was made, on this machine. Nothing is measured, and nothing is refused for
 * constant time, hardware or speed: if only weaker backends have the algorithm they open, the duty
 * `constant-time-not-met` says so, and sealing needs `constantTime: 'preferred'`.
 * @param json - what `toJSON()` returned, or its text.
 * @param given - see {@link RestoreOptions}.
 * @throws AeadError `invalid-argument` (not a stored selection), `unsupported` (a protocol's advice, which has no
 *   cipher), `no-candidate` (no backend here has the algorithm, or FIPS excludes it), `fips-unavailable`.
 */
export async function restoreSelection(
  json: SelectionJson | string,
  given: RestoreOptions,
): Promise<Selection> {
  const options = readOptions<RestoreOptions>(given ?? null, RESTORE_NAMES, 'restoreSelection')
  checkEvidence(options.evidence)
  const stored = readJson(json)
  checkOneOf('constantTime', options.constantTime, OPTION_VALUES.constantTime)
  checkOneOf('fips', options.fips, OPTION_VALUES.fips)
  const { certificate, host } = options
  checkHost(host)
  const evidence =
    options.evidence === undefined
      ? evidenceOf(look({ certificate, host }))
      : tightened(options.evidence, options)
  const inputs = inputsHere(stored, options, evidence)
  requireModule(inputs.fips, evidence.fips)
  const { params } = stored
  if (inputs.fips !== 'off' && params.fips === 'not-approved') {
    throw new AeadError('no-candidate', `V2: excluded: FIPS 140-3 does not list ${params.id}`, {
      details: { rules: ['V2'] },
    })
  }
  const permitted = await permittedHere(params, inputs, options.backends, evidence)
  // A list from outside outranks constant time: the selection stands, with the duty.
  const regulated = inputs.fips !== 'off' || inputs.regulation.length > 0
  const met = permitted.every(({ claims }) => isConstantTime(claims.constantTime.level))
  const { backend, choice } = realise(placeAgain(stored.json, params, permitted, inputs), options.backends)
  return makeSelection({
    params,
    choice,
    backend,
    limits: limitsFor(params, limitsOf(params, limitOptionsOf(inputs)), inputs),
    verdict: stored.json.verdict,
    evidence,
    duties: dutiesHere(stored.json.duties, met ? [] : permitted),
    inputs,
    sealRefused:
      met || regulated || inputs.constantTime === 'preferred'
        ? undefined
        : `no backend here runs ${params.id} in constant time: opening works; sealing needs constantTime 'preferred'`,
    recheck: recheckOf(inputs, options),
  })
}

/** A stored selection after its shape was checked. */
interface Stored {
  readonly json: SelectionJson
  readonly params: AlgorithmParams
  readonly inputs: SelectOptions
  /** Whether its maker gave a message length. */
  readonly sized: boolean
  /** What its maker asked; `auto` where it was stored without. */
  readonly fipsAsked: FipsChoice
}

function bad(what: string, got: unknown): AeadError {
  return new AeadError('invalid-argument', `a stored selection needs ${what}, got ${describeValue(got)}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function readJson(given: unknown): Stored {
  let json = given
  if (typeof given === 'string') {
    try {
      json = JSON.parse(given)
    } catch (cause) {
      throw new AeadError('invalid-argument', 'a stored selection is JSON text; this is not', { cause })
    }
  }
  if (!isRecord(json)) throw bad('an object as toJSON() gives it', json)
  const { algorithm, backend, duties, inputs, verdict } = json
  if (algorithm === null && isRecord(verdict) && verdict.class === 'protocol') {
    throw new AeadError('unsupported', 'this is advice for a protocol: there is no cipher to restore')
  }
  if (!isAlgorithmId(algorithm)) throw bad('a known algorithm', algorithm)
  if (!isVerdict(verdict)) throw bad('a verdict with class, rules, reasons and asOf', verdict)
  if (!isTexts(duties)) throw bad('duties as a list of texts', duties)
  if (!isRecord(inputs)) throw bad('the inputs it was made with', inputs)
  const isLength = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0
  const named =
    typeof backend === 'string' ||
    (isRecord(backend) &&
      isTexts([backend.small, backend.large]) &&
      isLength(backend.crossoverBytes) &&
      (backend.openCrossoverBytes === undefined || isLength(backend.openCrossoverBytes)) &&
      (backend.syncCalls === undefined || backend.syncCalls === 'small'))
  if (!named) throw bad('backend as a name, or as small, large and crossoverBytes', backend)
  const { fipsAsked, sized = true, ...asked } = inputs
  if (typeof sized !== 'boolean') throw bad('inputs.sized as true or false', sized)
  checkOneOf('inputs.fipsAsked', fipsAsked, OPTION_VALUES.fips)
  return {
    json: json as unknown as SelectionJson,
    params: ALGORITHMS[algorithm],
    inputs: readInputs(asked),
    sized,
    fipsAsked: (fipsAsked ?? 'auto') as FipsChoice,
  }
}

/** A day that a clock can be compared with. */
function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
}

function isVerdict(value: unknown): value is Verdict {
  return (
    isRecord(value) &&
    typeof value.class === 'string' &&
    isTexts(value.rules) &&
    isTexts(value.reasons) &&
    isDay(value.asOf) &&
    Array.isArray(value.rejected) &&
    value.rejected.every((one) => isRecord(one) && isTexts([one.algorithm, one.rule, one.reason]))
  )
}

/** Counts come back from decimal strings; everything else is checked as options are. */
function readInputs(inputs: Record<string, unknown>): SelectOptions {
  const { volume } = inputs
  if (!isRecord(volume)) throw bad('inputs.volume', volume)
  const counts: Record<string, bigint> = {}
  for (const [name, text] of Object.entries(volume)) {
    if (typeof text !== 'string' || !/^\d{1,60}$/.test(text))
      throw bad(`inputs.volume.${name} as a decimal string`, text)
    counts[name] = BigInt(text)
  }
  for (const name of ['backends', 'evidence', 'measure'] as const) {
    if (inputs[name] !== undefined) throw bad(`no inputs.${name}`, inputs[name])
  }
  return { ...inputs, volume: counts }
}

function inputsHere(stored: Stored, options: RestoreOptions, evidence: Evidence): ResolvedOptions {
  const { state } = evidence.fips
  const fips = options.fips ?? (isRequested(state) ? 'module' : stored.inputs.fips)
  const constantTime = options.constantTime ?? stored.inputs.constantTime
  const asked = { ...stored.inputs, fips, constantTime, backends: options.backends }
  const fipsAsked = options.fips ?? stored.fipsAsked
  return { ...resolveOptions(asked, state), fipsAsked, sized: stored.sized }
}

/** Backends that may run it here. Only presence and the FIPS module can leave none; the rest is preference. */
async function permittedHere(
  params: AlgorithmParams,
  inputs: ResolvedOptions,
  backends: readonly Backend[],
  evidence: Evidence,
): Promise<readonly CandidateBackend[]> {
  const probed = new Map<string, Availability>()
  for (const backend of backends) {
    if (backend.algorithms.includes(params.id)) {
      probed.set(probeKey(backend.name, params.id), await askProbe(backend, params.id))
    }
  }
  const candidate = listCandidates(backends, evidence, probed).find((one) => one.params.id === params.id)!
  if (candidate.backends.length === 0) {
    const why = candidate.missing.length === 0 ? 'none lists it' : candidate.missing.join('; ')
    throw new AeadError('no-candidate', `no backend given has ${params.id} (${why})`, {
      details: { rules: ['availability'] },
    })
  }
  const inside = candidate.backends.filter(
    ({ claims, kind }) =>
      inputs.fips !== 'module' || (kind === 'native' && claims.fipsModule === 'enforcing'),
  )
  if (inside.length === 0) {
    throw new AeadError(
      'no-candidate',
      `no backend that has ${params.id} runs inside an enforcing FIPS module`,
      {
        details: { rules: ['fips-module'] },
      },
    )
  }
  const prefer = (
    all: readonly CandidateBackend[],
    test: (one: CandidateBackend) => boolean,
  ): readonly CandidateBackend[] => {
    const some = all.filter(test)
    return some.length > 0 ? some : all
  }
  const safe = prefer(inside, ({ claims }) => isConstantTime(claims.constantTime.level))
  const sized = prefer(safe, ({ maxBytes }) => inputs.volume.messageBytes <= BigInt(maxBytes))
  return prefer(sized, ({ sync }) => sync || !inputs.sync)
}

/** The stored backends where they are here, else native before wasm before script. */
function placeAgain(
  json: SelectionJson,
  params: AlgorithmParams,
  permitted: readonly CandidateBackend[],
  inputs: ResolvedOptions,
): Placement {
  const has = (name: string): boolean => permitted.some((one) => one.name === name)
  const { backend } = json
  if (typeof backend === 'string' && has(backend)) {
    return { kind: 'single', backend, reason: 'as stored', perSize: [] }
  }
  if (typeof backend === 'object' && backend !== null && inputs.fips !== 'module') {
    const { large, small } = backend
    const { open, seal } = fromOf(backend)
    // The limit of a backend can be another one here than where the selection was made.
    const reaches = permitted.some(
      ({ maxBytes, name }) => name === small && maxBytes >= Math.max(seal, open) - 1,
    )
    if (small !== large && reaches && has(large))
      return { ...backend, kind: 'pair', reason: 'as stored', perSize: [] }
  }
  return place({
    algorithm: params.id,
    costs: [],
    candidates: permitted,
    profile: inputs.profile,
    fips: inputs.fips,
  })!
}

function dutiesHere(stored: readonly string[], weak: readonly CandidateBackend[]): readonly string[] {
  const others = stored.filter((duty) => !duty.startsWith('constant-time-not-met:'))
  if (weak.length === 0) return others
  const levels = weak.map(({ claims, name }) => `${name}: ${claims.constantTime.level}`).join(', ')
  return [`constant-time-not-met: no backend here has a constant-time claim for it (${levels})`, ...others]
}
