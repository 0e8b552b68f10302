import { nodeBackend } from '@aeadkit/backend-node'
import { createWasmBackend } from '@aeadkit/backend-wasm'
import { ALGORITHMS, createAeadSync, createSealer, importKey, type SyncBackend } from '@aeadkit/core'
import { gcm } from '@noble/ciphers/aes.js'
import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import type sodiumNative from 'sodium-native'

/** Algorithms the benches compare. */
export const COMPARED = ['chacha20-poly1305', 'xchacha20-poly1305', 'aes-128-gcm', 'aes-256-gcm'] as const

/** One of {@link COMPARED}. */
export type Compared = (typeof COMPARED)[number]

/** What every contender works on. `nonce` changes before each seal; `sealed` was made under `sealedNonce`. */
export interface Material {
  readonly algorithm: Compared
  readonly key: Uint8Array
  readonly nonce: Uint8Array
  readonly plaintext: Uint8Array
  readonly sealedNonce: Uint8Array
  readonly sealed: Uint8Array
}

/** One way of doing the work: each call returns the result, so that all can be compared before any is timed. */
export interface Contender {
  readonly name: string
  /** Ciphertext and tag under the current nonce. */
  seal(): Uint8Array
  /** The plaintext of `sealed`. */
  open?(): Uint8Array
  /** Whether results depend on nothing but key, nonce and plaintext. */
  readonly comparable?: boolean
}

/** Names of our own contenders; ratios are taken against the first. */
export const OURS = {
  into: 'sealIntoSync',
  kernel: 'kernel',
  fresh: 'sealSync',
  sealer: 'sealer.encryptSync',
} as const

type Loaded<T> = T | string

