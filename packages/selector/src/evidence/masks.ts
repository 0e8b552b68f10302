/**
 * What the OPENSSL_*cap variables leave of the CPU's instructions, decided bit by bit. Pure functions.
 * Rules: OpenSSL's manual page OPENSSL_ia32cap(3) and its crypto/cpuid.c and crypto/armcap.c; BoringSSL's
 * crypto/cpu_intel.c. The variables are read once when the library starts, so setting them later has no effect.
 */
import type { EvidenceItem } from '@aeadkit/core'
import type { CpuArch, CpuFeature, CpuFlags } from './cpu.ts'
import { bothHalves } from './cpu.ts'

/** Which library reads the variable: the two differ in what an omitted or empty vector means. */
export type MaskDialect = 'openssl' | 'boringssl'

/** What becomes of the bits of one 64-bit vector: `(detected & keep) | set`. */
export interface VectorMask {
  readonly keep: bigint
  readonly set: bigint
}

const ALL = 0xffff_ffff_ffff_ffffn
const KEEP: VectorMask = { keep: ALL, set: 0n }
const ZERO: VectorMask = { keep: 0n, set: 0n }

/** Bit 24 of vector 0 is FXSR. Clearing it also clears PCLMULQDQ (33), XOP (43), AES-NI (57) and AVX (60). */
const FXSR = 0x100_0000n
const FXSR_CASCADE = 0x1200_0802_0000_0000n

/** The library's own number reader: `0x` hexadecimal, `0` octal, else decimal; it stops at the first other character. */
export function maskNumber(text: string): bigint {
  const [, hex, octal, decimal] = /^(?:0x([0-9a-f]*)|(0[0-7]*)|([0-9]*))/i.exec(text) ?? []
  const value = hex !== undefined ? `0x${hex || '0'}` : octal !== undefined ? `0o${octal}` : decimal || '0'
  return BigInt(value) & ALL
}

function openssl(
  fields: readonly string[],
  version: readonly [number, number],
): readonly [VectorMask, VectorMask] {
  const one = (field: string): VectorMask =>
    field.startsWith('~')
      ? { keep: ALL ^ maskNumber(field.slice(1)), set: 0n }
      : { keep: 0n, set: maskNumber(field) }
  const [first = '', second] = fields
  // A leading colon keeps detection; a variable that is set but empty is the number 0.
  const vector0 = first === '' && fields.length > 1 ? KEEP : one(first)
  const cascade = first.startsWith('~') && (maskNumber(first.slice(1)) & FXSR) !== 0n
  const low = cascade ? { ...vector0, keep: vector0.keep & (ALL ^ FXSR_CASCADE) } : vector0
  // Nothing after the colon counts as not mentioned, and a vector that is not mentioned is zeroed.
  if (second === undefined || (second === '' && fields.length === 2)) return [low, ZERO]
  // Releases with only two vectors read an empty second field before a further colon as the number 0.
  const skips = version[0] > 3 || (version[0] === 3 && version[1] >= 5)
  return [low, second === '' ? (skips ? KEEP : ZERO) : one(second)]
}

function boringssl(fields: readonly string[]): readonly [VectorMask, VectorMask] {
  const one = (field: string | undefined): VectorMask => {
    if (field === undefined || !/^[~|]?\d/.test(field)) return KEEP
    if (field.startsWith('~')) return { keep: ALL ^ maskNumber(field.slice(1)), set: 0n }
    if (field.startsWith('|')) return { keep: ALL, set: maskNumber(field.slice(1)) }
    return { keep: 0n, set: maskNumber(field) }
  }
  return [one(fields[0] === '' ? undefined : fields[0]), one(fields[1])]
}

/** `3.0.19` as numbers; a version that cannot be read counts as the oldest supported. */
function versionOf(text: string | undefined): readonly [number, number] {
  const [, major = '3', minor = '0'] = /^(\d+)\.(\d+)/.exec(text ?? '') ?? []
  return [Number(major), Number(minor)]
}

/**
 * Decodes `OPENSSL_ia32cap` into its first two vectors: CPUID(1).EDX and .ECX, CPUID(7,0).EBX and .ECX.
 * @param value - the variable as it is set.
 * @param dialect - the library that reads it.
 * @param version - version of OpenSSL; it decides whether an empty field between colons keeps detection.
 */
export function decodeIa32cap(
  value: string,
  dialect: MaskDialect,
  version?: string,
): readonly [VectorMask, VectorMask] {
  const fields = value.split(':')
  return dialect === 'openssl' ? openssl(fields, versionOf(version)) : boringssl(fields)
}

/** Applies a decoded vector to detected bits. */
export function applyMask(detected: bigint, mask: VectorMask): bigint {
  return (detected & mask.keep) | mask.set
}

/** Features by vector and bit; more than one bit means all of them. */
export const IA32_BITS: Readonly<
  Partial<Record<CpuFeature, { readonly vector: 0 | 1; readonly bits: readonly number[] }>>
> = {
  clmul: { vector: 0, bits: [33] },
  ssse3: { vector: 0, bits: [41] },
  aes: { vector: 0, bits: [57] },
  avx2: { vector: 1, bits: [5] },
  avx512: { vector: 1, bits: [16, 17, 30, 31] },
  vaes: { vector: 1, bits: [41] },
  vpclmulqdq: { vector: 1, bits: [42] },
}

/** Bits of `OPENSSL_armcap`: NEON, AES, PMULL. */
const ARM_BITS: Readonly<Partial<Record<CpuFeature, number>>> = { neon: 0, aes: 2, clmul: 5 }

/** One bit through a mask: known set, known clear, or as detected. */
function throughMask(detected: boolean | null, mask: VectorMask, bits: readonly number[]): boolean | null {
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

const hex = (value: bigint): string => `0x${value.toString(16)}`
const shown = (mask: VectorMask): string =>
  mask.keep === 0n
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
  if (dialect === 'openssl' && vectors[1] === ZERO) {
    const why =
      'second vector not mentioned, so it is zeroed: AVX2 and AVX-512 are off as well, ChaCha20 runs at about half speed'
    items.push({ name: 'openssl.mask.second-vector', value: why, source, certainty })
  }
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

function throughArmcap(detected: Features, value: string): EffectiveCpu {
  const bits = maskNumber(value)
  const masked: Partial<Record<CpuFeature, boolean>> = {}
  for (const [name, bit] of Object.entries(ARM_BITS) as [CpuFeature, number][]) {
    masked[name] = (bits & (1n << BigInt(bit))) !== 0n
  }
  const { aes = null, clmul = null } = masked
  const source = 'environment variable OPENSSL_armcap, replaces detection'
  const claimed = (aes && detected.aes === false) || (clmul && detected.clmul === false)
  const items: EvidenceItem[] = [
    { name: 'openssl.mask.armcap', value: hex(bits), source, certainty: 'observed' },
  ]
  if (claimed) {
    const why = 'claims an instruction that the CPU does not show: ends in SIGILL when used'
    items.push({ name: 'openssl.mask.claims-missing', value: why, source, certainty: 'inferred' })
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
  // Set and read, but not decoded here: what was detected may be off, so it is no longer known.
  const decoded = dialect === undefined
  const items: EvidenceItem[] = [
    { name: `openssl.mask.${variable.slice(8)}`, value: 'set, effect unknown', source, certainty: 'unknown' },
  ]
  return decoded ? { ...plain, items } : { ...plain, aes: null, clmul: null, gcmHardware: null, items }
}
