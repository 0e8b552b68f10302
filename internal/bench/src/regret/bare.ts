// The best that can be written by hand on the bare libraries: one owned array as the result, ciphertext then tag, the
// key set up once where the library allows. Loads nothing statically: the same code runs in a page.
import { type AlgorithmId, createAeadSync } from '@aeadkit/core'
import type { Inputs } from './inputs.ts'

/** One way of doing an operation; each call returns the result. */
export interface Way {
  readonly library: string
  seal(): Uint8Array | Promise<Uint8Array>
  open(): Uint8Array | Promise<Uint8Array>
  /** What people write who do not tune it: measured against, never counted as the best. */
  readonly usual?: true
}

/** The part of WebCrypto used here; declared for builds without DOM types. */
interface Subtle {
  importKey(
    format: 'raw' | 'raw-secret',
    key: Uint8Array,
    name: string,
    exportable: boolean,
    uses: string[],
  ): Promise<object>
  encrypt(name: object, key: object, data: Uint8Array): Promise<ArrayBuffer>
  decrypt(name: object, key: object, data: Uint8Array): Promise<ArrayBuffer>
}

type Maker = (inputs: Inputs) => Promise<readonly Way[]>

const isGcm = (algorithm: AlgorithmId): boolean => algorithm.endsWith('-gcm')

async function nodeWays(inputs: Inputs): Promise<readonly Way[]> {
  // Not a literal: bundlers of pages must not look for it.
  const specifier = 'node:crypto'
  const crypto = (await import(specifier)) as typeof import('node:crypto')
  const { key, nonce, plaintext, sealed, sealedNonce } = inputs
  const name = inputs.algorithm as 'chacha20-poly1305'
  const bytes = plaintext.length
  const options = { authTagLength: 16 }
  const way = (library: string, secret: Parameters<typeof crypto.createCipheriv>[1]): Way => ({
    library,
    seal() {
      const cipher = crypto.createCipheriv(name, secret as Uint8Array, nonce, options)
      // Not zeroed, and of its own: what it holds is overwritten to the last byte.
      const out = Buffer.allocUnsafeSlow(bytes + 16)
      out.set(cipher.update(plaintext))
      cipher.final()
      out.set(cipher.getAuthTag(), bytes)
      return out
    },
    open() {
      const decipher = crypto.createDecipheriv(name, secret as Uint8Array, sealedNonce, options)
      decipher.setAuthTag(sealed.subarray(bytes))
      // The library's own array, which nobody else holds; where it is longer than the result (Bun) that takes a copy.
      const out = decipher.update(sealed.subarray(0, bytes))
      decipher.final()
      return out.buffer.byteLength === bytes ? out : new Uint8Array(out)
    },
  })
  /** Bytes that the library's memory is longer than a result. */
  const spare = crypto.createCipheriv(name, key, nonce, options).update(plaintext).buffer.byteLength - bytes
  /** The same, where that is known: the first result leaves room for the rest in its memory. */
  const filled = (library: string, secret: Parameters<typeof crypto.createCipheriv>[1]): Way => ({
    ...way(library, secret),
    open() {
      const decipher = crypto.createDecipheriv(name, secret as Uint8Array, sealedNonce, options)
      decipher.setAuthTag(sealed.subarray(bytes))
      const first = decipher.update(sealed.subarray(0, bytes - spare))
      const rest = decipher.update(sealed.subarray(bytes - spare, bytes))
      decipher.final()
      const out = new Uint8Array(first.buffer as ArrayBuffer)
      out.set(rest, bytes - spare)
      return out
    },
  })
  const usual: Way = {
    library: 'node:crypto, Buffer.concat',
    usual: true,
    seal() {
      const cipher = crypto.createCipheriv(name, key, nonce, options)
      return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
    },
    open() {
      const decipher = crypto.createDecipheriv(name, key, sealedNonce, options)
      decipher.setAuthTag(sealed.subarray(bytes))
      return Buffer.concat([decipher.update(sealed.subarray(0, bytes)), decipher.final()])
    },
  }
  const object = crypto.createSecretKey(key)
  const ways = [way('node:crypto', key), way('node:crypto, KeyObject', object), usual]
  if (spare <= 0 || spare > 64 || spare >= bytes) return ways
  return [
    ...ways,
    filled('node:crypto, two updates', key),
    filled('node:crypto, KeyObject, two updates', object),
  ]
}

async function webcryptoWays(inputs: Inputs): Promise<readonly Way[]> {
  const { algorithm, key, nonce, plaintext, sealed, sealedNonce } = inputs
  const { subtle } = globalThis.crypto as unknown as { readonly subtle: Subtle }
  const name = isGcm(algorithm) ? 'AES-GCM' : 'ChaCha20-Poly1305'
  // The newer algorithms have a format of their own.
  const format = isGcm(algorithm) ? 'raw' : 'raw-secret'
  const secret = await subtle.importKey(format, key, name, false, ['encrypt', 'decrypt'])
  return [
    {
      library: 'WebCrypto',
      seal: async () => new Uint8Array(await subtle.encrypt({ name, iv: nonce }, secret, plaintext)),
      open: async () => new Uint8Array(await subtle.decrypt({ name, iv: sealedNonce }, secret, sealed)),
    },
  ]
}

