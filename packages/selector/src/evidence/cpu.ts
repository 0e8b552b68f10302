/**
 * Which CPU instructions the operating system shows, from its own texts. Pure functions; the texts come from the
 * host. Tokens per platform: facts of the kernels' documentation, and of OpenSSL's and BoringSSL's own tests for
 * "AES hardware", which always ask for both the AES rounds and the carry-less multiply.
 */
import type { Presence } from '@aeadkit/core'

/** Architectures whose texts are understood, in the kernel's words. */
export type CpuArch = 'x86_64' | 'arm64' | 'arm' | 'riscv64' | 's390x' | 'ppc64le'

/** Node's names of the architectures. */
export const CPU_ARCHES: Readonly<Record<string, CpuArch>> = {
  x64: 'x86_64',
  ia32: 'x86_64',
  arm64: 'arm64',
  arm: 'arm',
  riscv64: 'riscv64',
  s390x: 's390x',
  ppc64: 'ppc64le',
}

/** Features told apart. */
export type CpuFeature =
  | 'aes'
  | 'clmul'
  | 'ssse3'
  | 'avx2'
  | 'avx512'
  | 'vaes'
  | 'vpclmulqdq'
  | 'hypervisor'
  | 'neon'
  | 'msa'

/** What a text says of the CPU. `null`: the text cannot say. Features the architecture does not have are absent. */
export interface CpuFlags extends Readonly<Partial<Record<CpuFeature, boolean | null>>> {
  readonly arch: CpuArch
  /** Model name, or `unknown`. */
  readonly model: string
  /** Processor entries read. */
  readonly processors: number
  /** AES round instructions, on every processor entry. */
  readonly aes: boolean | null
  /** Carry-less multiply (PCLMULQDQ, PMULL, Zvbc, Zvkg, Zbc, Zbkc), on every processor entry. */
  readonly clmul: boolean | null
  /** Both halves of AES-GCM. */
  readonly gcmHardware: boolean | null
  /** What follows from the model or a neighbouring field where the text lists no flags. */
  readonly hint?: { readonly aes: boolean | null; readonly clmul: boolean | null; readonly reason: string }
}

/** One of two halves is `partial`; a half that nothing is known of makes it `unknown`. */
export function pairPresence(aes: boolean | null, clmul: boolean | null): Presence {
  if (aes === null || clmul === null) return 'unknown'
  if (aes === clmul) return aes ? 'yes' : 'no'
  return 'partial'
}

/** `yes`, `no` or `unknown`. */
export function presenceOf(value: boolean | null | undefined): Presence {
  return value === true ? 'yes' : value === false ? 'no' : 'unknown'
}

/** Both halves present; `false` as soon as one is known to be missing. */
export function bothHalves(aes: boolean | null, clmul: boolean | null): boolean | null {
  if (aes === false || clmul === false) return false
  return aes === true && clmul === true ? true : null
}

type Fields = readonly (readonly [key: string, value: string])[]

/** Separators vary between tab, space and both: split on the first colon and trim. */
function fieldsOf(text: string): Fields {
  return text.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf(':')
    return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]]
  })
}

const valuesOf = (fields: Fields, key: string): string[] =>
  fields.filter(([name]) => name === key).map(([, value]) => value)

const wordsOf = (value: string): ReadonlySet<string> =>
  new Set(value.split(/[\s,]+/).filter((word) => word !== ''))

/** A feature is the set of words that must all be there; several sets are alternatives. */
type Need = readonly (readonly string[])[]

const X86: Readonly<Partial<Record<CpuFeature, Need>>> = {
  aes: [['aes']],
  clmul: [['pclmulqdq']],
  ssse3: [['ssse3']],
  avx2: [['avx2']],
  avx512: [['avx512f', 'avx512dq', 'avx512bw', 'avx512vl']],
  vaes: [['vaes']],
  vpclmulqdq: [['vpclmulqdq']],
  hypervisor: [['hypervisor']],
}
const ARM: Readonly<Partial<Record<CpuFeature, Need>>> = {
  aes: [['aes']],
  clmul: [['pmull']],
  // A 64-bit kernel says asimd, a 32-bit one says neon; a 32-bit process may see either.
  neon: [['asimd'], ['neon']],
}
const RISCV: Readonly<Partial<Record<CpuFeature, Need>>> = {
  aes: [['zvkned'], ['zvkn'], ['zvknc'], ['zvkng'], ['zkn'], ['zkne', 'zknd']],
  // The umbrellas zvkng, zvknc and zkn contain zvkg, zvbc and zbkc.
  clmul: [['zvkg'], ['zvbc'], ['zbc'], ['zbkc'], ['zvkng'], ['zvknc'], ['zkn']],
}
const S390X: Readonly<Partial<Record<CpuFeature, Need>>> = { msa: [['msa']] }

