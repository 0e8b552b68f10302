import { execFileSync } from 'node:child_process'
import {
  type Aead,
  ALGORITHMS,
  type AsyncBackend,
  createAead,
  type Evidence,
  isAeadError,
} from '@aeadkit/core'
import { createLegacyOpener } from '@aeadkit/core/unsafe'
import { Crypto } from '@peculiar/webcrypto'
import { describe, expect, it } from 'vitest'
import { createWebCryptoBackend, type WebCryptoOptions } from '../src/index.ts'
import { domError, recording } from './calls.ts'

const K = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
const N12 = Uint8Array.from({ length: 12 }, (_, i) => 0xa0 + i)
const N16 = Uint8Array.from({ length: 16 }, (_, i) => 0xa0 + i)
const P = new TextEncoder().encode('cipher-select probe é')
const A = new TextEncoder().encode('hdr:v1')
const GCM256 = '18ed0361880f82a671ea4f335e3f9c32744c5a4e534ea582ae4307c466b4644b09f76c8fe980'
const GCM256_IV16 = '69bc95beaeaed550f2e8ec232a93c2c7b8d6b7f0eae6420525eaca91a7d870bd3558188778d9'
const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function gcm(options?: WebCryptoOptions): Promise<Aead> {
  return createAead(createWebCryptoBackend(options), 'aes-256-gcm', K, { nonceCheck: false })
}

async function failure(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work
  } catch (error) {
    if (isAeadError(error)) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('nothing thrown')
}

describe('calls', () => {
  it('imports a key once, not extractable, and names the tag length in every call', async () => {
    const { crypto, calls } = recording()
    const aead = await gcm({ crypto })
    const imported = calls.filter(({ method }) => method === 'importKey')
    calls.length = 0
    const sealed = await aead.seal(N12, P, A)
    expect(toHex(sealed)).toBe(GCM256)
    expect(await aead.open(N12, sealed, A)).toEqual(P)
    await aead.seal(N12, P)
    expect(calls.map(({ method }) => method)).toEqual(['encrypt', 'decrypt', 'encrypt'])
    for (const { args } of calls) expect(args[0]).toMatchObject({ name: 'AES-GCM', tagLength: 128 })
    for (const { args } of imported)
      expect([args[0], args[3], args[4]]).toEqual(['raw', false, ['encrypt', 'decrypt']])
    // The trial, the self-test and the key itself.
    expect(imported.length).toBe(3)
  })
  it('wipes the bytes of the key after the import', async () => {
    const { crypto, calls } = recording()
    await gcm({ crypto })
    for (const { method, args } of calls) {
      if (method === 'importKey') expect((args[1] as Uint8Array).every((byte) => byte === 0)).toBe(true)
    }
  })
  it('hands a WebCrypto that was handed in its own copies, made before the first await', async () => {
    const { crypto, calls } = recording()
    const aead = await gcm({ crypto })
    const large = new Uint8Array(100)
    large.set(P, 7)
    const plaintext = large.subarray(7, 7 + P.length)
    const aad = A.slice()
    const pending = aead.seal(N12, plaintext, aad)
    plaintext.fill(0)
    aad.fill(0)
    expect(toHex(await pending)).toBe(GCM256)
    const [params, , data] = calls.at(-1)!.args as [{ additionalData: Uint8Array }, unknown, Uint8Array]
    expect(data.buffer.byteLength).toBe(P.length)
    expect(params.additionalData.buffer.byteLength).toBe(A.length)
  })
  it('tries the newer key format first, then raw', async () => {
    const { crypto, calls } = recording({ importKey: () => Promise.reject(domError('NotSupportedError')) })
    const backend = createWebCryptoBackend({ crypto, version: 'stub 1' })
    expect(await backend.probe('chacha20-poly1305')).toEqual({
      available: false,
      stage: 'absent',
      reason: 'stub 1 cannot do chacha20-poly1305 (NotSupportedError: failed)',
    })
    expect(calls.map(({ args }) => args[0])).toEqual(['raw-secret', 'raw'])
    expect(calls.map(({ args }) => args[2])).toEqual(Array(2).fill({ name: 'ChaCha20-Poly1305' }))
  })
})

