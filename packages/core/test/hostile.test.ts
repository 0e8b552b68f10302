import { describe, expect, it } from 'vitest'
import {
  ALGORITHMS,
  type AlgorithmId,
  advantagesOf,
  assertVolume,
  checkVolume,
  createAead,
  createAeadSync,
  createMeter,
  createSealer,
  decodeKey,
  defineAsyncBackend,
  encodeKey,
  generateKey,
  importKey,
  joinSealed,
  limitsOf,
  overheadBytes,
  splitSealed,
} from '../src/index.ts'
import { createTestAead } from '../src/unsafe.ts'
import { asyncTestBackend, rawTestBackend, testBackend } from './backend.ts'

const K = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
const N12 = Uint8Array.from({ length: 12 }, (_, i) => 0xa0 + i)
const P = new TextEncoder().encode('cipher-select probe é')
const GCM256_NO_AAD = createAeadSync(testBackend(), 'aes-256-gcm', K).sealSync(N12, P)
const backend = testBackend()
const aead = (atomic = true) => createAeadSync(testBackend({}, { atomic }), 'aes-256-gcm', K)
const refused = expect.objectContaining({ name: 'AeadError', code: 'invalid-argument' })

/** What a call throws or rejects with, `undefined` for nothing. */
async function failure(run: () => unknown): Promise<unknown> {
  try {
    await run()
    return undefined
  } catch (error) {
    return error
  }
}

