import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALGORITHMS, type AlgorithmId } from '../src/algorithms.ts'
import { isAeadError } from '../src/errors.ts'
import {
  advantagesOf,
  assertVolume,
  checkVolume,
  GCM_SIV_ROWS,
  type Limit,
  type LimitOptions,
  limitsOf,
} from '../src/limits.ts'
import { EXPECTED } from './facts.ts'

const IDS = Object.keys(ALGORITHMS) as AlgorithmId[]
const KIB = 1024

function limits(id: AlgorithmId, options: Partial<LimitOptions> = {}) {
  return limitsOf(ALGORITHMS[id], { target: -57, nonce: 'counter', messageBytes: 16 * KIB, ...options })
}

function find(
  list: readonly Limit[],
  kind: Limit['kind'],
  basis: Limit['basis'] = 'formula',
): Limit | undefined {
  return list.find((limit) => limit.kind === kind && limit.basis === basis)
}

// limits.md §4: message bytes, GCM q, GCM v (log2), ChaCha v, CCM q + v.
const TABLE: readonly [number, number, bigint, bigint | null, bigint | null, bigint][] = [
  [-57, 1 * KIB, 1057222719n, 18162948011037096975n, 1082596064271n, 379625062n],
  [-57, 16 * KIB, 67043391n, 1151796703138937856n, 68652433344n, 23726566n],
  [-57, 64 * KIB, 16773120n, 288160024583209983n, 17175675903n, 5931641n],
  [-57, 1024 * KIB, 1048560n, 18014123635769280n, 1073725440n, 370727n],
  [-50, 1 * KIB, 11961109661n, 1n << 64n, null, 4294967296n],
  [-50, 16 * KIB, 758509393n, 1n << 64n, null, 268435456n],
  [-50, 64 * KIB, 189766201n, 1n << 64n, null, 67108864n],
  [-50, 1024 * KIB, 11863102n, 2305807825378467840n, null, 4194304n],
  [-32, 1 * KIB, 6124088146659n, 1n << 64n, null, 2199023255552n],
  [-32, 16 * KIB, 388356809300n, 1n << 64n, null, 137438953472n],
  [-32, 64 * KIB, 97160295224n, 1n << 64n, null, 34359738368n],
  [-32, 1024 * KIB, 6073908319n, 1n << 64n, null, 2147483648n],
]

// limits.md §4, "1 TiB under one key".
const ONE_TIB = [
  { q: 1073741824, log2_CA: -56.9553, ok_at_57: false, ok_at_50: true, ok_at_32: true },
  { q: 67108864, log2_CA: -56.9972, ok_at_57: false, ok_at_50: true, ok_at_32: true },
  { q: 16777216, log2_CA: -56.9993, ok_at_57: false, ok_at_50: true, ok_at_32: true },
  { q: 1048576, log2_CA: -57, ok_at_57: false, ok_at_50: true, ok_at_32: true },
]

it.skipIf(EXPECTED === undefined)('the tables spelled here are those of the second program', () => {
  expect(EXPECTED?.one_TiB).toMatchObject(ONE_TIB)
})

