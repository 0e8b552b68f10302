import { describe, expect, it } from 'vitest'
import {
  type CpuArch,
  cpuinfoArch,
  pairPresence,
  parseCpuinfo,
  parseDmesg,
  parseSysctl,
} from '../src/evidence/cpu.ts'
import { has, read, skipped } from './facts.ts'

const INDEX = 'facts/cpuinfo/expected.json'

describe.skipIf(!has(INDEX) && skipped(17, 'no ../shared/facts'))('/proc/cpuinfo fixtures', () => {
  const expected = has(INDEX)
    ? (JSON.parse(read(INDEX)) as { fixtures: Record<string, Record<string, unknown>> }).fixtures
    : {}
  it('are 17', () => expect(Object.keys(expected)).toHaveLength(17))
  it.each(Object.entries(expected))('%s', (file, { note, ...fields }) => {
    const text = read(`facts/cpuinfo/${file}`)
    expect(cpuinfoArch(text)).toBe(fields.arch)
    const parsed = parseCpuinfo(text, fields.arch as CpuArch)
    expect(parsed).toMatchObject(fields)
    expect(parseCpuinfo(text)).toEqual(parsed)
    if (typeof note === 'string' && fields.aes === null) expect(parsed?.hint?.reason).toBeDefined()
  })
})

const cores = (...lists: string[]): string =>
  lists.map((list, at) => `processor\t: ${at}\nflags\t\t: ${list}\n`).join('\n')

describe('parseCpuinfo', () => {
  it.each([
    ['whole words: vaes is not aes', 'vaes vpclmulqdq sse2', false, false],
    ['whole words: prefixes do not count', 'aesni pclmulqdq2', false, false],
    ['both', 'aes pclmulqdq', true, true],
    ['the multiply missing', 'aes ssse3', true, false],
  ])('%s', (_, flags, aes, clmul) => {
    expect(parseCpuinfo(cores(flags), 'x86_64')).toMatchObject({ aes, clmul, gcmHardware: aes && clmul })
  })
  it('needs the flag on every processor entry', () => {
    expect(parseCpuinfo(cores('aes pclmulqdq', 'aes'), 'x86_64')).toMatchObject({
      aes: true,
      clmul: false,
      processors: 2,
    })
  })
  it('reads the key of the architecture and no other', () => {
    expect(parseCpuinfo(cores('aes pclmulqdq'), 'arm64')).toBeUndefined()
    expect(parseCpuinfo('Features : aes pmull asimd\nflags : sse2', 'arm64')).toMatchObject({
      aes: true,
      clmul: true,
    })
  })
  it('needs all four parts of AVX-512', () => {
    expect(parseCpuinfo(cores('avx512f avx512dq avx512bw avx512vl'), 'x86_64')?.avx512).toBe(true)
    expect(parseCpuinfo(cores('avx512f avx512dq avx512bw'), 'x86_64')?.avx512).toBe(false)
  })
  it.each([
    ['rv64gc_zvkned_zvbc', true, true],
    ['rv64gc_zvkng', true, true],
    ['rv64gc_zvkn', true, false],
    ['rv64gc_zkne', false, false],
    ['rv64gc_zknd_zkne_zbc', true, true],
    ['rv64gc_zkn', true, true],
    ['rv64gcv_zvbb_zbb', false, false],
  ])('isa %s', (isa, aes, clmul) => {
    expect(parseCpuinfo(`isa\t: ${isa}\n`, 'riscv64')).toMatchObject({ aes, clmul })
  })
  it('infers vector crypto from POWER8 on', () => {
    expect(parseCpuinfo('processor : 0\ncpu : POWER9, altivec supported', 'ppc64le')?.hint).toMatchObject({
      aes: true,
    })
    expect(parseCpuinfo('processor : 0\ncpu : POWER7, altivec supported', 'ppc64le')?.hint).toBeUndefined()
  })
  it.each(['', 'nonsense', ':\n::\n', 'flags'])('takes %j for nothing', (text) => {
    expect(parseCpuinfo(text)).toBeUndefined()
    expect(parseCpuinfo(text, 'x86_64')).toBeUndefined()
  })
})

