// What a consumer writes, checked with each TypeScript release: plain Uint8Arrays go in, results go where the
// platform wants ArrayBuffer-backed bytes (report R34).

import { nobleBackend } from '@aeadkit/backend-noble'
import { nodeBackend } from '@aeadkit/backend-node'
import {
  ALGORITHMS,
  type Bytes,
  createAead,
  createSealer,
  decodeKey,
  encodeKey,
  generateKey,
  isAeadError,
} from '@aeadkit/core'
import { describeAlgorithm } from '@aeadkit/core/catalog'
import { createLegacyOpener, exportKey } from '@aeadkit/core/unsafe'
import { restoreSelection } from '@aeadkit/selector'
import { selectAead } from 'aeadkit'

export async function consume(plaintext: Uint8Array, buffer: ArrayBuffer, view: DataView): Promise<Blob> {
  const record = generateKey('aes-256-gcm')
  const again = decodeKey(encodeKey(record))
  const key: Uint8Array = exportKey(again)
  const aead = await createAead(nodeBackend, 'aes-256-gcm', key)
  const nonce = new Uint8Array(ALGORITHMS['aes-256-gcm'].nonceBytes)
  const sealed = aead.sealSync(nonce, plaintext, view)
  const opened: Bytes = await aead.open(nonce, sealed, view)
  const written: number = aead.sealIntoSync(new Uint8Array(1024), nonce, buffer)
  const other = await createAead(nobleBackend as typeof nodeBackend, 'chacha20-poly1305', buffer)
  other.destroy()

  const sealer = await createSealer(record, { backends: [nodeBackend, nobleBackend], nonces: 'random' })
  const box = await sealer.encrypt(opened)
  const messages: bigint = sealer.usage.messages
  const imported = await crypto.subtle.importKey('raw', box, 'AES-GCM', false, ['encrypt'])
  await crypto.subtle.encrypt({ name: 'AES-GCM', iv: sealed }, imported, box)

  const pick = await selectAead({ readers: 'here', nonce: 'counter', volume: { messages: 2 ** 20 } })
  const stored = JSON.stringify(pick)
  const restored = await restoreSelection(stored, { backends: [nodeBackend] })
  const text: string = describeAlgorithm(restored.algorithm).standard.text
  const opener = await createLegacyOpener(nodeBackend, 'aes-256-gcm', key, { nonceBytes: 16 })
  const old: Uint8Array = await opener.open(nonce, box)
  try {
    aead.openSync(nonce, old)
  } catch (error) {
    if (isAeadError(error, 'auth-failed')) return new Blob([text, String(written + Number(messages))])
  }
  return new Blob([box, opened, sealed])
}