describe('limitsOf, single key', () => {
  it.each(TABLE)('2^%i, %i bytes', (target, messageBytes, gcmQ, gcmV, chachaV, ccm) => {
    for (const id of ['aes-128-gcm', 'aes-256-gcm'] as const) {
      const gcm = limits(id, { target, messageBytes })
      expect(gcm).toMatchObject({
        messages: gcmQ,
        bindingBound: 'confidentiality',
        basis: 'formula',
        targetShown: true,
      })
      expect(gcm.failedOpens).toBe(gcmV)
      expect(find(gcm.limits, 'integrity')?.max).toBe(gcmV)
    }
    const chacha = limits('chacha20-poly1305', { target, messageBytes })
    expect(chacha).toMatchObject({
      messages: 1n << 64n,
      bindingBound: 'none',
      basis: 'formula',
      targetShown: true,
    })
    expect(find(chacha.limits, 'confidentiality')?.max).toBeNull()
    if (chachaV !== null) expect(chacha.failedOpens).toBe(chachaV)
    for (const id of ['aes-128-ccm', 'aes-256-ccm'] as const) {
      expect(limits(id, { target, messageBytes })).toMatchObject({
        messages: ccm,
        failedOpens: ccm,
        targetShown: true,
      })
    }
  })

  it('counts a partial block as full and rounds AAD up apart from plaintext', () => {
    const q = (messageBytes: number, aadBytes: number) =>
      limits('aes-128-gcm', { messageBytes, aadBytes }).messages
    expect(q(1, 0)).toBe(q(16, 0))
    expect(q(17, 0)).toBe(q(32, 0))
    expect(q(8, 8)).toBe(q(16, 16))
    expect(q(8, 8)).not.toBe(q(16, 0))
    expect(q(65536, 0)).toBe(16773120n)
    expect(q(65536, 9)).toBe(16769027n)
    expect(q(16384, 16)).toBe(66978047n)
    expect(q(0, 0)).toBe((1n << 36n) - 1n)
  })

  it('one TiB', () => {
    for (const row of ONE_TIB) {
      const messageBytes = 2 ** 40 / row.q
      const volume = { messages: row.q, messageBytes }
      const options = { nonce: 'counter', target: -57 } as const
      const spent = advantagesOf(ALGORITHMS['aes-256-gcm'], volume, options).confidentiality!
      expect(spent).toBeCloseTo(row.log2_CA, 3)
      for (const [target, ok] of [
        [-57, row.ok_at_57],
        [-50, row.ok_at_50],
        [-32, row.ok_at_32],
      ] as const) {
        expect(checkVolume(ALGORITHMS['aes-256-gcm'], volume, { ...options, target }).length === 0).toBe(ok)
      }
    }
  })

  it('gives every algorithm a way of use with a source for every limit', () => {
    for (const id of IDS) {
      for (const nonce of ['random', 'counter'] as const) {
        const result = limits(id, { nonce })
        expect(result.limits.length).toBeGreaterThan(0)
        for (const limit of result.limits) {
          expect(limit.source).not.toBe('')
          if (limit.basis === 'estimate') expect(limit.meetsTarget).toBe(false)
          if (limit.basis === 'formula') expect(limit.meetsTarget).toBe(true)
        }
      }
    }
  })

  it('is monotone in target, message size and AAD size', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...IDS),
        fc.constantFrom('random' as const, 'counter' as const),
        fc.integer({ min: 2, max: 128 }),
        fc.integer({ min: 0, max: 1 << 23 }),
        fc.integer({ min: 0, max: 1 << 20 }),
        (id, nonce, e, messageBytes, aadBytes) => {
          const params = ALGORITHMS[id]
          const base = { nonce, target: -e, messageBytes, aadBytes }
          const q = limitsOf(params, base).messages!
          expect(limitsOf(params, { ...base, target: -e + 1 }).messages! >= q).toBe(true)
          expect(limitsOf(params, { ...base, messageBytes: messageBytes + 100 }).messages! <= q).toBe(true)
          expect(limitsOf(params, { ...base, aadBytes: aadBytes + 100 }).messages! <= q).toBe(true)
        },
      ),
    )
  })

  it('agrees with checkVolume: the count is inside, one more is not', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...IDS),
        fc.constantFrom('random' as const, 'counter' as const),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 1 << 22 }),
        fc.boolean(),
        (id, nonce, e, messageBytes, fips) => {
          const options = { nonce, target: -e, fips }
          const { messages } = limitsOf(ALGORITHMS[id], { ...options, messageBytes })
          const at = (count: bigint) =>
            checkVolume(ALGORITHMS[id], { messages: count, messageBytes }, options)
          expect(at(messages!)).toEqual([])
          expect(at(messages! + 1n).length).toBeGreaterThan(0)
        },
      ),
    )
  })
})

// limits.md §5.
const COLLISIONS: readonly [AlgorithmId, number, bigint][] = [
  ['aes-128-gcm', -32, 6074000999n],
  ['aes-256-ccm', -33, 1n << 32n],
  ['chacha20-poly1305', -50, 11863283n],
  ['chacha20-poly1305', -57, 1n << 20n],
  ['aegis-128l', -33, 1n << 48n],
  ['ascon-aead128', -57, 1n << 36n],
  ['xchacha20-poly1305', -33, 1n << 80n],
  ['xchacha20-poly1305', -57, 1n << 68n],
  ['xaes-256-gcm', -57, 1n << 68n],
  ['aegis-256', -33, 1n << 112n],
  ['aegis-256', -57, 1n << 100n],
]

