import { describe, expect, it, vi } from 'vitest'
import {
  boxKeyId,
  createMeter,
  createSealer,
  decodeKey,
  encodeKey,
  generateKey,
  importKey,
  type SealerOptions,
} from '../src/index.ts'
import { asyncTestBackend, testBackend } from './backend.ts'

const P = new TextEncoder().encode('cipher-select probe é')
const A = new TextEncoder().encode('hdr:v1')
const backends = [testBackend()]
const secret = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
const fixedRecord = () => importKey({ algorithm: 'aes-256-gcm', keyId: '0011223344556677', secret })
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const code = (value: string) => expect.objectContaining({ code: value })
const counter = (start: number | bigint, fixedField = new Uint8Array(4)) =>
  ({ kind: 'counter', fixedField, start }) as const

/** A backend whose ciphers throw while `broken.now`. */
function breakable() {
  const broken = { now: false }
  const good = backends[0]!.raw
  const backend = testBackend({
    create: (params, key) => {
      const aead = good.create(params, key)
      return {
        ...aead,
        seal: (...args) => {
          if (broken.now) throw new Error('broken')
          aead.seal(...args)
        },
      }
    },
  })
  return { backend, broken }
}

describe.each([
  ['sync', () => [testBackend()]],
  ['async', () => [asyncTestBackend()]],
] as const)('sealer on a %s backend', (kind, make) => {
  it('returns version, key id, nonce, sealed, and opens it', async () => {
    const sealer = await createSealer(fixedRecord(), { backends: make() })
    const box = await sealer.encrypt(P, A)
    expect(hex(box.subarray(0, 9))).toBe('010011223344556677')
    expect(box.length).toBe(9 + 12 + P.length + 16)
    expect(boxKeyId(box)).toBe('0011223344556677')
    expect(await sealer.decrypt(box, A)).toEqual(P)
    expect(box.byteOffset).toBe(0)
    expect(box.buffer.byteLength).toBe(box.length)
    await expect(sealer.decrypt(box)).rejects.toEqual(code('auth-failed'))
  })

  it('binds the header to the AAD and refuses every changed byte', async () => {
    const sealer = await createSealer(fixedRecord(), { backends: make() })
    const box = await sealer.encrypt(P, A)
    for (let i = 0; i < box.length; i++) {
      const changed = box.slice()
      changed[i]! ^= 1
      await expect(sealer.decrypt(changed, A)).rejects.toEqual(
        code(i < 9 ? 'invalid-argument' : 'auth-failed'),
      )
    }
    for (const cut of [0, 1, 8, 9, 20, 21, 36]) {
      await expect(sealer.decrypt(box.subarray(0, cut), A)).rejects.toEqual(code('invalid-argument'))
    }
    // The same nonce and ciphertext without the header in the AAD must not open in the bare format.
    const bare = await createSealer(fixedRecord(), { backends: make(), format: 'bare' })
    await expect(bare.decrypt(box.subarray(9), A)).rejects.toEqual(code('auth-failed'))
  })

  it('bare format is nonce and sealed', async () => {
    const sealer = await createSealer(fixedRecord(), { backends: make(), format: 'bare', nonces: counter(7) })
    const box = await sealer.encrypt(P, A)
    expect(hex(box.subarray(0, 12))).toBe('000000000000000000000007')
    expect(box.length).toBe(12 + P.length + 16)
    expect(await sealer.decrypt(box, A)).toEqual(P)
  })

  it('draws a different nonce for each message, also at once', async () => {
    const sealer = await createSealer(fixedRecord(), { backends: make() })
    const boxes = await Promise.all(Array.from({ length: 64 }, () => sealer.encrypt(P)))
    expect(new Set(boxes.map((box) => hex(box.subarray(9, 21)))).size).toBe(64)
    for (const box of boxes) expect(await sealer.decrypt(box)).toEqual(P)
  })

  it('refuses after destroy', async () => {
    const sealer = await createSealer(fixedRecord(), { backends: make() })
    const box = await sealer.encrypt(P)
    sealer.destroy()
    sealer[Symbol.dispose]()
    await expect(sealer.encrypt(P)).rejects.toEqual(code('destroyed'))
    await expect(sealer.decrypt(box)).rejects.toEqual(code('destroyed'))
  })

  it('has sync twins exactly where the backend has', async () => {
    const sealer = await createSealer(fixedRecord(), { backends: make() })
    if (kind === 'sync') {
      expect(sealer.decryptSync(sealer.encryptSync(P, A), A)).toEqual(P)
    } else {
      expect(() => sealer.encryptSync(P)).toThrowError(code('unsupported'))
      expect(() => sealer.decryptSync(new Uint8Array(64))).toThrow()
    }
  })
})

