// A small native backend for these tests alone: plain JavaScript, so that child processes can load it as well.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { defineSyncBackend } from '@aeadkit/core'

const EMPTY = new Uint8Array(0)

/** @returns a synchronous backend over node:crypto with the given algorithms. */
export function nativeBackend(
  name = 'native',
  algorithms = ['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305'],
  extra = {},
) {
  const backend = defineSyncBackend({
    name,
    kind: extra.kind ?? 'native',
    algorithms,
    maxBytes: extra.maxBytes ?? 2 ** 30,
    version: () => `openssl ${process.versions.openssl}`,
    probe: extra.probe ?? (() => true),
    claims: () => ({
      constantTime: { level: extra.level ?? 'platform', basis: 'test', asOf: '2026-11-30' },
      oneShot: extra.oneShot ?? false,
      fipsModule: extra.fipsModule ?? 'off',
    }),
    create(params, key) {
      const secret = new Uint8Array(key)
      extra.created?.(params.id, secret)
      const options = { authTagLength: params.tagBytes }
      return {
        atomic: true,
        readsOnce: true,
        seal(nonce, plaintext, aad, out, ciphertextAt, tagAt) {
          extra.sealed?.(plaintext.length)
          const cipher = createCipheriv(params.id, secret, nonce, options)
          cipher.setAAD(aad)
          const ciphertext = cipher.update(plaintext)
          cipher.final()
          out.set(ciphertext, ciphertextAt)
          out.set(cipher.getAuthTag(), tagAt)
          if (extra.spoil === true && plaintext.length > 100) out[tagAt] ^= 1
        },
        open(nonce, input, ciphertextAt, tagAt, bytes, aad, out) {
          extra.opened?.(bytes)
          const decipher = createDecipheriv(params.id, secret, nonce, options)
          decipher.setAAD(aad)
          decipher.setAuthTag(input.subarray(tagAt, tagAt + params.tagBytes))
          const plaintext = decipher.update(input.subarray(ciphertextAt, ciphertextAt + bytes))
          try {
            decipher.final()
          } catch {
            return false
          }
          out.set(plaintext.length > 0 ? plaintext : EMPTY)
          return true
        },
        destroy() {
          secret.fill(0)
          extra.destroyed?.(params.id)
        },
      }
    },
  })
  return backend
}
