import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as f from '../src/limits.ts'
import { EXPECTED, type Expected } from './facts.ts'

const exponent = fc.integer({ min: 1, max: 128 })
const length = fc.bigInt({ min: 1n, max: 1n << 33n })

describe.skipIf(EXPECTED === undefined)('numbers of the second program', () => {
  const expected =
    EXPECTED ?? ({ rows: [], random_nonce: {}, one_TiB: [], magma_like_n64: {} } as unknown as Expected)
  it('has all rows', () => {
    expect(expected.rows).toHaveLength(18)
    expect(Object.keys(expected.random_nonce)).toHaveLength(12)
    expect(expected.one_TiB).toHaveLength(4)
    expect(Object.keys(expected.magma_like_n64)).toHaveLength(3)
  })

  it.each(expected.rows)('2^-$e, $size', (row) => {
    const L = BigInt(row.L)
    expect(f.gcmMessages(row.e, L)).toBe(BigInt(row.gcm_q))
    expect(f.gcmMessages(row.e, L) * L * 16n).toBe(BigInt(row.gcm_bytes))
    expect(f.gcmFailures(row.e, L)).toBe(BigInt(row.gcm_v))
    expect(f.chachaFailures(row.e, L)).toBe(BigInt(row.chacha_v))
    expect(f.ccmMessagesAndFailures(row.e, L)).toBe(BigInt(row.ccm_q_plus_v))
    expect(f.ccmMessagesAndFailures(row.e, L) / 2n).toBe(BigInt(row.ccm_q_half))
    expect(Math.log2(Number(f.gcmMessages(row.e, L)))).toBeCloseTo(row.log2.gcm_q!, 2)
    expect(Math.log2(Number(f.gcmFailures(row.e, L)))).toBeCloseTo(row.log2.gcm_v!, 2)
    expect(Math.log2(Number(f.chachaFailures(row.e, L)))).toBeCloseTo(row.log2.chacha_v!, 2)
    expect(Math.log2(Number(f.ccmMessagesAndFailures(row.e, L)))).toBeCloseTo(row.log2.ccm_q_plus_v!, 2)
    expect(Math.log2(Number(f.gcmMessages(row.e, L) * L * 16n))).toBeCloseTo(row.log2.gcm_bytes!, 2)
  })

  it.each(Object.entries(expected.random_nonce))('random nonces %s', (name, value) => {
    const [, bits, e] = /^(\d+)bit_e(\d+)$/.exec(name)!
    expect(f.randomNonceMessages(Number(bits), Number(e))).toBe(BigInt(value))
  })

  it('single numbers', () => {
    expect(f.gcmMessages(60, 1024n)).toBe(BigInt(expected.tls13_p60_L1024))
    expect(f.rootOfPow2(69) / 1024n).toBe(BigInt(expected.tls13_p60_L1024_ignoring_plus1))
    expect(f.gcmRandomisedMultiKey(50, 128n, 1n << 27n, 128)).toBe(
      BigInt(expected['multi_gcm_e50_L128_B2^27']),
    )
    for (const [e, blocks] of Object.entries(expected.magma_like_n64)) {
      expect(f.mgm64Blocks(Number(e.slice(1)))).toBe(BigInt(blocks))
    }
  })
})

describe('isqrt', () => {
  it('is the floor of the root', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 300n }), (n) => {
        const root = f.isqrt(n)
        expect(root * root <= n && n < (root + 1n) * (root + 1n)).toBe(true)
      }),
    )
  })

  it.each([0n, 1n, 2n, 3n, 4n, 8n, 9n, 15n, 16n])('%s', (n) => {
    expect(f.isqrt(n)).toBe(BigInt(Math.floor(Math.sqrt(Number(n)))))
  })
})