describe('counter nonces', () => {
  it('have no default start for a key that may exist elsewhere', async () => {
    await expect(createSealer(fixedRecord(), { backends, nonces: 'counter' })).rejects.toEqual(
      code('invalid-argument'),
    )
    const own = await createSealer('aes-256-gcm', { backends, nonces: 'counter' })
    expect(hex(own.encryptSync(P).subarray(9, 21))).toBe('000000000000000000000000')
    expect(hex(own.encryptSync(P).subarray(9, 21))).toBe('000000000000000000000001')
    expect(own.usage.nextCounter).toBe(2n)
  })

  it('count big-endian behind the fixed field, across the 32-bit border', async () => {
    const fixedField = Uint8Array.of(0xde, 0xad, 0xbe, 0xef)
    const sealer = await createSealer(fixedRecord(), { backends, nonces: counter(0xfffffffen, fixedField) })
    const seen = [1, 2, 3].map(() => hex(sealer.encryptSync(P).subarray(9, 21)))
    expect(seen).toEqual(['deadbeef00000000fffffffe', 'deadbeef00000000ffffffff', 'deadbeef0000000100000000'])
    expect(sealer.usage.nextCounter).toBe(0x1_0000_0001n)
  })

  it.each([
    [8, 0xffffffffn],
    [7, 0xff_ffffffffn],
    [4, 0xffffffff_ffffffffn],
  ])('stop at the end of the field (fixed field of %i bytes)', async (fixedBytes, last) => {
    const sealer = await createSealer(generateKey('aes-256-gcm'), {
      backends,
      nonces: counter(last, new Uint8Array(fixedBytes)),
    })
    sealer.encryptSync(P)
    expect(() => sealer.encryptSync(P)).toThrowError(code('key-exhausted'))
    expect(() => sealer.encryptSync(P)).toThrowError(code('key-exhausted'))
    expect(sealer.usage.nextCounter).toBe(last + 1n)
  })

  it('burn the nonce when the backend throws', async () => {
    const { backend, broken } = breakable()
    const sealer = await createSealer(fixedRecord(), { backends: [backend], nonces: counter(0) })
    broken.now = true
    expect(() => sealer.encryptSync(P)).toThrowError(code('backend-failed'))
    await expect(sealer.encrypt(P)).rejects.toEqual(code('backend-failed'))
    broken.now = false
    expect(hex(sealer.encryptSync(P).subarray(9, 21))).toBe('000000000000000000000002')
  })

  it('never repeat a value through a second sealer of the same record', async () => {
    const record = fixedRecord()
    const first = await createSealer(record, { backends, nonces: counter(10) })
    first.encryptSync(P)
    first.encryptSync(P)
    await expect(createSealer(record, { backends, nonces: counter(10) })).rejects.toEqual(
      code('nonce-reused'),
    )
    const second = await createSealer(record, { backends, nonces: counter(12) })
    const all = [second, first, second, first].map((sealer) => hex(sealer.encryptSync(P).subarray(9, 21)))
    expect(all.map((nonce) => Number.parseInt(nonce, 16))).toEqual([12, 13, 14, 15])
  })

  it.each<[string, SealerOptions['nonces']]>([
    ['a fixed field that leaves 3 bytes', counter(0, new Uint8Array(9))],
    ['a fixed field that leaves 12 bytes', counter(0, new Uint8Array(0))],
    ['a negative start', counter(-1)],
    ['a fractional start', counter(1.5)],
    ['NaN', counter(Number.NaN)],
    ['a start beyond the field', counter(2n ** 64n)],
    ['no start', { kind: 'counter', fixedField: new Uint8Array(4) } as never],
    ['a string fixed field', { kind: 'counter', fixedField: 'abcd', start: 0 } as never],
    ['an unknown name', { kind: 'counter', fixedField: new Uint8Array(4), start: 0, begin: 1 } as never],
    ['an unknown kind', 'sequential' as never],
    ['a lease that is no function', { kind: 'leased', fixedField: new Uint8Array(4), lease: 5 } as never],
  ])('refuse %s', async (_, nonces) => {
    await expect(createSealer(generateKey('aes-256-gcm'), { backends, nonces })).rejects.toEqual(
      code('invalid-argument'),
    )
  })
})

