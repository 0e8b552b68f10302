import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CpuFlags } from '../src/evidence/cpu.ts'
import { applyMask, decodeIa32cap, effectiveCpu, type MaskInput, maskNumber } from '../src/evidence/masks.ts'
import { skipped } from './facts.ts'
import { FULL, WIDE } from './x86.ts'

const x86 = (value: string, flags: CpuFlags = FULL, more: Partial<MaskInput> = {}) =>
  effectiveCpu({
    arch: 'x86_64',
    platform: 'linux',
    flags,
    dialect: 'openssl',
    version: '3.5.8',
    env: { OPENSSL_ia32cap: value },
    ...more,
  })
const names = (result: { items: readonly { name: string }[] }): string[] =>
  result.items.map((item) => item.name)

const note = ({ items }: { items: readonly { name: string; value: string }[] }): string | undefined =>
  items.find(({ name }) => name === 'openssl.mask.no-number')?.value

describe('OPENSSL_ia32cap: the table of goals', () => {
  it.each([
    // goal, value, aes, clmul, ssse3, avx2, vaes, vpclmulqdq, hardware for GCM
    [
      'no AES-NI, no PCLMULQDQ, vector 1 kept',
      '~0x200000200000000:~0x0',
      false,
      false,
      true,
      true,
      true,
      true,
      false,
    ],
    [
      'the same with VAES off',
      '~0x200000200000000:~0x60000000000',
      false,
      false,
      true,
      true,
      false,
      false,
      false,
    ],
    [
      'SSSE3 off as well',
      '~0x200020200000000:~0x60000000000',
      false,
      false,
      false,
      true,
      false,
      false,
      false,
    ],
    ['PCLMULQDQ alone', '~0x200000000:~0x60000000000', true, false, true, true, false, false, false],
    ['AES-NI alone', '~0x200000000000000:~0x60000000000', false, true, true, true, false, false, false],
    ['second vector not mentioned', '~0x200000200000000', false, false, true, false, false, false, false],
    ['nothing masked', '~0x0:~0x0', true, true, true, true, true, true, true],
    ['empty first field', ':~0x60000000000', true, true, true, true, false, false, true],
    ['nothing after the colon', '~0x0:', true, true, true, false, false, false, true],
    ['set but empty', '', false, false, false, false, false, false, false],
    [
      'bare value replaces, and nothing is detected',
      '0x200000200000000:~0x0',
      true,
      true,
      false,
      false,
      false,
      false,
      true,
    ],
    ['two bare values', '0x200000200000000:0x60000000020', true, true, false, true, true, true, true],
    ['FXSR takes PCLMULQDQ and AES-NI along', '~0x1000000:~0x0', false, false, true, true, true, true, false],
    ['not a number counts as 0', 'off:~0x0', false, false, false, false, false, false, false],
  ])('%s: %s', (_, value, aes, clmul, ssse3, avx2, vaes, vpclmulqdq, gcmHardware) => {
    expect(x86(value)).toMatchObject({ aes, clmul, ssse3, avx2, vaes, vpclmulqdq, gcmHardware })
  })
  it('names the zeroed second vector', () => {
    expect(names(x86('~0x200000200000000'))).toContain('openssl.mask.second-vector')
    expect(names(x86('~0x200000200000000:~0x0'))).not.toContain('openssl.mask.second-vector')
    expect(names(x86('0x200000200000000:~0x0'))).not.toContain('openssl.mask.second-vector')
  })
})

