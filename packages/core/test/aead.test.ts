import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import {
  type AlgorithmId,
  createAead,
  createAeadSync,
  createSealer,
  defineSyncBackend,
  type Evidence,
  type SyncAead,
} from '../src/index.ts'
import { asyncTestBackend, rawTestBackend, testBackend } from './backend.ts'

/** Fixed values computed and cross-checked with two implementations. */
const K = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
const N12 = Uint8Array.from({ length: 12 }, (_, i) => 0xa0 + i)
const P = new TextEncoder().encode('cipher-select probe é')
const A = new TextEncoder().encode('hdr:v1')
const GCM256 = '18ed0361880f82a671ea4f335e3f9c32744c5a4e534ea582ae4307c466b4644b09f76c8fe980'
const GCM256_EMPTY = 'c9e4241abf6dcfb5f733722c84006e97'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const code = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return (error as { code: string }).code
  }
  return 'none'
}
const nonces = (() => {
  let next = 0
  return (bytes: number): Uint8Array => {
    const nonce = new Uint8Array(bytes)
    new DataView(nonce.buffer).setUint32(0, ++next)
    return nonce
  }
})()

describe('sync Aead over a raw backend', () => {
  const backend = testBackend()
  const gcm = (): SyncAead => createAeadSync(backend, 'aes-256-gcm', K)

  it('seals and opens the fixed values', () => {
    expect(hex(gcm().sealSync(N12, P, A))).toBe(GCM256)
    expect(gcm().openSync(N12, Buffer.from(GCM256, 'hex'), A)).toEqual(P)
    expect(hex(gcm().sealSync(N12, new Uint8Array(0), A))).toBe(GCM256_EMPTY)
    expect(gcm().openSync(N12, Buffer.from(GCM256_EMPTY, 'hex'), A)).toEqual(new Uint8Array(0))
  })

  it('reads every kind of bytes, from every realm, at its offset', () => {
    const foreign = (bytes: Uint8Array): Uint8Array =>
      runInNewContext(`Uint8Array.from([${[...bytes].join(',')}])`) as Uint8Array
    const shared = (bytes: Uint8Array): Uint8Array => {
      const view = new Uint8Array(new SharedArrayBuffer(bytes.length))
      view.set(bytes)
      return view
    }
    const offset = (bytes: Uint8Array): Uint8Array => {
      const big = new Uint8Array(512).fill(0xee)
      big.set(bytes, 100)
      return big.subarray(100, 100 + bytes.length)
    }
    const dataView = (bytes: Uint8Array): DataView => {
      const view = offset(bytes)
      return new DataView(view.buffer, view.byteOffset, view.byteLength)
    }
    const whole = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
    const pairs = (bytes: Uint8Array): Uint16Array => new Uint16Array(new Uint8Array(bytes).buffer)
    for (const make of [
      foreign,
      shared,
      offset,
      dataView,
      whole,
      (bytes: Uint8Array) => Buffer.from(hex(bytes), 'hex'),
    ]) {
      const aead = createAeadSync(backend, 'aes-256-gcm', make(K))
      expect(hex(aead.sealSync(make(N12), make(P), make(A)))).toBe(GCM256)
      expect(aead.openSync(make(N12), make(Buffer.from(GCM256, 'hex')), make(A))).toEqual(P)
    }
    expect(hex(gcm().sealSync(pairs(N12), pairs(P), pairs(A)))).toBe(GCM256)
  })

  it.each([
    ['string', 'abc'],
    ['number', 5],
    ['array', [1, 2]],
    ['null', null],
    ['plain object', { length: 3 }],
    ['forged prototype', Object.create(Uint8Array.prototype)],
  ])('refuses a %s wherever bytes belong', (_, value) => {
    const bad = value as never
    expect(code(() => createAeadSync(backend, 'aes-256-gcm', bad))).toBe('invalid-argument')
    expect(code(() => gcm().sealSync(bad, P))).toBe('invalid-argument')
    expect(code(() => gcm().sealSync(N12, bad))).toBe('invalid-argument')
    expect(code(() => gcm().sealSync(N12, P, bad))).toBe('invalid-argument')
    expect(code(() => gcm().openSync(N12, bad))).toBe('invalid-argument')
    expect(code(() => gcm().sealIntoSync(bad, N12, P))).toBe('invalid-argument')
  })

  it('refuses transferred memory instead of sealing an empty message', () => {
    const gone = new Uint8Array(8)
    structuredClone(gone.buffer, { transfer: [gone.buffer] })
    expect(code(() => gcm().sealSync(N12, gone))).toBe('invalid-argument')
    expect(code(() => gcm().sealSync(N12, gone.buffer))).toBe('invalid-argument')
  })

  it('states expected and actual sizes', () => {
    expect(() => createAeadSync(backend, 'aes-256-gcm', new Uint8Array(24))).toThrow(/32 bytes, got 24/)
    expect(() => gcm().sealSync(new Uint8Array(16), P)).toThrow(/12 bytes, got 16/)
    expect(() => gcm().openSync(N12, new Uint8Array(15))).toThrow(/tag of 16 bytes, got 15/)
    expect(() => gcm().sealIntoSync(new Uint8Array(37), N12, P)).toThrow(/38 bytes are needed, got 37/)
    expect(() => createAeadSync(backend, 'aes-265-gcm' as AlgorithmId, K)).toThrow(/did you mean aes-256-gcm/)
  })

  it.each([4, 8, 12, 15])('refuses a tag cut to %i bytes', (tagBytes) => {
    const cut = Buffer.from(GCM256, 'hex').subarray(0, P.length + tagBytes)
    expect(code(() => gcm().openSync(N12, cut, A))).toBe('auth-failed')
  })

  it('refuses a message longer than the backend takes, before any work', () => {
    const small = testBackend({ maxBytes: 64 })
    const aead = createAeadSync(small, 'aes-256-gcm', K)
    expect(code(() => aead.sealSync(N12, new Uint8Array(65)))).toBe('limit-exceeded')
    expect(code(() => aead.openSync(N12, new Uint8Array(64 + 17)))).toBe('limit-exceeded')
    expect(aead.sealSync(N12, new Uint8Array(64)).length).toBe(80)
  })

  it('trips on the nonce of the last successful seal only', () => {
    const aead = gcm()
    aead.sealSync(N12, P)
    expect(code(() => aead.sealSync(N12, P))).toBe('nonce-reused')
    expect(code(() => aead.sealIntoSync(new Uint8Array(64), N12, P))).toBe('nonce-reused')
    aead.sealSync(nonces(12), P)
    aead.sealSync(N12, P)
    const unchecked = createAeadSync(backend, 'aes-256-gcm', K, { nonceCheck: false })
    unchecked.sealSync(N12, P)
    unchecked.sealSync(N12, P)
    const resistant = createAeadSync(backend, 'aes-siv-cmac-256', K)
    resistant.sealSync(new Uint8Array(16), P)
    resistant.sealSync(new Uint8Array(16), P)
  })

  it('takes a nonce that differs in any one byte', () => {
    const aead = gcm()
    for (let at = 0; at < 12; at++) {
      const nonce = N12.slice()
      aead.sealSync(nonce, P)
      nonce[at]! ^= 1
      aead.sealSync(nonce, P)
      expect(code(() => aead.sealSync(nonce, P))).toBe('nonce-reused')
    }
  })

  it('takes a result in new memory from the backend, or seals itself where there is none', () => {
    const good = rawTestBackend()
    const asked: number[] = []
    const made: Uint8Array[] = []
    const bent = testBackend({
      create: (params, key) => {
        const aead = good.create(params, key)
        return {
          ...aead,
          readsOnce: true,
          sealNew(front, nonce, plaintext, aad) {
            asked.push(plaintext.length)
            if (plaintext.length < 10) return undefined
            const out = new Uint8Array(front.length + plaintext.length + 16)
            out.set(front)
            aead.seal(nonce, plaintext, aad, out, front.length, front.length + plaintext.length)
            made.push(out)
            return out
          },
        }
      },
    })
    const aead = createAeadSync(bent, 'aes-256-gcm', K, { nonceCheck: false })
    const sealed = aead.sealSync(N12, P, A)
    expect(hex(sealed)).toBe(GCM256)
    expect(sealed).toBe(made.at(-1))
    expect(aead.openSync(N12, aead.sealSync(N12, P.subarray(0, 5)))).toEqual(P.subarray(0, 5))
    expect(asked.slice(-2)).toEqual([P.length, 5])
  })

  it('takes what was opened in new memory from the backend, or opens itself where there is none', () => {
    const good = rawTestBackend()
    const asked: number[] = []
    const bent = testBackend({
      create: (params, key) => {
        const aead = good.create(params, key)
        return {
          ...aead,
          openNew(nonce, input, at, tagAt, bytes, aad) {
            asked.push(bytes)
            if (bytes < 10) return undefined
            const out = new Uint8Array(bytes)
            return aead.open(nonce, input, at, tagAt, bytes, aad, out) && out
          },
        }
      },
    })
    const aead = createAeadSync(bent, 'aes-256-gcm', K, { nonceCheck: false })
    for (const plaintext of [P, P.subarray(0, 5)]) {
      const sealed = aead.sealSync(N12, plaintext, A)
      expect(aead.openSync(N12, sealed, A)).toEqual(plaintext)
      sealed[3]! ^= 1
      expect(code(() => aead.openSync(N12, sealed, A))).toBe('auth-failed')
    }
    expect(asked.slice(-4)).toEqual([P.length, P.length, 5, 5])
  })

  it('lets the nonce of a failed seal be used', () => {
    const aead = gcm()
    expect(code(() => aead.sealIntoSync(new Uint8Array(3), N12, P))).toBe('invalid-argument')
    expect(hex(aead.sealSync(N12, P, A))).toBe(GCM256)
  })

  it('is JSON without anything of the key', () => {
    const json = JSON.parse(JSON.stringify(gcm()))
    expect(json).toMatchObject({ algorithm: 'aes-256-gcm', backend: 'test', guarantees: { oneShot: false } })
    expect(Object.keys(json)).toEqual(['algorithm', 'backend', 'guarantees'])
  })

  it('trips on an all-zero first nonce only the second time', () => {
    const aead = gcm()
    aead.sealSync(new Uint8Array(12), P)
    expect(code(() => aead.sealSync(new Uint8Array(12), P))).toBe('nonce-reused')
  })

  it('refuses use after destroy, twice destroyed or not', () => {
    const aead = gcm()
    aead.destroy()
    aead[Symbol.dispose]()
    for (const run of [
      () => aead.sealSync(N12, P),
      () => aead.openSync(N12, new Uint8Array(32)),
      () => aead.sealIntoSync(new Uint8Array(64), N12, P),
      () => aead.openIntoSync(new Uint8Array(64), N12, new Uint8Array(32)),
    ]) {
      expect(code(run)).toBe('destroyed')
    }
  })
})

