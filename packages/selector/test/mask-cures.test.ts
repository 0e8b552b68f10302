/** What is advised instead of a mask, decoded again: it must have the effect it promises. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBare, isIa32cap } from '../src/evidence/ia32cap.ts'
import { closingVaes, keepingChacha, keepingSecond, UNSET } from '../src/evidence/mask-cures.ts'
import { decodeIa32cap, type EffectiveCpu, effectiveCpu } from '../src/evidence/masks.ts'
import { WIDE } from './x86.ts'

const through = (value: string, version: string, flags = WIDE): EffectiveCpu =>
  effectiveCpu({
    arch: 'x86_64',
    platform: 'linux',
    flags,
    dialect: 'openssl',
    version,
    env: value === UNSET ? {} : { OPENSSL_ia32cap: value },
  })
const found = ({ items }: EffectiveCpu, name: string): string | undefined =>
  items.find((item) => item.name === `openssl.mask.${name}`)?.value
const ALL = 0xffff_ffff_ffff_ffffn

/** Mostly masks, with every way of writing a vector and of leaving one out, and some nonsense. */
const vector = fc.oneof(
  fc.constantFrom(
    '',
    '~0x0',
    '0x0',
    '~0x200000200000000',
    '~0x20000000000',
    '~0x20',
    '~0x1000000',
    'zzz',
    '-1',
    '0xzz',
    '~',
    '09',
  ),
  fc.bigInt({ min: 0n, max: ALL }).map((n) => `~0x${n.toString(16)}`),
  fc.bigInt({ min: 0n, max: ALL }).map((n) => `0x${n.toString(16)}`),
  fc.bigInt({ min: 0n, max: ALL }).map((n) => `~${n}`),
)
const mask = fc.array(vector, { minLength: 1, maxLength: 4 }).map((fields) => fields.join(':'))
const version = fc.constantFrom('3.0.19', '3.5.8')
const features = fc.record({
  ssse3: fc.boolean(),
  avx2: fc.boolean(),
  avx512: fc.boolean(),
})

describe('what is advised instead of a mask', () => {
  it.each([
    ['~0x200000200000000', '~0x200000200000000:~0x0'],
    ['~0x20000200000000:', '~0x20000200000000:~0x0'],
    [':', UNSET],
    ['', UNSET],
    ['~0x0', UNSET],
    ['zzz', UNSET],
    ['0xzz', UNSET],
    ['-1', UNSET],
    // A second vector that keeps what is detected would keep nothing: a number comes before it.
    ['0x200000200000000', UNSET],
  ])('with the second vector kept: %j is %j', (value, advised) => {
    expect(keepingSecond(value)).toBe(advised)
  })

  it.each([
    ['~0x20000000000:~0x0', UNSET],
    ['~0x0:~0x20', UNSET],
    [':~0x20', UNSET],
    ['~0x200020200000000:~0x0', '~0x200000200000000:~0x0'],
    ['~0x200020200000000', '~0x200000200000000:~0x0'],
    ['~0x200000200000000:~0x60000000020', '~0x200000200000000:~0x60000000000'],
    ['0x200000200000000:0x0', '0x200020200000000:0x20'],
  ])('with the instructions of ChaCha20 kept: %j is %j', (value, advised) => {
    expect(keepingChacha(value, (name) => name !== 'avx512', '3.5.8')).toBe(advised)
  })

  it('with VAES closed: what the second vector said stays', () => {
    expect(closingVaes('~0x200000200000000:~0x20', '3.5.8')).toBe('~0x200000200000000:~0x60000000020')
    expect(closingVaes('~0x200000200000000:~0x0:~0x1', '3.5.8')).toBe(
      '~0x200000200000000:~0x60000000000:~0x1',
    )
  })

  it('any mask with the second vector kept: the first as it was, the second as detected', () => {
    let kept = 0
    fc.assert(
      fc.property(mask, version, (value, of) => {
        const advised = keepingSecond(value)
        if (!isIa32cap(value) || isBare(value)) {
          expect(advised).toBe(UNSET)
          return
        }
        const [low] = decodeIa32cap(value, 'openssl', of)
        const [first, second] = decodeIa32cap(advised === UNSET ? '~0x0:~0x0' : advised, 'openssl', of)
        expect(first).toEqual(low)
        expect(second).toEqual({ keep: ALL, set: 0n })
        kept++
      }),
      { numRuns: 500 },
    )
    expect(kept).toBeGreaterThan(100)
  })

  it('any mask of a machine: the advice cures what was found, leaves AES as it was masked, and is a mask', () => {
    let cured = 0
    fc.assert(
      fc.property(mask, version, features, (value, of, has) => {
        const flags = { ...WIDE, ...has }
        const before = through(value, of, flags)
        if (found(before, 'chacha20') !== undefined) {
          const chacha = keepingChacha(value, (name) => flags[name] === true, of)
          const after = through(chacha, of, flags)
          expect(found(after, 'chacha20')).toBeUndefined()
          expect(found(after, 'second-vector')).toBeUndefined()
          if (isIa32cap(value)) {
            expect([after.aes, after.clmul]).toEqual([before.aes, before.clmul])
            cured++
          }
        }
        if (found(before, 'vaes-trap') !== undefined && isIa32cap(value)) {
          const after = through(closingVaes(value, of), of, flags)
          expect(found(after, 'vaes-trap')).toBeUndefined()
          expect(after.gcmHardware).toBe(false)
          expect([after.aes, after.clmul, after.ssse3]).toEqual([before.aes, before.clmul, before.ssse3])
        }
        expect(found(through(keepingSecond(value), of, flags), 'second-vector')).toBeUndefined()
        expect(found(before, 'no-number') === undefined).toBe(isIa32cap(value))
      }),
      { numRuns: 1000 },
    )
    expect(cured).toBeGreaterThan(100)
  })
})

describe('what a number claims', () => {
  it('a number instead of ~ replaces the vector, and can name what the CPU lacks', () => {
    const old = { ...WIDE, avx512: false, vaes: false }
    expect(found(through('~0x0:0xffffffffffffffff', '3.5.8', old), 'claims-missing')).toBe('avx512 vaes')
    expect(found(through('0x200000200000000:~0x0', '3.5.8', old), 'claims-missing')).toBeUndefined()
    expect(found(through('~0x0:~0x0', '3.5.8', old), 'claims-missing')).toBeUndefined()
  })
})
