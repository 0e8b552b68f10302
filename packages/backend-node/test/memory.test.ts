// Whose memory a result is, and what is left of it: with libraries that allocate otherwise than the one at hand.
import * as nodeCrypto from 'node:crypto'
import { ALGORITHMS, createAeadSync, type RawSyncAead } from '@aeadkit/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createNodeBackend, type NativeCipher, type NodeCrypto } from '../src/index.ts'
import type { NativeKey } from '../src/native.ts'
import { A, K, N12 } from './fixed.cases.ts'

const real = nodeCrypto as unknown as NodeCrypto

function pattern(bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: bytes }, (_, i) => ((i * 131 + (i >>> 7)) & 0xff) | 1)
}

/** The same bytes in memory as some library would have made it. */
type Layout = (result: Uint8Array) => Uint8Array

const SPARE =
  (spareBytes: number): Layout =>
  (result) => {
    const whole = Buffer.alloc(result.length + spareBytes, 0xee)
    whole.set(result)
    return whole.subarray(0, result.length)
  }

const POOL: Layout = (result) => {
  const pool = Buffer.alloc(result.length + 64, 0xee)
  pool.set(result, 16)
  return pool.subarray(16, 16 + result.length)
}

const SHARED: Layout = (result) => {
  const own = new Uint8Array(new SharedArrayBuffer(result.length))
  own.set(result)
  return own
}

/** node:crypto with all results laid out otherwise; those of a decipher are kept. */
function laidOut(layout: Layout): { crypto: NodeCrypto; opened: Uint8Array[]; updates: number[] } {
  const opened: Uint8Array[] = []
  const updates: number[] = []
  const watch = (cipher: NativeCipher): NativeCipher => ({
    setAAD: (aad) => cipher.setAAD(aad),
    setAuthTag: (tag) => cipher.setAuthTag(tag),
    getAuthTag: () => cipher.getAuthTag(),
    setAutoPadding: (on) => cipher.setAutoPadding(on),
    update: (data) => {
      updates.push(data.length)
      opened.push(layout(cipher.update(data)))
      return opened.at(-1)!
    },
    final: () => {
      const last = layout(cipher.final())
      opened.push(last)
      return last
    },
  })
  const crypto: NodeCrypto = {
    ...real,
    createDecipheriv: (name, key, nonce, options) => watch(real.createDecipheriv(name, key, nonce, options)),
  }
  return { crypto, opened, updates }
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'of its own': (result) => result,
  'one byte longer': SPARE(1),
  'a block longer': SPARE(16),
  'much longer': SPARE(100),
  'of a pool': POOL,
  shared: SHARED,
}

const LENGTHS = [1, 2, 15, 16, 17, 100, 2047, 2048, 2049, 16_384, 16_400, 100_003]

function expectOwn(result: Uint8Array, expected: Uint8Array): void {
  expect(Buffer.compare(result, expected)).toBe(0)
  expect(Object.getPrototypeOf(result)).toBe(Uint8Array.prototype)
  expect(result.byteOffset).toBe(0)
  expect(result.buffer).toBeInstanceOf(ArrayBuffer)
  expect(result.buffer.byteLength).toBe(result.length)
}

describe.each(Object.entries(LAYOUTS))('with memory of the library that is %s', (_, layout) => {
  for (const id of ['aes-256-gcm', 'aes-256-ocb', 'chacha20-poly1305'] as const) {
    it(`${id}: what is opened owns exactly its bytes, the first time and later`, () => {
      const { crypto } = laidOut(layout)
      const aead = createAeadSync(createNodeBackend({ crypto }), id, K, { nonceCheck: false })
      for (const bytes of [...LENGTHS, ...LENGTHS]) {
        const plaintext = pattern(bytes)
        const sealed = aead.sealSync(N12, plaintext, A)
        const before = sealed.slice()
        expectOwn(aead.openSync(N12, sealed, A), plaintext)
        expect(Buffer.compare(sealed, before)).toBe(0)
      }
    })
    it(`${id}: nothing the library made holds plaintext once a message was refused, or was copied`, () => {
      const { crypto, opened } = laidOut(layout)
      const raw = createNodeBackend({ crypto }).raw.create(ALGORITHMS[id], K)
      for (const bytes of [...LENGTHS, ...LENGTHS]) {
        const sealed = new Uint8Array(bytes + 16)
        raw.seal(N12, pattern(bytes), A, sealed, 0, bytes)
        for (const flip of [1, 0]) {
          sealed[bytes]! ^= flip
          opened.length = 0
          const result = raw.openNew!(N12, sealed, 0, bytes, bytes, A)
          expect(result === false).toBe(flip === 1)
          if (flip === 1) sealed[bytes]! ^= flip
          const left = opened.filter((each) => !result || each.buffer !== result.buffer)
          expect(opened.length).toBeGreaterThan(0)
          expect(left.every((each) => each.every((byte) => byte === 0))).toBe(true)
        }
      }
    })
  }
})