describe('bytes are what the memory says, not what an object says', () => {
  const lying = (name: string, value: unknown): Uint8Array =>
    Object.defineProperty(new Uint8Array(P), name, { value })

  it.each([
    ['a longer length', 'length', 200_000],
    ['length 0', 'length', 0],
    ['both lengths', 'byteLength', 5],
  ])('reads through %s', (_, name, value) => {
    expect(aead().sealSync(N12, lying(name, value))).toEqual(GCM256_NO_AAD)
  })

  it.each([
    ['Uint16Array', (bytes: ArrayBuffer) => new Uint16Array(bytes)],
    ['Float64Array', (bytes: ArrayBuffer) => new Float64Array(bytes)],
    ['BigUint64Array', (bytes: ArrayBuffer) => new BigUint64Array(bytes)],
    ['Int8Array', (bytes: ArrayBuffer) => new Int8Array(bytes)],
    ['DataView', (bytes: ArrayBuffer) => new DataView(bytes)],
  ])('reads the bytes of a %s in the guise of a Uint8Array or a Buffer', (_, make) => {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => 16 * i)
    const expected = aead().sealSync(N12, bytes, bytes)
    for (const guise of [Uint8Array.prototype, Buffer.prototype, Uint16Array.prototype, null, {}]) {
      const forged = (): Uint8Array => Object.setPrototypeOf(make(bytes.slice().buffer), guise) as Uint8Array
      expect(aead().sealSync(N12, forged(), forged())).toEqual(expected)
      expect(createAeadSync(backend, 'aes-256-gcm', forged()).params.keyBytes).toBe(32)
      const out = new Uint8Array(48)
      const disguised = Object.setPrototypeOf(new Uint16Array(out.buffer), guise ?? Uint8Array.prototype)
      expect(aead().sealIntoSync(disguised as Uint8Array, N12, bytes, bytes)).toBe(48)
      expect(out).toEqual(expected)
    }
  })

  it('reads a subclass whose length throws', () => {
    class Mute extends Uint8Array<ArrayBuffer> {
      override get length(): number {
        throw new Error('asked for its length')
      }
    }
    expect(aead().sealSync(N12, Object.setPrototypeOf(new Uint8Array(P), Mute.prototype) as Mute)).toEqual(
      GCM256_NO_AAD,
    )
  })
  it('reads a subclass whose constructor takes something else', () => {
    class HexBytes extends Uint8Array<ArrayBuffer> {
      constructor(text: string) {
        if (typeof text !== 'string') throw new TypeError('hexadecimal digits only')
        super(Uint8Array.from(Buffer.from(text, 'hex')).buffer)
      }
    }
    const hex = (bytes: Uint8Array): HexBytes => new HexBytes(Buffer.from(bytes).toString('hex'))
    const own = createAeadSync(backend, 'aes-256-gcm', hex(K))
    expect(own.openSync(hex(N12), hex(GCM256_NO_AAD))).toEqual(P)
    expect(own.sealSync(hex(N12), hex(P))).toEqual(GCM256_NO_AAD)
  })

  it('refuses a key or nonce that only claims its length', () => {
    const short = Object.defineProperty(new Uint8Array(16), 'length', { value: 32 })
    expect(() => createAeadSync(backend, 'aes-256-gcm', short)).toThrow(/got 16/)
    const long = Object.defineProperty(new Uint8Array(16), 'length', { value: 12 })
    expect(() => aead().sealSync(long, P)).toThrow(/got 16/)
  })

  it.each([
    ['a proxy of an ArrayBuffer', () => new Proxy(new ArrayBuffer(9), {})],
    ['an object with the tag of an ArrayBuffer', () => ({ [Symbol.toStringTag]: 'ArrayBuffer', length: 4 })],
    [
      'a tag that throws',
      () => ({
        get [Symbol.toStringTag](): string {
          throw new TypeError('no tag')
        },
      }),
    ],
    ['a proxy of a Uint8Array', () => new Proxy(new Uint8Array(4), {})],
  ])('refuses %s instead of sealing nothing', async (_, make) => {
    expect(await failure(() => aead().sealSync(N12, make() as never))).toEqual(refused)
  })

  it('refuses views of memory that was transferred or cut off, of every kind', async () => {
    const transferred = new ArrayBuffer(16)
    // Resizable buffers are in every supported Node but not in the declarations of es2022.
    const Resizable = ArrayBuffer as unknown as new (
      bytes: number,
      options: { maxByteLength: number },
    ) => ArrayBuffer & { resize(bytes: number): void }
    const cut = new Resizable(16, { maxByteLength: 32 })
    const views: ArrayBufferView[] = []
    for (const buffer of [transferred, cut]) {
      views.push(new Uint8Array(buffer, 8, 8), new DataView(buffer, 8, 8), new Uint16Array(buffer, 8, 4))
    }
    structuredClone(transferred, { transfer: [transferred] })
    cut.resize(4)
    for (const view of views) expect(await failure(() => aead().sealSync(N12, view))).toEqual(refused)
    // An empty view of memory that is there is an empty message.
    expect(aead().sealSync(N12, new DataView(new ArrayBuffer(4), 4)).length).toBe(16)
  })

  it('snapshots shared memory whatever its prototype', () => {
    const shared = new SharedArrayBuffer(P.length)
    Object.setPrototypeOf(shared, ArrayBuffer.prototype)
    const view = new Uint8Array(shared)
    view.set(P)
    expect(aead().sealSync(N12, view)).toEqual(GCM256_NO_AAD)
  })
})

describe('overlap', () => {
  it.each([
    [
      'a cloned SharedArrayBuffer',
      () => {
        const first = new SharedArrayBuffer(100)
        return [first, structuredClone(first)] as const
      },
    ],
    [
      'a shared WebAssembly memory that grew',
      () => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true })
        const first = memory.buffer
        memory.grow(1)
        return [first, memory.buffer] as const
      },
    ],
  ])('is seen through two objects for the same memory: %s', async (_, make) => {
    const [first, second] = make()
    expect(first).not.toBe(second)
    const out = new Uint8Array(first, 0, 60)
    const input = new Uint8Array(second, 1, P.length)
    input.set(P)
    expect(await failure(() => aead().sealIntoSync(out, N12, input))).toEqual(refused)
    expect(new Uint8Array(second, 1, P.length)).toEqual(input)
    expect(out[0]).toBe(0)
    // In place through two objects is in place.
    const start = new Uint8Array(second, 0, P.length)
    start.set(P)
    expect(aead().sealIntoSync(out, N12, start)).toBe(P.length + 16)
    expect(out.slice(0, P.length + 16)).toEqual(GCM256_NO_AAD)
  })

  it('is not seen where unrelated shared memory has the same offsets', () => {
    const out = new Uint8Array(new SharedArrayBuffer(100))
    const input = new Uint8Array(new SharedArrayBuffer(100), 1, P.length)
    expect(aead().sealIntoSync(out, N12, input)).toBe(P.length + 16)
  })
})

