import {
  ALGORITHMS,
  type AlgorithmId,
  type AsyncBackend,
  createAead,
  createAeadSync,
  isAeadError,
  type SyncBackend,
} from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { pairRanges } from '../src/placement/claims.ts'
import { crossOpenSizes } from '../src/placement/cross-open.ts'
import { pairBackend } from '../src/placement/pair.ts'
import { byPromise } from './by-promise.ts'
import { spyingOnKeys } from './fakes.ts'
import { type NativeExtra, nativeBackend } from './native-backend.mjs'

const IDS: readonly AlgorithmId[] = ['aes-128-gcm', 'chacha20-poly1305']
const KEY = Uint8Array.from({ length: 32 }, (_, at) => 7 * at + 3)
const NONCE = new Uint8Array(12).fill(9)
const CROSSOVER = 1000

/** A half that notes what happens to it. */
function half(name: string, log: string[], extra: NativeExtra = {}): SyncBackend {
  return nativeBackend(name, IDS, {
    created: () => log.push(`${name} key`),
    sealed: (bytes) => log.push(`${name} seal ${bytes}`),
    opened: (bytes) => log.push(`${name} open ${bytes}`),
    destroyed: () => log.push(`${name} destroy`),
    ...extra,
  })
}

const text = (bytes: number): Uint8Array => Uint8Array.from({ length: bytes }, (_, at) => at * 31)
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
const failure = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    return isAeadError(error) ? error.code : String(error)
  }
  return 'nothing thrown'
}

