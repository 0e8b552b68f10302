import * as nodeCrypto from 'node:crypto'
import { createNodeBackend, nodeBackend } from '@aeadkit/backend-node'
import { createSodiumBackend, sodiumBackend } from '@aeadkit/backend-sodium'
import { createWasmBackend, prepareWasmBackend } from '@aeadkit/backend-wasm'
import * as aesGcm from '@aeadkit/backend-wasm/aes-gcm'
import * as chacha from '@aeadkit/backend-wasm/chacha20-poly1305'
import { createWasmBackendFromModules } from '@aeadkit/backend-wasm/module'
import { createWebCryptoBackend } from '@aeadkit/backend-webcrypto'
import {
  ALGORITHMS,
  advantagesOf,
  assertVolume,
  checkVolume,
  createAead,
  createAeadSync,
  createMeter,
  createSealer,
  generateKey,
  importKey,
  isAeadError,
  limitsOf,
} from '@aeadkit/core'
import { createLegacyOpener, createTestAead, exportKey } from '@aeadkit/core/unsafe'
import * as selector from '@aeadkit/selector'
import {
  cipherOrder,
  negotiate,
  nginxSnippet,
  openvpnSettings,
  probeTls,
  serverChoice,
  sshClientConfig,
  tlsOptions,
} from '@aeadkit/selector/protocols'
import { describe, expect, it } from 'vitest'
import * as umbrella from '../src/index.ts'

/** One public function that takes options, or a part of options that is an object itself. */
interface Row {
  readonly name: string
  /** Options with an effect that shows in the answer. */
  readonly options: Readonly<Record<string, unknown>>
  /** The function with them in their place; what it gives, as plain data. */
  readonly call: (options: never) => unknown
  /** A name that has no effect on the answer may be left out of the comparison with defaults. */
  readonly silent?: true
}

const KEY = new Uint8Array(32)
const NONCE = new Uint8Array(12)
const GCM = ALGORITHMS['aes-256-gcm']
const USE = { target: -57, nonce: 'random', messageBytes: 1024 } as const
const VOLUME = { messages: 2n ** 40n, messageBytes: 64n, failedOpens: 3n }
const never = { measure: 'never', backends: [nodeBackend] } as const
const stored = async (): Promise<string> => JSON.stringify(await selector.selectAead(never))
const picked = async (work: Promise<{ toJSON(): unknown }>): Promise<unknown> => {
  const { inputs, algorithm } = (await work).toJSON() as Record<string, unknown>
  return { inputs, algorithm }
}
const sealed = async (work: Promise<{ encrypt(text: Uint8Array): Promise<Uint8Array> }>): Promise<unknown> =>
  (await (await work).encrypt(NONCE)).length
const backendFacts = ({ algorithms, kind, raw }: typeof nodeBackend): unknown => [
  kind,
  algorithms,
  raw.version(),
]
const modules = async (): Promise<Record<string, unknown>> => {
  const { readFileSync } = await import('node:fs')
  const path = new URL(import.meta.resolve('@aeadkit/backend-wasm/chacha20-poly1305.columns.wasm'))
  return { 'chacha20-poly1305': new WebAssembly.Module(readFileSync(path)) }
}

