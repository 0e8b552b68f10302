import {
  ALGORITHMS,
  type AlgorithmId,
  createAead,
  createAeadSync,
  createMeter,
  createSealer,
  importKey,
  isAeadError,
  type SyncBackend,
} from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { pairRanges } from '../src/placement/claims.ts'
import { LazyAead } from '../src/placement/lazy-aead.ts'
import { pairBackend } from '../src/placement/pair.ts'
import { PairKey } from '../src/placement/pair-key.ts'
import { byPromise, type Delays } from './by-promise.ts'
import { spyingOnKeys } from './fakes.ts'
import { type NativeExtra, nativeBackend } from './native-backend.mjs'

const IDS: readonly AlgorithmId[] = ['aes-128-gcm', 'chacha20-poly1305']
const ID = 'chacha20-poly1305'
const KEY = Uint8Array.from({ length: 32 }, (_, at) => 7 * at + 3)
const CROSSOVER = 1000

const nonce = (first: number): Uint8Array => new Uint8Array(12).fill(first)
const NONCE = nonce(9)
const text = (bytes: number): Uint8Array => Uint8Array.from({ length: bytes }, (_, at) => at * 31)
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
const alone = createAeadSync(nativeBackend(), ID, KEY, { nonceCheck: false })

/** Node has them; the types of this project's target do not. */
type GrowingConstructor = new (
  bytes: number,
  options: { readonly maxByteLength: number },
) => ArrayBuffer & { resize(bytes: number): void }

async function codeOf(action: () => unknown): Promise<string> {
  try {
    await action()
  } catch (error) {
    return isAeadError(error) ? error.code : String(error)
  }
  return 'nothing thrown'
}

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

function make(log: string[], large: NativeExtra = {}, delays: Delays = {}): SyncBackend {
  const pair = pairBackend(half('small', log), byPromise(half('large', log, large), delays), CROSSOVER)
  if (!pair.sync) throw new Error('no hybrid')
  return pair
}

const uses = (log: readonly string[]): readonly string[] => log.filter((line) => !line.endsWith('key'))

