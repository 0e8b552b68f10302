import { ALGORITHMS, type AlgorithmId, createAeadSync, isAeadError, type SyncBackend } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { createWasmBackend } from '../src/index.ts'
import { createWasmBackendFromModules } from '../src/module.ts'
import { openLong } from '../src/windows.ts'
import { instanceOf, KERNELS, reference } from './kernel.ts'
import { Material, same } from './material.ts'

const material = new Material('cut short')
const MARK = 0xb7

interface Saboteur {
  /** The export that fails, after its work, from now on. */
  failing: string | undefined
  memory: Uint8Array
  slots: readonly [number, number]
}

/** Runs `body` with instances whose exports can end like a stack overflow inside them: scratch full, then an error. */
function sabotaged<T>(saboteur: Saboteur, body: () => T): T {
  const Original = WebAssembly.Instance
  WebAssembly.Instance = new Proxy(Original, {
    construct(target, args) {
      const { exports } = Reflect.construct(target, args) as WebAssembly.Instance
      const own = exports as Record<string, WebAssembly.ExportValue>
      const at = (name: string): number => (own[name] as WebAssembly.Global).value as number
      const memory = new Uint8Array((own.memory as WebAssembly.Memory).buffer)
      Object.assign(saboteur, { memory, slots: [at('SLOTS_START'), at('SLOTS_END')] })
      const wrapped = Object.entries(own).map(([name, value]) => {
        if (typeof value !== 'function') return [name, value]
        const call = (...given: unknown[]): unknown => {
          const result: unknown = Reflect.apply(value as () => unknown, undefined, given)
          if (name !== saboteur.failing) return result
          saboteur.failing = undefined
          if (name !== 'wipeSlot')
            memory.fill(MARK, at('STATIC_END'), at('SLOTS_START')).fill(MARK, at('SLOTS_END'))
          throw new RangeError('Maximum call stack size exceeded')
        }
        return [name, call]
      })
      return { exports: Object.fromEntries(wrapped) } as unknown as WebAssembly.Instance
    },
  })
  try {
    return body()
  } finally {
    WebAssembly.Instance = Original
  }
}

const IDS: readonly AlgorithmId[] = ['chacha20-poly1305', 'aes-128-gcm', 'aes-256-gcm']

for (const id of IDS) {
  const { keyBytes } = ALGORITHMS[id]
  const native = id as 'aes-128-gcm'
  const nonce = material.bytes(12)

  describe(`${id}, calls that are cut short`, () => {
    const saboteur = {} as Saboteur
    const key = material.bytes(keyBytes)
    let backend: SyncBackend
    const aead = sabotaged(saboteur, () => {
      backend = createWasmBackend()
      return createAeadSync(backend, id, key, { nonceCheck: false })
    })
    const calls: readonly (readonly [name: string, bytes: number, ...exports: string[]])[] = [
      ['sealSync', 100, 'seal'],
      ['sealSync', 70_000, 'begin', 'aadUpdate', 'sealUpdate', 'finish'],
      ['openSync', 100, 'open', 'wipeData'],
      [
        'openSync',
        70_000,
        'begin',
        'authUpdate',
        'verify',
        'decryptBegin',
        'decryptUpdate',
        'end',
        'wipeData',
      ],
    ]
    for (const [name, bytes, ...exports] of calls) {
      it(`${name} of ${bytes} bytes leaves nothing behind, and the next message is right`, () => {
        const [plaintext, aad] = [material.bytes(bytes), material.bytes(50)]
        const sealed = reference(native, key, nonce, plaintext, aad)
        for (const failing of exports) {
          saboteur.failing = failing
          const call = (): unknown =>
            name === 'sealSync' ? aead.sealSync(nonce, plaintext, aad) : aead.openSync(nonce, sealed, aad)
          expect(call, failing).toThrow()
          expect(saboteur.failing, 'it was called').toBeUndefined()
          const [from, to] = saboteur.slots
          const { memory } = saboteur
          expect([...memory.subarray(2048, from), ...memory.subarray(to)].some((byte) => byte !== 0)).toBe(
            false,
          )
          expect(same(aead.sealSync(nonce, plaintext, aad), sealed), failing).toBe(true)
          expect(same(aead.openSync(nonce, sealed, aad), plaintext), failing).toBe(true)
        }
      })
    }

    it('setting a key up leaves neither the key nor a lost slot; wiping is done by the next call', () => {
      const { memory, slots } = saboteur
      const before = memory.slice(...slots)
      saboteur.failing = 'setKey'
      expect(() => createAeadSync(backend, id, new Uint8Array(keyBytes).fill(0xa7))).toThrow()
      expect(same(memory.slice(...slots), before)).toBe(true)
      const other = createAeadSync(backend, id, new Uint8Array(keyBytes).fill(0xa7))
      const third = createAeadSync(backend, id, material.bytes(keyBytes))
      const kept = memory.slice(...slots)
      saboteur.failing = 'wipeSlot'
      expect(() => other.destroy()).toThrow()
      third.destroy()
      expect(same(memory.slice(...slots), before), 'both are wiped').toBe(true)
      expect(same(kept, before)).toBe(false)
      // Nothing is free twice: keys set up next do not share a slot.
      const made = Array.from({ length: 5 }, () => {
        const own = material.bytes(keyBytes)
        return [own, createAeadSync(backend, id, own)] as const
      })
      for (const [own, one] of made) {
        expect(
          same(one.sealSync(nonce, nonce), reference(native, own, nonce, nonce, new Uint8Array(0))),
        ).toBe(true)
        one.destroy()
      }
    })
  })

  describe(`${id}, shared memory that grows between the check and the copy`, () => {
    /** What growth by another thread looks like from here. */
    const grown = (bytes: number, shown: number): Uint8Array => {
      const view = material.bytes(bytes)
      let asked = 0
      return Object.defineProperty(view, 'length', { get: () => (asked++ === 0 ? shown : bytes) })
    }
    it('never writes outside the staging areas, and fails', () => {
      const backend = createWasmBackend()
      const { raw } = backend
      const params = ALGORITHMS[id]
      const key = material.bytes(keyBytes)
      const neighbours = Array.from({ length: 3 }, () => raw.create(params, key))
      const [first] = neighbours
      const none = new Uint8Array(0)
      const out = new Uint8Array(40 + 16)
      const expected = reference(native, key, nonce, new Uint8Array(40), none)
      for (const bytes of [41, 3000, 65_000, 65_536, 65_553, 69_000, 400_000]) {
        const attempts = [
          () => first!.seal(nonce, grown(bytes, 40), none, out, 0, 40),
          () => first!.sealNew!(none, nonce, grown(bytes, 40), none),
          () => first!.seal(nonce, new Uint8Array(40), grown(bytes, 40), out, 0, 40),
        ]
        for (const attempt of attempts) {
          expect(attempt).toThrow()
          for (const neighbour of neighbours) {
            neighbour.seal(nonce, new Uint8Array(40), none, out, 0, 40)
            expect(same(out, expected), `${bytes}`).toBe(true)
          }
        }
      }
    })
  })
}