describe('only AeadError leaves', () => {
  const record = generateKey('aes-256-gcm')

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['a number', 5],
    ['an empty object', {}],
    ['a name', 'node'],
    ['half a synchronous backend', { sync: true, raw: {}, probe: () => 0 }],
    ['half an asynchronous backend', { sync: false, name: 'x' }],
  ])('for %s as backend', async (_, value) => {
    const bad = value as never
    expect(await failure(() => createAead(bad, 'aes-256-gcm', K))).toEqual(refused)
    expect(await failure(() => createAeadSync(bad, 'aes-256-gcm', K))).toEqual(refused)
    expect(await failure(() => createSealer(record, { backends: [bad] }))).toEqual(refused)
    expect(await failure(() => createTestAead(bad, 'aes-256-gcm', K, { tagBytes: 12 }))).toEqual(refused)
  })

  it('for other objects in place of a meter, evidence or record', async () => {
    for (const bad of [{}, 5, null, 'x'] as never[]) {
      expect(await failure(() => createSealer(record, { backends: [backend], meter: bad }))).toEqual(refused)
      expect(await failure(() => createAead(backend, 'aes-256-gcm', K, { evidence: bad }))).toEqual(refused)
    }
    for (const wrapped of [new Proxy(record, {}), Object.create(record)]) {
      expect(await failure(() => createSealer(wrapped, { backends: [backend] }))).toEqual(refused)
      expect(await failure(() => encodeKey(wrapped))).toEqual(refused)
    }
  })

  it('for sizes of another type at the meter', async () => {
    const meter = createMeter().forKey('k', ALGORITHMS['aes-256-gcm'], 'counter')
    for (const bad of [5n, Symbol('s'), {}, '5', Number.NaN, 1.5, -1] as never[]) {
      expect(await failure(() => meter.reserve(bad, 0))).toEqual(refused)
      expect(await failure(() => meter.reserve(0, bad))).toEqual(refused)
    }
    expect(meter.usage().messages).toBe(0n)
  })

  it('for other things in place of an algorithm row, volume or options', async () => {
    const row = ALGORITHMS['aes-256-gcm']
    const options = { target: -57, nonce: 'random', messageBytes: 5 } as const
    const volume = { messages: 1, messageBytes: 1, failedOpens: 1 }
    for (const bad of [undefined, null, 5, 'aes-256-gcm', {}, { id: 'rc4' }] as never[]) {
      for (const run of [
        () => limitsOf(bad, options),
        () => checkVolume(bad, volume, options),
        () => assertVolume(bad, volume, options),
        () => advantagesOf(bad, volume, options),
        () => splitSealed(bad, new Uint8Array(20)),
        () => joinSealed(bad, new Uint8Array(20), new Uint8Array(16)),
        () => overheadBytes(bad),
      ]) {
        expect(await failure(run)).toEqual(refused)
      }
    }
    for (const bad of [undefined, null, 5, 'x'] as never[]) {
      expect(await failure(() => checkVolume(row, volume, bad))).toEqual(refused)
      expect(await failure(() => advantagesOf(row, bad, options))).toEqual(refused)
    }
  })

  it('when shared memory grows: sealIntoSync writes and returns what was checked, or nothing', () => {
    const Growable = SharedArrayBuffer as new (bytes: number, options: object) => SharedArrayBuffer
    type Shared = SharedArrayBuffer & { grow(bytes: number): void }
    const raw = rawTestBackend()
    for (const atomic of [true, false]) {
      for (const when of ['before it is sealed', 'after it was sealed']) {
        const shared = new Growable(40, { maxByteLength: 400 }) as Shared
        let at = ''
        // Another thread is played by the backend.
        const backend = testBackend({
          create: (params, key) => {
            const aead = raw.create(params, key)
            return {
              ...aead,
              readsOnce: false,
              get atomic() {
                if (at === 'before it is sealed') shared.grow(400)
                return atomic
              },
              seal: (...args) => {
                aead.seal(...args)
                if (at === 'after it was sealed') shared.grow(400)
              },
            }
          },
        })
        const aead = createAeadSync(backend, 'aes-256-gcm', K)
        const out = new Uint8Array(500).fill(0xcc)
        const plaintext = new Uint8Array(shared)
        at = when
        if (when === 'before it is sealed') {
          expect(() => aead.sealIntoSync(out, N12, plaintext)).toThrow(/plaintext changed its length/)
          expect(out.every((byte) => byte === 0xcc)).toBe(true)
        } else {
          expect(aead.sealIntoSync(out, N12, plaintext)).toBe(56)
          expect(out.subarray(56).every((byte) => byte === 0xcc)).toBe(true)
          at = ''
          expect(aead.openSync(N12, out.subarray(0, 56))).toEqual(new Uint8Array(40))
        }
      }
    }
  })

  it('when memory cannot be had or a key cannot be wiped', async () => {
    let spent = false
    const poor = testBackend({
      allocate: (bytes) => {
        if (spent) throw new RangeError('Array buffer allocation failed')
        return new Uint8Array(bytes)
      },
    })
    const failed = expect.objectContaining({ code: 'backend-failed' })
    const starved = createAeadSync(poor, 'aes-256-gcm', K)
    spent = true
    expect(await failure(() => starved.sealSync(N12, P))).toEqual(failed)
    expect(await failure(() => starved.openSync(N12, GCM256_NO_AAD))).toEqual(failed)
    const stubborn = testBackend(
      {},
      {
        destroy: () => {
          throw new TypeError('no')
        },
      },
    )
    const kept = createAeadSync(stubborn, 'aes-256-gcm', K)
    expect(await failure(() => kept.destroy())).toEqual(failed)
    expect(await failure(() => kept.sealSync(N12, P))).toEqual(expect.objectContaining({ code: 'destroyed' }))
  })

  it.each([
    ['nothing', undefined],
    ['a short array', new Uint8Array(3)],
    ['a string', 'x'],
  ])('when an asynchronous backend seals to %s', async (_, answer) => {
    const good = asyncTestBackend().raw
    let bad = false
    const broken = defineAsyncBackend({
      ...good,
      create: async (params, key) => {
        const inner = await good.create(params, key)
        return {
          ...inner,
          seal: async (...args) => (bad ? (answer as never) : inner.seal(...args)),
        }
      },
    })
    const object = await createAead(broken, 'aes-256-gcm', K)
    bad = true
    expect(await failure(() => object.seal(N12, P))).toEqual(
      expect.objectContaining({ code: 'backend-failed' }),
    )
  })
})