describe('nonces', () => {
  it.each(COLLISIONS)('%s at 2^%i', (id, nonceTarget, max) => {
    expect(find(limits(id, { nonce: 'random', nonceTarget }).limits, 'nonce-collision')).toMatchObject({
      max,
      provenAt: nonceTarget,
      meetsTarget: true,
    })
  })

  it('counter nonces have no collision limit, only the width of the counter', () => {
    expect(limits('chacha20-poly1305')).toMatchObject({ messages: 1n << 64n, bindingBound: 'none' })
    expect(limits('xchacha20-poly1305')).toMatchObject({ messages: 1n << 64n, bindingBound: 'none' })
    expect(find(limits('magma-mgm').limits, 'nonce-collision')?.max).toBe(1n << 32n)
    const over = checkVolume(
      ALGORITHMS['chacha20-poly1305'],
      { messages: (1n << 64n) + 1n, messageBytes: 1 },
      { target: -57, nonce: 'counter' },
    )
    expect(over).toHaveLength(1)
    expect(over[0]?.message).toContain('invocation field of 8 bytes')
  })

  it('FIPS adds 2^32 and lowers the default nonce target to -32', () => {
    const fips = limits('aes-128-gcm', { nonce: 'random', messageBytes: 64, fips: true })
    expect(fips).toMatchObject({
      messages: 1n << 32n,
      bindingBound: 'nonce-collision',
      basis: 'published-constant',
    })
    expect(find(fips.limits, 'nonce-collision')).toMatchObject({ max: 6074000999n, provenAt: -32 })
    expect(find(fips.limits, 'nonce-collision', 'published-constant')).toMatchObject({
      max: 1n << 32n,
      provenAt: -32,
      source: 'NIST SP 800-38D §8.3',
    })
    expect(limits('aes-128-gcm', { nonce: 'random', fips: true, nonceTarget: -57 }).messages).toBe(1n << 20n)
    expect(
      find(limits('aes-128-gcm', { fips: true }).limits, 'nonce-collision', 'published-constant'),
    ).toBeUndefined()
  })

  it('names both numbers and a way out at the 96-bit bound', () => {
    const volume = { messages: (1n << 20n) + 1n, messageBytes: 1 }
    const options = { target: -57, nonce: 'random' } as const
    expect(checkVolume(ALGORITHMS['aes-128-gcm'], { ...volume, messages: 1n << 20n }, options)).toEqual([])
    const [violation] = checkVolume(ALGORITHMS['aes-128-gcm'], volume, options)
    expect(violation).toMatchObject({ asked: 1048577n, max: 1048576n })
    for (const part of ['2^20', '2^-57', '2^32', '2^-33', 'xchacha20-poly1305', 'xaes-256-gcm']) {
      expect(violation?.message).toContain(part)
    }
  })
})

