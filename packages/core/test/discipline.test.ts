import { describe, expect, it } from 'vitest'
import {
  createMeter,
  createSealer,
  generateKey,
  importKey,
  type LeasedNonces,
  type NonceOption,
} from '../src/index.ts'
import { asyncTestBackend, testBackend } from './backend.ts'

const P = new TextEncoder().encode('cipher-select probe é')
const secret = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
const keyId = '0011223344556677'
const record = () => importKey({ algorithm: 'aes-256-gcm', keyId, secret })
const code = (value: string) => expect.objectContaining({ name: 'AeadError', code: value })
const nonceOf = (box: Uint8Array): string => Buffer.from(box.subarray(9, 21)).toString('hex')
const counter = (fieldBytes: number, start = 0): NonceOption => ({
  kind: 'counter',
  fixedField: new Uint8Array(fieldBytes),
  start,
})
const leased = (lease: () => unknown, fieldBytes = 4): LeasedNonces => ({
  kind: 'leased',
  fixedField: new Uint8Array(fieldBytes),
  lease: lease as LeasedNonces['lease'],
})

describe.each([
  ['sync', () => testBackend()],
  ['async', () => asyncTestBackend()],
])('a wiped key never encrypts, %s backend', (_, make) => {
  it('destroyed while a lease is awaited', async () => {
    let grant: (value: bigint) => void = () => {}
    const sealer = await createSealer(record(), {
      backends: [make()],
      nonces: leased(() => new Promise<bigint>((resolve) => (grant = resolve))),
    })
    const sealing = sealer.encrypt(P)
    sealer.destroy()
    grant(1n)
    await expect(sealing).rejects.toEqual(code('destroyed'))
  })

  it('destroyed by the warning of the message itself', async () => {
    const meter = createMeter({ maxMessages: 1, warnAt: 1, onWarn: () => sealer.destroy() })
    const sealer = await createSealer(record(), { backends: [make()], meter })
    await expect(sealer.encrypt(P)).rejects.toEqual(code('destroyed'))
  })
})

describe('random nonces', () => {
  it.each([
    ['from a pool', true],
    ['one by one', false],
  ])('a generator that fails leaves no zeros behind, %s', async (_, noncePool) => {
    // The first pool, the larger second one, and that one filled again all fail once.
    const failing = new Set([1, 3, 5])
    let draws = 0
    const backend = testBackend({
      fillRandom: (out) => {
        draws++
        if (failing.has(draws)) throw new Error('generator down')
        crypto.getRandomValues(out as Uint8Array<ArrayBuffer>)
      },
    })
    const sealer = await createSealer(record(), { backends: [backend], noncePool })
    const seen = new Set<string>()
    let failures = 0
    let sealed = 0
    while (sealed < 800) {
      try {
        seen.add(nonceOf(sealer.encryptSync(P)))
        sealed++
      } catch (error) {
        expect(error).toEqual(code('backend-failed'))
        failures++
      }
    }
    expect(failures).toBe(3)
    expect(seen.size).toBe(800)
    expect(seen.has('00'.repeat(12))).toBe(false)
  })

  it('a generator that writes nothing is refused', async () => {
    for (const noncePool of [true, false]) {
      const backend = testBackend({ fillRandom: () => {} })
      const sealer = await createSealer(record(), { backends: [backend], noncePool })
      for (let i = 0; i < 3; i++) expect(() => sealer.encryptSync(P)).toThrow(/left zeros/)
    }
  })
})

describe('random nonces of a generator that misbehaves', () => {
  it.each([8, 12, 100, 200, 248])('one that writes %i bytes and no more is refused', async (bytes) => {
    const backend = testBackend({
      fillRandom: (out) => {
        crypto.getRandomValues(out.subarray(0, bytes) as Uint8Array<ArrayBuffer>)
      },
    })
    const sealer = await createSealer(record(), { backends: [backend] })
    for (let i = 0; i < 30; i++) expect(() => sealer.encryptSync(P)).toThrow(/zeros/)
  })

  it.each([
    ['from a pool', true],
    ['one by one', false],
  ])('one that seals with the sealer it draws for repeats no nonce, %s', async (_, noncePool) => {
    const seen: string[] = []
    let within = false
    const backend = testBackend({
      fillRandom: (out) => {
        crypto.getRandomValues(out as Uint8Array<ArrayBuffer>)
        if (within) return
        within = true
        for (let i = 0; i < 3; i++) seen.push(nonceOf(sealer.encryptSync(P)))
        within = false
      },
    })
    const sealer = await createSealer(record(), { backends: [backend], noncePool })
    for (let i = 0; i < 1100; i++) seen.push(nonceOf(sealer.encryptSync(P)))
    expect(seen.length).toBeGreaterThan(1100)
    expect(new Set(seen).size).toBe(seen.length)
  })
})

describe('fixed fields of one key', () => {
  it.each([
    ['a longer one that begins with it', counter(4), counter(8)],
    ['a shorter one it begins with', counter(8), counter(4)],
    ['leases on a counter field', counter(4), leased(() => 0)],
    ['a counter on a leased field', leased(() => 0), counter(4)],
    ['leases on a longer field', counter(4), leased(() => 0, 8)],
  ])('refuse %s: the nonces would be the same', async (_, first, second) => {
    const key = generateKey('aes-256-gcm')
    const backends = [testBackend()]
    await createSealer(key, { backends, nonces: first })
    await expect(createSealer(key, { backends, nonces: second })).rejects.toEqual(code('nonce-reused'))
  })

  it('may differ in length where they begin differently', async () => {
    const key = generateKey('aes-256-gcm')
    const backends = [testBackend()]
    await createSealer(key, { backends, nonces: counter(4) })
    const other = { kind: 'counter', fixedField: new Uint8Array(8).fill(1), start: 0 } as const
    await createSealer(key, { backends, nonces: other })
    await createSealer(key, { backends, nonces: counter(4, 100) })
  })
})

describe('leases', () => {
  const sealerOf = (lease: () => unknown) =>
    createSealer(record(), { backends: [testBackend()], nonces: leased(lease) })

  it.each([
    ['null', null],
    ['an object', {}],
    ['an array', []],
    ['a symbol', Symbol('s')],
    ['NaN', Number.NaN],
    ['a negative number', -1],
    ['a string', '5'],
  ])('that answer %s are refused', async (_, answer) => {
    const sealer = await sealerOf(() => answer)
    expect(() => sealer.encryptSync(P)).toThrow(code('invalid-argument'))
    await expect(sealer.encrypt(P)).rejects.toEqual(code('invalid-argument'))
  })

  it('that fail end as backend-failed with the cause', async () => {
    const cause = new TypeError('store is down')
    const throwing = await sealerOf(() => {
      throw cause
    })
    expect(() => throwing.encryptSync(P)).toThrow(expect.objectContaining({ code: 'backend-failed', cause }))
    await expect(throwing.encrypt(P)).rejects.toMatchObject({ code: 'backend-failed', cause })
    const rejecting = await sealerOf(() => Promise.reject(cause))
    await expect(rejecting.encrypt(P)).rejects.toMatchObject({ code: 'backend-failed', cause })
    expect(() => rejecting.encryptSync(P)).toThrow(code('unsupported'))
  })
})

it('a synchronous call that an asynchronous backend refuses is not counted', async () => {
  const sealer = await createSealer(record(), { backends: [asyncTestBackend()] })
  expect(() => sealer.encryptSync(P)).toThrow(code('unsupported'))
  expect(sealer.usage.messages).toBe(0n)
  expect(sealer.usage.blocks).toBe(0n)
})
