import { createCipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script of the build, without types
import { compile } from '../scripts/compile.mjs'
// @ts-expect-error: a script of the build, without types
import { PARTS } from '../scripts/kernels.mjs'
import { Driver, instanceOf, KERNELS, reference } from './kernel.ts'
import { hex, Material, same, toHex } from './material.ts'

/** Exports of assembly/test/index.ts. */
interface Parts {
  readonly memory: WebAssembly.Memory
  readonly IN: WebAssembly.Global
  readonly OUT: WebAssembly.Global
  setKey(keyBytes: number): void
  encrypt(): void
  counters(counter: number): void
  setHashKey(reversed: boolean): void
  hash(reversed: boolean, count: number): void
}

const bytes = (await compile(PARTS)) as Uint8Array<ArrayBuffer>
const parts = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Parts
const memory = new Uint8Array(parts.memory.buffer)
const put = (data: Uint8Array): void => memory.set(data, parts.IN.value)
const got = (count: number): Uint8Array => memory.slice(parts.OUT.value, parts.OUT.value + count)
const material = new Material('parts')
const random = (n: number): Uint8Array<ArrayBuffer> => material.bytes(n)

describe('AES and its hashes, which other modules will share', () => {
  it('AES in blocks: FIPS 197 appendix C, and eight different blocks', () => {
    const answers = [
      [16, '69c4e0d86a7b0430d8cdb78070b4c55a'],
      [24, 'dda97ca4864cdfe06eaf70a0ec0d7191'],
      [32, '8ea2b7ca516745bfeafc49904b496089'],
    ] as const
    for (const [keyBytes, expected] of answers) {
      put(Uint8Array.from({ length: keyBytes }, (_, i) => i))
      parts.setKey(keyBytes)
      put(hex('00112233445566778899aabbccddeeff'.repeat(8)))
      parts.encrypt()
      expect(toHex(got(128))).toBe(expected.repeat(8))
      for (let i = 0; i < 40; i++) {
        const [key, blocks] = [random(keyBytes), random(128)]
        put(key)
        parts.setKey(keyBytes)
        put(blocks)
        parts.encrypt()
        const cipher = createCipheriv(`aes-${keyBytes * 8}-ecb`, key, null)
        expect(same(got(128), cipher.update(blocks))).toBe(true)
      }
    }
  })

  it('counters up to 2^32 - 1, the last that a message of 2^36 - 32 bytes reaches', () => {
    const key = random(32)
    const nonce = random(12)
    put(key)
    parts.setKey(32)
    for (const counter of [0, 8, 2 ** 16 - 8, 2 ** 31 - 8, 2 ** 31, 2 ** 32 - 16, 2 ** 32 - 8]) {
      put(nonce)
      parts.counters(counter)
      const first = Buffer.alloc(16)
      first.set(nonce)
      first.writeUInt32BE(counter, 12)
      const expected = createCipheriv('aes-256-ctr', key, first).update(new Uint8Array(128))
      expect(same(got(128), expected), `${counter}`).toBe(true)
    }
  })

  it('GHASH against its definition (SP 800-38D §6.3), POLYVAL of RFC 8452 appendix A', () => {
    const number = (data: Uint8Array): bigint => BigInt(`0x${toHex(data)}`)
    const times = (x: bigint, factor: bigint): bigint => {
      let [z, y] = [0n, factor]
      for (let i = 127n; i >= 0n; i--) {
        if ((x >> i) & 1n) z ^= y
        y = y & 1n ? (y >> 1n) ^ (0xe1n << 120n) : y >> 1n
      }
      return z
    }
    for (let count = 0; count <= 40; count++) {
      const [key, blocks] = [random(16), random(16 * count)]
      put(key)
      parts.setHashKey(false)
      put(blocks)
      parts.hash(false, count)
      let y = 0n
      for (let i = 0; i < count; i++) y = times(y ^ number(blocks.subarray(16 * i, 16 * i + 16)), number(key))
      expect(number(got(16)), `${count} blocks`).toBe(y)
    }
    put(hex('25629347589242761d31f826ba4b757b'))
    parts.setHashKey(true)
    put(hex('4f4f95668c83dfb6401762bb2d01a262d1a24ddd2721d006bbe45f20d3c9f362'))
    parts.hash(true, 2)
    expect(toHex(got(16))).toBe('f7a3b47b846119fae5b7866cf5e5b77e')
  })
})

for (const { name, hex: module, native } of KERNELS.slice(0, 2)) {
  describe(name, () => {
    it('counts blocks up to 2^32 - 1, the last that a message of 2^38 - 64 bytes reaches', () => {
      const [key, nonce] = [random(32), random(12)]
      const driver = new Driver(module, key)
      const { exports, memory: own, dataAt, windowBytes } = driver.instance
      driver.instance.nonce.set(nonce)
      exports.begin(driver.slot)
      const state = Buffer.from(own.buffer).indexOf('expand 32-byte k')
      for (const first of [2 ** 31 - 1024, 2 ** 32 - 2048, 2 ** 32 - 1024]) {
        new DataView(own.buffer).setUint32(state + 48, first, true)
        own.fill(0, dataAt, dataAt + windowBytes)
        exports.decryptUpdate(windowBytes)
        const iv = Buffer.alloc(16)
        iv.writeUInt32LE(first)
        iv.set(nonce, 4)
        const expected = createCipheriv('chacha20', key, iv).update(new Uint8Array(windowBytes))
        expect(same(own.subarray(dataAt, dataAt + windowBytes), expected), `${first}`).toBe(true)
      }
      exports.end()
    })

    it('gets the edges of Poly1305 right: hashes around 0, p and 2^130, by solving for the last block', () => {
      const P = 2n ** 130n - 5n
      const HIGH = 1n << 128n
      const LOW = (1n << 64n) - 1n
      const mod = (x: bigint): bigint => ((x % P) + P) % P
      const inverse = (x: bigint): bigint => {
        let [power, base] = [1n, x]
        for (let k = P - 2n; k > 0n; k >>= 1n) {
          if (k & 1n) power = (power * base) % P
          base = (base * base) % P
        }
        return power
      }
      const number = (data: Uint8Array): bigint =>
        data.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
      const low = [
        0n,
        1n,
        2n,
        3n,
        4n,
        5n,
        6n,
        100n,
        2n ** 32n - 6n,
        2n ** 32n - 5n,
        2n ** 32n - 1n,
        2n ** 32n,
      ]
      for (const hash of [...low, ...low.map((x) => P - 1n - x)]) {
        for (const blocks of [1, 4, 5, 13]) {
          const n = 16 * blocks
          for (let found = false; !found; ) {
            const [key, nonce] = [random(32), random(12)]
            const chacha = createCipheriv('chacha20', key, Buffer.concat([Buffer.alloc(4), nonce]))
            const stream = chacha.update(new Uint8Array(64 + n))
            const r = number(stream.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn
            const text = random(n)
            let h = 0n
            for (let i = 0; i < n - 16; i += 16) h = ((h + number(text.subarray(i, i + 16)) + HIGH) * r) % P
            const back = inverse(r)
            const lengths = HIGH + (BigInt(n) << 64n)
            const block = mod(mod(mod(hash * back) - lengths) * back - h) - HIGH
            if (block < 0n || block >= HIGH) continue
            const view = new DataView(text.buffer)
            view.setBigUint64(n - 16, block & LOW, true)
            view.setBigUint64(n - 8, block >> 64n, true)
            const plaintext = text.map((byte, i) => byte ^ stream[64 + i]!)
            const none = new Uint8Array(0)
            const sealed = reference(native, key, nonce, plaintext, none)
            expect(number(sealed.subarray(n))).toBe((hash + number(stream.subarray(16, 32))) % HIGH)
            const driver = new Driver(module, key, edges)
            expect(same(driver.seal(nonce, plaintext, none), sealed), `hash ${hash}, ${blocks} blocks`).toBe(
              true,
            )
            edges.freeSlot(driver.slot)
            found = true
          }
        }
      }
    })
    const edges = instanceOf(module)
  })
}