// Inequalities of limits.md §2, §3 and §5, written out independently: (count at the limit, count + 1).
describe('the limit satisfies its inequality and one more does not', () => {
  const holds = (
    name: string,
    limit: (e: number, L: bigint) => bigint,
    fits: (n: bigint, e: number, L: bigint) => boolean,
  ) =>
    it(name, () => {
      fc.assert(
        fc.property(exponent, length, (e, L) => {
          const max = limit(e, L)
          expect(max === 0n || fits(max, e, L)).toBe(true)
          expect(fits(max + 1n, e, L)).toBe(false)
        }),
      )
    })
  const p = (e: number, bits: number): [bigint, bigint] => [1n << BigInt(e), 1n << BigInt(bits)]

  holds('GCM confidentiality', f.gcmMessages, (q, e, L) => {
    const [scale, all] = p(e, 129)
    return (q * L + q + 1n) ** 2n * scale <= all
  })
  holds('GCM integrity', f.gcmFailures, (v, e, L) => {
    const [scale, all] = p(e, 128)
    return v <= 1n << 64n && 2n * v * (L + 1n) * scale <= all
  })
  holds('ChaCha20-Poly1305 integrity', f.chachaFailures, (v, e, L) => {
    const [scale, all] = p(e, 103)
    return v * (L + 1n) * scale <= all
  })
  holds('CCM', f.ccmMessagesAndFailures, (n, e, L) => {
    const [scale, all] = p(e, 128)
    return (2n * L * n) ** 2n * scale <= all
  })
  holds('CCM_8 total', f.ccm8MessagesAndFailures, (n, e, L) => {
    const [scale, all] = p(e + 1, 128)
    return (2n * L * n) ** 2n * scale <= all
  })
  holds('CCM_8 failures', f.ccm8Failures, (v, e) => {
    const [scale, all] = p(e + 1, 64)
    return v * scale <= all
  })
  holds('XAES prefixes', f.xaesPrefixes, (n, e) => {
    const [scale, all] = p(e, 129)
    return (2n * n) ** 2n * scale <= all
  })
  holds('XAES messages', f.xaesMessages, (n, e, L) => {
    const [scale, all] = p(e, 129)
    return n * (L + 2n) ** 2n * scale <= all
  })
  for (const bits of [63, 96, 127, 128, 192, 256]) {
    holds(
      `random nonce of ${bits} bits`,
      (e) => f.randomNonceMessages(bits, e),
      (q, e) => {
        const [scale, all] = p(e, bits + 1)
        return q * q * scale <= all
      },
    )
  }
  holds(
    'GCM multi-key, 128',
    (e, L) => f.gcmRandomisedMultiKey(e, L, 1n << 20n, 128),
    (n, e, L) => {
      const [scale, all] = p(e, 127)
      return n * L * (1n << 20n) * scale <= all
    },
  )
  holds(
    'GCM multi-key, few blocks, 256',
    (e, L) => f.gcmRandomisedMultiKey(e, L, 50n, 256),
    (n, e, L) => {
      const [scale, all] = p(e, 127)
      return n * L * 147n * scale <= all
    },
  )
  holds(
    'GCM multi-key, few blocks, 128',
    (e, L) => f.gcmRandomisedMultiKey(e, L, 50n, 128),
    (n, e, L) => {
      const [scale, all] = p(e, 127)
      return n * L * 211n * scale <= all
    },
  )
  holds(
    'CCM multi-key',
    (e, L) => f.ccmMultiKeyMessagesAndFailures(e, L, 1n << 20n),
    (n, e, L) => {
      const [scale, all] = p(e, 127)
      return n * L * (1n << 20n) * scale <= all
    },
  )
  holds(
    'CCM multi-key failures',
    (e) => f.ccmMultiKeyFailures(e, 128),
    (v, e) => {
      const [scale, all] = p(e, 127)
      return v * scale <= all
    },
  )
  holds('ChaCha multi-key failures', f.chachaMultiKeyFailures, (v, e, L) => {
    const [scale, all] = p(e, 103)
    return v * (L + 1n) * scale <= all
  })
  holds(
    'GCM generic, 1000 keys',
    (e, L) => f.gcmGenericMultiKey(e, L, 1000n),
    (q, e, L) => {
      const [scale, all] = p(e, 129)
      return 1000n * (q * L + q + 1n) ** 2n * scale <= all
    },
  )
})

it('a partial block counts as a full one, plaintext and AAD apart', () => {
  expect([0n, 1n, 16n, 17n, 32n].map((bytes) => f.blocksOf(bytes))).toEqual([0n, 1n, 1n, 2n, 2n])
  expect(f.blocksOf(9n, 8n)).toBe(2n)
  expect(f.messageBlocks(8n, 8n)).toBe(2n)
})

describe('multi-key rows', () => {
  it('AES-128 with partly implicit nonces takes the smaller of its two terms', () => {
    expect(f.gcm128ImplicitMultiKey(50, 128n, 1n << 27n)).toBe(1n << 42n)
    // Short messages and keys: sqrt(2^-50) 2^76 = 2^51 is smaller.
    expect(f.gcm128ImplicitMultiKey(50, 1n, 1n << 20n)).toBe(1n << 51n)
    expect(f.gcm256ImplicitMultiKey(50, 128n, 1n << 27n)).toBe(1n << 43n)
  })

  it('ChaCha messages: 2^247 p - o, at most 2^100', () => {
    expect(f.chachaMultiKeyMessages(57, 1n << 80n)).toBe(1n << 100n)
    expect(f.chachaMultiKeyMessages(128, 0n)).toBe(1n << 100n)
    expect(f.chachaMultiKeyMessages(128, (1n << 119n) - 5n)).toBe(5n)
    expect(f.chachaMultiKeyMessages(128, 1n << 120n)).toBe(0n)
  })

  it('CCM failures by tag', () => {
    expect(f.ccmMultiKeyFailures(57, 128)).toBe(1n << 70n)
    expect(f.ccmMultiKeyFailures(57, 64)).toBe(1n << 6n)
  })

  it('generic exponent rounds the number of keys up', () => {
    expect([1n, 2n, 3n, 4n, 1000n, 1024n, 1025n].map((keys) => f.perKeyExponent(57, keys))).toEqual([
      57, 58, 59, 59, 67, 67, 68,
    ])
  })
})

describe('monotonicity', () => {
  it('a stricter target or a longer message never allows more', () => {
    const all = [f.gcmMessages, f.gcmFailures, f.chachaFailures, f.ccmMessagesAndFailures, f.xaesMessages]
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 127 }), length, fc.constantFrom(...all), (e, L, formula) => {
        expect(formula(e + 1, L) <= formula(e, L)).toBe(true)
        expect(formula(e, L + 1n) <= formula(e, L)).toBe(true)
      }),
    )
  })
})