describe('a hybrid', () => {
  it('hands long messages of promise calls on, and nothing else', async () => {
    const log: string[] = []
    const pair = make(log)
    expect([pair.sync, pair.name]).toEqual([true, 'small+large'])
    expect(await pair.probe(ID)).toEqual({ available: true })
    const aead = await createAead(pair, ID, KEY, { nonceCheck: false })
    expect(aead.sync).toBe(true)
    for (const [bytes, name] of [
      [0, 'small'],
      [999, 'small'],
      [1000, 'large'],
      [70_000, 'large'],
    ] as const) {
      const expected = alone.sealSync(NONCE, text(bytes), text(3))
      log.length = 0
      expect(await aead.seal(NONCE, text(bytes), text(3))).toEqual(expected)
      expect(await aead.open(NONCE, expected, text(3))).toEqual(text(bytes))
      expect(uses(log)).toEqual([`${name} seal ${bytes}`, `${name} open ${bytes}`])
      log.length = 0
      expect(aead.sealSync(NONCE, text(bytes), text(3))).toEqual(expected)
      expect(aead.openSync(NONCE, expected, text(3))).toEqual(text(bytes))
      const into = new Uint8Array(bytes + 16)
      expect(aead.sealIntoSync(into, NONCE, text(bytes), text(3))).toBe(bytes + 16)
      expect(into).toEqual(expected)
      expect(aead.openIntoSync(into, NONCE, expected, text(3))).toBe(bytes)
      expect(uses(log)).toEqual([
        `small seal ${bytes}`,
        `small open ${bytes}`,
        `small seal ${bytes}`,
        `small open ${bytes}`,
      ])
    }
  })

  it('takes the plaintext for its length when opening, and has a crossover for each operation', async () => {
    const log: string[] = []
    const pair = pairBackend(half('small', log), byPromise(half('large', log)), {
      crossoverBytes: 2000,
      openCrossoverBytes: 500,
    })
    const aead = await createAead(pair, ID, KEY, { nonceCheck: false })
    log.length = 0
    for (const bytes of [499, 500, 1999, 2000]) await aead.open(NONCE, await aead.seal(NONCE, text(bytes)))
    expect(uses(log).map((line) => line.replace(/(small|large) (seal|open)/, '$2 $1'))).toEqual([
      'seal small 499',
      'open small 499',
      'seal small 500',
      'open large 500',
      'seal small 1999',
      'open large 1999',
      'seal large 2000',
      'open large 2000',
    ])
  })

  it('sets each key up when its first message comes, and destroys both', async () => {
    const log: string[] = []
    const pair = make(log)
    await pair.probe(ID)
    createAeadSync(pair, ID, KEY).destroy()
    log.length = 0
    const aead = await createAead(pair, ID, KEY, { nonceCheck: false })
    expect(log).toEqual([])
    await aead.seal(NONCE, text(5))
    aead.sealSync(NONCE, text(5000))
    expect(log).toEqual(['small key', 'small seal 5', 'small seal 5000'])
    log.length = 0
    await aead.seal(NONCE, text(5000))
    await aead.open(NONCE, alone.sealSync(NONCE, text(5000)))
    expect(log).toEqual(['large key', 'large seal 5000', 'large open 5000'])
    log.length = 0
    aead.destroy()
    await turn()
    expect(log).toEqual(['small destroy', 'large destroy'])
    for (const bytes of [5, 5000]) {
      expect(await codeOf(() => aead.seal(NONCE, text(bytes)))).toBe('destroyed')
      expect(await codeOf(() => aead.open(NONCE, text(bytes + 16)))).toBe('destroyed')
    }
    expect(await codeOf(() => aead.sealSync(NONCE, text(5)))).toBe('destroyed')
    aead.destroy()
  })

  it('32 calls at once share one key set-up per half', async () => {
    const log: string[] = []
    const aead = await createAead(make(log), ID, KEY, { nonceCheck: false })
    log.length = 0
    const sizes = Array.from({ length: 32 }, (_, at) => at * 64)
    const opened = await Promise.all(
      sizes.map(async (bytes) => aead.open(NONCE, await aead.seal(NONCE, text(bytes)))),
    )
    expect(opened.map((one) => one.length)).toEqual(sizes)
    expect(log.filter((line) => line.endsWith('key')).sort()).toEqual(['large key', 'small key'])
  })

  it('keeps no copy of the key once both halves have it, or after destroy', async () => {
    const keys: Uint8Array[] = []
    const spy = (name: string): SyncBackend => spyingOnKeys(nativeBackend(name, IDS), keys)
    const pair = pairBackend(spy('a'), byPromise(spy('b')), CROSSOVER)
    const zeros = new Uint8Array(32)
    const first = await createAead(pair, ID, KEY, { nonceCheck: false })
    keys.length = 0
    await first.seal(NONCE, text(5))
    expect(keys[0]).toEqual(KEY)
    await first.seal(NONCE, text(5000))
    expect(keys).toEqual([zeros, zeros])
    const second = await createAead(pair, ID, KEY, { nonceCheck: false })
    keys.length = 0
    await second.seal(NONCE, text(5))
    expect(keys).toEqual([KEY])
    second.destroy()
    expect(keys).toEqual([zeros])
  })
})