describe('errors', () => {
  /** A WebCrypto whose decrypt fails in its own way once it is switched. */
  async function failing(error: unknown): Promise<{ code: string; message: string }> {
    let broken = false
    const decrypt = (...args: Parameters<SubtleCrypto['decrypt']>): Promise<ArrayBuffer> =>
      broken ? Promise.reject(error) : globalThis.crypto.subtle.decrypt(...args)
    const aead = await gcm({ crypto: recording({ decrypt: decrypt as never }).crypto })
    broken = true
    return failure(aead.open(N12, hex(GCM256), A))
  }
  it('takes an OperationError for a bad tag, and nothing else', async () => {
    expect((await failing(domError('OperationError'))).code).toBe('auth-failed')
    for (const name of [
      'DataError',
      'InvalidAccessError',
      'NotSupportedError',
      'QuotaExceededError',
      'Error',
    ]) {
      expect((await failing(domError(name))).code, name).toBe('backend-failed')
    }
    expect((await failing(new TypeError('failed'))).code).toBe('backend-failed')
    expect((await failing(undefined)).code).toBe('backend-failed')
  })
  it('learns how @peculiar/webcrypto says it, and takes no other error of it', async () => {
    const crypto = new Crypto()
    const aead = await gcm({ crypto })
    expect((await failure(aead.open(N12, hex(GCM256), P))).code).toBe('auth-failed')
    const decrypt = crypto.subtle.decrypt
    crypto.subtle.decrypt = () => Promise.reject(new Error('out of memory'))
    expect((await failure(aead.open(N12, hex(GCM256), A))).code).toBe('backend-failed')
    crypto.subtle.decrypt = decrypt
    expect(await aead.open(N12, hex(GCM256), A)).toEqual(P)
  })
  it('does not take an OperationError of encrypt for a bad tag', async () => {
    let broken = false
    const encrypt = (...args: Parameters<SubtleCrypto['encrypt']>): Promise<ArrayBuffer> =>
      broken ? Promise.reject(domError('OperationError')) : globalThis.crypto.subtle.encrypt(...args)
    const aead = await gcm({ crypto: recording({ encrypt: encrypt as never }).crypto })
    broken = true
    expect((await failure(aead.seal(N12, P, A))).code).toBe('backend-failed')
  })
  it('is unavailable when it opens forgeries or gives wrong answers', async () => {
    const opening = recording({ decrypt: () => Promise.resolve(new ArrayBuffer(0)) })
    expect(await createWebCryptoBackend({ crypto: opening.crypto }).probe('aes-256-gcm')).toMatchObject({
      available: false,
      reason: 'a WebCrypto that was handed in opened a forgery of aes-256-gcm',
    })
    const wrong = recording({ encrypt: () => Promise.resolve(new ArrayBuffer(38)) })
    const answer = await createWebCryptoBackend({ crypto: wrong.crypto }).probe('aes-256-gcm')
    expect(answer).toMatchObject({ available: false, stage: 'self-test' })
  })
  it('refuses what is no WebCrypto, and other options, by name', async () => {
    const codeOf = (options: unknown): Promise<{ code: string }> =>
      failure((async () => createWebCryptoBackend(options as WebCryptoOptions))())
    for (const crypto of [null, {}, { subtle: {} }, { subtle: null }, 1]) {
      expect((await codeOf({ crypto })).code).toBe('invalid-argument')
    }
    expect(await codeOf({ cryptos: globalThis.crypto })).toMatchObject({ code: 'invalid-argument' })
  })
  it('is unavailable with the reason where there is no crypto.subtle', () => {
    const script = `Object.defineProperty(globalThis, 'crypto', { value: {} })
      const { createWebCryptoBackend } = await import(${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)})
      console.log(JSON.stringify(await createWebCryptoBackend().probe('aes-256-gcm')))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(JSON.parse(output)).toMatchObject({
      available: false,
      stage: 'absent',
      reason: expect.stringContaining('crypto.subtle'),
    })
  })
})

describe('other nonce lengths (R03)', () => {
  const backends: Readonly<Record<string, AsyncBackend>> = {
    platform: createWebCryptoBackend(),
    peculiar: createWebCryptoBackend({ crypto: new Crypto() }),
  }
  for (const [name, backend] of Object.entries(backends)) {
    it(`${name}: opens a 16-byte nonce, and refuses to seal with one`, async () => {
      const opener = await createLegacyOpener(backend, 'aes-256-gcm', K, { nonceBytes: 16 })
      expect(await opener.open(N16, hex(GCM256_IV16), A)).toEqual(P)
      expect((await failure(opener.open(N16, hex(GCM256_IV16), P))).code).toBe('auth-failed')
      const aead = await createAead(backend, 'aes-256-gcm', K)
      expect((await failure(aead.seal(N16, P, A))).code).toBe('invalid-argument')
    })
  }
  it('says unsupported, not auth-failed, where the runtime does not take a length', async () => {
    for (const name of ['OperationError', 'NotSupportedError']) {
      const encrypt = (...args: Parameters<SubtleCrypto['encrypt']>): Promise<ArrayBuffer> =>
        (args[0] as AesGcmParams).iv.byteLength === 13
          ? Promise.reject(domError(name))
          : globalThis.crypto.subtle.encrypt(...args)
      const { crypto } = recording({ encrypt: encrypt as never })
      const backend = createWebCryptoBackend({ crypto })
      const seen = await failure(createLegacyOpener(backend, 'aes-256-gcm', K, { nonceBytes: 13 }))
      expect(seen.code).toBe('unsupported')
      expect(seen.message).toContain('does not take a 13-byte nonce')
    }
  })
  it('takes no other tag length, no empty nonce and no other nonce of the newer algorithms', () => {
    const { raw } = createWebCryptoBackend()
    const takes = (id: keyof typeof ALGORITHMS, sizes: object): boolean | undefined =>
      raw.takesVariant?.({ ...ALGORITHMS[id], ...sizes })
    expect(takes('aes-256-gcm', { nonceBytes: 16 })).toBe(true)
    expect(takes('aes-256-gcm', { tagBytes: 12 })).toBe(false)
    expect(takes('aes-256-gcm', { nonceBytes: 0 })).toBe(false)
    expect(takes('aes-128-ocb', { nonceBytes: 8 })).toBe(false)
  })
})

describe('claims', () => {
  const level = (backend: AsyncBackend, id: keyof typeof ALGORITHMS, evidence?: Evidence): string =>
    backend.raw.claims(ALGORITHMS[id], evidence).constantTime.level
  const evidence = (given: Partial<Evidence>): Evidence => ({
    runtime: 'node',
    runtimeVersion: '20.20.2',
    arch: 'x64',
    cpuModel: 'unknown',
    aes: 'unknown',
    clmul: 'unknown',
    source: 'flags',
    hardwareClass: 'unknown',
    fips: { state: 'enforcing', certificate: null, provider: 'fips', reason: 'seen' },
    items: [],
    measurements: [],
    ...given,
  })
  it('follow the evidence on the platform', () => {
    const own = createWebCryptoBackend()
    expect(level(own, 'aes-256-gcm')).toBe('platform')
    expect(level(own, 'aes-256-gcm', evidence({ aes: 'yes', clmul: 'yes' }))).toBe('hardware')
    expect(level(own, 'aes-256-gcm', evidence({ aes: 'yes', clmul: 'no' }))).toBe('none')
    expect(level(own, 'aes-256-ocb', evidence({ aes: 'yes', clmul: 'no' }))).toBe('hardware')
    expect(level(own, 'chacha20-poly1305', evidence({ aes: 'no' }))).toBe('structural')
    expect(own.raw.claims(ALGORITHMS['aes-256-gcm'], evidence({})).fipsModule).toBe('enforcing')
    expect(own.raw.claims(ALGORITHMS['aes-256-gcm'], undefined).fipsModule).toBe('unknown')
    expect(level(createWebCryptoBackend({ crypto: globalThis.crypto }), 'aes-256-gcm')).toBe('platform')
  })
  it('are what the caller says of a WebCrypto that was handed in, else unknown', () => {
    const crypto = new Crypto()
    const hardware = evidence({ aes: 'yes', clmul: 'yes' })
    const silent = createWebCryptoBackend({ crypto })
    expect([silent.kind, level(silent, 'aes-256-gcm', hardware)]).toEqual(['native', 'unknown'])
    expect(silent.raw.claims(ALGORITHMS['aes-256-gcm'], hardware).fipsModule).toBe('unknown')
    const said = createWebCryptoBackend({
      crypto,
      kind: 'js',
      version: 'mine 2',
      constantTime: { level: 'bitsliced', basis: 'bitsliced AES', asOf: '2026-11-30' },
    })
    expect([said.kind, said.raw.version(), level(said, 'aes-256-gcm')]).toEqual(['js', 'mine 2', 'bitsliced'])
    expect(said.raw.claims(ALGORITHMS['aes-256-gcm'], hardware).fipsModule).toBe('off')
  })
  it('name runtime and library with their versions', () => {
    const { node, openssl } = process.versions
    expect(createWebCryptoBackend().raw.version()).toBe(`WebCrypto of node ${node}, OpenSSL ${openssl}`)
  })
})

describe('declined algorithms', () => {
  it('are absent with the reason, and their use prints no warning', async () => {
    const backend = createWebCryptoBackend({ experimental: false })
    for (const id of ['chacha20-poly1305', 'aes-128-ocb', 'aes-256-ocb'] as const) {
      expect(await backend.probe(id)).toMatchObject({
        available: false,
        stage: 'absent',
        // Node 20 does not have them at all: nothing may be claimed that was not tried.
        reason: `${id} was declined without being tried: it is experimental where Node has it`,
      })
    }
    expect(await backend.probe('aes-256-gcm')).toEqual({ available: true })
  })
})

describe('R07 longest message', () => {
  it('refuses more than 2^31 - 18 bytes with limit-exceeded: one more crashes Node 20', async ({ skip }) => {
    let memory: Uint8Array
    try {
      memory = new Uint8Array(2 ** 31) // never touched, so never resident
    } catch {
      console.log('R07 skipped: this machine does not reserve 2 GiB of address space')
      skip('no 2 GiB of address space')
      return
    }
    const aead = await gcm()
    expect(aead.guarantees.maxBytes).toBe(2 ** 31 - 18)
    for (const bytes of [2 ** 31 - 17, 2 ** 31 - 1, 2 ** 31]) {
      expect((await failure(aead.seal(N12, memory.subarray(0, bytes)))).code).toBe('limit-exceeded')
    }
  })
})