describe('leased nonces', () => {
  it('take one lease per message and refuse a repeat', async () => {
    const leases = [5n, 6n, 6n, 7n]
    const lease = vi.fn(() => leases.shift()!)
    const nonces = { kind: 'leased', fixedField: new Uint8Array(4), lease } as const
    const sealer = await createSealer(generateKey('aes-256-gcm'), { backends, nonces })
    expect(hex(sealer.encryptSync(P).subarray(9, 21))).toBe('000000000000000000000005')
    expect(hex((await sealer.encrypt(P)).subarray(9, 21))).toBe('000000000000000000000006')
    expect(() => sealer.encryptSync(P)).toThrowError(code('nonce-reused'))
    sealer.encryptSync(P)
    expect(lease).toHaveBeenCalledTimes(4)
  })

  it('by promise: encrypt waits, keeps the message as it was, encryptSync refuses', async () => {
    let next = 0
    const nonces = { kind: 'leased', fixedField: new Uint8Array(4), lease: async () => next++ } as const
    const sealer = await createSealer(generateKey('aes-256-gcm'), { backends, nonces })
    const message = P.slice()
    const pending = sealer.encrypt(message)
    message.fill(0)
    expect(await sealer.decrypt(await pending)).toEqual(P)
    expect(() => sealer.encryptSync(P)).toThrowError(code('unsupported'))
  })
})

