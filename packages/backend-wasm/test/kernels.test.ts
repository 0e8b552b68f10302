import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../src/hex.ts'
import { FRONT_BYTES } from '../src/instance.ts'
import { Driver, instanceOf, KERNELS, reference } from './kernel.ts'
import { Material, same } from './material.ts'

/** AEADKIT_LONG=1 runs every length; else a part of them. */
const LONG = process.env.AEADKIT_LONG === '1'
const STEP = LONG ? 1 : 7
const WINDOW = 65_536

const BOUNDARIES = [64, 96, 128, 192, 256, 448, 512, 704, 4096, 4192, 16_384, WINDOW, 2 * WINDOW, 3 * WINDOW]

const EXPORTS = [
  ...['KEY', 'NONCE', 'AAD', 'AAD_BYTES', 'DATA', 'FRONT_BYTES', 'WINDOW_BYTES', 'SLOTS', 'memory'],
  ...['STATIC_END', 'SLOTS_START', 'SLOTS_END'],
  ...['setKey', 'wipeSlot', 'seal', 'open', 'wipeData', 'begin', 'aadUpdate', 'sealUpdate', 'authUpdate'],
  ...['verify', 'finish', 'decryptBegin', 'decryptUpdate', 'end'],
]

for (const { name, hex, keyBytes, native } of KERNELS) {
  const material = new Material(name)
  const random = (n: number): Uint8Array<ArrayBuffer> => material.bytes(n)

  describe(name, () => {
    it('imports nothing, exports the interface, and its memory is fixed', () => {
      const module = new WebAssembly.Module(bytesOfHex(hex))
      expect(WebAssembly.Module.imports(module)).toEqual([])
      const extended = name.startsWith('chacha') ? ['sealX', 'openX', 'beginX'] : []
      const found = WebAssembly.Module.exports(module).map((item) => item.name)
      expect(found.sort()).toEqual([...EXPORTS, ...extended].sort())
      const { exports, memory, windowBytes, aad } = instanceOf(hex)
      expect(() => exports.memory.grow(1)).toThrow()
      expect(() => {
        exports.DATA.value = 1
      }).toThrow(TypeError)
      expect(windowBytes).toBe(WINDOW)
      expect(exports.FRONT_BYTES.value).toBe(FRONT_BYTES)
      expect(aad.length).toBeGreaterThanOrEqual(4096)
      expect(memory.length).toBeLessThanOrEqual(512 * 1024)
    })

    it('agrees with OpenSSL at short lengths and around every boundary, by both paths', () => {
      const lengths = new Set<number>()
      for (let n = 0; n <= 700; n += n < 70 ? 1 : STEP) lengths.add(n)
      for (const base of BOUNDARIES) for (const d of [-17, -16, -1, 0, 1, 16, 17]) lengths.add(base + d)
      const instance = instanceOf(hex)
      let key = random(keyBytes)
      let driver = new Driver(hex, key, instance)
      for (const n of lengths) {
        if (n % 50 === 0) {
          instance.freeSlot(driver.slot)
          key = random(keyBytes)
          driver = new Driver(hex, key, instance)
        }
        const [nonce, plaintext, aad] = [random(12), random(n), random(n % 37)]
        const expected = reference(native, key, nonce, plaintext, aad)
        expect(same(driver.sealLong(nonce, plaintext, aad), expected), `sealLong ${n}`).toBe(true)
        expect(same(driver.openLong(nonce, expected, aad) ?? nonce, plaintext), `openLong ${n}`).toBe(true)
        if (n > WINDOW) continue
        expect(same(driver.seal(nonce, plaintext, aad), expected), `seal ${n}`).toBe(true)
        expect(same(driver.open(nonce, expected, aad) ?? nonce, plaintext), `open ${n}`).toBe(true)
      }
    })

    it('agrees at lengths of AAD, past its staging area too', () => {
      const key = random(keyBytes)
      const driver = new Driver(hex, key)
      const lengths = Array.from({ length: LONG ? 201 : 67 }, (_, i) => i)
      for (const aadBytes of [...lengths, 4079, 4080, 4095, 4096, 4097, 4112, 8192, 10_000]) {
        for (const n of [0, 1, 64, 100, 300]) {
          const [nonce, plaintext, aad] = [random(12), random(n), random(aadBytes)]
          const expected = reference(native, key, nonce, plaintext, aad)
          expect(same(driver.sealLong(nonce, plaintext, aad), expected), `${aadBytes}/${n}`).toBe(true)
          expect(driver.openLong(nonce, expected, aad), `${aadBytes}/${n}`).toEqual(plaintext)
          if (aadBytes > 4096) continue
          expect(same(driver.seal(nonce, plaintext, aad), expected), `${aadBytes}/${n}`).toBe(true)
        }
      }
    })

    it('refuses every change, decrypts nothing then, and leaves the window as it was given', () => {
      const key = random(keyBytes)
      const driver = new Driver(hex, key)
      const { memory, dataAt } = driver.instance
      for (const n of [0, 1, 16, 64, 65, 97, 129, 193, 700, 4096, WINDOW]) {
        const [nonce, plaintext, aad] = [random(12), random(n), random(21)]
        const sealed = reference(native, key, nonce, plaintext, aad)
        const flip = (bytes: Uint8Array, at: number): Uint8Array =>
          bytes.map((byte, i) => (i === at ? byte ^ (1 << (at % 8)) : byte))
        const places = new Set([0, n >> 1, n - 1].filter((at) => at >= 0 && at < n))
        for (let i = 0; i < 16; i++) places.add(n + i)
        const changed: [Uint8Array, Uint8Array, Uint8Array][] = [
          [flip(nonce, 0), sealed, aad],
          [flip(nonce, 11), sealed, aad],
          [nonce, sealed, flip(aad, 20)],
          [nonce, sealed, aad.subarray(0, 20)],
          [nonce, sealed, Uint8Array.from([...aad, 0])],
        ]
        for (const at of places) changed.push([nonce, flip(sealed, at), aad])
        for (const [otherNonce, otherSealed, otherAad] of changed) {
          expect(driver.open(otherNonce, otherSealed, otherAad)).toBeUndefined()
          expect(same(memory.subarray(dataAt, dataAt + n), otherSealed.subarray(0, n))).toBe(true)
          expect(driver.openLong(otherNonce, otherSealed, otherAad)).toBeUndefined()
          if (n >= 16) expect(Buffer.from(memory.buffer).indexOf(plaintext.subarray(-16))).toBe(-1)
        }
        expect(driver.open(nonce, sealed, aad)).toEqual(plaintext)
      }
    })

    it('keeps all its slots apart', () => {
      const instance = instanceOf(hex)
      const nonce = random(12)
      const plaintext = random(70)
      const aad = random(7)
      const drivers: { driver: Driver; key: Uint8Array }[] = []
      while (!instance.full) {
        const key = random(keyBytes)
        drivers.push({ driver: new Driver(hex, key, instance), key })
      }
      expect(drivers.length).toBeGreaterThanOrEqual(64)
      for (const [i, { driver }] of drivers.entries()) if (i % 2 === 0) instance.freeSlot(driver.slot)
      for (const [i, { driver, key }] of drivers.entries()) {
        if (i % 2 === 0) continue
        expect(same(driver.seal(nonce, plaintext, aad), reference(native, key, nonce, plaintext, aad))).toBe(
          true,
        )
      }
    })
  })
}