const ROWS: readonly Row[] = [
  {
    name: 'core createAead',
    options: { sealRefused: 'no sealing here', nonceCheck: false },
    call: async (options) => (await createAead(nodeBackend, 'aes-256-gcm', KEY, options)).seal(NONCE, KEY),
  },
  {
    name: 'core createAeadSync',
    options: { sealRefused: 'no sealing here', nonceCheck: false },
    call: (options) => createAeadSync(nodeBackend, 'aes-256-gcm', KEY, options).sealSync(NONCE, KEY),
  },
  {
    name: 'core createSealer',
    options: { backends: [nodeBackend], format: 'bare', fips: true, noncePool: false, nonces: 'random' },
    call: (options) => sealed(createSealer('aes-256-gcm', options)),
  },
  {
    name: 'core createSealer, nonces',
    options: { kind: 'counter', fixedField: new Uint8Array(4), start: 7n },
    call: async (options) => {
      const key = generateKey('aes-256-gcm')
      const sealer = await createSealer(key, { backends: [nodeBackend], nonces: options })
      return String(sealer.usage.nextCounter)
    },
  },
  {
    name: 'core createSealer, leased nonces',
    options: { kind: 'leased', fixedField: new Uint8Array(4), lease: () => 9n },
    call: async (options) => {
      const key = generateKey('aes-256-gcm')
      const sealer = await createSealer(key, { backends: [nodeBackend], nonces: options, format: 'bare' })
      return [...(await sealer.encrypt(KEY)).subarray(0, 12)]
    },
  },
  {
    name: 'core createMeter',
    options: { maxMessages: 5, target: -40, warnAt: 0.25 },
    call: (options) => String(createMeter(options).forKey('k', GCM, 'random').usage().maxMessages),
  },
  {
    name: 'core limitsOf',
    options: { ...USE, fips: true },
    call: (options) => limitsOf(GCM, options),
  },
  { name: 'core checkVolume', options: VOLUME, call: (volume) => checkVolume(GCM, volume, USE) },
  { name: 'core checkVolume, options', options: USE, call: (options) => checkVolume(GCM, VOLUME, options) },
  { name: 'core assertVolume', options: VOLUME, call: (volume) => assertVolume(GCM, volume, USE) },
  { name: 'core assertVolume, options', options: USE, call: (options) => assertVolume(GCM, VOLUME, options) },
  { name: 'core advantagesOf', options: VOLUME, call: (volume) => advantagesOf(GCM, volume, USE) },
  { name: 'core advantagesOf, options', options: USE, call: (options) => advantagesOf(GCM, VOLUME, options) },
  {
    name: 'core importKey',
    options: { algorithm: 'aes-256-gcm', keyId: '0011223344556677', secret: KEY },
    call: (options) => {
      const made = importKey(options)
      return [made.toJSON(), [...exportKey(made)]]
    },
  },
  {
    name: 'core createTestAead',
    options: { nonceBytes: 16, tagBytes: 12 },
    call: async (options) => {
      const { params } = await createTestAead(nodeBackend, 'aes-256-gcm', KEY, options)
      return [params.nonceBytes, params.tagBytes]
    },
  },
  {
    name: 'core createLegacyOpener',
    options: { nonceBytes: 16, tagBytes: 12 },
    call: async (options) => {
      const { params } = await createLegacyOpener(nodeBackend, 'aes-256-gcm', KEY, options)
      return [params.nonceBytes, params.tagBytes]
    },
  },
  {
    name: 'backend-node createNodeBackend',
    options: { crypto: nodeCrypto },
    call: (options) => backendFacts(createNodeBackend(options)),
  },
  {
    name: 'backend-wasm createWasmBackend',
    options: { engine: 'javascriptcore' },
    call: (options) => backendFacts(createWasmBackend(options)),
  },
  {
    name: 'backend-wasm prepareWasmBackend',
    options: { engine: 'javascriptcore' },
    call: async (options) => backendFacts(await prepareWasmBackend(options)),
  },
  {
    name: 'backend-wasm/aes-gcm createWasmBackend',
    options: { engine: 'v8' },
    silent: true,
    call: (options) => backendFacts(aesGcm.createWasmBackend(options)),
  },
  {
    name: 'backend-wasm/chacha20-poly1305 createWasmBackend',
    options: { engine: 'javascriptcore' },
    call: (options) => backendFacts(chacha.createWasmBackend(options)),
  },
  {
    name: 'backend-wasm/module createWasmBackendFromModules',
    options: await modules(),
    call: (options) => backendFacts(createWasmBackendFromModules(options)),
  },
  {
    name: 'backend-sodium sodiumBackend',
    options: { timeoutMs: -1 },
    call: (options) => sodiumBackend(options).name,
  },
  {
    name: 'backend-sodium createSodiumBackend',
    options: { timeoutMs: -1 },
    call: async (options) => (await createSodiumBackend(options)).name,
  },
  {
    name: 'backend-webcrypto createWebCryptoBackend',
    options: { crypto: { subtle: { importKey: () => undefined } }, kind: 'js' },
    call: (options) => createWebCryptoBackend(options).kind,
  },
  {
    name: 'selector selectAead',
    options: { ...never, volume: VOLUME, nonce: 'counter', readers: 'here', target: -40 },
    call: (options) => picked(selector.selectAead(options)),
  },
  {
    name: 'selector selectAead, volume',
    options: VOLUME,
    call: (volume) => picked(selector.selectAead({ ...never, volume })),
  },
  {
    name: 'selector selectAead, optIn',
    options: { aegis: true, approvedComposition: true },
    call: (optIn) => picked(selector.selectAead({ ...never, optIn })),
  },
  {
    name: 'selector selectAead, a reader',
    options: { name: 'other', aes: 'no', clmul: 'no' },
    call: (one) => picked(selector.selectAead({ ...never, nonce: 'counter', readers: [one] })),
  },
  {
    name: 'selector restoreSelection',
    options: { backends: [nodeBackend], fips: 'approved-algorithms', constantTime: 'preferred' },
    call: async (options) => selector.restoreSelection(await stored(), options),
  },
  {
    name: 'selector resolveOptions',
    options: { backends: [nodeBackend], fips: 'module', volume: VOLUME },
    call: (options) => selector.resolveOptions(options),
  },
  {
    name: 'selector collectEvidence',
    options: { measure: 'never', certificate: 'as stated', given: { aes: 'no', clmul: 'no' } },
    call: async (options) => {
      const { aes, clmul, fips } = await selector.collectEvidence(options)
      return [aes, clmul, fips.certificate]
    },
  },
  {
    name: 'selector collectEvidence, given',
    options: { aes: 'no', clmul: 'no', cpuModel: 'of the caller' },
    call: async (given) => {
      const { aes, clmul, cpuModel } = await selector.collectEvidence({ measure: 'never', given })
      return [aes, clmul, cpuModel]
    },
  },
  {
    name: 'selector explain',
    options: { today: new Date('2031-01-01') },
    call: async (options) => selector.explain(await selector.selectAead(never), options).notices,
  },
  {
    name: 'selection createSealer',
    options: { format: 'bare' },
    call: async (options) => {
      const pick = await selector.selectAead(never)
      return sealed(pick.createSealer(pick.algorithm, options))
    },
  },
  {
    name: 'selector/protocols tlsOptions',
    options: { role: 'client', hardware: 'hardware', runtime: 'node', minVersion: 'TLSv1.3', keyBits: 256 },
    call: (options) => tlsOptions(options),
  },
  {
    name: 'selector/protocols tlsOptions, speeds',
    options: { gcm: 5, chacha: 1 },
    call: (speeds) => tlsOptions({ role: 'client', speeds }),
  },
  {
    name: 'selector/protocols nginxSnippet',
    options: { role: 'client', hardware: 'hardware', minVersion: 'TLSv1.3', fips: 'approved-algorithms' },
    call: (options) => nginxSnippet(options),
  },
  {
    name: 'selector/protocols sshClientConfig',
    options: { role: 'client', hardware: 'hardware', host: 'example' },
    call: (options) => sshClientConfig(options),
  },
  {
    name: 'selector/protocols openvpnSettings',
    options: { role: 'client', hardware: 'hardware', regulation: ['cnsa'] },
    call: (options) => openvpnSettings(options),
  },
  {
    name: 'selector/protocols probeTls',
    options: { server: {}, timeoutMs: -1 },
    call: (options) => probeTls(options),
  },
  {
    name: 'selector/protocols negotiate',
    options: { hardware: 'hardware', suites: ['TLS_AES_128_GCM_SHA256'] },
    call: (local) => negotiate(local, ['TLS_AES_128_GCM_SHA256']),
  },
  {
    name: 'selector/protocols serverChoice',
    options: { hardware: true, hello: ['TLS_AES_128_GCM_SHA256'], fips: true },
    call: (side) => serverChoice('go', side),
  },
  {
    name: 'selector/protocols cipherOrder',
    options: { fips: true, cnsa: false, keyBits: 256 },
    call: (lists) => cipherOrder(true, lists),
  },
  {
    name: 'aeadkit selectAead',
    options: { measure: 'never', volume: VOLUME, nonce: 'counter', target: -40 },
    call: (options) => picked(umbrella.selectAead(options)),
  },
  {
    name: 'aeadkit selectAead, fips module',
    options: { fips: 'module', measure: 'never' },
    call: (options) => picked(umbrella.selectAead(options)),
  },
  {
    name: 'aeadkit selectAead, optIn',
    options: { aegis: true },
    call: (optIn) => picked(umbrella.selectAead({ measure: 'never', optIn })),
  },
  {
    name: 'aeadkit restoreSelection',
    options: { fips: 'module' },
    call: async (options) => umbrella.restoreSelection(await stored(), options),
  },
]

