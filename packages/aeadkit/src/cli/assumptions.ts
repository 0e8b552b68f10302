import { AeadError, type Evidence, type HardwareClass, nearestName, type Presence } from '@aeadkit/core'
import {
  HARDWARE_RATIO,
  type Host,
  maskVariableOf,
  OPTION_VALUES,
  type Reading,
  type SelectOptions,
  SOFTWARE_RATIO,
} from '@aeadkit/selector'
import { withoutModules } from './modules.ts'
import { countText, positiveOf } from './numbers.ts'
import { oneReport } from './reports.ts'
import { optionKeys, parsed, parseOption } from './select-options.ts'

/** One assumption: a name of the table below or an option of `select`, and its value. */
export interface Assumption {
  readonly key: string
  readonly value: string
}

/** The inputs of a selection while assumptions are applied to them. */
export interface Inputs {
  options: SelectOptions
  host: Host
  given: Partial<Evidence>
  /** Timings that still hold; `undefined`: all. Set where the hardware is assumed, whose class then follows from flags. */
  timings: Evidence['measurements'] | undefined
  /** Names of backends that are taken away. */
  without: readonly string[]
  assumed: string[]
}

/** One thing that can be assumed. */
export interface Key {
  readonly describe: string
  apply(inputs: Inputs, value: string, context: Situation): void
}

/** What is known before anything is assumed. */
export interface Situation {
  readonly evidence: Evidence
  /** Names of the backends that a selection would have. */
  readonly names: readonly string[]
  /** Names of native backends. */
  readonly natives: readonly string[]
}

const PRESENCE: readonly Presence[] = ['yes', 'partial', 'no', 'unknown']

function oneOf<T extends string>(key: string, value: string, known: readonly T[], hint = ''): T {
  if (known.includes(value as T)) return value as T
  throw new AeadError(
    'invalid-argument',
    `--what-if ${key} takes ${known.join(', ')}, got "${value.slice(0, 40)}"${hint}`,
  )
}

/** Leaves out what was timed with other instructions: native AES, or all that is native. */
function assumeHardware(inputs: Inputs, { evidence, natives }: Situation, aesOnly: boolean): void {
  inputs.timings = (inputs.timings ?? evidence.measurements).filter(
    ({ algorithm, backend }) => !natives.includes(backend) || (aesOnly && !/^(aes|xaes)-/.test(algorithm)),
  )
}

function half(name: 'aes' | 'clmul', title: string): Key {
  return {
    describe: `${title} usable here: ${PRESENCE.join(', ')}`,
    apply(inputs, value, situation) {
      const { aes, clmul } = { ...situation.evidence, ...inputs.given }
      const assumed = oneOf(name, value, PRESENCE)
      if (assumed === { aes, clmul }[name]) return
      Object.assign(inputs.given, { aes, clmul, [name]: assumed })
      assumeHardware(inputs, situation, true)
      inputs.assumed.push('timings of native AES were taken with other instructions and are left out')
    },
  }
}

const HALVES_OF: Readonly<Record<HardwareClass, Presence>> = {
  hardware: 'yes',
  none: 'no',
  unknown: 'unknown',
}
const CLASSES = Object.keys(HALVES_OF) as HardwareClass[]

