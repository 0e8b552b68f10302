import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ALGORITHMS, type AlgorithmId } from '../src/algorithms.ts'
import { type Charge, charge } from '../src/limits/bounds.ts'
import { limitsOf } from '../src/limits.ts'
import { chargeNumber } from '../src/meter/plan.ts'
import { createMeter, type KeySnapshot, type MeterOptions, type MeterSnapshot } from '../src/meter.ts'

const gcm = ALGORITHMS['aes-128-gcm']
const ID = '00112233445566aa'
const EXHAUSTED = expect.objectContaining({ code: 'key-exhausted' })
const INVALID = expect.objectContaining({ code: 'invalid-argument' })

function preset(algorithm: AlgorithmId, counts: Partial<KeySnapshot>): MeterSnapshot {
  return {
    version: 1,
    keys: {
      [ID]: {
        algorithm,
        messages: '0',
        blocks: '0',
        failedOpens: '0',
        failedBlocks: '0',
        longestBytes: '0',
        nonce: null,
        warned: false,
        ...counts,
      },
    },
  }
}

describe('the bound of AES-GCM', () => {
  it.each([
    [0, 4097, 16773120],
    [9, 4098, 16769027],
  ])('64 KiB messages with %i bytes of AAD', (aad, each, count) => {
    // All but the last three are in the snapshot.
    const done = count - 3
    const meter = createMeter({
      snapshot: preset('aes-128-gcm', { messages: String(done), blocks: String(done * each) }),
    })
    const key = meter.forKey(ID, gcm, 'counter')
    for (let i = 0; i < 3; i++) key.reserve(65536, aad)
    expect(() => key.reserve(65536, aad)).toThrow(EXHAUSTED)
    expect(key.usage()).toMatchObject({
      messages: BigInt(count),
      blocks: BigInt(count * each),
      maxBlocks: (1n << 36n) - 1n,
      binding: 'confidentiality',
    })
    expect(
      limitsOf(gcm, { target: -57, nonce: 'counter', messageBytes: 65536, aadBytes: aad }).messages,
    ).toBe(BigInt(count))
  })

  it('stops long messages by the bound, not by the count planned for short ones', () => {
    const planned = limitsOf(gcm, { target: -57, nonce: 'counter', messageBytes: 1024 }).messages!
    expect(planned).toBe(1057222719n)
    const fits = 1048560
    const meter = createMeter({
      maxMessages: planned,
      snapshot: preset('aes-128-gcm', { messages: String(fits - 1), blocks: String((fits - 1) * 65537) }),
    })
    const key = meter.forKey(ID, gcm, 'counter')
    key.reserve(1 << 20, 0)
    expect(() => key.reserve(1 << 20, 0)).toThrow(/confidentiality/)
    expect(key.usage().messages).toBe(1048560n)
  })

  it('counts nothing when it refuses, and a message that still fits is taken', () => {
    const meter = createMeter({ snapshot: preset('aes-128-gcm', { blocks: String(2 ** 36 - 1 - 10) }) })
    const key = meter.forKey(ID, gcm, 'counter')
    const before = key.usage()
    expect(() => key.reserve(160, 0)).toThrow(EXHAUSTED)
    expect(key.usage()).toEqual(before)
    key.reserve(144, 0)
    expect(key.usage().fraction).toBe(1)
    expect(() => key.reserve(0, 0)).toThrow(EXHAUSTED)
    key.checkOpen()
  })

  it('works at every size the arithmetic allows', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(ALGORITHMS) as AlgorithmId[])),
        fc.constantFrom('random' as const, 'counter' as const),
        fc.integer({ min: 0, max: 1 << 22 }),
        fc.integer({ min: 0, max: 4096 }),
        fc.integer({ min: 1, max: 100 }),
        (id, nonce, bytes, aad, e) => {
          const params = ALGORITHMS[id]
          const allowed = limitsOf(params, { target: -e, nonce, messageBytes: bytes, aadBytes: aad })
            .messages!
          // Where the count fits in a double the meter and the arithmetic agree to the message.
          if (allowed === 0n || allowed >= 1n << 40n) return
          const one = createMeter({ target: -e }).forKey(ID, params, nonce)
          one.reserve(bytes, aad)
          const each = one.usage().blocks
          const last = preset(id, {
            messages: String(allowed - 1n),
            blocks: String((allowed - 1n) * each),
            longestBytes: String(allowed > 1n ? bytes : 0),
          })
          if ((allowed - 1n) * each > BigInt(Number.MAX_SAFE_INTEGER)) return
          const key = createMeter({ target: -e, snapshot: last }).forKey(ID, params, nonce)
          key.reserve(bytes, aad)
          expect(() => key.reserve(bytes, aad)).toThrow(EXHAUSTED)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('report R23', () => {
  it('limit 5, warnAt 0.8: the 4th seal warns, the 6th is refused, open works, the count survives', () => {
    const onWarn = vi.fn()
    const options: MeterOptions = { maxMessages: 5, warnAt: 0.8, onWarn }
    const meter = createMeter(options)
    const key = meter.forKey(ID, gcm, 'random')
    for (let i = 1; i <= 3; i++) key.reserve(100, 0)
    expect(onWarn).not.toHaveBeenCalled()
    key.reserve(100, 0)
    expect(onWarn).toHaveBeenCalledTimes(1)
    expect(onWarn.mock.calls[0]?.[0]).toMatchObject({
      keyId: ID,
      fraction: 0.8,
      binding: 'caller',
      usage: { messages: 4n, maxMessages: 5n },
    })
    const stored = JSON.parse(JSON.stringify(meter))
    key.reserve(100, 0)
    expect(() => key.reserve(100, 0)).toThrow(EXHAUSTED)
    expect(onWarn).toHaveBeenCalledTimes(1)
    key.checkOpen()
    expect(key.usage().messages).toBe(5n)
    expect(meter.forKey(ID, gcm, 'random')).toBe(key)

    const later = createMeter({ ...options, snapshot: stored }).forKey(ID, gcm, 'random')
    later.reserve(100, 0)
    expect(() => later.reserve(100, 0)).toThrow(EXHAUSTED)
    later.checkOpen()
    expect(onWarn).toHaveBeenCalledTimes(1)
  })

  it.each([
    [0.07, 100, 7],
    [0.5, 5, 3],
    [1, 4, 4],
    [0.3, 10, 3],
    [0.001, 10, 1],
  ])('warnAt %f of %i: at message %i', (warnAt, maxMessages, at) => {
    const onWarn = vi.fn()
    const key = createMeter({ maxMessages, warnAt, onWarn }).forKey(ID, gcm, 'counter')
    for (let i = 1; i <= maxMessages; i++) {
      key.reserve(0, 0)
      expect(onWarn).toHaveBeenCalledTimes(i < at ? 0 : 1)
    }
  })

  it('warns by default at half of the bound in blocks, and for failed opens', () => {
    const onWarn = vi.fn()
    const half = 2 ** 35
    const key = createMeter({ onWarn, snapshot: preset('aes-128-gcm', { blocks: String(half - 3) }) }).forKey(
      ID,
      gcm,
      'counter',
    )
    key.reserve(0, 0)
    key.reserve(0, 0)
    expect(onWarn).not.toHaveBeenCalled()
    key.reserve(0, 0)
    expect(onWarn).toHaveBeenCalledTimes(1)
    const failures = createMeter({
      onWarn,
      snapshot: preset('chacha20-poly1305', { failedOpens: '1', failedBlocks: String(2 ** 45) }),
    }).forKey(ID, ALGORITHMS['chacha20-poly1305'], 'counter')
    failures.openFailed(0, 0)
    expect(onWarn).toHaveBeenCalledTimes(2)
    expect(onWarn.mock.calls[1]?.[0]).toMatchObject({ binding: 'integrity' })
  })

  it('a throwing or rejecting onWarn neither stops nor miscounts', async () => {
    for (const onWarn of [
      () => {
        throw new Error('logger down')
      },
      async () => {
        throw new Error('logger down')
      },
    ]) {
      const calls = vi.fn(onWarn)
      const key = createMeter({ maxMessages: 4, onWarn: calls }).forKey(ID, gcm, 'counter')
      for (let i = 0; i < 4; i++) key.reserve(1, 1)
      expect(key.usage().messages).toBe(4n)
      expect(calls).toHaveBeenCalledTimes(1)
    }
    await new Promise((resolve) => setTimeout(resolve, 0))
  })
})

describe('nonces', () => {
  it('random 96-bit nonces stop at 2^20 by default', () => {
    const snapshot = preset('aes-128-gcm', { messages: String(2 ** 20 - 1) })
    const key = createMeter({ snapshot }).forKey(ID, gcm, 'random')
    key.reserve(16, 0)
    expect(() => key.reserve(16, 0)).toThrow(/nonce-collision/)
  })

  it('under FIPS at 2^32, whatever the target', () => {
    const snapshot = preset('aes-128-gcm', { messages: String(2 ** 32 - 1) })
    const key = createMeter({ snapshot }).forKey(ID, gcm, 'random', true)
    key.reserve(16, 0)
    expect(() => key.reserve(16, 0)).toThrow(EXHAUSTED)
    expect(createMeter({ nonceTarget: -57 }).forKey(ID, gcm, 'random', true).usage().maxMessages).toBe(
      1n << 20n,
    )
  })

  it('AES-GCM-SIV: the longest message sets the cap', () => {
    const siv = ALGORITHMS['aes-256-gcm-siv']
    const snapshot = preset('aes-256-gcm-siv', { messages: String(2 ** 29), longestBytes: '1000' })
    const meter = createMeter({ snapshot })
    const key = meter.forKey(ID, siv, 'counter')
    const before = key.usage()
    expect(() => key.reserve(2 ** 30, 0)).toThrow(/published/)
    expect(key.usage()).toEqual(before)
    key.reserve(2 ** 27, 0)
    expect(key.usage().maxMessages).toBe(1n << 35n)
    expect(meter.snapshot().keys[ID]?.longestBytes).toBe(String(2 ** 27))
    const repeats = createMeter({ repeatsPerNonce: 256 }).forKey(ID, siv, 'random')
    expect(repeats.usage().maxMessages).toBe(BigInt(Number.MAX_SAFE_INTEGER))
    expect(createMeter().forKey(ID, siv, 'random').usage().maxMessages).toBe(1n << 20n)
  })
})

describe('failed opens', () => {
  const chacha = ALGORITHMS['chacha20-poly1305']

  it('are charged their own length; used up, opening is refused and sealing is not', () => {
    const snapshot = preset('chacha20-poly1305', { failedOpens: '9', failedBlocks: String(2 ** 46 - 6) })
    const key = createMeter({ snapshot }).forKey(ID, chacha, 'counter')
    key.checkOpen()
    key.openFailed(48, 1)
    expect(key.usage()).toMatchObject({
      failedOpens: 10n,
      failedBlocks: (1n << 46n) - 1n,
      maxFailedBlocks: 1n << 46n,
    })
    key.checkOpen()
    expect(() => key.checkOpen(16, 0)).toThrow(EXHAUSTED)
    key.openFailed(0, 0)
    expect(() => key.checkOpen()).toThrow(EXHAUSTED)
    expect(key.usage()).toMatchObject({ fraction: 1, binding: 'integrity' })
    key.reserve(1 << 20, 0)
  })

  it("'report' counts on and opens", () => {
    const snapshot = preset('chacha20-poly1305', { failedOpens: '9', failedBlocks: String(2 ** 46) })
    const key = createMeter({ snapshot, onIntegrityLimit: 'report' }).forKey(ID, chacha, 'counter')
    key.checkOpen()
    key.openFailed(16, 0)
    expect(key.usage().fraction).toBeGreaterThan(1)
  })

  it('AES-GCM: length is charged, bounds are cut at 2^53 - 1', () => {
    const key = createMeter().forKey(ID, gcm, 'counter')
    key.openFailed(65536, 9)
    expect(key.usage()).toMatchObject({
      failedOpens: 1n,
      failedBlocks: 4098n,
      maxFailedBlocks: (1n << 53n) - 1n,
      maxFailedOpens: (1n << 53n) - 1n,
    })
    // At 2^-100 the bound is inside a double: 2^27.
    expect(createMeter({ target: -100 }).forKey(ID, gcm, 'counter').usage().maxFailedBlocks).toBe(1n << 27n)
  })

  it('AES-CCM shares one budget', () => {
    const ccm = ALGORITHMS['aes-128-ccm']
    const max = 24296003999n // isqrt(2^69)
    const near = preset('aes-128-ccm', {
      messages: '1',
      blocks: String(max - 20n),
      failedOpens: '1',
      failedBlocks: '10',
    })
    const key = createMeter({ snapshot: near }).forKey(ID, ccm, 'counter')
    expect(key.usage()).toMatchObject({ sharedBound: true, maxBlocks: max, maxFailedBlocks: max })
    expect(() => key.reserve(11 * 16, 0)).toThrow(EXHAUSTED)
    key.reserve(10 * 16, 0)
    expect(() => key.reserve(0, 0)).toThrow(EXHAUSTED)
    // Sealing alone has filled it: opening goes on until a failure crosses the bound.
    key.checkOpen()
    key.openFailed(16, 0)
    expect(() => key.checkOpen()).toThrow(EXHAUSTED)
  })

  it('exhausted sealing never blocks opening, for any algorithm', () => {
    for (const id of Object.keys(ALGORITHMS) as AlgorithmId[]) {
      const key = createMeter({ maxMessages: 1 }).forKey(ID, ALGORITHMS[id], 'counter')
      key.reserve(0, 0)
      expect(() => key.reserve(0, 0)).toThrow(EXHAUSTED)
      key.checkOpen()
      key.openFailed(0, 0)
      expect(key.usage().failedOpens).toBe(1n)
    }
  })
})

describe('identity and snapshots', () => {
  it('one count per key id, however many sealers', () => {
    const meter = createMeter({ maxMessages: 3 })
    meter.forKey(ID, gcm, 'counter').reserve(1, 0)
    meter.forKey(ID, gcm, 'counter').reserve(1, 0)
    meter.forKey('other', gcm, 'counter').reserve(1, 0)
    meter.forKey(ID, gcm, 'counter').reserve(1, 0)
    expect(() => meter.forKey(ID, gcm, 'counter').reserve(1, 0)).toThrow(EXHAUSTED)
    expect(meter.forKey('other', gcm, 'counter').usage().messages).toBe(1n)
  })

  it('refuses the same key id with another algorithm, before and after a restart', () => {
    const meter = createMeter()
    meter.forKey(ID, gcm, 'counter').reserve(1, 0)
    expect(() => meter.forKey(ID, ALGORITHMS['aes-256-gcm'], 'counter')).toThrow(INVALID)
    const restored = createMeter({ snapshot: meter.snapshot() })
    expect(() => restored.forKey(ID, ALGORITHMS['aes-256-gcm'], 'counter')).toThrow(INVALID)
    expect(restored.forKey(ID, gcm, 'counter').usage().messages).toBe(1n)
  })

  it('counts what a reader with other nonces fails to open together with what the writer seals', () => {
    const meter = createMeter({ maxMessages: 3 })
    const [writer, reader] = [meter.forKey(ID, gcm, 'counter'), meter.forKey(ID, gcm, 'random')]
    writer.reserve(1, 0)
    reader.openFailed(1, 0)
    expect(writer.usage()).toMatchObject({ messages: 1n, failedOpens: 1n })
    expect(reader.usage()).toMatchObject({ messages: 1n, failedOpens: 1n })
  })

  it.each([
    ['counter', 'random'],
    ['random', 'counter'],
  ] as const)(
    'refuses to seal with %s nonces and then with %s nonces, also after a restart',
    (first, second) => {
      const meter = createMeter()
      meter.forKey(ID, gcm, first).reserve(1, 0)
      for (const one of [meter, createMeter({ snapshot: meter.snapshot() })]) {
        expect(() => one.forKey(ID, gcm, second).reserve(1, 0)).toThrow(INVALID)
        expect(one.forKey(ID, gcm, second).usage().messages).toBe(1n)
        one.forKey(ID, gcm, first, true).reserve(1, 0)
      }
    },
  )

  it('a longer GCM-SIV message of one sealer lowers the cap of another', () => {
    const siv = ALGORITHMS['aes-256-gcm-siv']
    const meter = createMeter({ target: -32 })
    const [a, b] = [meter.forKey(ID, siv, 'counter'), meter.forKey(ID, siv, 'counter', true)]
    a.reserve(16, 0)
    const before = a.usage().maxMessages
    b.reserve(2 ** 27, 0)
    a.reserve(16, 0)
    expect(a.usage().maxMessages).toBeLessThan(before)
  })

  it('round-trips through JSON, also keys not asked for yet and odd names', () => {
    const meter = createMeter()
    for (const id of [ID, '__proto__', 'constructor']) meter.forKey(id, gcm, 'counter').reserve(100, 5)
    const text = JSON.stringify(meter)
    expect(JSON.parse(text).keys[ID]).toEqual({
      algorithm: 'aes-128-gcm',
      messages: '1',
      blocks: '9',
      failedOpens: '0',
      failedBlocks: '0',
      longestBytes: '0',
      nonce: 'counter',
      warned: false,
    })
    const restored = createMeter({ snapshot: JSON.parse(text) })
    expect(JSON.stringify(restored)).toBe(text)
    expect(restored.forKey('__proto__', gcm, 'counter').usage().messages).toBe(1n)
  })

  it('a snapshot is a copy', () => {
    const meter = createMeter()
    const key = meter.forKey(ID, gcm, 'counter')
    const empty = meter.snapshot()
    key.reserve(1, 1)
    expect(empty.keys[ID]?.messages).toBe('0')
  })

  const good = preset('aes-128-gcm', {})
  it.each([
    ['null', null],
    ['text', '{}'],
    ['array', []],
    ['no version', { keys: {} }],
    ['other version', { version: 2, keys: {} }],
    ['no keys', { version: 1 }],
    ['keys array', { version: 1, keys: [] }],
    ['empty key id', { version: 1, keys: { '': good.keys[ID] } }],
    ['key null', { version: 1, keys: { [ID]: null } }],
    ...(
      [
        ['algorithm', 'aes-512-gcm'],
        ['nonce', 'leased'],
        ['nonce', undefined],
        ['warned', undefined],
        ['messages', 5],
        ['messages', '-1'],
        ['messages', '1.5'],
        ['messages', '01'],
        ['messages', ''],
        ['messages', '9007199254740992'],
        ['blocks', 'NaN'],
        ['blocks', undefined],
        ['failedOpens', '1e3'],
        ['failedBlocks', ' 1'],
        ['longestBytes', null],
      ] as const
    ).map(([name, value]) => [
      `${name} ${value}`,
      { version: 1, keys: { [ID]: { ...good.keys[ID], [name]: value } } },
    ]),
  ] as [string, unknown][])('corrupt snapshot: %s', (_, snapshot) => {
    expect(() => createMeter({ snapshot: snapshot as MeterSnapshot })).toThrow(INVALID)
  })
})

describe('bad input', () => {
  it.each([
    [{ target: 0 }],
    [{ target: -57.5 }],
    [{ target: '-57' }],
    [{ nonceTarget: 0 }],
    [{ maxMessages: 0 }],
    [{ maxMessages: -1 }],
    [{ maxMessages: 1.5 }],
    [{ maxMessages: Number.NaN }],
    [{ warnAt: 0 }],
    [{ warnAt: 1.1 }],
    [{ warnAt: Number.NaN }],
    [{ warnAt: '0.5' }],
    [{ onWarn: 'log' }],
    [{ onIntegrityLimit: 'ignore' }],
    [{ repeatsPerNonce: 0 }],
    [{ warmAt: 0.5 }],
  ])('createMeter(%j)', (options) => {
    expect(() => createMeter(options as MeterOptions)).toThrow(INVALID)
  })

  it('names the nearest option', () => {
    expect(() => createMeter({ warmAt: 0.5 } as MeterOptions)).toThrow(/warnAt/)
  })

  it('forKey', () => {
    const meter = createMeter()
    expect(() => meter.forKey('', gcm, 'counter')).toThrow(INVALID)
    expect(() => meter.forKey(5 as never, gcm, 'counter')).toThrow(INVALID)
    expect(() => meter.forKey(ID, {} as never, 'counter')).toThrow(INVALID)
    expect(() => meter.forKey(ID, gcm, 'leased' as never)).toThrow(INVALID)
    expect(() => meter.forKey(ID, gcm, 'counter', 'yes' as never)).toThrow(INVALID)
    expect(meter.snapshot().keys).toEqual({})
  })

  it.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, '1', undefined, 2 ** 53])('sizes: %s', (size) => {
    const key = createMeter().forKey(ID, gcm, 'counter')
    expect(() => key.reserve(size as number, 0)).toThrow(INVALID)
    expect(() => key.reserve(0, size as number)).toThrow(INVALID)
    expect(() => key.openFailed(size as number, 0)).toThrow(INVALID)
    expect(key.usage()).toMatchObject({ messages: 0n, blocks: 0n, failedOpens: 0n })
  })
})

it('charges in doubles equal the exact ones, or are above them by one unit', () => {
  const rules: Charge[] = ['one', 'blocks-plus-one', 'blocks16', 'blocks8', 'bytes-and-nonce', 'squares']
  fc.assert(
    fc.property(
      fc.constantFrom(...rules),
      fc.oneof(fc.integer({ min: 0, max: 1 << 20 }), fc.integer({ min: 0, max: 2 ** 36 })),
      fc.integer({ min: 0, max: 1 << 20 }),
      (rule, plaintext, aad) => {
        const exact = charge(rule, BigInt(plaintext), BigInt(aad), 16)
        const fast = BigInt(chargeNumber(rule, plaintext, aad, 16))
        expect(fast >= exact && fast <= exact + (rule === 'squares' ? 2n : 0n)).toBe(true)
      },
    ),
  )
})
