import type { Evidence, HardwareReport, LimitOptions, Presence } from '@aeadkit/core'
import { ALGORITHMS } from '@aeadkit/core'
import type { NonceRegime, ResolvedOptions, Volume } from '../options.ts'
import type { Candidate } from './candidates.ts'
import { reckonerOf } from './reckon.ts'

/** What is known of the machines at every end, for AES-GCM. `partial`: AES without carry-less multiplication. */
export interface EndsHardware {
  readonly class: 'hardware' | 'partial' | 'none' | 'unknown'
  /** Whether AES round instructions alone are known at every end; CCM and SIV need no more. */
  readonly aesEngine: boolean
  /** What decided, for the reason text. */
  readonly why: string
}

/** Everything the rules read, worked out once. */
export interface Facts {
  readonly options: ResolvedOptions
  readonly evidence: Evidence
  readonly candidates: readonly Candidate[]
  /** The nonce regime the rules run under, see {@link regimeOf}. */
  readonly regime: NonceRegime
  readonly fips: boolean
  readonly gost: boolean
  readonly cnsa: boolean
  readonly frozen: boolean
  readonly ends: EndsHardware
  /** Who computes, of the backends the caller permits. */
  readonly execution: 'native' | 'wasm' | 'pure-js'
  /** Messages 96 random bits allow at the nonce target. */
  readonly most96: bigint
  /** Whether 96 random bits suffice for the volume. */
  readonly suffices96: boolean
  /** How the limits arithmetic is asked. */
  readonly limits: LimitOptions
}

/** Repeats a misuse-resistant key must bear where nonces may repeat: RFC 8452 §9 tabulates 256 per nonce. */
const REPEATS = 256

/** The nonce regime the rules run under: a lease per seal turns a snapshot risk into leased nonces. */
export function regimeOf(options: ResolvedOptions): NonceRegime {
  return options.nonce === 'snapshot-risk' && options.lease === 'per-seal' ? 'leased' : options.nonce
}

/** How the limits arithmetic is asked for these options. */
export function limitOptionsOf(options: ResolvedOptions): LimitOptions {
  const fips = options.fips !== 'off'
  const regime = regimeOf(options)
  // V2b: many writers under FIPS use the deterministic construction.
  const random = regime === 'random' || regime === 'snapshot-risk' || (regime === 'many-writers' && !fips)
  const repeats = !fips && (regime === 'snapshot-risk' || regime === 'many-writers')
  return {
    target: options.target,
    nonceTarget: options.nonceTarget,
    nonce: random ? 'random' : 'counter',
    messageBytes: options.volume.messageBytes,
    aadBytes: options.volume.aadBytes,
    fips,
    ...(repeats ? { repeatsPerNonce: REPEATS } : {}),
  }
}

/** Works out what the rules read. */
export function factsOf(
  options: ResolvedOptions,
  evidence: Evidence,
  candidates: readonly Candidate[],
): Facts {
  const fips = options.fips !== 'off'
  const regime = regimeOf(options)
  const limits = limitOptionsOf(options)
  const most96 = collisionBound({ ...limits, nonce: 'random' }, options.volume)
  return {
    options,
    evidence,
    candidates,
    regime,
    fips,
    gost: options.regulation.includes('gost'),
    cnsa: options.regulation.includes('cnsa'),
    frozen: options.lifetime === 'frozen',
    ends: endsHardware(options.readers, evidence),
    execution: executionOf(options, candidates),
    most96,
    suffices96: options.volume.messages <= most96,
    limits,
  }
}

/** Messages that 96 random nonce bits allow, from the limits arithmetic. */
function collisionBound(options: LimitOptions, volume: Volume): bigint {
  const all = reckonerOf(options, volume)(ALGORITHMS['chacha20-poly1305']).limits.limits
  const collisions = all.filter((limit) => limit.kind === 'nonce-collision' && limit.max !== null)
  return collisions.reduce((least, limit) => (limit.max! < least ? limit.max! : least), 2n ** 96n)
}

const WEAKEST_FIRST = ['unknown', 'none', 'partial', 'hardware'] as const

/** Machines that a reason names where none is weaker than another. */
const MOST_NAMED = 3

/** The weakest of this machine and the readers counts: all of them compute. */
export function endsHardware(
  readers: ResolvedOptions['readers'],
  evidence: Evidence,
  here: EndsHardware = hardwareHere(evidence),
): EndsHardware {
  if (readers === 'anywhere') {
    return {
      class: 'unknown',
      aesEngine: false,
      why: 'any machine may have to read it, so its CPU is unknown',
    }
  }
  const ends = [here, ...(readers === 'here' ? [] : readers.map(hardwareThere))]
  const weakest = WEAKEST_FIRST.find((one) => ends.some((end) => end.class === one))!
  const same = ends.filter((end) => end.class === weakest)
  const named = same.slice(0, weakest === 'hardware' ? MOST_NAMED : 1)
  const more = same.length - named.length
  return {
    class: weakest,
    aesEngine: ends.every((one) => one.aesEngine),
    why: named.map((one) => one.why).join('; ') + (more === 0 ? '' : `, and ${more} more like it`),
  }
}