describe('no message repeats a secret given in the wrong place', () => {
  const record = importKey({ algorithm: 'aes-256-gcm', keyId: '0011223344556677', secret: K })
  const text = encodeKey(record)
  const hexKey = Buffer.from(K).toString('hex')
  const encoded = Buffer.from(K).toString('base64url')

  it.each([
    ['a key text as algorithm', () => createSealer(text as AlgorithmId, { backends: [backend] })],
    ['key and algorithm swapped', () => createAead(backend, hexKey as AlgorithmId, 'aes-256-gcm' as never)],
    ['a 16-byte key in hexadecimal', () => createAead(backend, hexKey.slice(0, 32) as AlgorithmId, K)],
    ['a key text with a field missing', () => decodeKey(text.replace('aes-256-gcm:0011223344556677:', ''))],
    ['a key text with fields swapped', () => decodeKey(`aeadkit-key:1:${encoded}:a:b:c`)],
  ])('%s', async (_, run) => {
    const error = (await failure(run)) as Error
    expect(error).toEqual(refused)
    const shown = `${error.message} ${error.stack} ${JSON.stringify(error)}`
    for (const secret of [hexKey, encoded]) {
      for (let at = 0; at + 6 <= 22; at++) expect(shown).not.toContain(secret.slice(at, at + 6))
    }
  })

  it('still names the algorithm a slip was meant for', async () => {
    const error = (await failure(() => createAead(backend, 'aes-265-gcm' as AlgorithmId, K))) as Error
    expect(error.message).toContain('"aes-265-gcm": did you mean aes-256-gcm?')
  })
})