describe('VAES with AVX-512', () => {
  const mask = '~0x200000200000000:~0x0'
  it('survives the mask of AES-NI from OpenSSL 3.1 on, and is named', () => {
    const result = x86(mask, WIDE)
    expect(result).toMatchObject({ aes: false, clmul: false, gcmHardware: true })
    expect(names(result)).toContain('openssl.mask.vaes-trap')
  })
  it.each([
    ['OpenSSL 3.0 has no such path', mask, WIDE, '3.0.19'],
    ['no AVX-512', mask, FULL, '3.5.8'],
    ['VAES masked too', '~0x200000200000000:~0x60000000000', WIDE, '3.5.8'],
    ['second vector zeroed', '~0x200000200000000', WIDE, '3.5.8'],
    ['one part of AVX-512 masked (bit 30)', '~0x200000200000000:~0x40000000', WIDE, '3.5.8'],
  ])('is no trap: %s', (_, value, flags, version) => {
    const result = x86(value, flags, { version })
    expect(result.gcmHardware).toBe(false)
    expect(names(result)).not.toContain('openssl.mask.vaes-trap')
  })
})

describe('three-valued', () => {
  const blind = { flags: undefined }
  it('a cleared bit is known to be off even where flags are invisible', () => {
    expect(x86('~0x200000000:~0x60000000000', FULL, blind)).toMatchObject({
      aes: null,
      clmul: false,
      gcmHardware: false,
    })
  })
  it('a kept bit stays unknown', () => {
    expect(x86('~0x0:~0x0', FULL, blind)).toMatchObject({ aes: null, clmul: null, gcmHardware: null })
  })
})

describe('BoringSSL', () => {
  const boring = { dialect: 'boringssl' as const }
  it.each([
    ['keeps a vector that is not mentioned', '~0x200000200000000', false, false, true],
    ['has no FXSR cascade', '~0x1000000', true, true, true],
    ['sets bits with |', '|0x200000000', true, true, true],
    ['replaces with a bare value', '0x0:0x0', false, false, false],
    // Black-box timings of a runtime with it, and its source: what follows is read as no number, or as the number 0.
    ['knows hexadecimal by a small x only', '~0X200000200000000', true, true, true],
    ['knows no octal', '~0140000000000:~0100040', true, true, true],
    ['reads decimal', '~144115196665790464', false, false, true],
    ['passes over what is no number', 'zzz:yes', true, true, true],
    ['keeps a vector that is empty before a colon', ':~0x20', true, true, false],
    // Releases differ, or the value is read from memory that was never written.
    ['is not known with nothing to read', '', null, null, true],
    ['is not known with a number that ends in something else', '~0x200000200000000;~0x0', null, null, true],
    ['is not known with 0 and a large X', '0X0', null, null, true],
    ['is not known with more than 64 bits', '~0x1ffffffffffffffff', null, null, true],
    ['of the second vector alone', '~0x0:~0x20 ', true, true, null],
  ])('%s: %s', (_, value, aes, clmul, avx2) => {
    const result = x86(value, FULL, boring)
    expect(result).toMatchObject({ aes, clmul, avx2 })
    expect(result.items.every((item) => item.certainty === 'inferred')).toBe(true)
  })
  it('that sets bits with | or, in other releases, passes over it', () => {
    const bare = { ...FULL, aes: false, clmul: false, gcmHardware: false }
    expect(x86('|0x200000200000000', bare, boring)).toMatchObject({ aes: null, clmul: null })
  })
  it('says when the value is no number to it, and what is read instead', () => {
    const said = (value: string) => note(x86(value, FULL, boring))
    expect(said('~0X200000200000000')).toBe(
      'no number, and is read as: vector 0 as detected, vector 1 as detected',
    )
    expect(said('~0x200000200000000;~0x0')).toMatch(
      /^no number, and is read as: vector 0 not known.*vector 1 as/,
    )
    expect(said('~0x200000200000000:~0x0')).toBeUndefined()
    expect(said('144115196665790464')).toBeUndefined()
  })
})

