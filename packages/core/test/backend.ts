import { createCipheriv, createDecipheriv } from 'node:crypto'
import {
  type AlgorithmId,
  type AsyncBackend,
  defineAsyncBackend,
  defineSyncBackend,
  type RawSyncAead,
  type RawSyncBackend,
  type SyncBackend,
} from '../src/index.ts'

const NATIVE: Partial<Record<AlgorithmId, 'aes-256-gcm' | 'aes-128-gcm'>> = {
  'aes-128-gcm': 'aes-128-gcm',
  'aes-256-gcm': 'aes-256-gcm',
  // Same call shape; the type of createCipheriv knows only the GCM names.
  'chacha20-poly1305': 'chacha20-poly1305' as 'aes-256-gcm',
}

function gcmLike(name: 'aes-256-gcm', key: Uint8Array): Pick<RawSyncAead, 'seal' | 'open'> {
  return {
    seal(nonce, plaintext, aad, out, ciphertextAt, tagAt) {
      const cipher = createCipheriv(name, key, nonce, { authTagLength: 16 })
      cipher.setAAD(aad)
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
      out.set(ciphertext, ciphertextAt)
      out.set(cipher.getAuthTag(), tagAt)
    },
    open(nonce, input, ciphertextAt, tagAt, bytes, aad, out) {
      const cipher = createDecipheriv(name, key, nonce, { authTagLength: 16 })
      cipher.setAAD(aad)
      cipher.setAuthTag(input.subarray(tagAt, tagAt + 16))
      const plaintext = cipher.update(input.subarray(ciphertextAt, ciphertextAt + bytes))
      try {
        cipher.final()
      } catch {
        return false
      }
      out.set(plaintext)
      return true
    },
  }
}

/** RFC 4493 over AES-128-CBC. */
function cmac(key: Uint8Array, message: Uint8Array): Buffer {
  const cbc = (data: Uint8Array): Buffer => {
    const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16))
    cipher.setAutoPadding(false)
    return Buffer.concat([cipher.update(data), cipher.final()])
  }
  const k1 = double(cbc(Buffer.alloc(16)))
  const full = message.length > 0 && message.length % 16 === 0
  const padded = Buffer.alloc(Math.max(16, Math.ceil(message.length / 16) * 16))
  padded.set(message)
  if (!full) padded[message.length] = 0x80
  const last = full ? k1 : double(k1)
  for (let i = 0; i < 16; i++) padded[padded.length - 16 + i]! ^= last[i]!
  return cbc(padded).subarray(-16)
}

function double(block: Uint8Array): Buffer {
  const out = Buffer.alloc(16)
  for (let i = 0; i < 16; i++) out[i] = ((block[i]! << 1) | ((block[i + 1] ?? 0) >> 7)) & 0xff
  if (block[0]! & 0x80) out[15]! ^= 0x87
  return out
}

/** RFC 5297 §2.4 with components [aad, nonce, plaintext]. */
function s2v(key: Uint8Array, components: readonly Uint8Array[], plaintext: Uint8Array): Buffer {
  let d = cmac(key, Buffer.alloc(16))
  for (const component of components) {
    const next = cmac(key, component)
    d = double(d)
    for (let i = 0; i < 16; i++) d[i]! ^= next[i]!
  }
  if (plaintext.length >= 16) {
    const t = Buffer.from(plaintext)
    for (let i = 0; i < 16; i++) t[t.length - 16 + i]! ^= d[i]!
    return cmac(key, t)
  }
  const padded = Buffer.alloc(16)
  padded.set(plaintext)
  padded[plaintext.length] = 0x80
  const t = double(d)
  for (let i = 0; i < 16; i++) t[i]! ^= padded[i]!
  return cmac(key, t)
}

function siv(key: Uint8Array): Pick<RawSyncAead, 'seal' | 'open'> {
  const macKey = key.subarray(0, 16)
  const ctr = (iv: Uint8Array, data: Uint8Array): Buffer => {
    const start = Buffer.from(iv)
    start[8]! &= 0x7f
    start[12]! &= 0x7f
    return createCipheriv('aes-128-ctr', key.subarray(16), start).update(data)
  }
  return {
    seal(nonce, plaintext, aad, out, ciphertextAt, tagAt) {
      const iv = s2v(macKey, [aad, nonce], plaintext)
      out.set(ctr(iv, plaintext), ciphertextAt)
      out.set(iv, tagAt)
    },
    open(nonce, input, ciphertextAt, tagAt, bytes, aad, out) {
      const iv = input.subarray(tagAt, tagAt + 16)
      const plaintext = ctr(iv, input.subarray(ciphertextAt, ciphertextAt + bytes))
      if (!s2v(macKey, [aad, nonce], plaintext).equals(iv)) return false
      out.set(plaintext)
      return true
    },
  }
}

/** A correct backend over node:crypto, small enough to read; `overrides` break or bend it. */
export function rawTestBackend(
  overrides: Partial<RawSyncBackend> = {},
  flags: Partial<RawSyncAead> = {},
): RawSyncBackend {
  return {
    name: 'test',
    kind: 'native',
    algorithms: ['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305', 'aes-siv-cmac-256'],
    maxBytes: 2 ** 31 - 17,
    version: () => `node ${process.versions.node}`,
    probe: () => true,
    claims: () => ({
      constantTime: { level: 'platform', basis: 'test', asOf: '2026-11-30' },
      oneShot: false,
      fipsModule: 'off',
    }),
    create(params, key) {
      const own = Buffer.from(key)
      const native = NATIVE[params.id]
      return {
        atomic: true,
        readsOnce: false,
        ...(native === undefined ? siv(own) : gcmLike(native as 'aes-256-gcm', own)),
        destroy: () => void own.fill(0),
        ...flags,
      }
    },
    ...overrides,
  }
}

export function testBackend(
  overrides: Partial<RawSyncBackend> = {},
  flags: Partial<RawSyncAead> = {},
): SyncBackend {
  return defineSyncBackend(rawTestBackend(overrides, flags))
}

/** The same ciphers by promise: ciphertext, then tag, always. */
export function asyncTestBackend(change: Partial<Pick<RawSyncBackend, 'mode' | 'probe'>> = {}): AsyncBackend {
  const raw = rawTestBackend()
  return defineAsyncBackend({
    ...raw,
    ...change,
    name: 'async-test',
    async create(params, key) {
      const aead = raw.create(params, key)
      return {
        async seal(nonce, plaintext, aad) {
          const out = new Uint8Array(plaintext.length + params.tagBytes)
          aead.seal(nonce, plaintext, aad, out, 0, plaintext.length)
          await Promise.resolve()
          return out
        },
        async open(nonce, sealed, aad) {
          const bytes = sealed.length - params.tagBytes
          const out = new Uint8Array(bytes)
          const right = aead.open(nonce, sealed, 0, bytes, bytes, aad, out)
          await Promise.resolve()
          return right ? out : undefined
        },
        destroy: () => aead.destroy(),
      }
    },
  })
}
