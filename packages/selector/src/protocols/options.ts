import { AeadError, type Evidence, type HardwareClass, type HardwareReport, readOptions } from '@aeadkit/core'
import { checkOneOf, checkSetOf, refuse } from '../checks.ts'
import { NOTHING_KNOWN } from '../evidence/collect-options.ts'
import { hardwareClassOf } from '../evidence/hardware-class.ts'
import { isRequested } from '../fips-now.ts'
import { type FipsChoice, OPTION_VALUES, type ProtocolContext } from '../options.ts'
import type { AdviceFacts } from '../policy/advice.ts'
import { checkEvidence, readersOf } from '../resolve.ts'
import { AS_GIVEN } from './speed.ts'
import type { Role } from './texts.ts'

/** TLS versions with AEAD suites. */
export type TlsVersion = 'TLSv1.3' | 'TLSv1.2'

/** Both, the newer first. */
export const TLS_VERSIONS: readonly TlsVersion[] = ['TLSv1.3', 'TLSv1.2']

/** What every kind of advice takes. */
export interface AdviceOptions {
  /** Which side the setting is for. Default: `server` for TLS, nginx and OpenVPN, `client` for SSH. */
  readonly role?: Role | undefined
  /** What `collectEvidence` saw of the machine the setting is for. Default: nothing is known. */
  readonly evidence?: Evidence | undefined
  /** Hardware class of that machine, when it is known otherwise; wins over `evidence` and `speeds`. */
  readonly hardware?: HardwareClass | undefined
  /** Speeds measured on that machine, both in the same unit, for messages of 64 KiB or more. */
  readonly speeds?: { readonly gcm: number; readonly chacha: number } | undefined
  /**
   * The machines at the other end, for SSH and OpenVPN. Default: `here`, machines like this one: a setting can be
   * changed any day, unlike stored data.
   */
  readonly readers?: 'here' | 'anywhere' | readonly HardwareReport[] | undefined
  /** Default: `auto`, which binds when the evidence says that the process requests FIPS. */
  readonly fips?: FipsChoice | undefined
  /** Other duties from outside. Default: none. */
  readonly regulation?: readonly ('gost' | 'cnsa')[] | undefined
  /** Least key strength in bits, when someone outside demands one. Default: none. */
  readonly keyBits?: 128 | 256 | undefined
}

const ADVICE_OPTIONS: readonly (keyof AdviceOptions)[] = [
  'role',
  'evidence',
  'hardware',
  'speeds',
  'readers',
  'fips',
  'regulation',
  'keyBits',
]

const CLASSES: readonly HardwareClass[] = ['hardware', 'none', 'unknown']
const ROLES: readonly Role[] = ['server', 'client']

/** @throws AeadError `invalid-argument`: no hardware class; `undefined` passes. */
export function checkHardware(hardware: unknown): void {
  checkOneOf('hardware', hardware, CLASSES)
}

/** @throws AeadError `invalid-argument`: not a list of strings. */
export function checkList(option: string, list: unknown): void {
  if (!Array.isArray(list)) refuse(option, 'a list of names', list)
  for (const name of list) if (typeof name !== 'string') refuse(option, 'a list of names', name)
}

