import { ALGORITHMS, createSealer, generateKey, type Sealer } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { createWasmBackend } from '../src/index.ts'
import { Driver, instanceOf, KERNELS, reference } from './kernel.ts'
import { Material, same } from './material.ts'
import { memoriesDuring } from './memories.ts'

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
      const { memory, dataAt, exports } = instance
      const aadAt = exports.AAD.value as number
      const withKey = memory.slice()
      const slot = differences(withKey, fresh)
      expect(slot.length).toBeGreaterThan(0)
      const runs = (): number =>
        Buffer.from(memory.buffer).indexOf(Buffer.alloc(Math.min(24, keyBytes), 0xa7))
      for (const n of [0, 1, 16, 63, 64, 65, 96, 97, 128, 193, 1000, 4097, 65_536, 65_537, 150_000]) {
        for (const aadBytes of [0, 9, 5000]) {
          const [nonce, plaintext] = [material.bytes(12), material.bytes(n)]
          const aad = material.bytes(aadBytes)
          const staged = [aadAt, aadAt + Math.min(aadBytes, instance.aad.length)] as const
          const result = [dataAt, dataAt + Math.min(n, 65_536) + 16] as const
          const sealed = reference(native, key, nonce, plaintext, aad)
          for (const long of n > 65_536 || aadBytes > instance.aad.length ? [true] : [false, true]) {
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
      const { memory, exports, nonce, dataAt } = instance
      const aadAt = exports.AAD.value as number
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

describe('what a sealer puts in front of a message', () => {
  const material = new Material('front')
  for (const id of ['chacha20-poly1305', 'xchacha20-poly1305', 'aes-128-gcm', 'aes-256-gcm'] as const) {
    for (const format of ['box', 'bare'] as const) {
      it(`is wiped: ${id}, ${format}`, async () => {
        const sealers: Promise<Sealer>[] = []
        const memories = memoriesDuring(() => {
          const backend = createWasmBackend()
          expect(backend.probeSync(id)).toEqual({ available: true })
          sealers.push(createSealer(generateKey(id), { backends: [backend], format }))
        })
        expect(memories.length).toBe(1)
        const sealer = await sealers[0]!
        const headerBytes = format === 'box' ? 9 : 0
        const box = sealer.encryptSync(material.bytes(100))
        const nonce = box.subarray(headerBytes, headerBytes + ALGORITHMS[id].nonceBytes)
        const found = (): number => Buffer.from(memories[0]!.buffer).indexOf(nonce)
        memories[0]!.set(nonce, memories[0]!.length - 200)
        expect(found(), 'the search works').toBeGreaterThan(0)
        memories[0]!.fill(0, memories[0]!.length - 200, memories[0]!.length - 200 + nonce.length)
        expect(found(), 'sealed').toBe(-1)
        sealer.decryptSync(box)
        expect(found(), 'opened').toBe(-1)
        box[box.length - 1]! ^= 1
        expect(() => sealer.decryptSync(box)).toThrow()
        expect(found(), 'refused').toBe(-1)
      })
    }
  }
})
