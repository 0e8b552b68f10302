import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ALGORITHMS, createAead, createAeadSync, isAeadError, type SyncAead } from '@aeadkit/core'
import libsodium, * as namespace from 'libsodium-wrappers'
import { describe, expect, it } from 'vitest'
import { createSodiumBackend, type SodiumOptions, sodiumBackend } from '../src/index.ts'

const K = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
const N12 = Uint8Array.from({ length: 12 }, (_, i) => 0xa0 + i)
const N32 = Uint8Array.from({ length: 32 }, (_, i) => 0x60 + i)
const P = new TextEncoder().encode('cipher-select probe é')
const A = new TextEncoder().encode('hdr:v1')
const CHACHA = '2d140abd676b3936a14797f20758bda44ce1222dc48712eeb74fc04bb5ef7aaa4b8c508c8be6'
const AEGIS256 =
  '600ddd3083d7b2edebae69468f57eeaf33932109f5151ec3919e3487570e43b551d3d932ee4dd739c17d93d979194dcc752f144dff7f'
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

type Functions = Record<string, unknown>

/** libsodium with some of its parts replaced; `undefined` removes one. */
async function changed(parts: Functions): Promise<Functions> {
  await libsodium.ready
  return { ...(libsodium as unknown as Functions), ...parts }
}

async function failure(options: SodiumOptions): Promise<{ code: string; message: string; cause: unknown }> {
  try {
    await createSodiumBackend(options)
  } catch (error) {
    if (isAeadError(error)) return { code: error.code, message: error.message, cause: error.cause }
    throw error
  }
  throw new Error('nothing thrown')
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return isAeadError(error) ? error.code : String(error)
  }
  return 'nothing thrown'
}

async function chacha(options?: SodiumOptions): Promise<SyncAead> {
  return createAeadSync(await createSodiumBackend(options), 'chacha20-poly1305', K, { nonceCheck: false })
}

describe('module shapes', () => {
  const shapes: Readonly<Record<string, object>> = {
    'the default import': libsodium,
    'the namespace': namespace,
    'a default in a default': { default: { default: libsodium } },
    'a namespace whose ready is not the one with the functions': {
      ready: libsodium.ready,
      default: libsodium,
    },
  }
  for (const [name, sodium] of Object.entries(shapes)) {
    it(name, async () => {
      expect(toHex((await chacha({ sodium })).sealSync(N12, P, A))).toBe(CHACHA)
    })
  }
  it('functions as named exports, without ready', async () => {
    expect(toHex((await chacha({ sodium: await changed({ ready: undefined }) })).sealSync(N12, P, A))).toBe(
      CHACHA,
    )
  })
  it('loads libsodium-wrappers when none is given, and names its version', async () => {
    const backend = await createSodiumBackend()
    expect(backend.raw.version()).toMatch(/^libsodium \d+\.\d+\.\d+$/)
    expect(toHex(createAeadSync(backend, 'aegis-256', K).sealSync(N32, P, A))).toBe(AEGIS256)
  })
})

describe('a package that is broken (R29) or blocked (R31)', () => {
  it('says why it could not be loaded', async () => {
    const cause = Object.assign(new Error("Cannot find package 'libsodium'\nimported from x"), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
    const seen = await failure({ sodium: { ready: Promise.reject(cause) } })
    expect(seen).toEqual({
      code: 'unsupported',
      message: "libsodium could not be loaded: Error: Cannot find package 'libsodium'",
      cause,
    })
  })
  it('refuses a module that is no libsodium', async () => {
    expect((await failure({ sodium: { default: { ready: Promise.resolve() } } })).code).toBe('unsupported')
    expect((await failure({ sodium: {} })).message).toContain('no AEAD function')
  })
  it('gives up in time, says so, and can be asked again', async () => {
    const never = { ready: new Promise(() => undefined) }
    expect(await failure({ sodium: never, timeoutMs: 20 })).toMatchObject({
      code: 'not-ready',
      message: 'libsodium did not become ready within 20 ms',
    })
    const module: Functions = { ...never }
    const backend = sodiumBackend({ sodium: module, timeoutMs: 20 })
    await expect(backend.ready()).rejects.toMatchObject({ code: 'not-ready' })
    module.ready = undefined
    Object.assign(module, await changed({ ready: undefined }))
    await backend.ready()
    expect(backend.probeSync('chacha20-poly1305')).toEqual({ available: true })
  })
  it('refuses other options by name', async () => {
    expect((await failure({ timeout: 1 } as SodiumOptions)).message).toContain('timeoutMs')
    for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31]) {
      expect((await failure({ timeoutMs })).code).toBe('invalid-argument')
    }
  })
  // In a process of its own: libsodium compiles its module when it is imported.
  const DIST = new URL('../dist/index.js', import.meta.url).href
  const cases = {
    'WebAssembly refused': `const no = () => { throw new WebAssembly.CompileError('blocked by CSP') }
      WebAssembly.Module = no; WebAssembly.compile = no; WebAssembly.instantiate = no`,
    'no WebAssembly': 'delete globalThis.WebAssembly',
  }
  for (const [name, stub] of Object.entries(cases)) {
    it(`${name}: unsupported with the reason`, () => {
      const script = `const { createSodiumBackend } = await import(${JSON.stringify(DIST)})
        ${stub}
        await createSodiumBackend({ timeoutMs: 60_000 }).then(
          () => console.log('loaded'), (error) => console.log(JSON.stringify(error)))`
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: fileURLToPath(new URL('..', import.meta.url)),
        encoding: 'utf8',
      })
      const seen = JSON.parse(output.trim().split('\n').at(-1)!) as { code: string; message: string }
      expect(seen.code).toBe('unsupported')
      expect(seen.message).toMatch(/WebAssembly|blocked by CSP/)
    })
  }
})