describe('published rows of limits.md §8', () => {
  const GIB = 2 ** 30
  const MIB = 2 ** 20
  it.each([
    [
      'repeats-256',
      1,
      'counter',
      [
        [29, GIB],
        [35, 128 * MIB],
        [49, MIB],
        [61, 16 * KIB],
      ],
    ],
    [
      'random',
      1,
      'random',
      [
        [32, 8 * GIB],
        [48, 32 * MIB],
        [64, 128 * KIB],
      ],
    ],
    [
      'repeats-1024',
      1000,
      'counter',
      [
        [25, GIB],
        [31, 128 * MIB],
        [45, MIB],
        [57, 16 * KIB],
      ],
    ],
  ] as const)('AES-GCM-SIV, %s', (regime, repeatsPerNonce, nonce, rows) => {
    expect(GCM_SIV_ROWS[regime]).toHaveLength(rows.length)
    for (const [log2, bytes] of rows) {
      const options = { nonce, repeatsPerNonce } as const
      const at = limits('aes-256-gcm-siv', { ...options, messageBytes: bytes })
      expect(find(at.limits, 'published', 'published-constant')).toMatchObject({
        max: 1n << BigInt(log2),
        provenAt: -32,
        meetsTarget: false,
      })
      expect(at.targetShown).toBe(false)
      const longer = limits('aes-256-gcm-siv', { ...options, messageBytes: bytes + 1 })
      expect(longer.limits[0]!.max! < 1n << BigInt(log2)).toBe(true)
    }
    expect(limits('aes-256-gcm-siv', { nonce, repeatsPerNonce, target: -32 }).targetShown).toBe(true)
  })

  it('AES-GCM-SIV beyond its rows is an estimate; more than 1024 repeats have no row', () => {
    const long = limits('aes-128-gcm-siv', { messageBytes: 2 * GIB })
    expect(long.limits[0]).toMatchObject({ max: 1n << 27n, basis: 'estimate', meetsTarget: false })
    expect(limits('aes-128-gcm-siv', { aadBytes: 64 }).limits[0]?.basis).toBe('estimate')
    expect(() => limits('aes-128-gcm-siv', { repeatsPerNonce: 1025 })).toThrow(/1024/)
  })

  it('repeats lift the collision limit of SIV modes only', () => {
    const random = { nonce: 'random', repeatsPerNonce: 256 } as const
    expect(limits('aes-256-gcm-siv', { nonce: 'random' }).messages).toBe(1n << 20n)
    expect(limits('aes-256-gcm-siv', random).messages).toBe(1n << 61n)
    expect(limits('aes-siv-cmac-256', random).messages).toBe(1n << 48n)
    expect(limits('aes-128-gcm', random).messages).toBe(1n << 20n)
  })

  it.each([
    ['xchacha20-poly1305', 'nonce-collision', 'messages', 1n << 80n, -32],
    ['xaes-256-gcm', 'nonce-collision', 'messages', 1n << 80n, -32],
    ['aegis-128l', 'nonce-collision', 'messages', 1n << 48n, -33],
    ['aegis-128x4', 'nonce-collision', 'messages', 1n << 48n, -33],
    ['ascon-aead128', 'published', 'bytes', 1n << 54n, null],
    ['ascon-aead128', 'integrity', 'failed-opens', 1n << 96n, null],
    ['aes-siv-cmac-512', 'published', 'messages', 1n << 48n, null],
    ['aes-256-ocb', 'published', 'blocks', 1n << 48n, null],
  ] as const)('%s %s', (id, kind, unit, max, provenAt) => {
    expect(find(limits(id, { nonce: 'random' }).limits, kind, 'published-constant')).toMatchObject({
      unit,
      max,
      provenAt,
      meetsTarget: false,
    })
  })

  it('XAES adds the estimate for its prefixes', () => {
    const xaes = limits('xaes-256-gcm', { nonce: 'random' })
    expect(xaes).toMatchObject({
      messages: 1n << 35n,
      bindingBound: 'confidentiality',
      basis: 'estimate',
      targetShown: true,
    })
    // 1026^2 in units of 2^20, rounded up, is 2.
    expect(find(xaes.limits, 'confidentiality')?.max).toBe(1n << 51n)
  })

  it('AES-CCM calls', () => {
    // 16 KiB: 2 * 1024 blocks, first block and tag.
    expect(find(limits('aes-128-ccm').limits, 'published', 'published-constant')?.max).toBe(
      (1n << 61n) / 2050n,
    )
  })

  it('OCB, Ascon and SIV in messages', () => {
    expect(limits('aes-128-ocb').messages).toBe(1n << 38n)
    expect(limits('ascon-aead128').messages).toBe((1n << 54n) / 16400n)
    expect(limits('aes-siv-cmac-256').messages).toBe(1n << 48n)
    expect(limits('ascon-aead128').bindingBound).toBe('published')
  })

  it.each([
    ['e32', 92681],
    ['e50', 181],
    ['e57', 16],
  ] as const)('Magma at %s', (name, blocks) => {
    const magma = limits('magma-mgm', { target: -Number(name.slice(1)), messageBytes: 8 })
    expect(magma).toMatchObject({ messages: BigInt(blocks), basis: 'estimate', targetShown: false })
  })

  it('Kuznyechik: sigma^2 / 2^129', () => {
    expect(limits('kuznyechik-mgm')).toMatchObject({
      messages: 1n << 26n,
      basis: 'estimate',
      targetShown: false,
    })
  })

  it('AEGIS states no count and is not shown', () => {
    const aegis = limits('aegis-256', { nonce: 'random' })
    expect(aegis).toMatchObject({ messages: 1n << 100n, failedOpens: null, targetShown: false })
    expect(aegis.limits[0]).toMatchObject({ max: null, meetsTarget: false })
  })
})

