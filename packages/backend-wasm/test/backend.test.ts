import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import {
  ALGORITHMS,
  type AlgorithmId,
  createAead,
  createAeadSync,
  createSealer,
  isAeadError,
  type SyncAead,
  type SyncBackend,
} from '@aeadkit/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createWasmBackend as createAesOnly } from '../src/aes-gcm.ts'
import {
  createWasmBackend as createColumns,
  prepareWasmBackend as prepareColumns,
} from '../src/chacha20-poly1305.columns.ts'
import {
  createWasmBackend as createRows,
  prepareWasmBackend as prepareRows,
} from '../src/chacha20-poly1305.rows.ts'
import { createWasmBackend as createChachaOnly } from '../src/chacha20-poly1305.ts'
import { HEX as AES } from '../src/generated/aes-gcm.ts'
import { HEX as COLUMNS } from '../src/generated/chacha20-poly1305.columns.ts'
import { bytesOfHex } from '../src/hex.ts'
import { createWasmBackend, prepareWasmBackend } from '../src/index.ts'
import { createWasmBackendFromModules } from '../src/module.ts'
import { instanceOf } from './kernel.ts'
import { hex, Material, same, toHex } from './material.ts'
import { memoriesDuring } from './memories.ts'

const IDS: readonly AlgorithmId[] = ['chacha20-poly1305', 'xchacha20-poly1305', 'aes-128-gcm', 'aes-256-gcm']
const WINDOW = 65_536
const material = new Material('backend')
const chachaModule = (): WebAssembly.Module => new WebAssembly.Module(bytesOfHex(COLUMNS))
const aesModule = (): WebAssembly.Module => new WebAssembly.Module(bytesOfHex(AES))

function aeadOf(id: AlgorithmId, key?: Uint8Array, backend: SyncBackend = createWasmBackend()): SyncAead {
  return createAeadSync(backend, id, key ?? material.bytes(ALGORITHMS[id].keyBytes), { nonceCheck: false })
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return isAeadError(error) ? error.code : String(error)
  }
  return 'nothing thrown'
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('entries and options', () => {
  it('each entry has its algorithms, and all of them pass the self-test', async () => {
    const entries: [SyncBackend, readonly AlgorithmId[]][] = [
      [createWasmBackend(), IDS],
      [createChachaOnly(), IDS.slice(0, 2)],
      [createAesOnly(), IDS.slice(2)],
      [await prepareWasmBackend(), IDS],
      [createColumns(), IDS.slice(0, 2)],
      [await prepareColumns(), IDS.slice(0, 2)],
      [createRows(), IDS.slice(0, 2)],
      [await prepareRows(), IDS.slice(0, 2)],
      [createWasmBackendFromModules({ 'chacha20-poly1305': chachaModule() }), IDS.slice(0, 2)],
      [createWasmBackendFromModules({ 'chacha20-poly1305': chachaModule(), 'aes-gcm': aesModule() }), IDS],
    ]
    for (const [backend, ids] of entries) {
      expect(backend.algorithms).toEqual(ids)
      for (const id of ids) expect(backend.probeSync(id), id).toEqual({ available: true })
      for (const id of IDS.filter((item) => !ids.includes(item))) {
        expect(codeOf(() => createAeadSync(backend, id, new Uint8Array(ALGORITHMS[id].keyBytes)))).toBe(
          'unsupported',
        )
      }
    }
  })

  it('says which version and which layouts run', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    const on = (backend: SyncBackend): string => backend.raw.version()
    expect(on(createWasmBackend())).toBe(
      `aeadkit wasm ${version} (chacha20-poly1305: columns, aes-gcm: bitsliced)`,
    )
    expect(on(createChachaOnly({ engine: 'rows' }))).toBe(`aeadkit wasm ${version} (chacha20-poly1305: rows)`)
    expect(on(createColumns())).toBe(`aeadkit wasm ${version} (chacha20-poly1305: columns)`)
    expect(on(createRows())).toBe(`aeadkit wasm ${version} (chacha20-poly1305: rows)`)
    expect(on(createWasmBackendFromModules({ 'aes-gcm': aesModule() }))).toBe(
      `aeadkit wasm ${version} (aes-gcm: given module)`,
    )
  })

  it('refuses wrong options and wrong modules with their names', async () => {
    const wrong: (() => unknown)[] = [
      () => createWasmBackend({ engines: 'auto' } as never),
      () => createWasmBackend({ engine: 'row' as never }),
      () => createWasmBackend({ engine: ['rows'] as never }),
      () => createWasmBackendFromModules({ 'aes-gcm': {} as never }),
      () => createWasmBackendFromModules({}),
      () => createWasmBackendFromModules({ 'aes-gmc': aesModule() } as never),
      () => createWasmBackendFromModules({ 'aes-gcm': bytesOfHex(AES) as never }),
      // The smallest module there is.
      () => createWasmBackendFromModules({ 'aes-gcm': new WebAssembly.Module(hex('0061736d01000000')) }),
    ]
    for (const run of wrong) expect(codeOf(run)).toBe('invalid-argument')
    expect(() => createWasmBackend({ engines: 'auto' } as never)).toThrow(/engine/)
    await expect(prepareWasmBackend({ kernels: [] } as never)).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })

  it('a module of the other kernel does not pass the self-test', () => {
    const backend = createWasmBackendFromModules({ 'chacha20-poly1305': aesModule() })
    for (const id of backend.algorithms) expect(backend.probeSync(id)).toMatchObject({ available: false })
  })

  it('claims what the sources hold, and the limit of all backends (R07)', () => {
    const backend = createWasmBackend()
    for (const id of IDS) {
      const { constantTime, fips, maxBytes, oneShot, allocates } = aeadOf(id).guarantees
      expect(constantTime.level).toBe(id.startsWith('aes') ? 'bitsliced' : 'structural')
      expect(constantTime.basis).toContain('engine')
      expect([fips.module, oneShot, allocates]).toEqual(['off', false, 'nothing'])
      expect(maxBytes).toBe(2 ** 31 - 17)
    }
    expect(backend.raw.fillRandom).toBeUndefined()
  })
})

