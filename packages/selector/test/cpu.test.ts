import { describe, expect, it } from 'vitest'
import { type CpuArch, cpuinfoArch, pairPresence, parseCpuinfo } from '../src/evidence/cpu.ts'
import { parseDmesg, parseSysctl } from '../src/evidence/cpu-bsd.ts'
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

describe('what a text does not say is unknown', () => {
  const LOONGARCH =
    'system type\t\t: generic-loongson-machine\n\nprocessor\t\t: 0\nModel Name\t\t: Loongson-3A5000\nFeatures\t\t: cpucfg lam ual fpu lsx lasx crc32 complex crypto lvz\n'
  const IA64 = 'processor  : 0\nvendor     : GenuineIntel\nfeatures   : branchlong, 16-byte atomic ops\n'
  it.each([
    ['LoongArch', LOONGARCH],
    ['IA-64', IA64],
    ['MIPS', 'processor : 0\nisa\t: mips1 mips2 mips64r2\nASEs implemented\t: vz\n'],
  ])('an architecture that is not in the table: %s', (_, text) => {
    expect(cpuinfoArch(text)).toBeUndefined()
    expect(parseCpuinfo(text)).toBeUndefined()
  })
  it.each([
    ['x86_64', 'flags'],
    ['arm64', 'Features'],
    ['riscv64', 'isa'],
    ['s390x', 'features'],
  ] as const)('an empty list: %s', (arch, key) => {
    const parsed = parseCpuinfo(`processor\t: 0\n${key}\t\t:\n`, arch)
    expect(parsed).toMatchObject(
      arch === 's390x' ? { msa: null } : { aes: null, clmul: null, gcmHardware: null },
    )
  })
  it('an empty list beside one that lacks the word is a no all the same', () => {
    expect(parseCpuinfo(cores('', 'aes'), 'x86_64')).toMatchObject({ aes: null, clmul: false })
  })
  it('a core without a list', () => {
    const text = `${cores('aes pclmulqdq')}\nprocessor\t: 1\nmodel name\t: x\n`
    expect(parseCpuinfo(text, 'x86_64')).toMatchObject({ aes: null, clmul: null, processors: 2 })
    expect(parseCpuinfo(text.replace(' pclmulqdq', ''), 'x86_64')).toMatchObject({ aes: null, clmul: false })
  })
  // Kernels before 3.8 on ARM, and those of many telephones: every core by number, then one list of the machine.
  it.each([
    'Processor\t: AArch64 Processor rev 3 (aarch64)\nprocessor\t: 0\nprocessor\t: 1\nFeatures\t: fp asimd aes pmull\nCPU implementer\t: 0x41\n',
    'Processor\t: ARMv7 Processor rev 4 (v7l)\nprocessor\t: 0\nBogoMIPS\t: 38\n\nprocessor\t: 1\nBogoMIPS\t: 38\n\nFeatures\t: swp half neon aes pmull\nHardware\t: x\n',
  ])('one list for the whole machine holds for every core: %j', (text) => {
    expect(parseCpuinfo(text)).toMatchObject({ aes: true, clmul: true, processors: 2 })
  })
  it('empty lists of other systems', () => {
    expect(parseSysctl('machdep.cpu.features:\n')).toMatchObject({ aes: null, clmul: null })
    expect(parseSysctl('hw.optional.arm.FEAT_AES:\n')).toMatchObject({ aes: null, clmul: null })
    expect(parseDmesg(' Instruction Set Attributes 0 = <>\n')).toMatchObject({ aes: null, clmul: null })
    expect(parseDmesg('  Features2=0x0<>\n')).toMatchObject({ aes: null, clmul: null })
  })
})

describe('texts made to take long', () => {
  // Counted, not timed: quadratic work on a text this long would not end within the limit of a test.
  const MANY = 100_000
  it.each([
    ['attributes that never close', 'Instruction Set Attributes 0 = <'.repeat(MANY)],
    ['the same on lines of their own', 'Instruction Set Attributes 0 = <\n'.repeat(MANY)],
    ['x86 features that never close', '  Features2=0x1<\n'.repeat(MANY)],
    [
      'extended features that never close',
      `  Features2=0x1<AESNI>\n${'  Structured Extended Features=0x1<\n'.repeat(MANY)}`,
    ],
  ])('%s', (_, text) => {
    expect(parseDmesg(text)?.aes ?? null).toBe(/AESNI/.test(text) ? true : null)
  })
})