describe('checkVolume', () => {
  const gcm = ALGORITHMS['aes-128-gcm']
  const tib = { messages: 16777216, messageBytes: 65536, failedOpens: 0 }

  it('1 TiB in 64 KiB messages: outside 2^-57, inside 2^-50', () => {
    expect(limits('aes-128-gcm', { messageBytes: 65536 }).messages).toBe(16773120n)
    const violations = checkVolume(gcm, tib, { target: -57, nonce: 'counter' })
    expect(violations).toHaveLength(1)
    expect(violations[0]).toMatchObject({
      asked: 16777216n,
      max: 16773120n,
      limit: { kind: 'confidentiality' },
    })
    expect(Object.getPrototypeOf(violations[0])).toBe(Object.prototype)
    expect(checkVolume(gcm, tib, { target: -50, nonce: 'counter' })).toEqual([])
  })

  it('takes full limit options too, with the sizes of the volume', () => {
    const options: LimitOptions = { target: -57, nonce: 'counter', messageBytes: 1 }
    expect(checkVolume(gcm, tib, options)).toHaveLength(1)
  })

  it('failed opens and shared budgets', () => {
    const options = { target: -57, nonce: 'counter' } as const
    const chacha = ALGORITHMS['chacha20-poly1305']
    const size = { messageBytes: 16 * KIB, messages: 1 }
    expect(checkVolume(chacha, { ...size, failedOpens: 68652433344n }, options)).toEqual([])
    expect(checkVolume(chacha, { ...size, failedOpens: 68652433345n }, options)).toMatchObject([
      { asked: 68652433345n, max: 68652433344n, limit: { kind: 'integrity', unit: 'failed-opens' } },
    ])
    const ccm = ALGORITHMS['aes-128-ccm']
    const half = { messageBytes: 16 * KIB, messages: 11863283n, failedOpens: 11863283n }
    expect(checkVolume(ccm, half, options)).toEqual([])
    expect(checkVolume(ccm, { ...half, failedOpens: 11863284n }, options)).toMatchObject([
      { asked: 23726567n, max: 23726566n, limit: { kind: 'integrity' } },
    ])
    expect(
      checkVolume(gcm, { messageBytes: 0, messages: 0, failedOpens: (1n << 64n) + 1n }, options),
    ).toMatchObject([{ asked: (1n << 64n) + 1n, max: 1n << 64n }])
  })

  it('a limit that is not shown but not exceeded is no violation', () => {
    const volume = { messages: 1 << 20, messageBytes: 16 * KIB, failedOpens: 1 << 20 }
    const options = { target: -57, nonce: 'random' } as const
    const fits = IDS.filter((id) => checkVolume(ALGORITHMS[id], volume, options).length === 0)
    expect(IDS.filter((id) => !fits.includes(id))).toEqual(['magma-mgm'])
  })

  it('a message longer than the algorithm takes', () => {
    const volume = { messages: 1, messageBytes: 16_777_216 }
    const options = { target: -57, nonce: 'counter' } as const
    expect(checkVolume(ALGORITHMS['aes-128-ccm'], volume, options)).toMatchObject([
      { asked: 16777216n, max: 16777215n, limit: { unit: 'bytes' } },
    ])
    expect(limits('aes-128-ccm', { messageBytes: 16_777_216 })).toMatchObject({
      messages: 0n,
      bindingBound: 'published',
    })
    // MGM: plaintext and AAD share the length.
    expect(limits('magma-mgm', { messageBytes: 536_870_911, aadBytes: 1 }).messages).toBe(0n)
  })

  it('assertVolume throws limit-exceeded with the numbers', () => {
    const options = { target: -57, nonce: 'counter' } as const
    expect(() => assertVolume(gcm, { ...tib, messages: 16773120 }, options)).not.toThrow()
    try {
      assertVolume(gcm, tib, options)
      expect.unreachable()
    } catch (error) {
      if (!isAeadError(error, 'limit-exceeded')) throw error
      expect(error.toJSON().details).toMatchObject({
        algorithm: 'aes-128-gcm',
        violations: [{ kind: 'confidentiality', asked: '16777216', max: '16773120', provenAt: -57 }],
      })
    }
  })
})