interface Layout {
  /** Key of the line that lists the features; absent: the file has none. */
  readonly key?: string
  readonly modelKeys: readonly string[]
  readonly features: Readonly<Partial<Record<CpuFeature, Need>>>
  readonly split: (value: string) => ReadonlySet<string>
}

const LAYOUTS: Readonly<Record<CpuArch, Layout>> = {
  x86_64: { key: 'flags', modelKeys: ['model name'], features: X86, split: wordsOf },
  arm64: { key: 'Features', modelKeys: ['model name', 'Model', 'Hardware'], features: ARM, split: wordsOf },
  arm: {
    key: 'Features',
    modelKeys: ['model name', 'Model', 'Hardware', 'Processor'],
    features: ARM,
    split: wordsOf,
  },
  riscv64: {
    key: 'isa',
    modelKeys: ['model name', 'uarch'],
    features: RISCV,
    split: (value) => new Set(value.toLowerCase().split('_')),
  },
  s390x: { key: 'features', modelKeys: ['machine'], features: S390X, split: wordsOf },
  ppc64le: { modelKeys: ['cpu', 'model'], features: {}, split: wordsOf },
}

const has = (words: ReadonlySet<string>, need: Need): boolean =>
  need.some((all) => all.every((word) => words.has(word)))

/**
 * Names the architecture a `/proc/cpuinfo` was written on.
 * @returns `undefined` when no known layout fits.
 */
export function cpuinfoArch(text: string): CpuArch | undefined {
  const fields = fieldsOf(text)
  const first = (key: string): string | undefined => valuesOf(fields, key)[0]
  if (first('flags') !== undefined) return 'x86_64'
  const features = first('Features')
  // `asimd` and `fp` are words of 64-bit kernels only.
  if (features !== undefined) return wordsOf(features).has('asimd') ? 'arm64' : 'arm'
  if (first('isa')?.startsWith('rv')) return 'riscv64'
  if (first('features') !== undefined) return 's390x'
  if (first('cpu')?.startsWith('POWER')) return 'ppc64le'
  return undefined
}

function hintOf(arch: CpuArch, model: string, fields: Fields): Pick<CpuFlags, 'hint'> {
  if (arch === 'ppc64le') {
    const generation = Number(/\bPOWER(\d+)/.exec(model)?.[1] ?? 0)
    if (generation >= 8) {
      return { hint: { aes: true, clmul: true, reason: 'POWER8 and later have vector crypto instructions' } }
    }
  }
  if (arch === 's390x' && valuesOf(fields, 'facilities').some((list) => wordsOf(list).has('77'))) {
    const reason =
      'facility 77 (message-security-assist 4) covers GHASH and AES-CTR: probable, confirm by measuring'
    return { hint: { aes: null, clmul: null, reason } }
  }
  return {}
}

/**
 * Reads Linux's `/proc/cpuinfo`. Words are matched whole, and a feature counts only when every processor entry has
 * it: a thread can migrate between core types.
 * @param text - the file.
 * @param arch - architecture, which decides the key that is read. Default: told by the text.
 * @returns `undefined` when the text has none of the layout's lines.
 */
export function parseCpuinfo(
  text: string,
  arch: CpuArch | undefined = cpuinfoArch(text),
): CpuFlags | undefined {
  if (arch === undefined) return undefined
  const layout = LAYOUTS[arch]
  const fields = fieldsOf(text)
  const model = layout.modelKeys.flatMap((key) => valuesOf(fields, key))[0] ?? 'unknown'
  const entries = layout.key === undefined ? [] : valuesOf(fields, layout.key).map(layout.split)
  if (layout.key !== undefined && entries.length === 0) return undefined
  const features: Partial<Record<CpuFeature, boolean>> = {}
  for (const [name, need] of Object.entries(layout.features) as [CpuFeature, Need][]) {
    features[name] = entries.every((words) => has(words, need))
  }
  const { aes = null, clmul = null } = features
  const processors = Math.max(entries.length, valuesOf(fields, 'processor').length)
  const both = bothHalves(aes, clmul)
  return {
    ...features,
    arch,
    model,
    processors,
    aes,
    clmul,
    gcmHardware: both,
    ...hintOf(arch, model, fields),
  }
}