describe('shared state cannot be rewritten by accident', () => {
  it('sizes of algorithms are frozen', () => {
    const { tagBytes } = ALGORITHMS['aes-256-gcm']
    expect(() => Object.assign(aead().params, { tagBytes: 4 })).toThrow(TypeError)
    expect(() => Object.assign(ALGORITHMS['aes-256-gcm'].nonceReuse, { forgery: 'none' })).toThrow(TypeError)
    expect(() => Object.assign(ALGORITHMS, { 'aes-256-gcm': ALGORITHMS['magma-mgm'] })).toThrow(TypeError)
    expect(ALGORITHMS['aes-256-gcm'].tagBytes).toBe(tagBytes)
  })

  it('neither the answer of a self-test nor the backend can be turned around', () => {
    const broken = testBackend({ probe: () => 'not here' })
    const answer = broken.probeSync('aes-256-gcm')
    expect(() => Object.assign(answer, { available: true })).toThrow(TypeError)
    expect(() => Object.assign(broken, { probeSync: () => ({ available: true }) })).toThrow(TypeError)
    expect(() => createAeadSync(broken, 'aes-256-gcm', K)).toThrow(/not here/)
    const wrong = testBackend({}, { open: () => true })
    expect(() => Object.assign(wrong.probeSync('aes-256-gcm'), { available: true })).toThrow(TypeError)
  })

  it('a polluted Object.prototype sets no option', async () => {
    const polluted = Object.prototype as unknown as Record<string, unknown>
    for (const [name, value, run] of [
      ['nonceCheck', false, () => createAead(backend, 'aes-256-gcm', K)],
      ['format', 'bare', () => createSealer('aes-256-gcm', { backends: [backend] })],
      ['onIntegrityLimit', 'report', () => createMeter()],
    ] as const) {
      polluted[name] = value
      try {
        expect(await failure(run)).toEqual(refused)
      } finally {
        delete polluted[name]
      }
      expect(await failure(run)).toBeUndefined()
    }
  })
})

describe('a self-test', () => {
  it.each([
    ['sync', testBackend],
    ['async', asyncTestBackend],
  ])('that ended with an exception is run again, %s', async (_, make) => {
    const { raw } = make()
    let broken = true
    const overrides = {
      probe: () => {
        if (broken) throw new RangeError('out of memory')
        return true as const
      },
    }
    const flaky =
      raw === undefined || make === testBackend
        ? testBackend(overrides)
        : defineAsyncBackend({ ...asyncTestBackend().raw, ...overrides })
    expect(await flaky.probe('aes-256-gcm')).toMatchObject({ available: false, stage: 'self-test' })
    broken = false
    expect(await flaky.probe('aes-256-gcm')).toEqual({ available: true })
  })

  it('that gave a wrong answer is not', () => {
    let wrong = true
    const raw = rawTestBackend()
    const backend = testBackend({
      create: (params, key) => {
        const good = raw.create(params, key)
        return { ...good, open: (...args) => wrong || good.open(...args) }
      },
    })
    expect(backend.probeSync('aes-256-gcm').available).toBe(false)
    wrong = false
    expect(backend.probeSync('aes-256-gcm').available).toBe(false)
  })

  it('survives a key that cannot be wiped', () => {
    const destroy = (): void => {
      throw new TypeError('no')
    }
    expect(testBackend({}, { destroy }).probeSync('aes-256-gcm')).toEqual({ available: true })
  })
})

it('an asynchronous tag-first seal does not read the caller memory once it waits', async () => {
  const siv = await createAead(asyncTestBackend(), 'aes-siv-cmac-256', K)
  const nonce = new Uint8Array(16)
  const message = new Uint8Array(P)
  const sealing = siv.seal(nonce, message)
  structuredClone(message.buffer, { transfer: [message.buffer] })
  expect(await siv.open(nonce, await sealing)).toEqual(P)
})