describe('advantagesOf', () => {
  it('agrees with checkVolume on which side of the target a volume lies', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 1n << 50n }),
        fc.integer({ min: 1, max: 1 << 20 }),
        (messages, messageBytes) => {
          const volume = { messages, messageBytes, failedOpens: messages }
          for (const id of ['aes-256-gcm', 'chacha20-poly1305', 'aes-128-ccm', 'xaes-256-gcm'] as const) {
            const spent = advantagesOf(ALGORITHMS[id], volume, { target: -57, nonce: 'random' })
            const over = checkVolume(ALGORITHMS[id], volume, { target: -57, nonce: 'random' }).map(
              (v) => v.limit.kind,
            )
            const clear = (value: number | null) =>
              value !== null && Math.abs(value + 57) > 0.01 && id !== 'xaes-256-gcm'
            if (clear(spent.integrity)) expect(spent.integrity! > -57).toBe(over.includes('integrity'))
            if (clear(spent.confidentiality))
              expect(spent.confidentiality! > -57).toBe(over.includes('confidentiality'))
            if (clear(spent.nonceCollision))
              expect(spent.nonceCollision! > -57).toBe(over.includes('nonce-collision'))
          }
        },
      ),
    )
  })

  it('gives null where nothing is spent or known', () => {
    const none = { messages: 0, messageBytes: 16, failedOpens: 0 }
    const counter = { target: -57, nonce: 'counter' } as const
    for (const id of IDS) {
      expect(advantagesOf(ALGORITHMS[id], none, counter)).toEqual({
        confidentiality: null,
        integrity: null,
        nonceCollision: null,
      })
    }
    const some = { messages: 1 << 20, messageBytes: 16, failedOpens: 4 }
    expect(advantagesOf(ALGORITHMS['chacha20-poly1305'], some, { ...counter, nonce: 'random' })).toEqual({
      confidentiality: null,
      integrity: -100,
      nonceCollision: -57,
    })
    expect(advantagesOf(ALGORITHMS['aegis-256'], some, counter).integrity).toBeNull()
    expect(
      advantagesOf(ALGORITHMS['magma-mgm'], { messages: 1n << 60n, messageBytes: 8 }, counter)
        .confidentiality,
    ).toBe(0)
  })
})

const BAD_OPTIONS: readonly [string, Record<string, unknown>][] = [
  ['NaN size', { messageBytes: Number.NaN }],
  ['negative size', { messageBytes: -1 }],
  ['negative bigint size', { messageBytes: -1n }],
  ['fractional size', { messageBytes: 1.5 }],
  ['infinite size', { messageBytes: Number.POSITIVE_INFINITY }],
  ['unsafe size', { messageBytes: 2 ** 53 }],
  ['string size', { messageBytes: '16' }],
  ['missing size', { messageBytes: undefined }],
  ['NaN AAD', { aadBytes: Number.NaN }],
  ['negative AAD', { aadBytes: -1 }],
  ['target 0', { target: 0 }],
  ['positive target', { target: 57 }],
  ['fractional target', { target: -57.5 }],
  ['target -129', { target: -129 }],
  ['NaN target', { target: Number.NaN }],
  ['bigint target', { target: -57n }],
  ['no target', { target: undefined }],
  ['nonce target 0', { nonceTarget: 0 }],
  ['nonce kind', { nonce: 'leased' }],
  ['no nonce kind', { nonce: undefined }],
  ['repeats 0', { repeatsPerNonce: 0 }],
  ['repeats fraction', { repeatsPerNonce: 1.5 }],
  ['fips text', { fips: 'auto' }],
]

describe('bad input', () => {
  it.each(BAD_OPTIONS)('limitsOf: %s', (_, bad) => {
    expect(() => limits('aes-128-gcm', bad)).toThrow(expect.objectContaining({ code: 'invalid-argument' }))
  })

  it('unknown names, with the nearest', () => {
    expect(() => limits('aes-128-gcm', { mesageBytes: 1 } as never)).toThrow(/messageBytes/)
    const options = { target: -57, nonce: 'counter' } as const
    expect(() =>
      checkVolume(
        ALGORITHMS['aes-128-gcm'],
        { messages: 1, messageBytes: 1, failedOpen: 1 } as never,
        options,
      ),
    ).toThrow(/failedOpens/)
    expect(() => limitsOf(ALGORITHMS['aes-128-gcm'], null as never)).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    )
    expect(() => limitsOf(ALGORITHMS['aes-128-gcm'], undefined as never)).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    )
  })

  it.each([
    [{ messages: -1 }],
    [{ messages: Number.NaN }],
    [{ messages: 0.5 }],
    [{ messages: undefined }],
    [{ failedOpens: -1 }],
    [{ failedOpens: Number.NaN }],
  ])('volume %j', (bad) => {
    const volume = { messages: 1, messageBytes: 1, ...bad } as never
    for (const call of [checkVolume, assertVolume, advantagesOf]) {
      expect(() => call(ALGORITHMS['aes-128-gcm'], volume, { target: -57, nonce: 'counter' })).toThrow(
        expect.objectContaining({ code: 'invalid-argument' }),
      )
    }
  })
})