describe.each([
  ['atomic', true],
  ['not atomic', false],
])('into-forms, backend %s', (_, atomic) => {
  const backend = testBackend({}, { atomic })

  it.each<AlgorithmId>(['aes-256-gcm', 'aes-siv-cmac-256'])(
    '%s works in place and leaves the rest alone',
    (id) => {
      const aead = createAeadSync(backend, id, K)
      const nonce = nonces(aead.params.nonceBytes)
      const memory = new Uint8Array(200).fill(0xcc)
      memory.set(P, 50)
      const out = memory.subarray(50)
      expect(aead.sealIntoSync(out, nonce, memory.subarray(50, 50 + P.length), A)).toBe(P.length + 16)
      expect(hex(memory.subarray(50, 50 + P.length + 16))).toBe(
        hex(createAeadSync(backend, id, K).sealSync(nonce, P, A)),
      )
      expect(memory.subarray(0, 50).every((byte) => byte === 0xcc)).toBe(true)
      expect(memory.subarray(50 + P.length + 16).every((byte) => byte === 0xcc)).toBe(true)
      expect(aead.openIntoSync(out, nonce, memory.subarray(50, 50 + P.length + 16), A)).toBe(P.length)
      expect(memory.slice(50, 50 + P.length)).toEqual(P)
    },
  )

  it('refuses every other overlap and takes shared out', () => {
    const aead = createAeadSync(backend, 'aes-256-gcm', K)
    const memory = new Uint8Array(200)
    const at = (start: number, bytes: number): Uint8Array => memory.subarray(start, start + bytes)
    expect(code(() => aead.sealIntoSync(at(10, 60), N12, at(11, 22)))).toBe('invalid-argument')
    expect(code(() => aead.sealIntoSync(at(10, 60), N12, at(9, 22)))).toBe('invalid-argument')
    expect(code(() => aead.sealIntoSync(at(10, 60), at(40, 12), at(100, 22)))).toBe('invalid-argument')
    expect(code(() => aead.sealIntoSync(at(10, 60), N12, at(100, 22), at(0, 11)))).toBe('invalid-argument')
    expect(code(() => aead.openIntoSync(at(10, 60), N12, at(11, 38)))).toBe('invalid-argument')
    const shared = new Uint8Array(new SharedArrayBuffer(64))
    expect(aead.sealIntoSync(shared, N12, P, A)).toBe(38)
    expect(hex(shared.slice(0, 38))).toBe(GCM256)
    expect(code(() => aead.sealIntoSync(shared, nonces(12), shared.subarray(1, 23)))).toBe('invalid-argument')
    // Views of different memory at overlapping offsets are no overlap.
    expect(aead.sealIntoSync(new Uint8Array(64), nonces(12), new Uint8Array(64).subarray(1, 23))).toBe(38)
  })

  it.each<AlgorithmId>(['aes-256-gcm', 'aes-siv-cmac-256'])(
    '%s leaves out and input unchanged on failure',
    (id) => {
      const aead = createAeadSync(backend, id, K)
      const nonce = nonces(aead.params.nonceBytes)
      const sealed = aead.sealSync(nonce, P, A)
      sealed[sealed.length - 1]! ^= 1
      const before = sealed.slice()
      const out = new Uint8Array(64).fill(0xcc)
      expect(code(() => aead.openIntoSync(out, nonce, sealed, A))).toBe('auth-failed')
      expect(out.every((byte) => byte === 0xcc)).toBe(true)
      expect(sealed).toEqual(before)
      expect(code(() => aead.openIntoSync(sealed, nonce, sealed, A))).toBe('auth-failed')
      expect(sealed).toEqual(before)
    },
  )
})