describe('a synchronous pair', () => {
  const make = (log: string[], large: NativeExtra = {}) =>
    pairBackend(half('small', log), half('large', log, large), CROSSOVER)

  it('chooses by the length of the plaintext alone, sealing and opening', () => {
    const log: string[] = []
    const pair = make(log)
    expect(pair.probeSync('chacha20-poly1305')).toEqual({ available: true })
    const aead = createAeadSync(pair, 'chacha20-poly1305', KEY, { nonceCheck: false })
    for (const [bytes, name] of [
      [0, 'small'],
      [999, 'small'],
      [1000, 'large'],
      [70_000, 'large'],
    ] as const) {
      log.length = 0
      const sealed = aead.sealSync(NONCE, text(bytes))
      expect(aead.openSync(NONCE, sealed)).toEqual(text(bytes))
      expect(log.filter((line) => !line.endsWith('key'))).toEqual([
        `${name} seal ${bytes}`,
        `${name} open ${bytes}`,
      ])
    }
  })

  it('has a crossover for each operation', () => {
    const log: string[] = []
    const from = { crossoverBytes: 2000, openCrossoverBytes: 500 }
    const [small, large] = [half('small', log), half('large', log)]
    const pair = pairBackend(small, large, from)
    expect(pair.raw.version()).toMatch(/ below 2000 B \(opening: 500 B\), large/)
    const aead = createAeadSync(pair, 'chacha20-poly1305', KEY, { nonceCheck: false })
    log.length = 0
    for (const bytes of [499, 500, 1999, 2000]) {
      aead.openSync(NONCE, aead.sealSync(NONCE, text(bytes)))
    }
    const used = log.filter((line) => !line.endsWith('key'))
    expect(used.filter((line) => line.includes('seal'))).toEqual([
      'small seal 499',
      'small seal 500',
      'small seal 1999',
      'large seal 2000',
    ])
    expect(used.filter((line) => line.includes('open'))).toEqual([
      'small open 499',
      'large open 500',
      'large open 1999',
      'large open 2000',
    ])
    expect(pairRanges(small, large, from, ALGORITHMS['aes-128-gcm'])).toMatchObject([
      { fromBytes: 0, toBytes: 1999 },
      { fromBytes: 500, toBytes: 2 ** 30 },
    ])
    const refused = { crossoverBytes: 5, openCrossoverBytes: 0 }
    expect(failure(() => pairBackend(small, large, refused))).toBe('invalid-argument')
  })

  it('gives what each half alone gives', () => {
    const pair = make([])
    for (const bytes of [0, 1, 999, 1000, 5000]) {
      for (const id of IDS) {
        const key = KEY.subarray(0, ALGORITHMS[id].keyBytes)
        const [paired, alone] = [pair, nativeBackend()].map((backend) =>
          createAeadSync(backend, id, key).sealSync(NONCE, text(bytes), text(5)),
        )
        expect(paired).toEqual(alone)
      }
    }
  })

  it('sets a key up only when its first message comes, and destroys what was set up', () => {
    const log: string[] = []
    const pair = make(log)
    pair.probeSync('chacha20-poly1305')
    createAeadSync(pair, 'chacha20-poly1305', KEY).destroy()
    log.length = 0
    const aead = createAeadSync(pair, 'chacha20-poly1305', KEY, { nonceCheck: false })
    expect(log).toEqual([])
    aead.sealSync(NONCE, text(5))
    expect(log).toEqual(['small key', 'small seal 5'])
    aead.sealSync(NONCE, text(5))
    aead.sealSync(NONCE, text(1000))
    expect(log.filter((line) => line.endsWith('key'))).toEqual(['small key', 'large key'])
    aead.destroy()
    expect(log.slice(-2)).toEqual(['small destroy', 'large destroy'])
    expect(failure(() => aead.sealSync(NONCE, text(5)))).toBe('destroyed')
  })

  it('keeps no copy of the key once both halves have it, or after destroy', () => {
    const keys: Uint8Array[] = []
    const spy = (name: string): SyncBackend => spyingOnKeys(nativeBackend(name, IDS), keys)
    const raw = pairBackend(spy('a'), spy('b'), CROSSOVER).raw
    const zeros = new Uint8Array(32)
    const use = (aead: ReturnType<typeof raw.create>, bytes: number): void => {
      aead.seal(NONCE, text(bytes), zeros, new Uint8Array(bytes + 16), 0, bytes)
    }
    const params = ALGORITHMS['chacha20-poly1305']
    const first = raw.create(params, KEY)
    keys.length = 0
    use(first, 5)
    expect(keys[0]).toEqual(KEY)
    use(first, 5000)
    expect(keys[0]).toEqual(zeros)
    const second = raw.create(params, KEY)
    use(second, 5)
    second.destroy()
    expect(keys.at(-1)).toEqual(zeros)
  })

  it('destroy reaches the second half when the first cannot be wiped', () => {
    const log: string[] = []
    let broken = false
    const destroyed = (): void => {
      log.push('small destroy')
      if (broken) throw new Error('no')
    }
    const pair = pairBackend(half('small', log, { destroyed }), half('large', log), CROSSOVER)
    const aead = createAeadSync(pair, 'chacha20-poly1305', KEY, { nonceCheck: false })
    for (const bytes of [1, CROSSOVER]) aead.sealSync(NONCE, new Uint8Array(bytes))
    log.length = 0
    broken = true
    expect(() => aead.destroy()).toThrow()
    expect(log).toEqual(['small destroy', 'large destroy'])
  })

  it('costs nothing over its halves: what one has at hand is passed on, and only the other gets private copies', () => {
    const seen: (readonly [string, Uint8Array])[] = []
    const made = new Uint8Array(26)
    /** A half that shows what it was given. */
    const shown = (
      name: string,
      readsOnce: boolean,
      allocate?: (bytes: number) => Uint8Array<ArrayBuffer>,
    ) => {
      const base = half(name, [])
      const create: SyncBackend['raw']['create'] = (params, key) => {
        const aead = base.raw.create(params, key)
        return {
          atomic: true,
          readsOnce,
          seal(nonce, plaintext, ...rest) {
            seen.push([name, plaintext])
            aead.seal(nonce, plaintext, ...rest)
          },
          ...(readsOnce
            ? {
                sealNew: (_: Uint8Array, __: Uint8Array, plaintext: Uint8Array) =>
                  plaintext.length === 10 ? made : undefined,
              }
            : {}),
          open(nonce, input, ...rest) {
            seen.push([name, input])
            return aead.open(nonce, input, ...rest)
          },
          destroy: () => aead.destroy(),
        }
      }
      return { ...base, raw: { ...base.raw, create, ...(allocate === undefined ? {} : { allocate }) } }
    }
    const memory: number[] = []
    const allocate = (bytes: number): Uint8Array<ArrayBuffer> => {
      memory.push(bytes)
      return new Uint8Array(bytes)
    }
    const pair = pairBackend(shown('small', true), shown('large', false, allocate), CROSSOVER)
    const raw = pair.raw.create(ALGORITHMS['chacha20-poly1305'], KEY)
    expect([raw.readsOnce, raw.atomic]).toEqual([true, true])
    const none = new Uint8Array(0)
    expect(raw.sealNew?.(none, NONCE, new Uint8Array(10), none)).toBe(made)
    expect(raw.sealNew?.(none, NONCE, new Uint8Array(CROSSOVER), none)).toBeUndefined()
    for (const [name, bytes] of [
      ['small', 20],
      ['large', 2000],
    ] as const) {
      seen.length = 0
      const shared = new Uint8Array(new SharedArrayBuffer(bytes))
      const plain = new Uint8Array(bytes)
      const out = new Uint8Array(bytes + 16)
      raw.seal(NONCE, shared, none, out, 0, bytes)
      raw.seal(NONCE, plain, none, out, 0, bytes)
      expect(raw.open(NONCE, out, 0, bytes, bytes, none, new Uint8Array(bytes))).toBe(true)
      expect(seen.map(([who]) => who)).toEqual([name, name, name])
      expect(seen[0]?.[1].buffer instanceof SharedArrayBuffer).toBe(name === 'small')
      expect(seen[1]?.[1]).toBe(plain)
      expect(seen[2]?.[1]).toBe(out)
    }
    // Shared memory that grew between core's look at its length and the copy would be written past its place.
    const late = new Uint8Array(new SharedArrayBuffer(2001))
    expect(failure(() => raw.seal(NONCE, late, none, new Uint8Array(3000), 0, 2000))).toBe('invalid-argument')
    pair.raw.allocate?.(16)
    pair.raw.allocate?.(2016)
    expect(memory).toEqual([2016])
  })

  it('a tag in front leaves the copies to core', () => {
    const siv = nativeBackend('small', ['aes-siv-cmac-256'])
    const later = nativeBackend('large', ['aes-siv-cmac-256'])
    const slow: SyncBackend['raw']['create'] = (params, key) => {
      const aead = later.raw.create(params, key)
      return { atomic: true, readsOnce: false, seal: aead.seal, open: aead.open, destroy: aead.destroy }
    }
    const pair = pairBackend(siv, { ...later, raw: { ...later.raw, create: slow } }, CROSSOVER)
    expect(pair.raw.create(ALGORITHMS['aes-siv-cmac-256'], KEY).readsOnce).toBe(false)
  })

  it('says that it allocates when one half does', () => {
    const [small, large] = [half('small', []), half('large', [])]
    const create: SyncBackend['raw']['create'] = (params, key) => {
      const aead = large.raw.create(params, key)
      return {
        atomic: true,
        allocates: true,
        readsOnce: aead.readsOnce,
        seal: aead.seal.bind(aead),
        open: aead.open.bind(aead),
        destroy: aead.destroy.bind(aead),
      }
    }
    const smallRaw = {
      ...small.raw,
      create: (params, key) => Object.assign(create(params, key), { allocates: false }),
    } as SyncBackend['raw']
    const pair = pairBackend(
      { ...small, raw: smallRaw },
      { ...large, raw: { ...large.raw, create } },
      CROSSOVER,
    )
    expect(createAeadSync(pair, 'chacha20-poly1305', KEY).guarantees.allocates).toBe('message')
  })

  it('never turns to the other half after an error', () => {
    const log: string[] = []
    const pair = make(log)
    const aead = createAeadSync(pair, 'chacha20-poly1305', KEY, { nonceCheck: false })
    const sealed = aead.sealSync(NONCE, text(10))
    sealed[0] = (sealed[0] ?? 0) ^ 1
    log.length = 0
    expect(failure(() => aead.openSync(NONCE, sealed))).toBe('auth-failed')
    expect(log).toEqual(['small open 10'])
  })

  it('into-forms leave the output alone on failure, on both sides', () => {
    const aead = createAeadSync(make([]), 'aes-128-gcm', KEY.subarray(0, 16), { nonceCheck: false })
    for (const bytes of [10, 2000]) {
      const sealed = aead.sealSync(NONCE, text(bytes))
      sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
      const out = new Uint8Array(bytes).fill(0xcc)
      expect(failure(() => aead.openIntoSync(out, NONCE, sealed))).toBe('auth-failed')
      expect(out.every((byte) => byte === 0xcc)).toBe(true)
    }
  })

  it('a half that gives another answer for long messages is found out at creation', () => {
    const pair = make([], { spoil: true })
    const answer = pair.probeSync('chacha20-poly1305')
    expect(answer).toMatchObject({ available: false })
    expect(answer.available ? '' : answer.reason).toMatch(/does not open what large sealed at 999 B/)
    expect(failure(() => createAeadSync(pair, 'chacha20-poly1305', KEY))).toBe('unsupported')
  })

  it('a half that lacks the algorithm is named', () => {
    const answer = make([], { probe: () => 'Unknown cipher' }).probeSync('aes-128-gcm')
    expect(answer.available ? '' : answer.reason).toMatch(/^large: Unknown cipher/)
  })
})