function assemble(
  arch: CpuArch,
  model: string,
  lists: readonly ReadonlySet<string>[],
  need: Layout['features'],
): CpuFlags {
  const features: Partial<Record<CpuFeature, boolean>> = {}
  for (const [name, words] of Object.entries(need) as [CpuFeature, Need][]) {
    features[name] = lists.every((list) => has(list, words))
  }
  const { aes = null, clmul = null } = features
  return {
    ...features,
    arch,
    model,
    processors: lists.length,
    aes,
    clmul,
    gcmHardware: bothHalves(aes, clmul),
  }
}

const MAC_INTEL: Layout['features'] = {
  aes: [['AES']],
  clmul: [['PCLMULQDQ']],
  ssse3: [['SSSE3']],
  avx2: [['AVX2']],
  avx512: [['AVX512F', 'AVX512DQ', 'AVX512BW', 'AVX512VL']],
  vaes: [['VAES']],
  vpclmulqdq: [['VPCLMULQDQ']],
  hypervisor: [['VMM']],
}

/**
 * Reads the output of macOS's `sysctl`: `hw.optional.arm.FEAT_*` on Apple silicon, `machdep.cpu.*` on Intel.
 * @returns `undefined` when none of the keys is there.
 */
export function parseSysctl(text: string): CpuFlags | undefined {
  const fields = fieldsOf(text)
  const first = (key: string): string | undefined => valuesOf(fields, key)[0]
  const model = first('machdep.cpu.brand_string') ?? 'unknown'
  const aesKey = first('hw.optional.arm.FEAT_AES')
  const pmullKey = first('hw.optional.arm.FEAT_PMULL')
  if (aesKey !== undefined || pmullKey !== undefined) {
    const said = (value: string | undefined): boolean | null => (value === undefined ? null : value === '1')
    const aes = said(aesKey)
    const clmul = said(pmullKey)
    return {
      arch: 'arm64',
      model,
      processors: 1,
      aes,
      clmul,
      neon: true,
      gcmHardware: bothHalves(aes, clmul),
    }
  }
  const words = first('machdep.cpu.features')
  if (words === undefined) return undefined
  const leaf7 = first('machdep.cpu.leaf7_features')
  const flags = assemble('x86_64', model, [wordsOf(`${words} ${leaf7 ?? ''}`)], MAC_INTEL)
  // Without the second key its features were not looked at, which is not the same as missing.
  return leaf7 === undefined ? { ...flags, avx2: null, avx512: null, vaes: null, vpclmulqdq: null } : flags
}

const FREEBSD_X86: Layout['features'] = {
  aes: [['AESNI']],
  clmul: [['PCLMULQDQ']],
  ssse3: [['SSSE3']],
  hypervisor: [['HV']],
}
/** `AES+PMULL` is one token; `AES` alone is half of it. */
const FREEBSD_ARM: Layout['features'] = { aes: [['AES'], ['AES+PMULL']], clmul: [['AES+PMULL']] }

const listsAfter = (text: string, label: RegExp): ReadonlySet<string>[] =>
  [...text.matchAll(label)].map((match) => wordsOf(match[1] ?? ''))

/**
 * Reads FreeBSD's `/var/run/dmesg.boot`, which unlike `dmesg` does not roll over.
 * @returns `undefined` when it has no feature line.
 */
export function parseDmesg(text: string): CpuFlags | undefined {
  const model = /^CPU(?: +\d+)?: (.+?)(?: \(\d|$)/m.exec(text)?.[1]?.trim() ?? 'unknown'
  const arm = listsAfter(text, /Instruction Set Attributes 0 = <([^>]*)>/g)
  if (arm.length > 0) return { ...assemble('arm64', model, arm, FREEBSD_ARM), neon: true }
  const x86 = listsAfter(text, /^ *Features2=0x[0-9a-f]+<([^>]*)>/gim)
  if (x86.length === 0) return undefined
  const extended = listsAfter(text, /^ *Structured Extended Features=0x[0-9a-f]+<([^>]*)>/gim)
  const avx2 = extended.length === 0 ? null : extended.every((list) => list.has('AVX2'))
  return { ...assemble('x86_64', model, x86, FREEBSD_X86), avx2 }
}