it('a long opening takes its snapshot of shared memory, whatever class that says it is', () => {
  class Disguised extends SharedArrayBuffer {
    override get [Symbol.toStringTag](): 'SharedArrayBuffer' {
      return 'ArrayBuffer' as 'SharedArrayBuffer'
    }
  }
  for (const { hex, keyBytes, native } of KERNELS) {
    const [key, nonce, plaintext] = [material.bytes(keyBytes), material.bytes(12), material.bytes(70_000)]
    const sealed = new Uint8Array(new Disguised(70_016))
    sealed.set(reference(native, key, nonce, plaintext, new Uint8Array(0)))
    const instance = instanceOf(hex)
    const slot = instance.takeSlot(key)
    const { exports } = instance
    // Another thread writes between the two passes.
    const decryptBegin = (): void => {
      sealed.fill(0)
      exports.decryptBegin()
    }
    Object.assign(instance, { exports: { ...exports, decryptBegin } })
    const out = new Uint8Array(70_000)
    const long = { instance, slot, begin: exports.begin }
    expect(openLong(long, nonce, sealed, 0, 70_000, new Uint8Array(0), out)).toBe(true)
    expect(same(out, plaintext)).toBe(true)
  }
})

it('what Object.prototype carries is no memory, no function and no part of an instance', () => {
  const polluted: readonly (readonly [name: string, value: unknown])[] = [
    ['allocate', 1],
    ['fillRandom', {}],
    ['0', 'x'],
    ['36', 66],
    ['66', 66],
  ]
  const plaintext = material.bytes(20)
  const front = material.bytes(30)
  const [key, nonce, none] = [material.bytes(32), material.bytes(12), new Uint8Array(0)]
  const expected = [...front, ...reference('aes-256-gcm', key, nonce, plaintext, none)]
  for (const [name, value] of polluted) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
    let sealed: Uint8Array | undefined
    try {
      const { raw } = createWasmBackend()
      const aead = raw.create(ALGORITHMS['aes-256-gcm'], key)
      sealed = aead.sealNew!(front, nonce, plaintext, none)
      const out = new Uint8Array(20 + 16)
      aead.seal(nonce, plaintext, none, out, 0, 20)
      expect([...front, ...out], name).toEqual(expected)
      expect(raw.allocate, name).toBeUndefined()
    } finally {
      delete (Object.prototype as Record<string, unknown>)[name]
    }
    expect([...sealed!], name).toEqual(expected)
  }
})

it('a module of a kernel without room in front is refused', () => {
  // (module (func (export "memory") (export "SLOTS_END") ...))
  const names = ['memory', 'SLOTS_END', 'WINDOW_BYTES', 'seal', 'open', 'wipeData']
  const moduleOf = (exported: readonly string[]): WebAssembly.Module => {
    const entries = exported.flatMap((name) => [name.length, ...new TextEncoder().encode(name), 0, 0])
    const section = (id: number, ...body: number[]) => [id, body.length, ...body]
    return new WebAssembly.Module(
      Uint8Array.of(
        ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        ...section(1, 1, 0x60, 0, 0),
        ...section(3, 1, 0),
        ...section(7, exported.length, ...entries),
        ...section(10, 1, 2, 0, 0x0b),
      ),
    )
  }
  expect(() => createWasmBackendFromModules({ 'aes-gcm': moduleOf(names) })).toThrow(/must be the .*Module/)
  createWasmBackendFromModules({ 'aes-gcm': moduleOf([...names, 'FRONT_BYTES']) })
})

it('options and modules that are none are refused with a code', () => {
  const disguised = { [Symbol.toStringTag]: 'WebAssembly.Module' }
  const options: readonly unknown[] = [
    { engine: null },
    { engine: 'aes' },
    { engine: [] },
    { kernels: [] },
    null,
    'columns',
  ]
  const modules: readonly unknown[] = [
    undefined,
    null,
    'aes',
    {},
    { aes: disguised },
    { 'aes-gcm': disguised },
    { 'aes-gcm': null },
  ]
  const calls = [
    ...options.map((given) => () => createWasmBackend(given as object)),
    ...modules.map((given) => () => createWasmBackendFromModules(given as object)),
  ]
  for (const [i, call] of calls.entries()) {
    let caught: unknown
    try {
      call()
    } catch (error) {
      caught = error
    }
    expect(isAeadError(caught, 'invalid-argument'), `${i}: ${caught}`).toBe(true)
  }
})