describe('what a pair promises', () => {
  const one = (name: string, extra: NativeExtra): SyncBackend => nativeBackend(name, IDS, extra)
  const params = ALGORITHMS['aes-128-gcm']
  it('the weaker of both, per range what each half promises', () => {
    const small = one('wasm', { kind: 'wasm', level: 'structural', oneShot: true, maxBytes: 5000 })
    const large = one('node', { level: 'platform', fipsModule: 'enforcing', maxBytes: 90_000 })
    const pair = pairBackend(small, large, CROSSOVER)
    expect(pair).toMatchObject({ name: 'wasm+node', kind: 'wasm', sync: true, algorithms: IDS })
    expect(pair.raw.maxBytes).toBe(90_000)
    expect(pair.raw.version()).toMatch(/^wasm openssl .* below 1000 B, node openssl /)
    const { guarantees } = createAeadSync(pair, 'aes-128-gcm', KEY.subarray(0, 16))
    expect(guarantees).toMatchObject({
      constantTime: { level: 'platform' },
      oneShot: true,
      maxBytes: 90_000,
      fips: { module: 'off' },
    })
    expect(pairRanges(small, large, CROSSOVER, params)).toMatchObject([
      { fromBytes: 0, toBytes: 999, backend: 'wasm', claims: { constantTime: { level: 'structural' } } },
      { fromBytes: 1000, toBytes: 90_000, backend: 'node', claims: { fipsModule: 'enforcing' } },
    ])
  })
  it('only algorithms that both have', () => {
    expect(pairBackend(nativeBackend('a', ['aes-128-gcm']), nativeBackend('b', IDS), 5).algorithms).toEqual([
      'aes-128-gcm',
    ])
  })
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses the crossover %d', (crossover) => {
    expect(failure(() => pairBackend(one('a', {}), one('b', {}), crossover))).toBe('invalid-argument')
  })
  it('refuses one backend twice and a small half that ends before the crossover', () => {
    expect(failure(() => pairBackend(one('a', {}), one('a', {}), 5))).toBe('invalid-argument')
    expect(failure(() => pairBackend(one('a', { maxBytes: 998 }), one('b', {}), CROSSOVER))).toBe(
      'invalid-argument',
    )
    expect(failure(() => pairBackend(one('a', { maxBytes: 999 }), one('b', {}), CROSSOVER))).toBe(
      'nothing thrown',
    )
  })
  it('AAD beyond the reach of the small half is refused there, by length', () => {
    const pair = pairBackend(one('a', { maxBytes: 2000 }), one('b', {}), CROSSOVER)
    const aead = createAeadSync(pair, 'aes-128-gcm', KEY.subarray(0, 16), { nonceCheck: false })
    expect(failure(() => aead.sealSync(NONCE, text(5), text(2001)))).toBe('limit-exceeded')
    expect(aead.sealSync(NONCE, text(1000), text(2001))).toHaveLength(1016)
  })
})