describe('a value that is no number says what is read', () => {
  const CLEARED = 'vector 0 cleared 0x200000200000000, vector 1 zeroed'
  it.each([
    ['~0x200000200000000;~0x0', `no number, and is read as: ${CLEARED}`],
    ['~', 'no number, and is read as: vector 0 as detected, vector 1 zeroed'],
    ['~~0x200000200000000:~0x0', 'no number, and is read as: vector 0 as detected, vector 1 as detected'],
    ['zzz', 'no number, and is read as: vector 0 zeroed, vector 1 zeroed'],
    ['', 'set but empty, which counts as 0: vector 0 zeroed, vector 1 zeroed'],
    ['~0x200000200000000', undefined],
    ['~0X200000200000000:~0', undefined],
  ])('OPENSSL_ia32cap=%j', (value, expected) => expect(note(x86(value))).toBe(expected))
  it.each([
    ['0xbd:0x1', 'no number, and is read as: 0xbd', true],
    ['~0x24', 'no number, and is read as: 0x0', false],
    ['', 'set but empty, which counts as 0: 0x0', false],
    // strtoul() takes spaces in front and a sign.
    [' 0x81', undefined, false],
    ['-1', undefined, true],
    ['0xbd', undefined, true],
  ])('OPENSSL_armcap=%j', (value, expected, aes) => {
    expect(note(arm(value))).toBe(expected)
    expect(arm(value)).toMatchObject({ aes })
  })
})

const ARM: CpuFlags = {
  arch: 'arm64',
  model: 'test',
  processors: 1,
  aes: true,
  clmul: true,
  neon: true,
  gcmHardware: true,
}
const arm = (value: string, more: Partial<MaskInput> = {}) =>
  effectiveCpu({
    arch: 'arm64',
    platform: 'linux',
    flags: ARM,
    dialect: 'openssl',
    version: '3.5.8',
    env: { OPENSSL_armcap: value },
    ...more,
  })

describe('OPENSSL_armcap replaces', () => {
  it.each([
    ['0xbd', true, true, true],
    ['0x81', false, false, true],
    ['0x0', false, false, false],
    ['0x9d', true, false, true],
    ['0xb9', false, true, true],
    ['189', true, true, true],
    ['0275', true, true, true],
    ['~0x24', false, false, false],
  ])('%s', (value, aes, clmul, neon) => {
    expect(arm(value)).toMatchObject({ aes, clmul, neon, gcmHardware: aes && clmul })
  })
  it('names a claim the CPU does not show', () => {
    const bare = { ...ARM, aes: false, clmul: false, gcmHardware: false }
    expect(names(arm('0xbd', { flags: bare }))).toContain('openssl.mask.claims-missing')
  })
  it('is not read on Windows', () =>
    expect(arm('0x0', { platform: 'win32' })).toMatchObject({ aes: true, clmul: true }))
})

describe('the variables of the other architectures', () => {
  const other = (arch: CpuFlags['arch'], variable: string, value: string, flags: Partial<CpuFlags> = {}) =>
    effectiveCpu({
      arch,
      platform: 'linux',
      flags: { arch, model: 'test', processors: 1, aes: true, clmul: true, gcmHardware: true, ...flags },
      dialect: 'openssl',
      version: '3.5.8',
      env: { [variable]: value },
    })
  it.each([
    // RISC-V: the whole list. POWER: bit 2 stands for both halves. Both replace what was detected.
    ['riscv64', 'OPENSSL_riscvcap', 'rv64gc', false, false, false],
    ['riscv64', 'OPENSSL_riscvcap', 'rv64gc_v_zvkned_zvkg', true, true, true],
    ['riscv64', 'OPENSSL_riscvcap', 'RV64GC_V_ZVKNED', true, false, false],
    ['ppc64le', 'OPENSSL_ppccap', '0', false, false, false],
    ['ppc64le', 'OPENSSL_ppccap', '0x3b', false, false, false],
    ['ppc64le', 'OPENSSL_ppccap', '0x7f', true, true, true],
    // IBM Z: it clears bits, so what was there may be gone.
    ['s390x', 'OPENSSL_s390xcap', 'stfle:~0:~0x4000000000000000', null, null, null],
  ] as const)('%s: %s=%s', (arch, variable, value, aes, clmul, gcmHardware) => {
    expect(other(arch, variable, value)).toMatchObject({ aes, clmul, gcmHardware })
  })
  it('of IBM Z gives nothing back', () => {
    const none = { aes: false, clmul: false, gcmHardware: false }
    expect(other('s390x', 'OPENSSL_s390xcap', 'z15', none)).toMatchObject(none)
  })
  it('can claim what the CPU lacks', () => {
    const none = { aes: false, clmul: false, gcmHardware: false }
    expect(names(other('riscv64', 'OPENSSL_riscvcap', 'rv64gc_zvkned', none))).toContain(
      'openssl.mask.claims-missing',
    )
  })
})