describe('metering', () => {
  it('counts per key over sealers, warns once, refuses at the limit, still opens', async () => {
    const onWarn = vi.fn()
    const meter = createMeter({ maxMessages: 5, warnAt: 0.8, onWarn })
    const record = generateKey('aes-256-gcm')
    const first = await createSealer(record, { backends, meter })
    const boxes = [1, 2, 3].map(() => first.encryptSync(P))
    expect(onWarn).not.toHaveBeenCalled()
    const again = await createSealer(decodeKey(encodeKey(record)), { backends, meter })
    boxes.push(again.encryptSync(P))
    expect(onWarn).toHaveBeenCalledTimes(1)
    boxes.push(again.encryptSync(P))
    expect(() => again.encryptSync(P)).toThrowError(code('key-exhausted'))
    expect(() => first.encryptSync(P)).toThrowError(code('key-exhausted'))
    for (const box of boxes) expect(again.decryptSync(box)).toEqual(P)
    expect(onWarn).toHaveBeenCalledTimes(1)
    expect(again.usage.messages).toBe(5n)
  })

  it('is shared by all sealers of a record that were given none', async () => {
    const record = generateKey('aes-256-gcm')
    const [a, b] = [await createSealer(record, { backends }), await createSealer(record, { backends })]
    a.encryptSync(P)
    b.encryptSync(P)
    expect(a.usage.messages).toBe(2n)
  })

  it('goes on counting when another meter takes over, each with its own bounds', async () => {
    const record = generateKey('aes-256-gcm')
    const first = await createSealer(record, { backends, meter: createMeter({ maxMessages: 3 }) })
    first.encryptSync(P)
    const second = await createSealer(record, { backends, meter: createMeter({ maxMessages: 2 }) })
    second.encryptSync(P)
    expect(() => second.encryptSync(P)).toThrowError(code('key-exhausted'))
    first.encryptSync(P)
    expect(() => first.encryptSync(P)).toThrowError(code('key-exhausted'))
    expect(second.usage.messages).toBe(3n)
  })

  it('refuses to seal with a meter that counted the same key apart', async () => {
    const record = generateKey('aes-256-gcm')
    const meter = createMeter()
    await createSealer(decodeKey(encodeKey(record)), { backends, meter })
    const first = await createSealer(record, { backends })
    const second = await createSealer(record, { backends, meter })
    const box = first.encryptSync(P)
    expect(() => second.encryptSync(P)).toThrowError(code('invalid-argument'))
    expect(second.decryptSync(box)).toEqual(P)
    expect(first.usage.messages).toBe(1n)
  })

  it('refuses random nonces after counter nonces of one key', async () => {
    const record = generateKey('aes-256-gcm')
    const writer = await createSealer(record, { backends, nonces: counter(0) })
    const other = await createSealer(record, { backends })
    const box = writer.encryptSync(P)
    expect(() => other.encryptSync(P)).toThrowError(code('invalid-argument'))
    expect(other.decryptSync(box)).toEqual(P)
  })

  it('counts a reader with default nonces and a counter writer of one record together', async () => {
    const record = generateKey('aes-256-gcm')
    const writer = await createSealer(record, { backends, nonces: counter(0) })
    const reader = await createSealer(record, { backends })
    const box = writer.encryptSync(P)
    expect(reader.decryptSync(box)).toEqual(P)
    box[30]! ^= 1
    expect(() => reader.decryptSync(box)).toThrowError(code('auth-failed'))
    expect(writer.usage).toMatchObject({ messages: 1n, failedOpens: 1n })
  })

  it('charges the header of a box as AAD and nothing in the bare format', async () => {
    const usage = async (format: 'box' | 'bare') => {
      const sealer = await createSealer('aes-256-gcm', { backends, format })
      sealer.encryptSync(new Uint8Array(65536))
      return sealer.usage.blocks
    }
    expect(await usage('bare')).toBe(4097n)
    expect(await usage('box')).toBe(4098n)
  })

  it('refuses a message that would cross the bound without burning a nonce', async () => {
    const sealer = await createSealer('aes-256-gcm', {
      backends,
      nonces: 'counter',
      meter: createMeter({ maxMessages: 1 }),
    })
    sealer.encryptSync(P)
    expect(() => sealer.encryptSync(P)).toThrowError(code('key-exhausted'))
    expect(sealer.usage.nextCounter).toBe(1n)
  })

  it('charges failed openings', async () => {
    const sealer = await createSealer('aes-256-gcm', { backends })
    const box = sealer.encryptSync(P)
    box[box.length - 1]! ^= 1
    expect(() => sealer.decryptSync(box)).toThrowError(code('auth-failed'))
    await expect(sealer.decrypt(box)).rejects.toEqual(code('auth-failed'))
    expect(sealer.usage.failedOpens).toBe(2n)
  })
})