describe('embedded bytes', () => {
  it('are the same by each way of decoding', () => {
    const expected = bytesOfHex(AES)
    const own = Uint8Array as { fromHex?: unknown }
    const { fromHex } = own
    try {
      delete own.fromHex
      expect(same(bytesOfHex(AES), expected)).toBe(true)
      vi.stubGlobal('Buffer', undefined)
      const decoded = bytesOfHex(AES)
      vi.unstubAllGlobals()
      expect(same(decoded, expected)).toBe(true)
    } finally {
      if (fromHex !== undefined) own.fromHex = fromHex
    }
  })
})

describe('where WebAssembly is refused (R31)', () => {
  const REASON = /wasm blocked: /

  it('nothing is compiled before an algorithm is probed or used', () => {
    expect(
      memoriesDuring(() => {
        createWasmBackend()
      }).length,
    ).toBe(0)
    const backend = createWasmBackend()
    expect(memoriesDuring(() => void backend.probeSync('aes-128-gcm')).length).toBe(1)
  })

  it('no WebAssembly: unavailable with the reason, prepared or not', async () => {
    vi.stubGlobal('WebAssembly', undefined)
    for (const backend of [createWasmBackend(), await prepareWasmBackend()]) {
      for (const id of IDS) {
        expect(backend.probeSync(id)).toMatchObject({
          available: false,
          stage: 'absent',
          reason: expect.stringMatching(REASON),
        })
        expect(codeOf(() => createAeadSync(backend, id, new Uint8Array(ALGORITHMS[id].keyBytes)))).toBe(
          'unsupported',
        )
      }
    }
  })

  it('compiling throws, whatever validate says: unavailable with the reason', async () => {
    const refuse = (): never => {
      throw new WebAssembly.CompileError('violates the following Content Security Policy directive')
    }
    vi.stubGlobal('WebAssembly', {
      ...{ CompileError: WebAssembly.CompileError, validate: () => true },
      ...{ compile: async () => refuse(), instantiate: async () => refuse() },
      Module: new Proxy(class {}, { construct: refuse }),
      Instance: new Proxy(class {}, { construct: refuse }),
    })
    for (const backend of [createWasmBackend(), await prepareWasmBackend()]) {
      const answer = await backend.probe('chacha20-poly1305')
      expect(answer).toMatchObject({
        available: false,
        reason: expect.stringMatching(/wasm blocked: CompileError: .*Policy/),
      })
      await expect(createSealer('chacha20-poly1305', { backends: [backend] })).rejects.toMatchObject({
        code: 'unsupported',
      })
    }
  })

  it('--jitless: the import works, the backend says why it does not', () => {
    const script = `
      const { createWasmBackend } = await import('@aeadkit/backend-wasm')
      console.log(JSON.stringify(createWasmBackend().probeSync('aes-256-gcm')))`
    const args = ['--jitless', '--input-type=module', '--eval', script]
    const cwd = new URL('..', import.meta.url)
    const text = execFileSync(process.execPath, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(JSON.parse(text)).toMatchObject({ available: false, reason: expect.stringMatching(REASON) })
  })
})

describe('before compilation has ended (R30)', () => {
  it('is not-ready where the engine compiles only asynchronously, and works once prepared', async () => {
    const real = WebAssembly
    const refuse = (): never => {
      throw new RangeError(
        'WebAssembly.Module is disallowed on the main thread, if the buffer size is larger than 4KB',
      )
    }
    vi.stubGlobal('WebAssembly', {
      ...{ compile: real.compile, Instance: real.Instance, Memory: real.Memory },
      Module: new Proxy(class {}, { construct: refuse }),
    })
    const backend = createWasmBackend()
    const key = material.bytes(32)
    expect(codeOf(() => createAeadSync(backend, 'chacha20-poly1305', key))).toBe('not-ready')
    expect(codeOf(() => backend.raw.create(ALGORITHMS['chacha20-poly1305'], key))).toBe('not-ready')
    await expect(createAead(backend, 'chacha20-poly1305', key)).rejects.toMatchObject({ code: 'not-ready' })
    expect(await backend.probe('chacha20-poly1305')).toMatchObject({ available: false })
    const prepared = await prepareWasmBackend()
    expect(prepared.probeSync('chacha20-poly1305')).toEqual({ available: true })
    vi.unstubAllGlobals()
    expect(backend.probeSync('chacha20-poly1305'), 'not-ready is not remembered').toEqual({ available: true })
  })
})

for (const id of IDS) {
  const { keyBytes, nonceBytes } = ALGORITHMS[id]
  describe(id, () => {
    const nonce = material.bytes(nonceBytes)
    const aad = material.bytes(13)

    it('works in place at every alignment, over several windows too', () => {
      const aead = aeadOf(id)
      for (const bytes of [0, 1, 63, 64, 65, 1350, WINDOW, WINDOW + 1, 3 * WINDOW + 5]) {
        const plaintext = material.bytes(bytes)
        const expected = aead.sealSync(nonce, plaintext, aad)
        for (let shift = 0; shift < 4; shift++) {
          const place = new Uint8Array(bytes + 16 + shift + 3).fill(0xcc)
          const out = place.subarray(shift)
          out.set(plaintext)
          expect(aead.sealIntoSync(out, nonce, out.subarray(0, bytes), aad)).toBe(bytes + 16)
          expect(same(out.subarray(0, bytes + 16), expected)).toBe(true)
          expect(aead.openIntoSync(out, nonce, out.subarray(0, bytes + 16), aad)).toBe(bytes)
          expect(same(out.subarray(0, bytes), plaintext)).toBe(true)
          expect(place.subarray(shift + bytes + 16).every((byte) => byte === 0xcc)).toBe(true)
        }
      }
    })

    it('puts ciphertext and tag where the contract says, and touches nothing else', () => {
      const raw = createWasmBackend().raw.create(ALGORITHMS[id], material.bytes(keyBytes))
      for (const bytes of [0, 5, 3000, WINDOW + 9]) {
        const plaintext = material.bytes(bytes)
        const whole = new Uint8Array(bytes + 16)
        raw.seal(nonce, plaintext, aad, whole, 0, bytes)
        // Around the room that kernels have in front of their window, and with bytes behind the tag.
        for (const at of [0, 1, 33, 63, 64, 65, 100]) {
          for (const behind of [0, 3]) {
            const inside = new Uint8Array(at + bytes + 16 + behind).fill(0xcc)
            raw.seal(nonce, plaintext, aad, inside, at, at + bytes)
            expect(same(inside.subarray(at, at + bytes + 16), whole)).toBe(true)
            const around = [...inside.subarray(0, at), ...inside.subarray(at + bytes + 16)]
            expect(around.every((byte) => byte === 0xcc)).toBe(true)
            const back = new Uint8Array(bytes)
            expect(raw.open(nonce, inside, at, at + bytes, bytes, aad, back)).toBe(true)
            expect(same(back, plaintext)).toBe(true)
          }
          const front = material.bytes(at)
          const fresh = raw.sealNew!(front, nonce, plaintext, aad)
          expect(fresh === undefined).toBe(at > 64 || bytes > WINDOW)
          if (fresh === undefined) continue
          expect(same(fresh, Uint8Array.of(...front, ...whole))).toBe(true)
          expect(fresh.byteOffset + fresh.buffer.byteLength - fresh.length).toBe(0)
        }
      }
      raw.destroy()
    })

    it('a failed opening leaves output and input alone, over several windows too (R22)', () => {
      const aead = aeadOf(id)
      for (const bytes of [22, WINDOW, 2 * WINDOW + 3]) {
        const sealed = aead.sealSync(nonce, material.bytes(bytes), aad)
        for (const at of [0, bytes - 1, bytes + 15]) {
          const forged = sealed.slice()
          forged[at]! ^= 1
          const before = forged.slice()
          const out = new Uint8Array(bytes).fill(0xcc)
          expect(codeOf(() => aead.openIntoSync(out, nonce, forged, aad))).toBe('auth-failed')
          expect(codeOf(() => aead.openIntoSync(forged, nonce, forged, aad))).toBe('auth-failed')
          expect(out.every((byte) => byte === 0xcc)).toBe(true)
          expect(same(forged, before)).toBe(true)
        }
      }
    })

    it('R21: shared memory is read once: what is opened is what was authenticated, though it changes between', () => {
      const bytes = 2 * WINDOW
      const { raw } = id.startsWith('aes') ? createAesOnly() : createChachaOnly()
      const aead = raw.create(ALGORITHMS[id], material.bytes(keyBytes))
      const plaintext = material.bytes(bytes)
      const shared = new Uint8Array(new SharedArrayBuffer(bytes + 16))
      aead.seal(nonce, plaintext, aad, shared, 0, bytes)
      // Another thread is played by the first write of a result, which comes after authentication.
      const out = new Proxy(new Uint8Array(bytes), {
        get(target, property) {
          if (property !== 'set') return Reflect.get(target, property, target)
          return (data: Uint8Array, at: number) => {
            shared.fill(0xee)
            target.set(data, at)
          }
        },
      })
      expect(aead.readsOnce).toBe(true)
      expect(aead.open(nonce, shared, 0, bytes, bytes, aad, out)).toBe(true)
      expect(toHex(Uint8Array.from({ length: bytes }, (_, i) => out[i]!))).toBe(toHex(plaintext))
    })

    it('R35: no 24 bytes of the key in any memory but in the slot of a living Aead; nothing after destroy', () => {
      const key = new Uint8Array(keyBytes).fill(0xa7)
      const run = Buffer.alloc(Math.min(24, keyBytes), 0xa7)
      const backend = createWasmBackend()
      let aead: SyncAead | undefined
      const memories = memoriesDuring(() => {
        aead = aeadOf(id, key, backend)
      })
      const found = (): number[] =>
        memories.flatMap((memory) => {
          const places: number[] = []
          const data = Buffer.from(memory.buffer)
          for (let at = data.indexOf(run); at >= 0; at = data.indexOf(run, at + keyBytes)) places.push(at)
          return places
        })
      expect(memories.length).toBe(1)
      const slots = id.startsWith('aes') ? 0 : 1
      expect(found().length).toBe(slots)
      for (const bytes of [0, 64, 5000, WINDOW + 100]) {
        const plaintext = material.bytes(bytes)
        const sealed = aead!.sealSync(nonce, plaintext, aad)
        aead!.openSync(nonce, sealed, aad)
        if (bytes > 0) {
          for (const part of [plaintext.subarray(0, 24), plaintext.subarray(-24)]) {
            expect(Buffer.from(memories[0]!.buffer).includes(Buffer.from(part)), 'plaintext').toBe(false)
          }
        }
        expect(found().length, `${bytes} bytes`).toBe(slots)
      }
      aead!.destroy()
      expect(found()).toEqual([])
      const { memory: now, dataAt, windowBytes } = instanceOf(id.startsWith('aes') ? AES : COLUMNS)
      const left = memories[0]!
      // The last ciphertext may stay; nothing else may.
      now.set(left.subarray(dataAt, dataAt + windowBytes + 16), dataAt)
      const aadPlace = Buffer.from(left.buffer).indexOf(aad)
      if (aadPlace >= 0) now.set(aad, aadPlace)
      expect(same(now, left), 'memory as of a new instance').toBe(true)
    })

    it('R39: results own exactly their memory, and are not memory of the kernel', () => {
      const aead = aeadOf(id)
      for (let bytes = 0; bytes <= 8192; bytes += bytes < 200 ? 1 : 111) {
        const sealed = aead.sealSync(nonce, material.bytes(bytes), aad)
        const opened = aead.openSync(nonce, sealed, aad)
        for (const [result, length] of [
          [sealed, bytes + 16],
          [opened, bytes],
        ] as const) {
          expect([result.byteOffset, result.length, result.buffer.byteLength]).toEqual([0, length, length])
          expect(structuredClone(result, { transfer: [result.buffer] }).length).toBe(length)
        }
      }
    })
  })
}