/** What a call gives: data or a refusal, counts as texts. */
async function outcomeOf(call: () => unknown): Promise<string> {
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)
  try {
    return JSON.stringify(await call(), plain) ?? 'nothing'
  } catch (error) {
    if (!isAeadError(error)) return `no AeadError: ${String(error)}`
    return `${error.code}: ${error.message}`
  }
}

/** Getters on the prototype of a class, which count how often they are read. */
function classed(options: Row['options'], reads: Map<string, number>): object {
  class Options {}
  for (const [name, value] of Object.entries(options)) {
    Object.defineProperty(Options.prototype, name, {
      get() {
        reads.set(name, (reads.get(name) ?? 0) + 1)
        return value
      },
    })
  }
  return new Options()
}

describe.each(ROWS)('options of $name', ({ call, options, silent }) => {
  const ask = (given: unknown): Promise<string> => outcomeOf(() => call(given as never))

  it('holds for a prototype and for getters of a class, each read once', async () => {
    const plain = await ask(options)
    expect(plain).not.toMatch(/^no AeadError/)
    if (silent !== true) expect(await ask({})).not.toBe(plain)
    expect(await ask(Object.create(options))).toBe(plain)
    const reads = new Map<string, number>()
    expect(await ask(classed(options, reads))).toBe(plain)
    for (const [one, times] of reads) expect(`${one} ${times}`).toBe(`${one} 1`)
  })

  it.each([
    ['null', null, /got null$/],
    ['a list', [], /got (an array|a list of 0)$/],
    ['a number', 1, /got (number|1)$/],
    ['a text', 'x', /got (string|"x")$/],
  ])('refuses %s and says what is taken', async (_, given, kind) => {
    const refusal = await ask(given)
    expect(refusal).toMatch(
      /^invalid-argument: .*(expected \{|nonces must be|a hardware report|options of tls)/,
    )
    expect(refusal).toMatch(kind)
  })

  it('refuses an unknown name of its own, beside what a prototype says', async () => {
    const own = Object.assign(Object.create(options), { nosuch: 1 })
    expect(await ask(own)).toMatch(/^invalid-argument: .*unknown option nosuch/)
  })
})