describe('what createSealer refuses', () => {
  const record = fixedRecord()
  it.each<[string, unknown, unknown, string]>([
    ['no options', record, undefined, 'invalid-argument'],
    ['no backends', record, { backends: [] }, 'invalid-argument'],
    ['an unknown option', record, { backends, nonce: 'random' }, 'invalid-argument'],
    ['an unknown format', record, { backends, format: 'cbor' }, 'invalid-argument'],
    ['an unknown algorithm', 'aes-256-cbc', { backends }, 'invalid-argument'],
    ['raw bytes as key', secret, { backends }, 'invalid-argument'],
    [
      'a look-alike record',
      { algorithm: 'aes-256-gcm', keyId: '0011223344556677' },
      { backends },
      'invalid-argument',
    ],
    ['an algorithm nobody has', 'aegis-256', { backends }, 'unsupported'],
  ])('%s', async (_, key, options, expected) => {
    await expect(createSealer(key as never, options as never)).rejects.toEqual(code(expected))
  })

  it('sealing when told to, with the reason; opening goes on', async () => {
    const box = (await createSealer(record, { backends })).encryptSync(P)
    const reader = await createSealer(record, { backends, sealRefused: 'reading only' })
    expect(() => reader.encryptSync(P)).toThrow('reading only')
    expect(reader.decryptSync(box)).toEqual(P)
  })

  it('a plaintext in shared memory that grew after it was counted', async () => {
    const shared = new (SharedArrayBuffer as new (bytes: number, options: object) => SharedArrayBuffer)(40, {
      maxByteLength: 400,
    })
    const plaintext = new Uint8Array(shared)
    // Another thread is played by the generator of the nonce.
    const grow = (out: Uint8Array): void => {
      ;(shared as unknown as { grow(bytes: number): void }).grow(400)
      out.set(globalThis.crypto.getRandomValues(new Uint8Array(out.length)))
    }
    const backend = testBackend({ fillRandom: grow })
    const sealer = await createSealer('aes-256-gcm', { backends: [backend] })
    expect(() => sealer.encryptSync(plaintext)).toThrow(/changed its length/)
    expect(sealer.usage.messages).toBe(1n)
    expect(sealer.decryptSync(sealer.encryptSync(plaintext)).length).toBe(400)
  })

  it.each([
    ['detached', 'box'],
    ['cut short', 'box'],
    ['grown', 'box'],
    ['detached', 'bare'],
    ['cut short', 'bare'],
    ['grown', 'bare'],
  ] as const)('AAD that is %s after it was counted, %s', async (what, format) => {
    const Resizable = ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer
    for (const make of [testBackend, asyncTestBackend]) {
      const buffer = new Resizable(40, { maxByteLength: 400 }) as ArrayBuffer & {
        resize(bytes: number): void
      }
      const aad = new Uint8Array(buffer)
      const onWarn = () => {
        if (what === 'detached') structuredClone(buffer, { transfer: [buffer] })
        else buffer.resize(what === 'grown' ? 400 : 3)
      }
      const meter = createMeter({ maxMessages: 1, warnAt: 1, onWarn })
      const sealer = await createSealer('aes-256-gcm', { backends: [make()], meter, format })
      await expect(sealer.encrypt(P, aad)).rejects.toThrow(/changed its length/)
      expect(sealer.usage.messages).toBe(1n)
    }
  })

  it('AAD of a failed open counts as it was given, whatever becomes of its memory meanwhile', async () => {
    const aad = new Uint8Array(160)
    const sealer = await createSealer('aes-256-gcm', { backends: [asyncTestBackend()], format: 'bare' })
    const opening = sealer.decrypt(new Uint8Array(12 + 16), aad)
    structuredClone(aad.buffer, { transfer: [aad.buffer] })
    await expect(opening).rejects.toEqual(code('auth-failed'))
    const kept = await createSealer('aes-256-gcm', { backends: [asyncTestBackend()], format: 'bare' })
    await expect(kept.decrypt(new Uint8Array(12 + 16), new Uint8Array(160))).rejects.toThrow()
    expect(sealer.usage.failedBlocks).toBe(kept.usage.failedBlocks)
  })

  it('a backend that cannot wipe does not keep the record from being wiped', async () => {
    const raw = testBackend().raw
    const unwiped = testBackend({
      create: (params, key) => ({
        ...raw.create(params, key),
        destroy: () => {
          throw new Error('no')
        },
      }),
    })
    let wiped = 0
    const fill = vi.spyOn(Uint8Array.prototype, 'fill')
    const sealer = await createSealer('aes-256-gcm', { backends: [unwiped] })
    fill.mockClear()
    expect(() => sealer.destroy()).toThrow(/could not wipe a key/)
    // The secret is the one array of 32 bytes.
    wiped = fill.mock.contexts.filter((array) => (array as Uint8Array).length === 32).length
    fill.mockRestore()
    expect(wiped).toBe(1)
  })

  it('falls to the next backend of the list and no further', async () => {
    const broken = testBackend({ name: 'broken', probe: () => 'not here' })
    const sealer = await createSealer(record, { backends: [broken, testBackend()] })
    expect(sealer.backendName).toBe('test')
    await expect(createSealer(record, { backends: [broken] })).rejects.toThrow(/broken: not here/)
  })
})