async function load<T>(name: string, get: () => Promise<T>): Promise<Loaded<T>> {
  try {
    return await get()
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`
  }
}

/** Libraries that some runtime may lack, with the reason where it does. */
export interface Libraries {
  readonly wasm: SyncBackend
  readonly libsodium: typeof import('libsodium-wrappers').default | undefined
  readonly sodiumNative: typeof sodiumNative | undefined
  /** One line per library that did not load. */
  readonly missing: readonly string[]
}

/** Loads everything once. */
export async function loadLibraries(): Promise<Libraries> {
  const libsodium = await load('libsodium-wrappers', async () => {
    const { default: sodium } = await import('libsodium-wrappers')
    await sodium.ready
    return sodium
  })
  const native = await load('sodium-native', async () => (await import('sodium-native')).default)
  return {
    wasm: createWasmBackend(),
    libsodium: typeof libsodium === 'string' ? undefined : libsodium,
    sodiumNative: typeof native === 'string' ? undefined : native,
    missing: [libsodium, native].filter((item) => typeof item === 'string'),
  }
}

/** Everything that can do the algorithm here; ours first. */
export async function contendersOf(material: Material, libraries: Libraries): Promise<Contender[]> {
  const { algorithm } = material
  const found = [...(await oursOf(material, libraries.wasm)), nobleOf(material)]
  if (nodeBackend.probeSync(algorithm).available && algorithm !== 'xchacha20-poly1305') {
    found.push(nodeOf(material, await import('node:crypto')))
  }
  if (algorithm.includes('chacha')) {
    const x = algorithm === 'xchacha20-poly1305'
    if (libraries.libsodium !== undefined) found.push(libsodiumOf(material, libraries.libsodium, x))
    if (libraries.sodiumNative !== undefined) found.push(sodiumNativeOf(material, libraries.sodiumNative, x))
  }
  return found
}

async function oursOf(material: Material, wasm: SyncBackend): Promise<Contender[]> {
  const { algorithm, key, nonce, plaintext, sealed, sealedNonce } = material
  const aead = createAeadSync(wasm, algorithm, key)
  const fresh = createAeadSync(wasm, algorithm, key)
  const raw = wasm.raw.create(ALGORITHMS[algorithm], key)
  const none = new Uint8Array(0)
  const bytes = plaintext.length
  const out = new Uint8Array(bytes + 16)
  const back = new Uint8Array(bytes)
  const record = importKey({ algorithm, keyId: '00000000000000ab', secret: key })
  const sealer = await createSealer(record, { backends: [wasm] })
  const box = sealer.encryptSync(plaintext)
  return [
    {
      name: OURS.into,
      seal: () => {
        aead.sealIntoSync(out, nonce, plaintext)
        return out
      },
      open: () => {
        aead.openIntoSync(back, sealedNonce, sealed)
        return back
      },
    },
    {
      name: OURS.kernel,
      seal: () => {
        raw.seal(nonce, plaintext, none, out, 0, bytes)
        return out
      },
      open: () => {
        raw.open(sealedNonce, sealed, 0, bytes, bytes, none, back)
        return back
      },
    },
    {
      name: OURS.fresh,
      seal: () => fresh.sealSync(nonce, plaintext),
      open: () => fresh.openSync(sealedNonce, sealed),
    },
    {
      name: OURS.sealer,
      seal: () => sealer.encryptSync(plaintext),
      open: () => sealer.decryptSync(box),
      comparable: false,
    },
  ]
}

function nobleOf({ algorithm, key, nonce, plaintext, sealed, sealedNonce }: Material): Contender {
  const name = '@noble/ciphers'
  if (algorithm.startsWith('aes')) {
    return {
      name,
      seal: () => gcm(key, nonce).encrypt(plaintext),
      open: () => gcm(key, sealedNonce).decrypt(sealed),
    }
  }
  const cipher = algorithm === 'chacha20-poly1305' ? chacha20poly1305 : xchacha20poly1305
  const out = new Uint8Array(plaintext.length + 16)
  const back = new Uint8Array(plaintext.length)
  return {
    name,
    seal: () => cipher(key, nonce).encrypt(plaintext, out),
    open: () => cipher(key, sealedNonce).decrypt(sealed, back),
  }
}

/** A cipher object per message, the result put where ours goes: what a user of node:crypto writes. */
function nodeOf(material: Material, crypto: typeof import('node:crypto')): Contender {
  const { algorithm, key, nonce, plaintext, sealed, sealedNonce } = material
  const name = algorithm as 'chacha20-poly1305'
  const bytes = plaintext.length
  const options = { authTagLength: 16 }
  const out = new Uint8Array(bytes + 16)
  const back = new Uint8Array(bytes)
  return {
    name: 'node:crypto',
    seal: () => {
      const cipher = crypto.createCipheriv(name, key, nonce, options)
      const body = cipher.update(plaintext)
      cipher.final()
      out.set(body)
      out.set(cipher.getAuthTag(), bytes)
      return out
    },
    open: () => {
      const decipher = crypto.createDecipheriv(name, key, sealedNonce, options)
      decipher.setAuthTag(sealed.subarray(bytes))
      const body = decipher.update(sealed.subarray(0, bytes))
      decipher.final()
      back.set(body)
      return back
    },
  }
}

function libsodiumOf(material: Material, sodium: NonNullable<Libraries['libsodium']>, x: boolean): Contender {
  const { key, nonce, plaintext, sealed, sealedNonce } = material
  const encrypt = x
    ? sodium.crypto_aead_xchacha20poly1305_ietf_encrypt
    : sodium.crypto_aead_chacha20poly1305_ietf_encrypt
  const decrypt = x
    ? sodium.crypto_aead_xchacha20poly1305_ietf_decrypt
    : sodium.crypto_aead_chacha20poly1305_ietf_decrypt
  return {
    name: 'libsodium-wrappers',
    seal: () => encrypt(plaintext, null, null, nonce, key),
    open: () => decrypt(null, sealed, null, sealedNonce, key),
  }
}

function sodiumNativeOf(
  material: Material,
  sodium: NonNullable<Libraries['sodiumNative']>,
  x: boolean,
): Contender {
  const { key, nonce, plaintext, sealed, sealedNonce } = material
  const encrypt = x
    ? sodium.crypto_aead_xchacha20poly1305_ietf_encrypt
    : sodium.crypto_aead_chacha20poly1305_ietf_encrypt
  const decrypt = x
    ? sodium.crypto_aead_xchacha20poly1305_ietf_decrypt
    : sodium.crypto_aead_chacha20poly1305_ietf_decrypt
  const out = new Uint8Array(plaintext.length + 16)
  const back = new Uint8Array(plaintext.length)
  return {
    name: 'sodium-native',
    seal: () => {
      encrypt(out, plaintext, null, null, nonce, key)
      return out
    },
    open: () => {
      decrypt(back, null, sealed, null, sealedNonce, key)
      return back
    },
  }
}