/** Speeds of the caller become measurements, and the class follows by the rule for measurements. */
function withSpeeds(evidence: Evidence, given: AdviceOptions['speeds']): Evidence {
  if (given === undefined) return evidence
  const speeds = readOptions(given, ['gcm', 'chacha'], 'speeds')
  for (const side of ['gcm', 'chacha'] as const) {
    const value: unknown = speeds[side]
    if (typeof value !== 'number' || !(value > 0) || !Number.isFinite(value)) {
      refuse(`speeds.${side}`, 'a speed above 0', value)
    }
  }
  const bytes = 65_536
  const timing = (algorithm: 'aes-128-gcm' | 'chacha20-poly1305', speed: number) =>
    ({
      backend: AS_GIVEN,
      algorithm,
      operation: 'seal',
      bytes,
      nanoseconds: (bytes * 1000) / speed,
    }) as const
  const measurements = [timing('aes-128-gcm', speeds.gcm), timing('chacha20-poly1305', speeds.chacha)]
  const seen = evidence.aes !== 'unknown' && evidence.clmul !== 'unknown'
  const { hardwareClass, reason, source } = hardwareClassOf({
    measurements,
    kinds: { [AS_GIVEN]: 'native' },
    // Their unit is not known, so none is told.
    told: `speeds as given: AES-GCM ${speeds.gcm} against ChaCha20-Poly1305 ${speeds.chacha}`,
    flags: seen ? evidence.aes === 'yes' && evidence.clmul === 'yes' : null,
  })
  const item = {
    name: 'hardware.class',
    value: hardwareClass,
    source: reason,
    certainty: 'observed',
  } as const
  const items = [...evidence.items.filter(({ name }) => name !== item.name), item]
  return { ...evidence, measurements, hardwareClass, source, items }
}

function withHardware(evidence: Evidence, hardware: HardwareClass | undefined): Evidence {
  if (hardware === undefined) return evidence
  const item = {
    name: 'hardware.class',
    value: hardware,
    source: `${hardware}, as given`,
    certainty: 'observed',
  }
  const items = [
    ...evidence.items.filter(({ name }) => name !== item.name),
    item as Evidence['items'][number],
  ]
  // `measured` makes the reason of the item the one that is told.
  return { ...evidence, hardwareClass: hardware, source: 'measured', items }
}

/** Options checked and turned into what the rules read. */
export interface ResolvedAdvice {
  readonly role: Role
  /** Whether a FIPS module was asked for, not its list alone. */
  readonly module: boolean
  readonly facts: AdviceFacts
}

/**
 * Checks the options and works out what the rules read.
 * @param context - by role.
 * @throws AeadError `invalid-argument`; `no-candidate`: duties that exclude each other (V1, V3 and V4).
 */
export function resolveAdvice<T extends AdviceOptions>(
  where: string,
  given: T,
  contexts: Readonly<Record<Role, ProtocolContext>>,
  role: Role,
  more: readonly string[] = [],
): ResolvedAdvice & { readonly options: T } {
  const options = readOptions(given, [...ADVICE_OPTIONS, ...more], where)
  checkOneOf('role', options.role, ROLES)
  checkHardware(options.hardware)
  checkOneOf('fips', options.fips, OPTION_VALUES.fips)
  checkOneOf('keyBits', options.keyBits, OPTION_VALUES.keyBits)
  checkSetOf('regulation', options.regulation, OPTION_VALUES.regulation)
  const readers = readersOf(options.readers) ?? 'here'
  checkEvidence(options.evidence)
  const evidence = withHardware(
    withSpeeds(options.evidence ?? NOTHING_KNOWN, options.speeds),
    options.hardware,
  )
  const choice = options.fips ?? 'auto'
  const fips = choice === 'auto' ? isRequested(evidence.fips.state) : choice !== 'off'
  const regulation = options.regulation ?? []
  const gost = regulation.includes('gost')
  const cnsa = regulation.includes('cnsa')
  if (gost && (fips || cnsa)) {
    const rules = fips ? ['V1'] : ['V3', 'V4']
    const other = fips ? 'FIPS 140-3' : 'CNSA'
    throw new AeadError(
      'no-candidate',
      `${rules.join(' and ')}: GOST and ${other} share no cipher: make two settings`,
      { details: { rules } },
    )
  }
  const chosen = options.role ?? role
  return {
    options,
    role: chosen,
    module: choice === 'module',
    facts: {
      fips,
      gost,
      cnsa,
      evidence,
      options: { context: contexts[chosen], keyBits: options.keyBits, readers },
    },
  }
}
