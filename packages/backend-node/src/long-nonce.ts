import type { AlgorithmId } from '@aeadkit/core'
import type { NodeCrypto } from './native.ts'

/** The tag of 16 zero bytes without AAD under the key `3, 10, 17, ...` and a nonce that hashes to the all-zero block. */
interface HashedNonce {
  readonly keyBytes: number
  readonly nonce: string
  readonly tag: string
}

/**
 * Nonces of other lengths than 12 bytes are hashed to the first counter block (SP 800-38D §7.1 step 2). Deno 2.9.6
 * takes a hash of all zeros for none at all and computes other bytes. Values: the nonce solves GHASH(nonce) = 0, the
 * rest is from OpenSSL and from @noble/ciphers.
 */
const ANSWERS: Readonly<Partial<Record<AlgorithmId, HashedNonce>>> = {
  'aes-128-gcm': {
    keyBytes: 16,
    nonce: 'f84fdd5f646bc3bddf709510a43af12e',
    tag: '0d0c8e848865192715a4dd8d5523242c',
  },
  'aes-256-gcm': {
    keyBytes: 32,
    nonce: '4f769a1f646c5e9d7c3bdd9a31f041bd',
    tag: '3fa3d3f2ff950911f7e709e385f484b6',
  },
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  )
}

/** Whether the library hashes nonces rightly; `true` for modes that hash none. */
export function hashesNonces(crypto: NodeCrypto, id: AlgorithmId): boolean {
  const answer = ANSWERS[id]
  if (answer === undefined) return true
  try {
    const key = Uint8Array.from({ length: answer.keyBytes }, (_, i) => (7 * i + 3) & 0xff)
    const options = { authTagLength: 16 }
    const cipher = crypto.createCipheriv(id, key, bytesOf(answer.nonce), options)
    cipher.update(new Uint8Array(16))
    cipher.final()
    // The tag depends on the first counter block and on the ciphertext, which depends on it as well.
    const expected = bytesOf(answer.tag)
    return cipher.getAuthTag().every((byte, i) => byte === expected[i])
  } catch {
    return false
  }
}
