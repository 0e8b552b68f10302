/** What the operating system and the environment say of the CPU, as evidence. */
import type { EvidenceItem } from '@aeadkit/core'
import { type Host, type Reading, startOf } from '../host.ts'
import {
  CPU_ARCHES,
  type CpuArch,
  type CpuFeature,
  type CpuFlags,
  pairPresence,
  parseCpuinfo,
  presenceOf,
} from './cpu.ts'
import { parseDmesg, parseSysctl } from './cpu-bsd.ts'
import { type EffectiveCpu, effectiveCpu, MASK_VARIABLES, type MaskDialect } from './masks.ts'

/** Flags and masks of this machine with every observation behind them. */
export interface PlatformFindings {
  readonly flags: CpuFlags | undefined
  readonly effective: EffectiveCpu
  readonly cpuModel: string
  /** Values of the mask variables that are set, by name. */
  readonly masks: Readonly<Record<string, string>>
  readonly items: readonly EvidenceItem[]
}

const SYSCTL_KEYS: readonly string[] = [
  'hw.optional.arm.FEAT_AES',
  'hw.optional.arm.FEAT_PMULL',
  'machdep.cpu.brand_string',
  'machdep.cpu.features',
  'machdep.cpu.leaf7_features',
]

interface Text {
  readonly source: string
  readonly flags: CpuFlags | undefined
  /** Why there are no flags. */
  readonly missing: string
}

function fromReading(reading: Reading, source: string, parse: (text: string) => CpuFlags | undefined): Text {
  if (reading.state !== 'read') {
    return { source, flags: undefined, missing: reading.state === 'absent' ? 'not there' : reading.reason }
  }
  return { source, flags: parse(reading.text), missing: 'no line that is understood' }
}

/**
 * What was read of the CPU, by host: libraries look at it once, when they start, and a file of a machine with many
 * processors takes milliseconds to read. What could not be seen is looked for again: permissions may be given.
 */
const seen: WeakMap<Host, { flags?: Text; model?: Reading }> = /* @__PURE__ */ new WeakMap()

function seenOf(host: Host): { flags?: Text; model?: Reading } {
  const known = seen.get(host) ?? {}
  seen.set(host, known)
  return known
}

function flagsOf(host: Host, arch: CpuArch | undefined, allowSpawn: boolean): Text {
  const known = seenOf(host)
  if (known.flags !== undefined) return known.flags
  const text = readFlags(host, arch, allowSpawn)
  if (text.flags !== undefined) known.flags = text
  return text
}

function modelReading(host: Host): Reading {
  const known = seenOf(host)
  if (known.model !== undefined) return known.model
  const said = host.cpuModel()
  if (said.state === 'read') known.model = said
  return said
}

function readFlags(host: Host, arch: CpuArch | undefined, allowSpawn: boolean): Text {
  const none = (source: string, missing: string): Text => ({ source, flags: undefined, missing })
  // Words of one architecture mean something else, or nothing, on another.
  if (arch === undefined && host.arch !== 'unknown')
    return none(host.arch, 'an architecture whose texts are not understood')
  switch (host.platform) {
    case 'linux':
    case 'android':
      return fromReading(host.readText('/proc/cpuinfo'), '/proc/cpuinfo', (text) => parseCpuinfo(text, arch))
    case 'freebsd':
      return fromReading(host.readText('/var/run/dmesg.boot'), '/var/run/dmesg.boot', parseDmesg)
    case 'darwin':
      if (allowSpawn) {
        // One key at a time: sysctl fails as a whole when one of them does not exist on this model.
        const lines = SYSCTL_KEYS.flatMap((key) => {
          const said = host.run('sysctl', [key])
          return said.state === 'read' ? [said.text] : []
        })
        return fromReading({ state: 'read', text: lines.join('\n') }, 'sysctl', parseSysctl)
      }
      return none('sysctl', 'needs a child process, which was not allowed')
    case 'win32':
      return none('Windows', 'no file lists CPU instructions')
    default:
      return none(host.platform, 'nothing to read on this platform')
  }
}

/** OpenSSL takes AES and PMULL for granted on 64-bit Apple CPUs (crypto/armcap.c). */
function appleFlags(host: Host): CpuFlags | undefined {
  if (host.platform !== 'darwin' || host.arch !== 'arm64') return undefined
  const facts = { aes: true, clmul: true, neon: true, gcmHardware: true } as const
  return { arch: 'arm64', model: 'unknown', processors: 1, ...facts }
}

/** Library behind the runtime's own crypto that reads the mask variables, as far as known. */
function dialectOf(host: Host): MaskDialect | undefined {
  if (host.runtime === 'node') return host.boringssl === true ? 'boringssl' : 'openssl'
  return host.runtime === 'electron' || host.runtime === 'bun' ? 'boringssl' : undefined
}

const SHOWN: readonly CpuFeature[] = [
  'aes',
  'clmul',
  'ssse3',
  'avx2',
  'avx512',
  'vaes',
  'vpclmulqdq',
  'neon',
  'msa',
  'hypervisor',
]

