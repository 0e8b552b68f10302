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

/** Lines `key: value` in their order. */
export type Fields = readonly (readonly [key: string, value: string])[]

/** Separators vary between tab, space and both: split on the first colon and trim. */
export function fieldsOf(text: string): Fields {
  return text.split('\n').flatMap((line): [string, string][] => {
    const at = line.indexOf(':')
    return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]]
  })
}

/** All values of one key. */
export const valuesOf = (fields: Fields, key: string): string[] =>
  fields.filter(([name]) => name === key).map(([, value]) => value)

/** Words between spaces or commas. */
export const wordsOf = (value: string): ReadonlySet<string> =>
  new Set(value.split(/[\s,]+/).filter((word) => word !== ''))

/** A feature is the set of words that must all be there; several sets are alternatives. */
export type Need = readonly (readonly string[])[]

/** Words of every feature that a text can name. */
export type Needs = Readonly<Partial<Record<CpuFeature, Need>>>

const X86: Needs = {
  aes: [['aes']],
  clmul: [['pclmulqdq']],
  ssse3: [['ssse3']],
  avx2: [['avx2']],
  avx512: [['avx512f', 'avx512dq', 'avx512bw', 'avx512vl']],
  vaes: [['vaes']],
  vpclmulqdq: [['vpclmulqdq']],
  hypervisor: [['hypervisor']],
}
const ARM: Needs = {
  aes: [['aes']],
  clmul: [['pmull']],
  // A 64-bit kernel says asimd, a 32-bit one says neon; a 32-bit process may see either.
  neon: [['asimd'], ['neon']],
}
const RISCV: Needs = {
  aes: [['zvkned'], ['zvkn'], ['zvknc'], ['zvkng'], ['zkn'], ['zkne', 'zknd']],
  // The umbrellas zvkng, zvknc and zkn contain zvkg, zvbc and zbkc.
  clmul: [['zvkg'], ['zvbc'], ['zbc'], ['zbkc'], ['zvkng'], ['zvknc'], ['zkn']],
}
const S390X: Needs = { msa: [['msa']] }

interface Layout {
  /** Key of the line that lists the features; absent: the file has none. */
  readonly key?: string
  readonly modelKeys: readonly string[]
  readonly features: Needs
  readonly split: (value: string) => ReadonlySet<string>
  /** Key of a text that lists the features once, for every processor. */
  readonly once?: string
}

const LAYOUTS: Readonly<Record<CpuArch, Layout>> = {
  x86_64: { key: 'flags', modelKeys: ['model name'], features: X86, split: wordsOf },
  arm64: {
    key: 'Features',
    modelKeys: ['model name', 'Model', 'Hardware'],
    features: ARM,
    split: wordsOf,
    once: 'Processor',
  },
  arm: {
    key: 'Features',
    modelKeys: ['model name', 'Model', 'Hardware', 'Processor'],
    features: ARM,
    split: wordsOf,
    once: 'Processor',
  },
  riscv64: {
    key: 'isa',
    modelKeys: ['model name', 'uarch'],
    features: RISCV,
    split: (value) => new Set(value.toLowerCase().split('_').filter(Boolean)),
  },
  s390x: {
    key: 'features',
    modelKeys: ['machine'],
    features: S390X,
    split: wordsOf,
    once: 'vendor_id',
  },
  ppc64le: { modelKeys: ['cpu', 'model'], features: {}, split: wordsOf },
}

const has = (words: ReadonlySet<string>, need: Need): boolean =>
  need.some((all) => all.every((word) => words.has(word)))

/**
 * One feature over all lists. A list that lacks it settles it; one that is empty, or a processor without one, says
 * nothing, and then it is not known of all of them.
 */
export function everywhere(
  lists: readonly ReadonlySet<string>[],
  need: Need,
  processors: number,
): boolean | null {
  const told = lists.filter((words) => words.size > 0)
  if (told.some((words) => !has(words, need))) return false
  return told.length > 0 && told.length === Math.max(lists.length, processors) ? true : null
}

/** Words of the `Features` line of every 32-bit kernel on ARM; other architectures have a line of that name too. */
const ARM_WORDS: readonly string[] = ['half', 'thumb', 'neon', 'vfp']

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
  if (features !== undefined) {
    const words = wordsOf(features)
    if (words.has('asimd')) return 'arm64'
    return ARM_WORDS.some((word) => words.has(word)) ? 'arm' : undefined
  }
  if (first('isa')?.startsWith('rv')) return 'riscv64'
  if (first('features') !== undefined) return first('vendor_id') === 'IBM/S390' ? 's390x' : undefined
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
 * it: a thread can migrate between core types. An empty list, or a processor without one, leaves it unknown.
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
  const listed = valuesOf(fields, 'processor').length
  const once = layout.once !== undefined && entries.length === 1 && valuesOf(fields, layout.once).length > 0
  const flags = assemble(arch, model, entries, layout.features, once ? 1 : listed)
  return { ...flags, processors: Math.max(entries.length, listed), ...hintOf(arch, model, fields) }
}

/** Features from lists of words; with more processors than lists they are not known of all. */
export function assemble(
  arch: CpuArch,
  model: string,
  lists: readonly ReadonlySet<string>[],
  need: Needs,
  processors = 0,
): CpuFlags {
  const features: Partial<Record<CpuFeature, boolean | null>> = {}
  for (const [name, words] of Object.entries(need) as [CpuFeature, Need][]) {
    features[name] = everywhere(lists, words, processors)
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
