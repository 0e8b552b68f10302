/**
 * What the OPENSSL_*cap variables leave of the CPU's instructions, decided bit by bit. Pure functions.
 * Rules: OpenSSL's manual page OPENSSL_ia32cap(3) and its crypto/cpuid.c and crypto/armcap.c; BoringSSL's
 * crypto/cpu_intel.c. The variables are read once when the library starts, so setting them later has no effect.
 */
import type { EvidenceItem } from '@aeadkit/core'
import type { CpuArch, CpuFeature, CpuFlags } from './cpu.ts'
import { bothHalves, CPU_ARCHES } from './cpu.ts'
import {
  ALL,
  CHACHA_FEATURES,
  decodeIa32cap,
  IA32_BITS,
  isIa32cap,
  isUnsignedLong,
  type MaskDialect,
  readAs,
  unsignedLong,
  type VectorMask,
  versionOf,
  ZERO,
} from './ia32cap.ts'
import { otherMask } from './masks-other.ts'

export {
  applyMask,
  decodeIa32cap,
  IA32_BITS,
  type MaskDialect,
  maskNumber,
  type VectorMask,
} from './ia32cap.ts'

/** Bits of `OPENSSL_armcap`: NEON, AES, PMULL. */
const ARM_BITS: Readonly<Partial<Record<CpuFeature, number>>> = { neon: 0, aes: 2, clmul: 5 }

/** One feature through a mask, as every release of the library reads it; unknown where they differ. */
function throughMask(detected: boolean | null, mask: VectorMask, bits: readonly number[]): boolean | null {
  const first = throughReading(detected, mask, bits)
  const agreed = mask.others?.every((other) => throughReading(detected, other, bits) === first) ?? true
  return agreed ? first : null
}

/** Known set, known clear, or as detected. */
function throughReading(detected: boolean | null, mask: VectorMask, bits: readonly number[]): boolean | null {
  let result: boolean | null = true
  for (const bit of bits) {
    const one = 1n << BigInt(bit)
    if ((mask.set & one) !== 0n) continue
    if ((mask.keep & one) === 0n) return false
    if (detected === false) return false
    if (detected === null) result = null
  }
  return result
}

/** What the crypto library can use: the CPU's instructions after the masks. */
export interface EffectiveCpu extends Readonly<Partial<Record<CpuFeature, boolean | null>>> {
  readonly aes: boolean | null
  readonly clmul: boolean | null
  /** Both halves for AES-GCM, including the VAES path that ignores the AES-NI and PCLMULQDQ bits. */
  readonly gcmHardware: boolean | null
  /** What was found in the environment, for the evidence list. */
  readonly items: readonly EvidenceItem[]
}

/** Everything {@link effectiveCpu} looks at. */
export interface MaskInput {
  /** Architecture as far as known. */
  readonly arch: CpuArch | undefined
  readonly platform: string
  /** Instructions as detected; `undefined` when nothing could be read. */
  readonly flags: CpuFlags | undefined
  /** Library that will do the work; `undefined` when it reads none of these variables as far as known. */
  readonly dialect: MaskDialect | undefined
  readonly version: string | undefined
  /** Values of the variables that are set. */
  readonly env: Readonly<Record<string, string>>
}

/** The variable that each architecture's code reads. */
export const MASK_VARIABLES: Readonly<Record<CpuArch, string>> = {
  x86_64: 'OPENSSL_ia32cap',
  arm64: 'OPENSSL_armcap',
  arm: 'OPENSSL_armcap',
  riscv64: 'OPENSSL_riscvcap',
  s390x: 'OPENSSL_s390xcap',
  ppc64le: 'OPENSSL_ppccap',
}

/** The variable that a library reads on a machine of this architecture, in Node's words; `undefined`: there is none. */
export function maskVariableOf(arch: string): string | undefined {
  const known = CPU_ARCHES[arch]
  return known === undefined ? undefined : MASK_VARIABLES[known]
}

const hex = (value: bigint): string => `0x${value.toString(16)}`
const shown = (mask: VectorMask): string =>
  mask.others !== undefined
    ? 'not known, as releases of the library differ'
    : mask.keep === 0n
      ? mask.set === 0n
        ? 'zeroed'
        : `replaced by ${hex(mask.set)}`
      : mask.keep === ALL && mask.set === 0n
        ? 'as detected'
        : `cleared ${hex(ALL ^ mask.keep)}${mask.set === 0n ? '' : `, set ${hex(mask.set)}`}`

type Features = Readonly<Partial<Record<CpuFeature, boolean | null>>> & Pick<EffectiveCpu, 'aes' | 'clmul'>

function featuresOf(flags: CpuFlags | undefined, x86: boolean): Features {
  const known: Partial<Record<CpuFeature, boolean | null>> = {}
  const names: readonly CpuFeature[] = x86 ? (Object.keys(IA32_BITS) as CpuFeature[]) : ['neon']
  for (const name of names) known[name] = flags?.[name] ?? null
  return {
    ...known,
    aes: flags?.aes ?? flags?.hint?.aes ?? null,
    clmul: flags?.clmul ?? flags?.hint?.clmul ?? null,
  }
}