describe('before it is ready (R30)', () => {
  it('throws not-ready wherever something would be computed, and works afterwards', async () => {
    const backend = sodiumBackend()
    expect(codeOf(() => createAeadSync(backend, 'chacha20-poly1305', K))).toBe('not-ready')
    expect(codeOf(() => backend.probeSync('chacha20-poly1305'))).toBe('not-ready')
    await expect(createAead(backend, 'chacha20-poly1305', K)).rejects.toMatchObject({ code: 'not-ready' })
    await expect(backend.probe('chacha20-poly1305')).rejects.toMatchObject({ code: 'not-ready' })
    expect(codeOf(() => backend.raw.create(ALGORITHMS['aegis-256'], K))).toBe('not-ready')
    expect(backend.raw.version()).toBe('libsodium, not loaded')
    await Promise.all([backend.ready(), backend.ready()])
    expect(toHex(createAeadSync(backend, 'chacha20-poly1305', K).sealSync(N12, P, A))).toBe(CHACHA)
  })
})

describe('what this libsodium has', () => {
  it('offers no AES-GCM, and says so without a TypeError (R11)', async () => {
    const backend = await createSodiumBackend()
    expect(backend.algorithms).toEqual(['chacha20-poly1305', 'xchacha20-poly1305', 'aegis-128l', 'aegis-256'])
    expect(codeOf(() => createAeadSync(backend, 'aes-256-gcm', K))).toBe('unsupported')
    expect(backend.probeSync('aes-256-gcm')).toMatchObject({ available: false, stage: 'absent' })
  })
  it('excludes an algorithm that the release lacks', async () => {
    const sodium = await changed({ crypto_aead_aegis256_decrypt: undefined })
    const backend = await createSodiumBackend({ sodium })
    expect(backend.probeSync('aegis-256')).toEqual({
      available: false,
      stage: 'absent',
      reason: expect.stringMatching(/^libsodium \S+ has no crypto_aead_aegis256$/),
    })
    expect(backend.probeSync('aegis-128l')).toEqual({ available: true })
  })
  for (const [suffix, size] of [
    ['KEYBYTES', 31],
    ['NPUBBYTES', 16],
    ['ABYTES', 16],
    ['ABYTES', undefined],
  ] as const) {
    it(`excludes an algorithm with ${suffix} = ${size}`, async () => {
      const name = `crypto_aead_aegis256_${suffix}`
      const backend = await createSodiumBackend({ sodium: await changed({ [name]: size }) })
      const answer = backend.probeSync('aegis-256')
      expect(answer.available ? '' : answer.reason).toContain(`${name} = ${size}, aegis-256 needs 32`)
      expect(backend.probeSync('chacha20-poly1305')).toEqual({ available: true })
    })
  }
  it('excludes one that opens forgeries or gives wrong answers', async () => {
    const open = (): Uint8Array => new Uint8Array(0)
    const opening = await createSodiumBackend({
      sodium: await changed({ crypto_aead_aegis256_decrypt: open }),
    })
    expect(opening.probeSync('aegis-256')).toMatchObject({ available: false })
    const seal = libsodium.crypto_aead_chacha20poly1305_ietf_encrypt
    const wrong = await createSodiumBackend({
      sodium: await changed({
        crypto_aead_chacha20poly1305_ietf_encrypt: (...call: Parameters<typeof seal>) => {
          const sealed = seal(...call) as unknown as Uint8Array
          sealed[0]! ^= 1
          return sealed
        },
      }),
    })
    expect(wrong.probeSync('chacha20-poly1305')).toMatchObject({ available: false, stage: 'self-test' })
  })
})