describe('memory that is one byte longer than each result', () => {
  it('is handed on whole from 2 KiB on, filled by a second update, from the second message on', () => {
    const { crypto, opened, updates } = laidOut(SPARE(1))
    const raw = createNodeBackend({ crypto }).raw.create(ALGORITHMS['aes-256-gcm'], K)
    const open = (bytes: number): { updates: number[]; handedOn: boolean } => {
      const sealed = new Uint8Array(bytes + 16)
      raw.seal(N12, pattern(bytes), A, sealed, 0, bytes)
      opened.length = 0
      updates.length = 0
      const result = raw.openNew!(N12, sealed, 0, bytes, bytes, A) as Uint8Array
      return { updates: [...updates], handedOn: opened.some(({ buffer }) => buffer === result.buffer) }
    }
    expect(open(5000)).toEqual({ updates: [5000], handedOn: false })
    expect(open(5000)).toEqual({ updates: [4999, 1], handedOn: true })
    expect(open(2048)).toEqual({ updates: [2047, 1], handedOn: true })
    expect(open(2047)).toEqual({ updates: [2047], handedOn: false })
  })
  it('is not handed on with a hole when the library keeps bytes back', () => {
    const { crypto } = laidOut(SPARE(1))
    const keeping: NodeCrypto = {
      ...crypto,
      createDecipheriv: (...args) => {
        const cipher = crypto.createDecipheriv(...args)
        const update = (data: Uint8Array): Uint8Array =>
          cipher.update(data).subarray(0, data.length === 1 ? 0 : undefined)
        return { ...cipher, update }
      },
    }
    const raw = createNodeBackend({ crypto: keeping }).raw.create(ALGORITHMS['aes-256-gcm'], K)
    const sealed = new Uint8Array(4112)
    raw.seal(N12, pattern(4096), A, sealed, 0, 4096)
    expect(raw.openNew!(N12, sealed, 0, 4096, 4096, A)).toBeInstanceOf(Uint8Array)
    expect(() => raw.openNew!(N12, sealed, 0, 4096, 4096, A)).toThrow('another length')
  })
})

describe('the key', () => {
  /** What the library was given as the key of each message. */
  function given(
    crypto: Partial<NodeCrypto>,
    act: (raw: RawSyncAead, sealed: Uint8Array) => void,
  ): NativeKey[] {
    const keys: NativeKey[] = []
    const all: NodeCrypto = {
      ...real,
      ...crypto,
      createCipheriv: (name, key, nonce, options) => {
        keys.push(key)
        return real.createCipheriv(name, key, nonce, options)
      },
    }
    const raw = createNodeBackend({ crypto: all }).raw.create(ALGORITHMS['aes-256-gcm'], K)
    act(raw, new Uint8Array(A.length + 16))
    return keys
  }
  const thrice = (raw: RawSyncAead, sealed: Uint8Array): void => {
    const seen = new Set<string>()
    for (let i = 0; i < 3; i++) {
      raw.seal(N12, A, A, sealed, 0, A.length)
      seen.add(Buffer.from(sealed).toString('hex'))
    }
    expect(seen.size).toBe(1)
  }
  it('is bytes for the first message and one KeyObject for all others; the bytes are wiped then', () => {
    const keys = given({}, thrice)
    expect(keys.map((key) => key instanceof Uint8Array)).toEqual([true, false, false])
    expect(keys[1]).toBe(keys[2])
    expect((keys[0] as Uint8Array).every((byte) => byte === 0)).toBe(true)
  })
  it('stays bytes where the crypto module makes no KeyObjects', () => {
    const keys = given({ createSecretKey: undefined } as unknown as Partial<NodeCrypto>, thrice)
    expect(keys.every((key) => key instanceof Uint8Array)).toBe(true)
  })
  it('is given up by destroy', () => {
    const keys = given({}, (raw, sealed) => {
      thrice(raw, sealed)
      raw.destroy()
      raw.seal(N12, A, A, sealed, 0, A.length)
    })
    expect(keys.at(-1)).toBeInstanceOf(Uint8Array)
    expect((keys.at(-1) as Uint8Array).every((byte) => byte === 0)).toBe(true)
  })
})

describe('memory for results where the runtime makes plain arrays without zeroing them', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  async function allocated(allocUnsafe: (bytes: number) => Uint8Array): Promise<Uint8Array[]> {
    vi.stubGlobal('Bun', { allocUnsafe })
    vi.resetModules()
    const { allocate } = await import('../src/memory.ts')
    return [0, 511, 512, 4096, 40_000].map((bytes) => allocate(bytes))
  }
  it('is taken from there from 512 bytes on', async () => {
    const filled = await allocated((bytes) => new Uint8Array(bytes).fill(7))
    expect(filled.map((each) => each.length)).toEqual([0, 511, 512, 4096, 40_000])
    expect(filled.map((each) => each.at(-1))).toEqual([undefined, 0, 7, 7, 7])
  })
  it.each([
    ['Buffers', (bytes: number) => Buffer.alloc(bytes, 7)],
    ['parts of a pool', (bytes: number) => new Uint8Array(20_000).fill(7).subarray(16, 16 + bytes)],
    ['memory a byte too long', (bytes: number) => new Uint8Array(bytes + 1).fill(7).subarray(0, bytes)],
  ])('is not when it makes %s', async (_, make) => {
    for (const each of await allocated(make)) {
      expectOwn(each, each)
      expect(each.length < 32_768 ? each.every((byte) => byte === 0) : true).toBe(true)
    }
  })
})