describe('inputs of a hybrid', () => {
  it.each(['set up', 'not yet set up'])('are read before the call returns: large half %s', async (state) => {
    const aead = await createAead(make([]), ID, KEY, { nonceCheck: false })
    const expected = alone.sealSync(NONCE, text(2000), text(40))
    if (state === 'set up') await aead.seal(NONCE, text(2000))
    const given = [nonce(9), text(2000), text(40)] as const
    const sealing = aead.seal(...given)
    for (const one of given) one.fill(0)
    expect(await sealing).toEqual(expected)
    const opened = [nonce(9), new Uint8Array(expected), text(40)] as const
    const opening = aead.open(...opened)
    for (const one of opened) one.fill(0)
    expect(await opening).toEqual(text(2000))
  })

  it('shared memory is copied, as on a backend that answers by promise', async () => {
    const aead = await createAead(make([]), ID, KEY, { nonceCheck: false })
    const shared = new Uint8Array(new SharedArrayBuffer(2000))
    shared.set(text(2000))
    const pending = aead.seal(NONCE, shared)
    shared.fill(0)
    expect(await pending).toEqual(alone.sealSync(NONCE, text(2000)))
  })

  it.each([
    ['a string', 'x'.repeat(2000)],
    ['an object with a length', { length: 2000, byteLength: 2000 }],
    ['a number', 2000],
    ['nothing', undefined],
  ])('%s is no plaintext, whatever half it would go to', async (_, forged) => {
    const aead = await createAead(make([]), ID, KEY, { nonceCheck: false })
    expect(await codeOf(() => aead.seal(NONCE, forged as Uint8Array))).toBe('invalid-argument')
    expect(await codeOf(() => aead.open(NONCE, forged as Uint8Array))).toBe('invalid-argument')
    expect(await codeOf(() => aead.sealSync(NONCE, forged as Uint8Array))).toBe('invalid-argument')
  })

  it('a length that a subclass invents chooses nothing', async () => {
    const log: string[] = []
    const aead = await createAead(make(log), ID, KEY, { nonceCheck: false })
    class Liar extends Uint8Array {
      override get length(): number {
        return 5
      }
    }
    log.length = 0
    await aead.seal(NONCE, new Liar(2000))
    expect(uses(log)).toEqual(['large seal 2000'])
  })

  it.each([5, 2000])('wrong nonces and forgeries of %i B have the codes of one backend', async (bytes) => {
    const log: string[] = []
    const aead = await createAead(make(log), ID, KEY, { nonceCheck: false })
    const short = new Uint8Array(11)
    expect(await codeOf(() => aead.seal(short, text(bytes)))).toBe('invalid-argument')
    expect(await codeOf(() => aead.open(short, text(bytes + 16)))).toBe('invalid-argument')
    expect(await codeOf(() => aead.open(NONCE, text(15)))).toBe('invalid-argument')
    const sealed = alone.sealSync(NONCE, text(bytes))
    sealed[0] = (sealed[0] ?? 0) ^ 1
    log.length = 0
    expect(await codeOf(() => aead.open(NONCE, sealed))).toBe('auth-failed')
    // Nothing is tried again on the other half.
    expect(uses(log)).toHaveLength(1)
  })

  it('refuses what the large half cannot take, by any call', async () => {
    const small = nativeBackend('small', IDS, { maxBytes: 9000 })
    const large = nativeBackend('large', IDS, { maxBytes: 5000 })
    const pair = pairBackend(small, byPromise(large), CROSSOVER) as SyncBackend
    expect([pair.sync, pair.raw.maxBytes]).toEqual([true, 5000])
    const aead = await createAead(pair, ID, KEY)
    expect(aead.guarantees.maxBytes).toBe(5000)
    expect(await codeOf(() => aead.seal(NONCE, text(5001)))).toBe('limit-exceeded')
    expect(await codeOf(() => aead.sealSync(NONCE, text(5001)))).toBe('limit-exceeded')
    expect(await codeOf(() => aead.seal(NONCE, text(5), text(5001)))).toBe('limit-exceeded')
    expect((await aead.seal(NONCE, text(5000))).length).toBe(5016)
  })
})

describe('an input that grows while it is counted', () => {
  it('past the limit of the small half does not cost the pair its key', async () => {
    const small = nativeBackend('small', IDS, { maxBytes: 5000 })
    const large = byPromise(nativeBackend('large', IDS, { maxBytes: 5000 }))
    const pair = pairBackend(small, large, CROSSOVER)
    const buffer = new (ArrayBuffer as unknown as GrowingConstructor)(4000, { maxByteLength: 8000 })
    const onWarn = (): void => buffer.resize(8000)
    const meter = createMeter({ maxMessages: 4, warnAt: 0.5, onWarn })
    const record = importKey({ algorithm: ID, secret: KEY, keyId: '0011223344556677' })
    const sealer = await createSealer(record, { backends: [pair], meter })
    const other = await createSealer(record, { backends: [nativeBackend()], meter })
    sealer.encryptSync(text(5))
    expect(await codeOf(() => sealer.encryptSync(new Uint8Array(buffer)))).toBe('invalid-argument')
    expect(buffer.byteLength).toBe(8000)
    // The large half is set up only now.
    expect(await other.decrypt(await sealer.encrypt(text(2000)))).toEqual(text(2000))
  })

  it('a key that was wiped sets no half up', async () => {
    const key = new PairKey(KEY)
    key.wipe()
    const lazy = new LazyAead(key, async () => expect.unreachable())
    expect(await codeOf(() => lazy.seal(NONCE, text(5), text(0)))).toBe('destroyed')
  })
})