describe('async Aead', () => {
  const backend = asyncTestBackend()

  it('gives the same bytes, tag first where the algorithm says so', async () => {
    for (const id of ['aes-256-gcm', 'aes-siv-cmac-256'] as const) {
      const sync = createAeadSync(testBackend(), id, K)
      const aead = await createAead(backend, id, K)
      const nonce = nonces(aead.params.nonceBytes)
      const sealed = await aead.seal(nonce, P, A)
      expect(sealed).toEqual(sync.sealSync(nonce, P, A))
      expect(await aead.open(nonce, sealed, A)).toEqual(P)
      sealed[0]! ^= 1
      await expect(aead.open(nonce, sealed, A)).rejects.toMatchObject({ code: 'auth-failed' })
    }
  })

  it('trips on the same nonce twice at once, and gives it back when the backend fails', async () => {
    const aead = await createAead(backend, 'aes-256-gcm', K)
    const both = await Promise.allSettled([aead.seal(N12, P), aead.seal(N12, P)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await expect(aead.seal(N12, P)).rejects.toMatchObject({ code: 'nonce-reused' })
  })

  it('has no sync twin', async () => {
    expect(code(() => createAeadSync(backend as never, 'aes-256-gcm', K))).toBe('unsupported')
    await expect(createAead(backend, 'aes-128-ccm', new Uint8Array(16))).rejects.toMatchObject({
      code: 'unsupported',
    })
  })
})

describe('errors of the library', () => {
  it('become backend-failed with the cause, and never auth-failed', () => {
    const cause = new Error('broken')
    let armed = false
    const backend = testBackend({}, {})
    const aead = createAeadSync(
      testBackend({
        create: (params, key) => {
          const good = backend.raw.create(params, key)
          return {
            ...good,
            open: (...args) => {
              if (armed) throw cause
              return good.open(...args)
            },
          }
        },
      }),
      'aes-256-gcm',
      K,
    )
    armed = true
    const out = new Uint8Array(64).fill(0xcc)
    try {
      aead.openIntoSync(out, N12, Buffer.from(GCM256, 'hex'), A)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'backend-failed', cause })
    }
    expect(out.every((byte) => byte === 0xcc)).toBe(true)
  })

  it('auth-failed has one text and no cause', () => {
    const aead = createAeadSync(testBackend(), 'aes-256-gcm', K)
    try {
      aead.openSync(N12, new Uint8Array(40))
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'auth-failed' })
      expect((error as Error).cause).toBeUndefined()
    }
  })
})

it('a key is wiped when no object comes of it: evidence that is none', async () => {
  const { raw } = testBackend()
  let [made, destroyed] = [0, 0]
  const create: typeof raw.create = (params, key) => {
    const aead = raw.create(params, key)
    made++
    return Object.assign(Object.create(aead) as typeof aead, {
      destroy: () => {
        destroyed++
        aead.destroy()
      },
    })
  }
  const backend = defineSyncBackend({ ...raw, create })
  const evidence = {} as Evidence
  const key = new Uint8Array(16)
  expect(() => createAeadSync(backend, 'aes-128-gcm', key, { evidence })).toThrow()
  await expect(createSealer('aes-128-gcm', { backends: [backend], evidence })).rejects.toThrow()
  expect(made).toBeGreaterThan(2)
  expect(destroyed).toBe(made)
})
