import { createAead } from '@aeadkit/core'
import { expect, it } from 'vitest'
import { createWebCryptoBackend } from '../src/index.ts'

const { subtle } = globalThis.crypto
type Encrypt = (...args: Parameters<typeof subtle.encrypt>) => Promise<unknown>

function backendWith(encrypt: Encrypt): ReturnType<typeof createWebCryptoBackend> {
  const own = { importKey: subtle.importKey.bind(subtle), decrypt: subtle.decrypt.bind(subtle), encrypt }
  return createWebCryptoBackend({ crypto: { subtle: own } })
}

const KEY = new Uint8Array(16).fill(5)
const LENGTH = 50

it('a WebCrypto that uses its result memory again does not change what was returned before', async () => {
  const memory = new ArrayBuffer(LENGTH + 16)
  const backend = backendWith(async (...args) => {
    const sealed = await subtle.encrypt(...args)
    if (sealed.byteLength !== memory.byteLength) return sealed
    new Uint8Array(memory).set(new Uint8Array(sealed))
    return memory
  })
  const aead = await createAead(backend, 'aes-128-gcm', KEY)
  const first = await aead.seal(new Uint8Array(12), new Uint8Array(LENGTH))
  const kept = first.slice()
  await aead.seal(new Uint8Array(12).fill(1), new Uint8Array(LENGTH))
  expect(first).toEqual(kept)
})

it('a number is no result', async () => {
  const backend = backendWith(async (...args) => {
    const sealed = await subtle.encrypt(...args)
    return sealed.byteLength === LENGTH + 16 ? LENGTH + 16 : sealed
  })
  const aead = await createAead(backend, 'aes-128-gcm', KEY)
  await expect(aead.seal(new Uint8Array(12), new Uint8Array(LENGTH))).rejects.toMatchObject({
    code: 'backend-failed',
  })
})