describe('a pair of promises', () => {
  const both = (log: string[], extra: NativeExtra = {}): AsyncBackend =>
    pairBackend(
      byPromise(half('small', log)),
      byPromise(half('large', log, extra)),
      CROSSOVER,
    ) as AsyncBackend

  it('routes by length, sets up lazily, gives the same bytes, and destroys both', async () => {
    const log: string[] = []
    const pair = both(log)
    expect(pair.sync).toBe(false)
    expect(await pair.probe('chacha20-poly1305')).toEqual({ available: true })
    log.length = 0
    const aead = await createAead(pair, 'chacha20-poly1305', KEY, { nonceCheck: false })
    expect(log).toEqual([])
    const alone = createAeadSync(nativeBackend(), 'chacha20-poly1305', KEY, { nonceCheck: false })
    for (const [bytes, name] of [
      [999, 'small'],
      [1000, 'large'],
    ] as const) {
      log.length = 0
      const sealed = await aead.seal(NONCE, text(bytes), text(3))
      expect(sealed).toEqual(alone.sealSync(NONCE, text(bytes), text(3)))
      expect(await aead.open(NONCE, sealed, text(3))).toEqual(text(bytes))
      expect(log).toEqual([`${name} key`, `${name} seal ${bytes}`, `${name} open ${bytes}`])
    }
    aead.destroy()
    await turn()
    expect(log.slice(-2)).toEqual(['small destroy', 'large destroy'])
  })
  it('is also what a small half makes that cannot take what the large one takes', async () => {
    const log: string[] = []
    const small = nativeBackend('small', IDS, {
      maxBytes: 5000,
      sealed: (bytes) => log.push(`small ${bytes}`),
    })
    const pair = pairBackend(small, byPromise(half('large', [])), CROSSOVER)
    expect(pair.sync).toBe(false)
    const aead = await createAead(pair, 'aes-128-gcm', KEY.subarray(0, 16), { nonceCheck: false })
    log.length = 0
    const refused = await aead.seal(NONCE, new Uint8Array(1), new Uint8Array(5001)).catch((error) => error)
    expect(isAeadError(refused, 'limit-exceeded')).toBe(true)
    await aead.seal(NONCE, new Uint8Array(CROSSOVER), new Uint8Array(5001))
    await aead.seal(NONCE, new Uint8Array(1))
    expect(log).toEqual(['small 1'])
  })
  it('has a crossover for each operation', async () => {
    const log: string[] = []
    const pair = pairBackend(byPromise(half('small', log)), byPromise(half('large', log)), {
      crossoverBytes: 2000,
      openCrossoverBytes: 500,
    })
    const aead = await createAead(pair, 'chacha20-poly1305', KEY, { nonceCheck: false })
    log.length = 0
    await aead.open(NONCE, await aead.seal(NONCE, text(1000)))
    expect(log.filter((line) => !line.endsWith('key'))).toEqual(['small seal 1000', 'large open 1000'])
  })
  it('a half that gives another answer is found out', async () => {
    const answer = await both([], { spoil: true }).probe('aes-128-gcm')
    expect(answer.available ? '' : answer.reason).toMatch(/does not open what large sealed/)
  })
})

it('the cross-open test reaches both sides of the crossovers, and stays short', () => {
  expect(crossOpenSizes({ seal: 1000, open: 1000 })).toEqual([0, 64, 999, 1000, 1001, 1350])
  expect(crossOpenSizes({ seal: 1, open: 70 })).toEqual([0, 1, 2, 64, 69, 70, 71, 1350])
  expect(Math.max(...crossOpenSizes({ seal: 10_000_000, open: 5 }))).toBe(65_536)
})