function flagItems(text: Text, inferred: boolean): EvidenceItem[] {
  const { flags, source } = text
  if (flags === undefined) {
    return [
      { name: 'cpu.flags', value: 'unknown', source: `${source}: ${text.missing}`, certainty: 'unknown' },
    ]
  }
  const items = SHOWN.filter((name) => flags[name] !== undefined).map((name): EvidenceItem => {
    const value = presenceOf(flags[name])
    const certainty = value === 'unknown' ? 'unknown' : inferred ? 'inferred' : 'observed'
    return { name: `cpu.flags.${name}`, value, source, certainty }
  })
  const pair = pairPresence(flags.aes, flags.clmul)
  items.push({
    name: 'cpu.flags.aes+clmul',
    value: pair,
    source,
    certainty: pair === 'unknown' ? 'unknown' : inferred ? 'inferred' : 'observed',
  })
  if (flags.hint !== undefined) {
    items.push({ name: 'cpu.hint', value: flags.hint.reason, source, certainty: 'inferred' })
  }
  if (flags.arch === 'x86_64' && flags.aes === true && flags.clmul === false) {
    // Proxmox VE's x86-64-v2-AES, -v3 and -v4 add aes to a model without pclmulqdq.
    const value =
      'aes without pclmulqdq: a hypervisor CPU model such as x86-64-v2-AES hides the multiply; set the CPU type of the guest to host'
    items.push({ name: 'vm.model', value, source, certainty: 'inferred' })
  }
  if (flags.arch === 'riscv64' && flags.gcmHardware === true) {
    const value = 'OpenSSL has bulk AES only with Zvkned; scalar AES runs one block at a time: measure'
    items.push({ name: 'cpu.note', value, source, certainty: 'inferred' })
  }
  return items
}

function modelOf(host: Host, flags: CpuFlags | undefined, source: string): EvidenceItem {
  if (flags !== undefined && flags.model !== 'unknown') {
    return { name: 'cpu.model', value: flags.model, source, certainty: 'observed' }
  }
  const said = modelReading(host)
  if (said.state === 'read')
    return { name: 'cpu.model', value: said.text, source: 'os.cpus()', certainty: 'observed' }
  return { name: 'cpu.model', value: 'unknown', source: 'os.cpus()', certainty: 'unknown' }
}

interface Masks {
  /** Values of the variables that are set, as the library read them. */
  readonly values: Record<string, string>
  /** Whether they are those of the start; else they are what is set now. */
  readonly fromStart: boolean
  readonly items: readonly EvidenceItem[]
}

const nowText = (reading: Reading): string => (reading.state === 'read' ? reading.text : 'not set')

/** The variables as the library read them: once, when the process started. */
function readMasks(host: Host): Masks {
  const values: Record<string, string> = {}
  const items: EvidenceItem[] = []
  let fromStart = true
  for (const name of new Set(Object.values(MASK_VARIABLES))) {
    const setting = host.env(name)
    const { start } = setting
    const reading = startOf(setting)
    const variable = `environment variable ${name}`
    const item = `env.${name}`
    fromStart &&= start !== undefined
    if (reading.state === 'read') {
      values[name] = reading.text
      items.push(
        start === undefined
          ? {
              name: item,
              value: reading.text,
              source: `${variable} as it is now; what it was at the start does not show`,
              certainty: 'inferred',
            }
          : { name: item, value: reading.text, source: `${variable} at the start`, certainty: 'observed' },
      )
    } else if (reading.state === 'unknown') {
      items.push({
        name: item,
        value: 'unknown',
        source: `${variable}: ${reading.reason}`,
        certainty: 'unknown',
      })
    }
    if (start !== undefined && setting.state !== 'unknown' && nowText(setting) !== nowText(start)) {
      items.push({
        name: `env.now.${name}`,
        value: nowText(setting),
        source: `${variable}, changed since the start and without effect`,
        certainty: 'observed',
      })
    }
  }
  if (!fromStart) {
    const source = 'variables are as they are now; a library read them when the process started'
    items.push({ name: 'env.start', value: 'unknown', source, certainty: 'unknown' })
  }
  return { values, fromStart, items }
}

function effectiveItems(effective: EffectiveCpu, { fromStart }: Masks, observed: boolean): EvidenceItem[] {
  const masked = effective.items.length > 0
  const mask = fromStart ? 'mask' : 'mask set now'
  const source = masked ? 'CPU flags after masks' : `CPU flags, no ${mask}`
  // What AES without its instructions runs on is of interest where it is known.
  const further = (['ssse3', 'neon'] as const).filter((name) => typeof effective[name] === 'boolean')
  return [...(['aes', 'clmul', 'gcmHardware'] as const), ...further].map((name): EvidenceItem => {
    const value = presenceOf(effective[name])
    const seen = observed && !masked && fromStart
    const certainty = value === 'unknown' ? 'unknown' : seen ? 'observed' : 'inferred'
    return { name: `cpu.effective.${name}`, value, source, certainty }
  })
}

/**
 * Reads flags and masks.
 * @param host - the platform.
 * @param allowSpawn - whether `sysctl` may be run on macOS.
 */
export function collectPlatform(host: Host, allowSpawn: boolean): PlatformFindings {
  const arch = CPU_ARCHES[host.arch]
  const read = flagsOf(host, arch, allowSpawn)
  const apple = read.flags === undefined ? appleFlags(host) : undefined
  const text =
    apple === undefined ? read : { ...read, source: 'every 64-bit Apple CPU has both', flags: apple }
  const masks = readMasks(host)
  const effective = effectiveCpu({
    arch: text.flags?.arch ?? arch,
    platform: host.platform,
    flags: text.flags,
    dialect: dialectOf(host),
    version: host.openssl,
    env: masks.values,
  })
  const model = modelOf(host, text.flags, text.source)
  const hinted = text.flags?.hint?.aes === true
  // What follows from a value that may not be the one that was read is not observed.
  const decoded = effective.items.map((item): EvidenceItem => {
    return masks.fromStart || item.certainty !== 'observed' ? item : { ...item, certainty: 'inferred' }
  })
  return {
    flags: text.flags,
    effective,
    cpuModel: model.value,
    masks: masks.values,
    items: [
      model,
      ...flagItems(text, apple !== undefined),
      ...masks.items,
      ...decoded,
      ...effectiveItems(effective, masks, apple === undefined && !hinted),
    ],
  }
}