/** `0.4`, or two speeds in one unit: `413:234`. */
function ratioOf(text: string): number {
  const found = /^(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?$/.exec(text)
  const ratio = Number(found?.[1]) / Number(found?.[2] ?? 1)
  if (ratio > 0 && ratio < Number.POSITIVE_INFINITY) return ratio
  throw new AeadError(
    'invalid-argument',
    `--what-if ratio takes a number above 0, such as 0.4, or both speeds, such as 413:234, got "${text.slice(0, 40)}"`,
  )
}

/** The class that a measured ratio gives, and by what. */
function classOfRatio(
  ratio: number,
  halves: readonly Presence[],
): readonly [hardwareClass: HardwareClass, by: string] {
  if (ratio >= HARDWARE_RATIO) return ['hardware', `at least ${HARDWARE_RATIO}`]
  if (ratio < SOFTWARE_RATIO) return ['none', `below ${SOFTWARE_RATIO}`]
  const by = `from ${SOFTWARE_RATIO} to ${HARDWARE_RATIO} the flags decide`
  if (halves.every((one) => one === 'yes')) return ['hardware', by]
  return [halves.some((one) => one === 'no' || one === 'partial') ? 'none' : 'unknown', by]
}

const FIPS_STATES = ['off', 'requested-unusable', 'enforcing', 'unknown'] as const

function assumeFips(inputs: Inputs, state: (typeof FIPS_STATES)[number], { evidence }: Situation): void {
  const lacking = state === 'enforcing' ? withoutModules(evidence) : undefined
  if (lacking !== undefined) {
    // The refusal is the answer: what a module would give is for the runtime to say that can have one.
    const { fips = 'auto' } = inputs.options
    if (fips === 'auto') inputs.options = { ...inputs.options, fips: 'module' }
    inputs.assumed.push(`no module: ${lacking}; ask on Node`)
    return
  }
  const provider = state === 'enforcing' ? 'assumed' : evidence.fips.provider
  Object.assign(inputs.given, { fips: { ...evidence.fips, state, provider, reason: 'assumed' } })
  // A selection looks at the platform as well: what is assumed not to be asked for is not asked for there.
  const { crypto, ...host } = inputs.host
  const asked = state === 'enforcing' || state === 'requested-unusable'
  if (!asked && crypto !== undefined) inputs.host = { ...host, crypto: { ...crypto, fips: () => 0 } }
  inputs.assumed.push(`a FIPS module that is ${state}; self-tests and timings are those of this process`)
}

/** What can be assumed besides the options of `select`. */
export const KEYS: Readonly<Record<string, Key>> = {
  machine: {
    describe: 'a report of doctor --report: this machine is that one',
    apply(inputs, value) {
      const { aes, clmul, name } = oneReport(value, '--what-if machine takes')
      Object.assign(inputs.given, { aes, clmul, cpuModel: name })
      inputs.timings = []
      inputs.assumed.push(`the backends of this process, on ${name}, where nothing was timed`)
    },
  },
  aes: half('aes', 'AES instructions'),
  clmul: half('clmul', 'carry-less multiply'),
  hardware: {
    describe: `whether AES-GCM runs on instructions here, as if measured: ${CLASSES.join(', ')}`,
    apply(inputs, value, situation) {
      const hardwareClass = oneOf('hardware', value, CLASSES)
      if (hardwareClass === situation.evidence.hardwareClass) return
      const halves = HALVES_OF[hardwareClass]
      Object.assign(inputs.given, { hardwareClass, aes: halves, clmul: halves })
      assumeHardware(inputs, situation, true)
      inputs.assumed.push('timings of native AES were taken with other instructions and are left out')
    },
  },
  ratio: {
    describe:
      'AES-GCM speed over ChaCha20-Poly1305 speed in one native library, as if measured: 0.4, or 413:234',
    apply(inputs, value, situation) {
      const ratio = ratioOf(value)
      const { aes, clmul } = { ...situation.evidence, ...inputs.given }
      const [hardwareClass, by] = classOfRatio(ratio, [aes, clmul])
      // Between the thresholds it is the flags that are taken; beyond them the ratio counts as a measurement does.
      const decided = ratio >= HARDWARE_RATIO || ratio < SOFTWARE_RATIO
      Object.assign(inputs.given, { hardwareClass, ...(decided ? { source: 'measured' } : {}) })
      assumeHardware(inputs, situation, true)
      inputs.assumed.push(
        `AES-GCM ${Number(ratio.toPrecision(4))} times as fast as ChaCha20-Poly1305 inside one native library at 64 KiB and more; ${by}: class ${hardwareClass}`,
        'timings of native AES were taken at another speed and are left out',
      )
    },
  },
  without: {
    describe: 'names of backends that are not there, with commas between',
    apply(inputs, value, { names }) {
      const gone = value.split(',').map((name) => oneOf('without', name, names))
      if (names.every((name) => gone.includes(name)))
        throw new AeadError('invalid-argument', `--what-if without has to leave one of ${names.join(', ')}`)
      inputs.without = gone
    },
  },
  mask: {
    describe:
      'a value of OPENSSL_ia32cap, or of the variable that OpenSSL reads on this architecture; none: it is not set',
    apply(inputs, value, situation) {
      const { arch } = situation.evidence
      const name = maskVariableOf(arch)
      if (name === undefined)
        throw new AeadError('invalid-argument', `--what-if mask: OpenSSL reads no variable on ${arch}`)
      const { host } = inputs
      const unset = value === 'none'
      const setting = host.env(name)
      if (unset && (setting.start ?? setting).state === 'absent') {
        inputs.assumed.push(`${name} is not set: nor is it now`)
        return
      }
      const read: Reading = unset ? { state: 'absent' } : { state: 'read', text: value }
      inputs.host = {
        ...host,
        env: (asked) => (asked === name ? { ...read, start: read } : host.env(asked)),
      }
      assumeHardware(inputs, situation, false)
      inputs.assumed.push(
        unset
          ? `${name} is not set: what the CPU has is in force; native timings are left out`
          : `${name}=${value}: what it hides follows from the flags; native timings are left out`,
      )
    },
  },
  fips: {
    describe: 'on: a module is enforcing; or a value of --fips',
    apply(inputs, value, situation) {
      oneOf(
        'fips',
        value,
        ['on', ...OPTION_VALUES.fips],
        FIPS_STATES.includes(value as never) ? `: did you mean fips-state=${value}?` : '',
      )
      if (value === 'on') assumeFips(inputs, 'enforcing', situation)
      else inputs.options = { ...inputs.options, ...parseOption('fips', value, inputs.options) }
    },
  },
  'fips-state': {
    describe: FIPS_STATES.join(', '),
    apply: (inputs, value, situation) =>
      assumeFips(inputs, oneOf('fips-state', value, FIPS_STATES), situation),
  },
  volume: {
    describe: 'bytes under one key, for example 2TiB, in messages of the length asked',
    apply(inputs, value) {
      const total = parsed('volume', value, positiveOf)
      const bytes = BigInt(inputs.options.volume?.messageBytes ?? 16_384)
      if (bytes === 0n)
        throw new AeadError('invalid-argument', '--what-if volume needs messages longer than 0 bytes')
      const messages = (total + bytes - 1n) / bytes
      inputs.options = { ...inputs.options, volume: { ...inputs.options.volume, messages } }
      inputs.assumed.push(
        `${countText(messages)} ${messages === 1n ? 'message' : 'messages'} of ${bytes} B under one key`,
      )
    },
  },
}

/** What cannot be assumed together: both would say the same thing, and one of them would be without effect. */
const EXCLUDE: readonly (readonly [one: string, other: string])[] = [
  ['mask', 'machine'],
  ['mask', 'aes'],
  ['mask', 'clmul'],
  ['hardware', 'ratio'],
  ['ratio', 'mask'],
  ['hardware', 'mask'],
  ['hardware', 'machine'],
  ['hardware', 'aes'],
  ['hardware', 'clmul'],
  ['fips=on', 'fips-state'],
  ['volume', 'messages'],
]

/** What is assumed of a machine applies after it, a ratio after the flags, and what counts messages after their length. */
const RANK: Readonly<Record<string, number>> = { machine: -1, ratio: 1, volume: 1 }

/**
 * Assumptions in the order in which they apply.
 * @throws AeadError `invalid-argument`: one key twice, or two that say the same thing.
 */
export function inOrder(assumptions: readonly Assumption[]): readonly Assumption[] {
  const twice = assumptions.find(({ key }, at) => assumptions.findIndex((one) => one.key === key) < at)
  if (twice !== undefined) throw new AeadError('invalid-argument', `--what-if: ${twice.key} is given twice`)
  const given = assumptions.flatMap(({ key, value }) => [key, `${key}=${value}`])
  for (const [one, other] of EXCLUDE) {
    if (given.includes(one) && given.includes(other)) {
      throw new AeadError(
        'invalid-argument',
        `--what-if: ${one} and ${other} both say it: assume one of them`,
      )
    }
  }
  const rank = ({ key }: Assumption): number => RANK[key] ?? 0
  return [...assumptions].sort((a, b) => rank(a) - rank(b))
}

/** What `--what-if` takes, for the end of the help. */
export const WHAT_IF_HELP: string = [
  '',
  'What --what-if takes:',
  ...Object.entries(KEYS).map(([key, { describe }]) => `  ${`${key}=`.padEnd(14)}${describe}`),
  `  ${'OPTION='.padEnd(14)}any option above without its dashes: nonce=counter, readers=FILE, sync`,
  '',
].join('\n')

/** Splits `key=value`. */
export function assumptionOf(text: string): Assumption {
  const at = text.indexOf('=')
  const [key, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  const known = [...new Set([...Object.keys(KEYS), ...optionKeys().map(({ key: name }) => name)])]
  if (!known.includes(key)) {
    const nearest = nearestName(key, known)
    throw new AeadError(
      'invalid-argument',
      `--what-if: unknown key "${key.slice(0, 40)}"${nearest === undefined ? `; there are ${known.join(', ')}` : `: did you mean ${nearest}?`}`,
    )
  }
  const flag = optionKeys().find((one) => one.key === key)?.flag === true && !(key in KEYS)
  if (at < 0 && !flag) throw new AeadError('invalid-argument', `--what-if ${key} needs a value: ${key}=…`)
  return { key, value: at < 0 ? 'true' : value }
}
