/** The same as `cpu.ts` from the texts of macOS and FreeBSD. Pure functions; the texts come from the host. */
import {
  assemble,
  bothHalves,
  type CpuFlags,
  everywhere,
  fieldsOf,
  type Needs,
  valuesOf,
  wordsOf,
} from './cpu.ts'

const MAC_INTEL: Needs = {
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
    const said = (value: string | undefined): boolean | null => (value ? value === '1' : null)
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

const FREEBSD_X86: Needs = {
  aes: [['AESNI']],
  clmul: [['PCLMULQDQ']],
  ssse3: [['SSSE3']],
  hypervisor: [['HV']],
}
/** `AES+PMULL` is one token; `AES` alone is half of it. */
const FREEBSD_ARM: Needs = { aes: [['AES'], ['AES+PMULL']], clmul: [['AES+PMULL']] }

/** Lists end on their line, and `<` opens none: a text of lists that never close is read once, not once per list. */
const listsAfter = (text: string, label: RegExp): ReadonlySet<string>[] =>
  [...text.matchAll(label)].map((match) => wordsOf(match[1] ?? ''))

/**
 * Reads FreeBSD's `/var/run/dmesg.boot`, which unlike `dmesg` does not roll over.
 * @returns `undefined` when it has no feature line.
 */
export function parseDmesg(text: string): CpuFlags | undefined {
  const model = /^CPU(?: +\d+)?: (.+?)(?: \(\d|$)/m.exec(text)?.[1]?.trim() ?? 'unknown'
  const arm = listsAfter(text, /Instruction Set Attributes 0 = <([^<>\n]*)>/g)
  if (arm.length > 0) return { ...assemble('arm64', model, arm, FREEBSD_ARM), neon: true }
  const x86 = listsAfter(text, /^ *Features2=0x[0-9a-f]+<([^<>\n]*)>/gim)
  if (x86.length === 0) return undefined
  const extended = listsAfter(text, /^ *Structured Extended Features=0x[0-9a-f]+<([^<>\n]*)>/gim)
  const avx2 = everywhere(extended, [['AVX2']], 0)
  return { ...assemble('x86_64', model, x86, FREEBSD_X86), avx2 }
}
