import { describe, expect, it } from 'vitest'
import { Driver, instanceOf, KERNELS, reference } from './kernel.ts'
import { Material, same } from './material.ts'

/** Where two memories differ, outside the given [from, to) ranges; at most eight places. */
function differences(
  now: Uint8Array,
  before: Uint8Array,
  ...allowed: readonly (readonly [number, number])[]
): number[] {
  const masked = now.slice()
  for (const [from, to] of allowed) masked.set(before.subarray(from, to), from)
  if (same(masked, before)) return []
  return Array.from(masked.keys())
    .filter((i) => masked[i] !== before[i])
    .slice(0, 8)
}

for (const { name, hex, keyBytes, native } of KERNELS) {
  describe(`memory of ${name}`, () => {
    const material = new Material(`wiping ${name}`)

    it('R35: 24 bytes of the key occur nowhere outside the slot, whatever was done with it', () => {
      const instance = instanceOf(hex)
      const fresh = instance.memory.slice()
      const key = new Uint8Array(keyBytes).fill(0xa7)
      const driver = new Driver(hex, key, instance)
      const { memory, dataAt, aadAt, exports } = instance
      const withKey = memory.slice()
      const slot = differences(withKey, fresh)
      expect(slot.length).toBeGreaterThan(0)
      const runs = (): number =>
        Buffer.from(memory.buffer).indexOf(Buffer.alloc(Math.min(24, keyBytes), 0xa7))
      for (const n of [0, 1, 16, 63, 64, 65, 96, 97, 128, 193, 1000, 4097, 65_536, 65_537, 150_000]) {
        for (const aadBytes of [0, 9, 5000]) {
          const [nonce, plaintext] = [material.bytes(12), material.bytes(n)]
          const aad = material.bytes(aadBytes)
          const staged = [aadAt, aadAt + Math.min(aadBytes, instance.aadBytes)] as const
          const result = [dataAt, dataAt + Math.min(n, 65_536) + 16] as const
          const sealed = reference(native, key, nonce, plaintext, aad)
          for (const long of n > 65_536 || aadBytes > instance.aadBytes ? [true] : [false, true]) {
            const what = `${n} bytes, ${aadBytes} of AAD, ${long ? 'windows' : 'one call'}`
            if (long) driver.sealLong(nonce, plaintext, aad)
            else driver.seal(nonce, plaintext, aad)
            expect(differences(memory, withKey, staged, result), `seal ${what}`).toEqual([])
            memory.fill(0, dataAt, result[1])
            const opened = long ? driver.openLong(nonce, sealed, aad) : driver.open(nonce, sealed, aad)
            expect(same(opened ?? nonce, plaintext), `open ${what}`).toBe(true)
            const tag = [dataAt + (long ? 0 : n), dataAt + (long ? 0 : n) + 16] as const
            expect(differences(memory, withKey, staged, tag), `open ${what}`).toEqual([])
            memory.fill(0, dataAt, result[1])
            sealed[0]! ^= 1
            expect(
              long ? driver.openLong(nonce, sealed, aad) : driver.open(nonce, sealed, aad),
            ).toBeUndefined()
            sealed[0]! ^= 1
            expect(differences(memory, withKey, staged, result), `refused ${what}`).toEqual([])
            memory.fill(0, dataAt, result[1])
          }
          memory.fill(0, ...staged)
          if (native === 'chacha20-poly1305') expect(runs()).toBeGreaterThan(0)
          else expect(runs()).toBe(-1)
        }
      }
      exports.wipeSlot(driver.slot)
      expect(runs()).toBe(-1)
      expect(differences(memory, fresh)).toEqual([])
    })

    it('a message given up at any point leaves nothing after end()', () => {
      const instance = instanceOf(hex)
      const driver = new Driver(hex, material.bytes(keyBytes), instance)
      const { memory, exports, nonce, dataAt, aadAt } = instance
      const before = memory.slice()
      const steps = [
        () => {},
        () => exports.aadUpdate(100),
        () => exports.sealUpdate(65_536),
        () => exports.authUpdate(5),
        () => exports.verify(),
        () => exports.decryptBegin(),
        () => exports.decryptUpdate(1000),
      ]
      for (let count = 1; count <= steps.length; count++) {
        nonce.fill(0xb3)
        exports.begin(driver.slot)
        for (const step of steps.slice(0, count)) step()
        exports.end()
        exports.wipeData(65_536)
        memory.fill(0, dataAt, dataAt + 65_536 + 16)
        memory.fill(0, aadAt, aadAt + 100)
        nonce.fill(0)
        expect(differences(memory, before), `after ${count} steps`).toEqual([])
      }
    })
  })
}