describe('nonces of a hybrid', () => {
  it.each([
    [5, 2000],
    [2000, 5],
    [2000, 2000],
  ])('the nonce of a message of %i B is refused for one of %i B', async (first, second) => {
    const aead = await createAead(make([]), ID, KEY)
    await aead.seal(NONCE, text(first))
    expect(await codeOf(() => aead.seal(NONCE, text(second)))).toBe('nonce-reused')
    expect(await codeOf(() => aead.sealSync(NONCE, text(second)))).toBe('nonce-reused')
    await aead.seal(nonce(1), text(second))
    aead.sealSync(nonce(2), text(second))
    expect(await codeOf(() => aead.seal(nonce(2), text(first)))).toBe('nonce-reused')
  })
  it('two calls at once do not share one', async () => {
    const aead = await createAead(make([]), ID, KEY)
    const sealing = aead.seal(NONCE, text(2000))
    expect(await codeOf(() => aead.sealSync(NONCE, text(5)))).toBe('nonce-reused')
    await sealing
  })
  it('sealing may be refused for both halves', async () => {
    const aead = await createAead(make([]), ID, KEY, { sealRefused: 'no' })
    for (const bytes of [5, 2000]) {
      expect(await codeOf(() => aead.seal(NONCE, text(bytes)))).toBe('unsupported')
      expect(await aead.open(NONCE, alone.sealSync(NONCE, text(bytes)))).toEqual(text(bytes))
    }
  })
})

describe('a large half that fails', () => {
  it('is an error and nothing else: the nonce may be used again, as on a backend that answers by promise', async () => {
    const log: string[] = []
    let fail = false
    const delays = { seal: () => (fail ? Promise.reject(new Error('unplugged')) : undefined) }
    const pair = make(log, {}, delays)
    const single = byPromise(nativeBackend('single', IDS), delays)
    for (const backend of [pair, single]) {
      fail = false
      const aead = await createAead(backend, ID, KEY)
      log.length = 0
      fail = true
      expect(await codeOf(() => aead.seal(NONCE, text(2000)))).toBe('backend-failed')
      if (backend === pair) expect(uses(log)).toEqual(['large seal 2000'])
      fail = false
      expect(await aead.seal(NONCE, text(2000))).toEqual(alone.sealSync(NONCE, text(2000)))
      expect(await codeOf(() => aead.seal(NONCE, text(2000)))).toBe('nonce-reused')
    }
  })

  it('a sealer counts the message and burns the nonce all the same', async () => {
    let fail = false
    const pair = make([], {}, { seal: () => (fail ? Promise.reject(new Error('unplugged')) : undefined) })
    const record = importKey({ algorithm: ID, secret: KEY, keyId: '0011223344556677' })
    const nonces = { kind: 'counter', fixedField: new Uint8Array(4), start: 7n } as const
    const sealer = await createSealer(record, { backends: [pair], nonces })
    fail = true
    expect(await codeOf(() => sealer.encrypt(text(2000)))).toBe('backend-failed')
    expect([sealer.usage.messages, sealer.usage.nextCounter]).toEqual([1n, 8n])
    fail = false
    await sealer.encrypt(text(2000))
    expect([sealer.usage.messages, sealer.usage.nextCounter]).toEqual([2n, 9n])
  })

  it('that cannot be set up once is tried again', async () => {
    let fail = false
    const pair = make([], {}, { key: () => (fail ? Promise.reject(new Error('unplugged')) : undefined) })
    const aead = await createAead(pair, ID, KEY, { nonceCheck: false })
    fail = true
    expect(await codeOf(() => aead.seal(NONCE, text(2000)))).toBe('backend-failed')
    await aead.seal(NONCE, text(5))
    fail = false
    expect(await aead.seal(NONCE, text(2000))).toEqual(alone.sealSync(NONCE, text(2000)))
  })

  it('that gives other answers is found out at creation, or before its first message', async () => {
    const log: string[] = []
    const pair = make(log, { spoil: true })
    const answer = await pair.probe(ID)
    expect(answer.available ? '' : answer.reason).toMatch(/does not open what large sealed/)
    expect(await codeOf(() => createAead(pair, ID, KEY))).toBe('unsupported')
    const record = importKey({ algorithm: ID, secret: KEY, keyId: '0011223344556677' })
    expect(await codeOf(() => createSealer(record, { backends: [pair] }))).toBe('unsupported')
    // Without a promise only the small half can be asked.
    const aead = createAeadSync(pair, ID, KEY)
    aead.sealSync(nonce(1), text(2000))
    log.length = 0
    expect(await codeOf(() => aead.seal(nonce(2), text(2000)))).toBe('unsupported')
    expect(log).not.toContain('large seal 2000')
    await aead.seal(nonce(3), text(5))
  })

  it('or that lacks the algorithm is named', async () => {
    const pair = pairBackend(
      half('small', []),
      byPromise(half('large', [], { probe: () => 'gone' })),
      CROSSOVER,
    )
    const answer = await pair.probe(ID)
    expect(answer).toMatchObject({ available: false, reason: expect.stringMatching(/^large: gone/) })
  })
})