function throughIa32cap(
  input: MaskInput,
  detected: Features,
  value: string,
  dialect: MaskDialect,
): EffectiveCpu {
  const source = `environment variable OPENSSL_ia32cap, ${dialect} rules`
  const certainty = dialect === 'openssl' ? 'observed' : 'inferred'
  const vectors = decodeIa32cap(value, dialect, input.version)
  const masked: Partial<Record<CpuFeature, boolean | null>> = {}
  for (const [name, { vector, bits }] of Object.entries(IA32_BITS) as [
    CpuFeature,
    { vector: 0 | 1; bits: number[] },
  ][]) {
    masked[name] = throughMask(detected[name] ?? null, vectors[vector], bits)
  }
  const { aes = null, clmul = null } = masked
  const items: EvidenceItem[] = vectors.map((mask, at) => ({
    name: `openssl.mask.ia32cap.vector${at}`,
    value: shown(mask),
    source,
    certainty,
  }))
  const note = (name: string, value: string): void =>
    void items.push({ name: `openssl.mask.${name}`, value, source, certainty })
  if (!isIa32cap(value, dialect)) {
    note('no-number', readAs(value, vectors.map((mask, at) => `vector ${at} ${shown(mask)}`).join(', ')))
  }
  if (dialect === 'openssl' && vectors[1] === ZERO) {
    note('second-vector', 'left out or empty, so it is zeroed: AVX2 and AVX-512 are off')
  }
  const lost = CHACHA_FEATURES.filter((name) => detected[name] === true && masked[name] === false)
  if (lost.length > 0) note('chacha20', lost.join(' '))
  const claimed = claimedOf(IA32_BITS, detected, masked)
  if (claimed !== '') note('claims-missing', claimed)
  const both = bothHalves(aes, clmul)
  const wide = bothHalves(bothHalves(masked.vaes ?? null, masked.vpclmulqdq ?? null), masked.avx512 ?? null)
  // Since 3.1 the GCM provider asks for VAES, VPCLMULQDQ and AVX-512 before it asks for AES-NI.
  const [major, minor] = versionOf(input.version)
  const trap = dialect === 'openssl' && (major > 3 || minor >= 1) && both === false && wide !== false
  if (trap) {
    const value = `AES-GCM ${wide ? 'still uses' : 'may still use'} VAES with AVX-512; clear bits 41 and 42 of the second vector too (:~0x60000000000)`
    items.push({ name: 'openssl.mask.vaes-trap', value, source, certainty: wide ? 'inferred' : 'unknown' })
  }
  return { ...masked, aes, clmul, gcmHardware: trap ? wide : both, items }
}

/** Instructions that a number names and the CPU does not show, by their names in {@link CpuFeature}. */
function claimedOf(
  bits: Readonly<Partial<Record<CpuFeature, unknown>>>,
  detected: Features,
  masked: Partial<Record<CpuFeature, boolean | null>>,
): string {
  const names = Object.keys(bits) as CpuFeature[]
  return names.filter((name) => detected[name] === false && masked[name] === true).join(' ')
}

function throughArmcap(detected: Features, value: string): EffectiveCpu {
  const bits = unsignedLong(value) & 0xffff_ffffn
  const masked: Partial<Record<CpuFeature, boolean>> = {}
  for (const [name, bit] of Object.entries(ARM_BITS) as [CpuFeature, number][]) {
    masked[name] = (bits & (1n << BigInt(bit))) !== 0n
  }
  const { aes = null, clmul = null } = masked
  const source = 'environment variable OPENSSL_armcap, replaces detection'
  const items: EvidenceItem[] = [
    { name: 'openssl.mask.armcap', value: hex(bits), source, certainty: 'observed' },
  ]
  const found: readonly (readonly [name: string, value: string])[] = [
    ['no-number', isUnsignedLong(value) ? '' : readAs(value, hex(bits))],
    ['claims-missing', claimedOf(ARM_BITS, detected, masked)],
    ['chacha20', detected.neon === true && masked.neon === false ? 'neon' : ''],
  ]
  for (const [name, text] of found) {
    if (text !== '') items.push({ name: `openssl.mask.${name}`, value: text, source, certainty: 'inferred' })
  }
  return { ...masked, aes, clmul, gcmHardware: bothHalves(aes, clmul), items }
}

/**
 * Combines detected flags with the mask variables.
 * @returns per feature `true`, `false`, or `null` when neither flags nor mask settle it.
 */
export function effectiveCpu(input: MaskInput): EffectiveCpu {
  const { arch, dialect, env } = input
  const detected = featuresOf(input.flags, arch === 'x86_64')
  const plain = { ...detected, gcmHardware: bothHalves(detected.aes, detected.clmul) }
  const variable = arch === undefined ? undefined : MASK_VARIABLES[arch]
  const value = variable === undefined ? undefined : env[variable]
  if (variable === undefined || value === undefined) return { ...plain, items: [] }
  if (arch === 'x86_64' && dialect !== undefined) return throughIa32cap(input, detected, value, dialect)
  const arm = arch === 'arm64' || arch === 'arm'
  if (arm && dialect === 'openssl' && input.platform !== 'win32') return throughArmcap(detected, value)
  const source = `environment variable ${variable}`
  if (arm && dialect === 'openssl') {
    // The Windows code of crypto/armcap.c asks the system and returns before it would read the variable.
    return {
      ...plain,
      items: [
        { name: 'openssl.mask.armcap', value: 'set, not read on Windows', source, certainty: 'inferred' },
      ],
    }
  }
  if (dialect === 'openssl') {
    const { aes, clmul, items } = otherMask(arch as 'riscv64' | 's390x' | 'ppc64le', value, detected)
    return { ...plain, aes, clmul, gcmHardware: bothHalves(aes, clmul), items }
  }
  // Set, and perhaps read, but not decoded here: what was detected may be off, so it is no longer known.
  const items: EvidenceItem[] = [
    { name: `openssl.mask.${variable.slice(8)}`, value: 'set, effect unknown', source, certainty: 'unknown' },
  ]
  return dialect === undefined
    ? { ...plain, items }
    : { ...plain, aes: null, clmul: null, gcmHardware: null, items }
}