it('a variable of another architecture changes nothing', () => {
  expect(arm('0x0', { env: { OPENSSL_ia32cap: '~0x200000200000000' } })).toMatchObject({
    aes: true,
    items: [],
  })
})

it('a runtime that is not known to read the variable keeps the flags and says so', () => {
  const result = x86('~0x200000200000000:~0x0', FULL, { dialect: undefined })
  expect(result).toMatchObject({ aes: true, clmul: true })
  expect(result.items).toMatchObject([{ certainty: 'unknown' }])
})

describe('properties', () => {
  const word = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  it('~ clears exactly its bits apart from the FXSR cascade; a bare value is the result', () => {
    fc.assert(
      fc.property(word, word, word, (detected, first, second) => {
        const [low, high] = decodeIa32cap(`~0x${first.toString(16)}:~0x${second.toString(16)}`, 'openssl')
        const cascade =
          (first & 0x1000000n) === 0n ? 0n : (1n << 33n) | (1n << 43n) | (1n << 57n) | (1n << 60n)
        expect(applyMask(detected, low)).toBe(detected & ~first & ~cascade)
        expect(applyMask(detected, high)).toBe(detected & ~second)
        const [set] = decodeIa32cap(`0x${first.toString(16)}:`, 'openssl')
        expect(applyMask(detected, set)).toBe(first)
      }),
    )
  })
  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => void [x86(text), arm(text), maskNumber(text)]))
  })
})

const settings = (mask?: string): string | undefined => {
  const env = { ...process.env, ...(mask === undefined ? {} : { OPENSSL_ia32cap: mask }) }
  if (mask === undefined) delete env.OPENSSL_ia32cap
  const out = spawnSync('openssl', ['info', '-cpusettings'], { env, encoding: 'utf8' }).stdout
  return /OPENSSL_ia32cap=(0x[0-9a-f]+:0x[0-9a-f]+)/.exec(out ?? '')?.[1]
}
const version = /^OpenSSL (\d+\.\d+\.\d+)/.exec(
  spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '',
)?.[1]
const plain = version === undefined ? undefined : settings()

describe.skipIf(plain === undefined && skipped(23, 'no openssl with x86 settings'))(
  'against the openssl program',
  () => {
    const [detected0 = 0n, detected1 = 0n] = (plain ?? '').split(':').map((text) => BigInt(text || 0))
    // Bit 10 of vector 0 is reserved: the library sets it to remember that it has started.
    const reserved = 1n << 10n
    it.each([
      '~0x200000200000000',
      '~0x0:',
      ':~0x0',
      '~0x0:~0x60000000000',
      '~0x1000000:~0x0',
      '0x1:',
      '',
      ':',
      '~',
      'junk',
      '~0x0:junk',
      '~0x200000200000000;~0x0',
      '~~0x200000200000000:~0x0',
      '~0X200000200000000:~0X0',
      ' ~0x200000200000000:~0x0',
      '-1:+1',
      '0xffff:~0x0',
      'junk::~0x0',
      '~02:~0',
      '~0x200000200000000:~0x0:~0x0',
      '~8589934592:~32',
      '~0x0::~0x0',
      '0xffff:0xff00ff00ff',
    ])('%j', (mask) => {
      const [low, high] = decodeIa32cap(mask, 'openssl', version)
      const mine = [applyMask(detected0, low) | reserved, applyMask(detected1, high)]
      expect(mine.map((value) => `0x${value.toString(16)}`).join(':')).toBe(settings(mask))
    })
  },
)