describe('destroy with messages in flight', () => {
  it.each(['sealing', 'the key'])(
    'behaves as on a backend that answers by promise: waiting for %s',
    async (what) => {
      const outcomes: string[] = []
      const log: string[] = []
      for (const hybrid of [true, false]) {
        let release: () => void = () => undefined
        let hold = false
        const wait = (): Promise<void> | undefined =>
          hold ? new Promise((resolve) => (release = resolve)) : undefined
        const delays = what === 'sealing' ? { seal: wait } : { key: wait }
        const large = byPromise(half('large', log), delays)
        const aead = await createAead(
          hybrid ? pairBackend(half('small', log), large, CROSSOVER) : large,
          ID,
          KEY,
        )
        if (what === 'sealing') await aead.seal(nonce(1), text(2000))
        log.length = 0
        hold = hybrid || what === 'sealing'
        const sealing = aead.seal(NONCE, text(2000))
        await turn()
        aead.destroy()
        expect(await codeOf(() => aead.seal(nonce(3), text(2000)))).toBe('destroyed')
        expect(await codeOf(() => aead.seal(nonce(3), text(5)))).toBe('destroyed')
        hold = false
        release()
        const sealed = await sealing
        expect(sealed).toEqual(alone.sealSync(NONCE, text(2000)))
        await turn()
        outcomes.push(log.filter((line) => line.startsWith('large')).at(-1) ?? '')
      }
      expect(outcomes).toEqual(['large destroy', 'large destroy'])
    },
  )

  it('reaches the large half when the small one cannot be wiped', async () => {
    const log: string[] = []
    let broken = false
    const destroyed = (): void => {
      if (broken) throw new Error('no')
    }
    const pair = pairBackend(half('small', log, { destroyed }), byPromise(half('large', log)), CROSSOVER)
    const aead = await createAead(pair, ID, KEY, { nonceCheck: false })
    for (const bytes of [1, CROSSOVER]) await aead.seal(NONCE, text(bytes))
    log.length = 0
    broken = true
    expect(() => aead.destroy()).toThrow()
    await turn()
    expect(log).toEqual(['large destroy'])
    expect(await codeOf(() => aead.seal(NONCE, text(2000)))).toBe('destroyed')
  })
})