async function nobleWays(inputs: Inputs): Promise<readonly Way[]> {
  const { algorithm, key, nonce, plaintext, sealed, sealedNonce } = inputs
  const { gcm } = await import('@noble/ciphers/aes.js')
  const { chacha20poly1305, xchacha20poly1305 } = await import('@noble/ciphers/chacha.js')
  const chacha = algorithm === 'chacha20-poly1305' ? chacha20poly1305 : xchacha20poly1305
  const make = isGcm(algorithm) ? gcm : chacha
  return [
    {
      library: '@noble/ciphers',
      seal: () => make(key, nonce).encrypt(plaintext),
      open: () => make(key, sealedNonce).decrypt(sealed),
    },
  ]
}

async function sodiumWays(inputs: Inputs): Promise<readonly Way[]> {
  const { algorithm, key, nonce, plaintext, sealed, sealedNonce } = inputs
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  const x = algorithm === 'xchacha20-poly1305'
  const encrypt = x
    ? sodium.crypto_aead_xchacha20poly1305_ietf_encrypt
    : sodium.crypto_aead_chacha20poly1305_ietf_encrypt
  const decrypt = x
    ? sodium.crypto_aead_xchacha20poly1305_ietf_decrypt
    : sodium.crypto_aead_chacha20poly1305_ietf_decrypt
  return [
    {
      library: 'libsodium-wrappers',
      seal: () => encrypt(plaintext, null, null, nonce, key),
      open: () => decrypt(null, sealed, null, sealedNonce, key),
    },
  ]
}

/** Our WebAssembly counts as a library, through its public Aead. */
async function wasmWays(inputs: Inputs): Promise<readonly Way[]> {
  const { createWasmBackend } = await import('@aeadkit/backend-wasm')
  const { algorithm, key, nonce, plaintext, sealed, sealedNonce } = inputs
  const aead = createAeadSync(createWasmBackend(), algorithm, key)
  return [
    {
      library: 'backend-wasm',
      seal: () => aead.sealSync(nonce, plaintext),
      open: () => aead.openSync(sealedNonce, sealed),
    },
  ]
}

interface Library {
  readonly make: Maker
  has(id: AlgorithmId): boolean
  /** Backend that runs it, whose permission it needs. */
  readonly backend: string
}

const MAKERS: Readonly<Record<string, Library>> = {
  'node:crypto': { make: nodeWays, has: (id) => id !== 'xchacha20-poly1305', backend: 'node' },
  WebCrypto: { make: webcryptoWays, has: (id) => id !== 'xchacha20-poly1305', backend: 'webcrypto' },
  '@noble/ciphers': { make: nobleWays, has: () => true, backend: 'noble' },
  'libsodium-wrappers': { make: sodiumWays, has: (id) => !isGcm(id), backend: 'sodium' },
  'backend-wasm': { make: wasmWays, has: () => true, backend: 'wasm' },
}

/** What can be written by hand here. */
export interface BareWays {
  readonly ways: readonly Way[]
  /** Libraries that do not work here, with the reason. */
  readonly missing: readonly string[]
  /** Libraries that a selection would not be permitted to use, with the reason. */
  readonly excluded: readonly string[]
}

/**
 * Every way that works here and gives the right bytes; the others with the reason.
 * @param refusals - by backend, why a selection on it alone is refused.
 */
export async function bareWays(inputs: Inputs, refusals: ReadonlyMap<string, string>): Promise<BareWays> {
  const ways: Way[] = []
  const missing: string[] = []
  const excluded: string[] = []
  for (const [library, { backend, has, make }] of Object.entries(MAKERS)) {
    if (!has(inputs.algorithm)) continue
    const refusal = refusals.get(backend)
    if (refusal !== undefined) excluded.push(`${inputs.algorithm} with ${library}: ${refusal}`)
    try {
      for (const way of await make(inputs)) {
        // What people write by hand is still compared with: they know of no rule.
        if (refusal !== undefined && way.usual === undefined && library !== 'WebCrypto') continue
        await requireRight(way, inputs)
        ways.push(refusal === undefined ? way : { ...way, usual: true })
      }
    } catch (error) {
      missing.push(`${library}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    }
  }
  return { ways, missing, excluded }
}

/** @throws Error when a way does not produce what the others do: the same bytes, in an array that owns just them. */
export async function requireRight(way: Way, inputs: Inputs): Promise<void> {
  inputs.nonce.set(inputs.sealedNonce)
  const sealed = await way.seal()
  if (!same(sealed, inputs.sealed)) throw new Error(`${way.library} seals to other bytes`)
  const opened = await way.open()
  if (!same(opened, inputs.plaintext)) throw new Error(`${way.library} opens to other bytes`)
  if (way.usual === true) return
  for (const { buffer, length } of [sealed, opened])
    if (buffer.byteLength !== length) throw new Error(`${way.library} gives part of a longer memory`)
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
