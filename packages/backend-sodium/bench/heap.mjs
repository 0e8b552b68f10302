/**
 * How far libsodium's WebAssembly memory has grown after messages of each length, with no AAD and with AAD as long as
 * the message. Each row is a process of its own: the memory never shrinks. Not part of CI.
 *
 *   node packages/backend-sodium/bench/heap.mjs
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import sodium from 'libsodium-wrappers'

const MIB = 1_048_576
const LENGTHS = [65_536, MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB]
/** Seals and failed opens per row: what is not freed would show. */
const ROUNDS = 4

async function heapAfter(bytes, aadBytes) {
  await sodium.ready
  const key = new Uint8Array(32)
  const nonce = new Uint8Array(24)
  const message = new Uint8Array(bytes)
  const aad = new Uint8Array(aadBytes)
  for (let round = 0; round < ROUNDS; round++) {
    const sealed = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(message, aad, null, nonce, key)
    sealed[0] ^= 1
    try {
      sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, sealed, aad, nonce, key)
      throw new Error('a forgery was opened')
    } catch (error) {
      if (error.message === 'a forgery was opened') throw error
    }
  }
  return sodium.libsodium.HEAPU8.length
}

const [bytes, aadBytes] = process.argv.slice(2).map(Number)
if (bytes !== undefined) {
  console.log(await heapAfter(bytes, aadBytes))
} else {
  const rows = LENGTHS.map((length) => {
    const [plain, both] = [0, length].map((aadLength) => {
      const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), length, aadLength])
      return (Number(child.stdout) / MIB).toFixed(1)
    })
    return { 'message MiB': length / MIB, 'heap MiB': plain, 'heap MiB with AAD as long': both }
  })
  console.table(rows)
}