/** Whether the hardware was told by the caller: then it is that of the machine the answer is for, not of this one. */
export function asGiven({ items }: Pick<Evidence, 'items'>): boolean {
  return items.some(
    ({ name, source }) =>
      /^given\.(aes|clmul|hardwareClass)$/.test(name) ||
      (name === 'hardware.class' && /\bas given\b/.test(source)),
  )
}

/** A half of AES-GCM as the CPU shows it, before masks, which are those of one library; else what is told or known of it. */
export function cpuFlag(
  evidence: Pick<Evidence, 'aes' | 'clmul' | 'items'>,
  half: 'aes' | 'clmul',
): Presence {
  const seen = evidence.items.find(({ name }) => name === `cpu.flags.${half}`)?.value as Presence | undefined
  return (asGiven(evidence) ? undefined : seen) ?? evidence[half]
}

/**
 * This machine as other programs find it: the flags of its CPU decide. Timings and masks are about the library of this
 * runtime; only that it uses the instructions shows that they are there.
 */
export function machineHere(evidence: Evidence): EndsHardware {
  const seen = hardwareHere(evidence)
  if (asGiven(evidence) || !evidence.items.some(({ name }) => name.startsWith('cpu.flags'))) return seen
  const [aes, clmul] = [cpuFlag(evidence, 'aes'), cpuFlag(evidence, 'clmul')]
  const told = hardwareThere({ name: 'here: CPU flags before masks', aes, clmul })
  if (told.class !== 'unknown' || seen.class === 'hardware') return told.class === 'unknown' ? seen : told
  return {
    ...told,
    why: 'here: no CPU flags are visible; timings tell of the library of this runtime',
  }
}

/** The hardware class decides; the flags only tell which half is missing. */
export function hardwareHere(evidence: Evidence): EndsHardware {
  const aesEngine = evidence.aes === 'yes'
  const partial = aesEngine && (evidence.clmul === 'no' || evidence.clmul === 'partial')
  const how = howDecided(evidence)
  if (evidence.hardwareClass === 'hardware')
    return { class: 'hardware', aesEngine: true, why: `here: ${how}` }
  if (evidence.hardwareClass === 'unknown')
    return { class: 'unknown', aesEngine, why: `here: unknown (${how})` }
  return { class: partial ? 'partial' : 'none', aesEngine, why: `here: ${how}` }
}

function howDecided(evidence: Evidence): string {
  const wide = evidence.hardwareClass === 'hardware' && evidence.aes === 'no' ? '; AES-GCM runs on VAES' : ''
  const flags = `AES ${evidence.aes}, carry-less multiply ${evidence.clmul}${wide}`
  const decided = evidence.items.find(({ name }) => name === 'hardware.class')?.source
  if (evidence.source === 'measured' && decided !== undefined) return decided
  // Flags decide too where timings were too close to tell, and then it says those.
  if (evidence.source === 'flags') return `${decided?.split(': the')[0] ?? 'flag, unmeasured'}: ${flags}`
  return `${evidence.source}: ${flags}`
}

function hardwareThere(report: HardwareReport): EndsHardware {
  const { aes, clmul } = report
  const aesEngine = aes === 'yes'
  const told = [report.runtime, report.asOf].filter((one) => one !== undefined).join(', ')
  const why = `${report.name}${told === '' ? '' : ` (report of ${told})`}: AES ${aes}, carry-less multiply ${clmul}`
  if (aes === 'yes' && clmul === 'yes') return { class: 'hardware', aesEngine, why }
  const missing = (half: string): boolean => half === 'no' || half === 'partial'
  if (aesEngine && missing(clmul)) return { class: 'partial', aesEngine, why }
  if (missing(aes) || missing(clmul)) return { class: 'none', aesEngine, why }
  return { class: 'unknown', aesEngine, why }
}

function executionOf(options: ResolvedOptions, candidates: readonly Candidate[]): Facts['execution'] {
  const kinds = new Set(
    candidates.flatMap(({ backends }) =>
      backends.filter((backend) => backend.sync || !options.sync).map((backend) => backend.kind),
    ),
  )
  return kinds.has('native') ? 'native' : kinds.has('wasm') ? 'wasm' : 'pure-js'
}