describe('errors', () => {
  const others: readonly (readonly [name: string, error: unknown])[] = [
    ['an Error with another text', new Error('invalid usage')],
    ['memory, as libsodium-wrappers says it', { message: '_malloc() failed', length: 1 }],
    ['a TypeError', new TypeError('ciphertext cannot be decrypted using that key')],
    ['a trap', new WebAssembly.RuntimeError('unreachable')],
    ['nothing at all', undefined],
  ]
  for (const [name, error] of others) {
    it(`does not take ${name} for a bad tag`, async () => {
      let broken = false
      const open = libsodium.crypto_aead_chacha20poly1305_ietf_decrypt
      const aead = await chacha({
        sodium: await changed({
          crypto_aead_chacha20poly1305_ietf_decrypt: (...call: Parameters<typeof open>) => {
            if (broken) throw error
            return open(...call)
          },
        }),
      })
      const sealed = aead.sealSync(N12, P, A)
      expect(codeOf(() => aead.openSync(N12, sealed, P))).toBe('auth-failed')
      broken = true
      expect(codeOf(() => aead.openSync(N12, sealed, A))).toBe('backend-failed')
    })
  }
})

describe('memory', () => {
  it('refuses messages and AAD above 16 MiB, which bounds what its heap keeps', async () => {
    const aead = await chacha()
    expect(aead.guarantees.maxBytes).toBe(16_777_216)
    const memory = new Uint8Array(16_777_217)
    expect(codeOf(() => aead.sealSync(N12, memory))).toBe('limit-exceeded')
    expect(codeOf(() => aead.sealSync(N12, P, memory))).toBe('limit-exceeded')
    const sealed = aead.sealSync(N12, memory.subarray(1), memory.subarray(1))
    expect(aead.openSync(N12, sealed, memory.subarray(1)).length).toBe(16_777_216)
    const heap = (libsodium as unknown as { libsodium: { HEAPU8: Uint8Array } }).libsodium.HEAPU8
    expect(heap.length).toBeLessThanOrEqual(50 * 1_048_576)
  })
  it('copies the key, wipes the copy on destroy, and wipes what libsodium returned on open', async () => {
    const returned: Uint8Array[] = []
    const open = libsodium.crypto_aead_chacha20poly1305_ietf_decrypt
    const backend = await createSodiumBackend({
      sodium: await changed({
        crypto_aead_chacha20poly1305_ietf_decrypt: (...call: Parameters<typeof open>) => {
          const plaintext = open(...call) as unknown as Uint8Array
          returned.push(plaintext)
          return plaintext
        },
      }),
    })
    const key = K.slice()
    const raw = backend.raw.create(ALGORITHMS['chacha20-poly1305'], key)
    key.fill(0)
    const out = new Uint8Array(P.length + 16)
    raw.seal(N12, P, A, out, 0, P.length)
    expect(toHex(out)).toBe(CHACHA)
    const plaintext = new Uint8Array(P.length)
    expect(raw.open(N12, out, 0, P.length, P.length, A, plaintext)).toBe(true)
    expect(plaintext).toEqual(P)
    expect(returned.at(-1)).toEqual(new Uint8Array(P.length))
    raw.destroy()
    raw.seal(N12, P, A, out, 0, P.length)
    const zero = backend.raw.create(ALGORITHMS['chacha20-poly1305'], new Uint8Array(32))
    const expected = new Uint8Array(P.length + 16)
    zero.seal(N12, P, A, expected, 0, P.length)
    expect(out).toEqual(expected)
  })
})

describe('claims', () => {
  it('calls table AES what it is, and ChaCha structural with the engine named', async () => {
    const { raw } = await createSodiumBackend()
    for (const id of raw.algorithms) {
      const { constantTime, oneShot, fipsModule } = raw.claims(ALGORITHMS[id], undefined)
      expect(constantTime.level).toBe(id.startsWith('aegis') ? 'none' : 'structural')
      expect(constantTime.basis).toContain(id.startsWith('aegis') ? 'tables' : 'engine')
      expect([oneShot, fipsModule]).toEqual([true, 'off'])
    }
  })
})