const MAC =
  'machdep.cpu.features: FPU VME DE PSE TSC MSR PAE MCE CX8 APIC SEP MTRR PGE MCA CMOV PAT PSE36 CLFSH DS ACPI MMX FXSR SSE SSE2 SS HTT TM PBE SSE3 PCLMULQDQ DTES64 MON DSCPL VMX EST TM2 SSSE3 FMA CX16 TPR PDCM SSE4.1 SSE4.2 x2APIC MOVBE POPCNT AES PCID XSAVE OSXSAVE SEGLIM64 TSCTMR AVX1.0 RDRAND F16C'

describe('parseSysctl', () => {
  it('reads Apple silicon', () => {
    const text = 'hw.optional.arm.FEAT_AES: 1\nhw.optional.arm.FEAT_PMULL: 1\n'
    expect(parseSysctl(text)).toMatchObject({ arch: 'arm64', aes: true, clmul: true, gcmHardware: true })
    expect(parseSysctl(text.replace('PMULL: 1', 'PMULL: 0'))).toMatchObject({ aes: true, clmul: false })
    expect(parseSysctl('hw.optional.arm.FEAT_AES: 1')).toMatchObject({
      aes: true,
      clmul: null,
      gcmHardware: null,
    })
  })
  it('reads Intel, and does not call unseen what was not asked', () => {
    expect(parseSysctl(MAC)).toMatchObject({
      arch: 'x86_64',
      aes: true,
      clmul: true,
      ssse3: true,
      vaes: null,
      avx2: null,
    })
    const leaf7 = `${MAC}\nmachdep.cpu.leaf7_features: AVX2 VAES SHA`
    expect(parseSysctl(leaf7)).toMatchObject({ avx2: true, vaes: true, vpclmulqdq: false, avx512: false })
    expect(parseSysctl(MAC.replace(' AES ', ' '))).toMatchObject({
      aes: false,
      clmul: true,
      gcmHardware: false,
    })
  })
  it('takes other text for nothing', () => expect(parseSysctl('sysctl: unknown oid')).toBeUndefined())
})

describe('parseDmesg', () => {
  const FEATURES2 =
    '  Features2=0x7ffafbff<SSE3,PCLMULQDQ,DTES64,MON,DS_CPL,VMX,SMX,EST,TM2,SSSE3,SDBG,FMA,CX16,xTPR,PDCM,PCID,SSE4.1,SSE4.2,x2APIC,MOVBE,POPCNT,TSCDLT,AESNI,XSAVE,OSXSAVE,AVX,F16C,RDRAND>'
  it('reads amd64', () => {
    expect(parseDmesg(FEATURES2)).toMatchObject({ arch: 'x86_64', aes: true, clmul: true, ssse3: true })
    expect(parseDmesg(FEATURES2.replace('PCLMULQDQ,', ''))).toMatchObject({ aes: true, clmul: false })
  })
  it.each([
    ['DP,RDM,Atomic,CRC32,SHA2,SHA1,AES+PMULL', true, true],
    ['CRC32', false, false],
    ['AES+PMULL,SHA1,SHA2,CRC32', true, true],
    ['AES,SHA1', true, false],
  ])('reads arm64 <%s>', (list, aes, clmul) => {
    expect(parseDmesg(` Instruction Set Attributes 0 = <${list}>`)).toMatchObject({
      arch: 'arm64',
      aes,
      clmul,
    })
  })
  it('needs it on every core', () => {
    const line = (list: string): string => ` Instruction Set Attributes 0 = <${list}>\n`
    expect(parseDmesg(line('AES+PMULL') + line('CRC32'))).toMatchObject({ aes: false, clmul: false })
  })
  it('takes other text for nothing', () => expect(parseDmesg('Copyright (c) 1992-2026')).toBeUndefined())
})

it.each([
  [true, true, 'yes'],
  [true, false, 'partial'],
  [false, true, 'partial'],
  [false, false, 'no'],
  [null, true, 'unknown'],
  [null, null, 'unknown'],
  [null, false, 'unknown'],
] as const)('pairPresence(%s, %s) is %s', (aes, clmul, presence) =>
  expect(pairPresence(aes, clmul)).toBe(presence),
)
