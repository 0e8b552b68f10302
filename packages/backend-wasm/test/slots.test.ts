import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ALGORITHMS, type AlgorithmId, createAeadSync, type SyncAead } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { createWasmBackend } from '../src/index.ts'
import { memoriesDuring } from './memories.ts'

const IDS: readonly AlgorithmId[] = ['chacha20-poly1305', 'aes-256-gcm']
const SHORT_COUNT = 5000

for (const id of IDS) {
  const { keyBytes } = ALGORITHMS[id]
  const keyOf = (i: number): Uint8Array => new Uint8Array(keyBytes).fill(i & 0xff).fill(i >> 8, 0, 4)
  describe(`slots of ${id}`, () => {
    it(`${SHORT_COUNT} created and destroyed use one instance`, () => {
      const backend = createWasmBackend()
      const memories = memoriesDuring(() => {
        for (let i = 0; i < SHORT_COUNT; i++) createAeadSync(backend, id, keyOf(i)).destroy()
      })
      expect(memories.length).toBe(1)
    })

    it('more keys than slots take another instance, memory never grows, and freed slots are used again', () => {
      const backend = createWasmBackend()
      let living: SyncAead[] = []
      const nonce = new Uint8Array(12)
      const message = new Uint8Array(20).fill(7)
      const create = (count: number): void => {
        for (let i = 0; i < count; i++)
          living.push(createAeadSync(backend, id, keyOf(i), { nonceCheck: false }))
      }
      const first = memoriesDuring(() => create(1100))
      expect(first.length).toBeGreaterThan(1)
      const sizes = first.map((memory) => memory.length)
      const sealed = living.map((aead) => aead.sealSync(nonce, message))
      for (const [i, aead] of living.entries()) if (i % 2 === 1) aead.destroy()
      for (const [i, aead] of living.entries())
        if (i % 2 === 0) expect(aead.openSync(nonce, sealed[i]!)).toEqual(message)
      expect(memoriesDuring(() => create(500)).length, 'freed slots first').toBe(0)
      expect(first.map((memory) => memory.length)).toEqual(sizes)
      for (const aead of living) aead.destroy()
      living = []
      const rest = memoriesDuring(() => create(10))
      expect(rest.length).toBeLessThanOrEqual(1)
    })
  })
}

it(`${SHORT_COUNT} dropped without destroy: slots come back when owners are collected, memory is flat`, () => {
  const script = fileURLToPath(new URL('slots.mjs', import.meta.url))
  const text = execFileSync(process.execPath, ['--expose-gc', script, `${SHORT_COUNT}`], { encoding: 'utf8' })
  for (const line of text.trim().split('\n')) {
    const { id, made, living, growthMiB } = JSON.parse(line) as {
      id: string
      made: number
      living: number
      growthMiB: number
    }
    // Without finalizers five instances of ChaCha would fill up.
    if (id === 'chacha20-poly1305') expect(made, line).toBeLessThanOrEqual(2)
    expect(living, line).toBeLessThanOrEqual(8)
    expect(growthMiB, line).toBeLessThan(32)
  }
})