describe('a sealer on a hybrid', () => {
  const record = (): ReturnType<typeof importKey> =>
    importKey({ algorithm: ID, secret: KEY, keyId: '0011223344556677' })

  it('counts both halves in one meter, exactly', async () => {
    const log: string[] = []
    const sealers = await Promise.all(
      [make(log), nativeBackend('single', IDS)].map((backend) =>
        createSealer(record(), { backends: [backend], meter: createMeter() }),
      ),
    )
    log.length = 0
    for (const sealer of sealers) {
      for (const bytes of [5, 2000, 999, 1000]) {
        expect(await sealer.decrypt(await sealer.encrypt(text(bytes), text(7)), text(7))).toEqual(text(bytes))
      }
      expect(sealer.decryptSync(sealer.encryptSync(text(3000)))).toEqual(text(3000))
    }
    expect(uses(log)).toEqual([
      'small seal 5',
      'small open 5',
      'large seal 2000',
      'large open 2000',
      'small seal 999',
      'small open 999',
      'large seal 1000',
      'large open 1000',
      'small seal 3000',
      'small open 3000',
    ])
    const [hybrid, single] = sealers
    expect(hybrid?.usage).toEqual(single?.usage)
    expect(hybrid?.usage.messages).toBe(5n)
    for (const sealer of sealers) {
      for (const bytes of [5, 2000]) {
        const box = await sealer.encrypt(text(bytes))
        box[box.length - 1] = (box.at(-1) ?? 0) ^ 1
        expect(await codeOf(() => sealer.decrypt(box))).toBe('auth-failed')
      }
    }
    expect(hybrid?.usage).toEqual(single?.usage)
    expect(hybrid?.usage.failedOpens).toBe(2n)
  })

  it('charges and takes the nonce before the promise is pending', async () => {
    const nonces = { kind: 'counter', fixedField: new Uint8Array(4), start: 1n } as const
    const sealer = await createSealer(record(), { backends: [make([])], nonces })
    const pending = sealer.encrypt(text(2000))
    expect([sealer.usage.messages, sealer.usage.nextCounter]).toEqual([1n, 2n])
    const short = sealer.encryptSync(text(5))
    const long = await pending
    expect([long, short].map((box) => box[9 + 11])).toEqual([1, 2])
    expect(await sealer.decrypt(long)).toEqual(text(2000))
  })

  it('reads its inputs before the call returns, and leases go to both halves', async () => {
    const log: string[] = []
    let next = 0n
    const lease = async (): Promise<bigint> => next++
    const nonces = { kind: 'leased', fixedField: new Uint8Array(4), lease } as const
    for (const options of [{}, { nonces }]) {
      const sealer = await createSealer(record(), { backends: [make(log)], ...options })
      log.length = 0
      const given = [text(2000), text(30)] as const
      const pending = sealer.encrypt(...given)
      for (const one of given) one.fill(0)
      const box = await pending
      expect(uses(log)).toEqual(['large seal 2000'])
      const opening = sealer.decrypt(box, text(30))
      expect(await opening).toEqual(text(2000))
    }
    expect(next).toBe(1n)
  })

  it('refuses forgeries, strings and use after destroy as on one backend', async () => {
    const sealer = await createSealer(record(), { backends: [make([])] })
    for (const forged of ['text', { byteLength: 5000 }, 5000]) {
      expect(await codeOf(() => sealer.encrypt(forged as unknown as Uint8Array))).toBe('invalid-argument')
      expect(await codeOf(() => sealer.decrypt(forged as unknown as Uint8Array))).toBe('invalid-argument')
    }
    expect(sealer.usage.messages).toBe(0n)
    expect(await codeOf(() => sealer.decrypt(text(3)))).toBe('invalid-argument')
    expect(await codeOf(() => sealer.decrypt(text(5000)))).toBe('invalid-argument')
    sealer.destroy()
    for (const bytes of [5, 5000]) {
      expect(await codeOf(() => sealer.encrypt(text(bytes)))).toBe('destroyed')
      expect(await codeOf(() => sealer.decrypt(text(bytes)))).toBe('destroyed')
    }
  })
})

it('a hybrid promises the weaker of both, and tells which calls reach which half', async () => {
  const small = nativeBackend('wasm', IDS, { kind: 'wasm', level: 'structural', maxBytes: 90_000 })
  const large = byPromise(
    nativeBackend('webcrypto', IDS, { level: 'platform', oneShot: true, maxBytes: 80_000 }),
  )
  const pair = pairBackend(small, large, CROSSOVER)
  expect(pair).toMatchObject({ name: 'wasm+webcrypto', kind: 'wasm', sync: true, algorithms: IDS })
  const { guarantees } = await createAead(pair, 'aes-128-gcm', KEY.subarray(0, 16))
  expect(guarantees).toMatchObject({ constantTime: { level: 'platform' }, oneShot: true, maxBytes: 80_000 })
  const ranges = pairRanges(small, large, CROSSOVER, ALGORITHMS['aes-128-gcm'])
  expect(ranges).toMatchObject([
    { fromBytes: 0, toBytes: 80_000, backend: 'wasm', claims: { constantTime: { level: 'structural' } } },
    { fromBytes: 1000, toBytes: 80_000, backend: 'webcrypto', byPromise: true },
  ])
  expect(ranges[0]).not.toHaveProperty('byPromise')
})
