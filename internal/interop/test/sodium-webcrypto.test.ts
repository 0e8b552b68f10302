import { createHash } from 'node:crypto'
import { nobleBackend } from '@aeadkit/backend-noble'
import { nodeBackend } from '@aeadkit/backend-node'
import { createSodiumBackend } from '@aeadkit/backend-sodium'
import { createWebCryptoBackend } from '@aeadkit/backend-webcrypto'
import { ALGORITHMS, type AlgorithmId, type Backend, createAead, isAeadError } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'

/** Deterministic bytes: SHAKE-128 of a label. */
function bytesOf(label: string, length: number): Uint8Array {
  return createHash('shake128', { outputLength: Math.max(length, 1) })
    .update(label)
    .digest()
    .subarray(0, length)
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Every length up to 130 (two blocks of ChaCha and one byte more), then around larger powers of two. */
const LENGTHS = [
  ...Array.from({ length: 131 }, (_, i) => i),
  ...[1024, 16_384, 65_536].flatMap((bytes) => [bytes - 1, bytes, bytes + 1]),
  1_048_583,
]

/** A backend under test with those that must agree with it. */
interface Pairing {
  readonly backend: Backend
  readonly peers: readonly Backend[]
  /** Algorithms that this Node must have on the backend and on at least one peer. */
  readonly algorithms: readonly AlgorithmId[]
}

const PAIRINGS: readonly Pairing[] = [
  {
    backend: await createSodiumBackend(),
    peers: [nodeBackend, nobleBackend],
    algorithms: ['chacha20-poly1305', 'xchacha20-poly1305'],
  },
  {
    backend: createWebCryptoBackend({ experimental: false }),
    peers: [nodeBackend, nobleBackend],
    algorithms: ['aes-128-gcm', 'aes-256-gcm'],
  },
]

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing thrown',
    (error: unknown) => (isAeadError(error) ? `${error.code}: ${error.message}` : String(error)),
  )
}

for (const { backend, peers, algorithms } of PAIRINGS) {
  for (const peer of peers) {
    describe(`${backend.name} and ${peer.name} give the same bytes and errors`, () => {
      for (const id of algorithms) {
        it(`${id}: ${LENGTHS.length} lengths, each opened by the other`, async () => {
          const { keyBytes, nonceBytes } = ALGORITHMS[id]
          for (const length of LENGTHS) {
            const label = `${id} ${length}`
            const key = bytesOf(`${label} key`, keyBytes)
            const nonce = bytesOf(`${label} nonce`, nonceBytes)
            const plaintext = bytesOf(`${label} plaintext`, length)
            const aad = bytesOf(`${label} aad`, (length * 7) % 67)
            const one = await createAead(backend, id, key, { nonceCheck: false })
            const other = await createAead(peer, id, key, { nonceCheck: false })
            const sealed = await one.seal(nonce, plaintext, aad)
            expect(same(await other.seal(nonce, plaintext, aad), sealed), label).toBe(true)
            expect(same(await other.open(nonce, sealed, aad), plaintext), label).toBe(true)
            expect(same(await one.open(nonce, sealed, aad), plaintext), label).toBe(true)
            sealed[length % sealed.length]! ^= 1
            const refusal = await codeOf(one.open(nonce, sealed, aad))
            expect(refusal, label).toMatch(/^auth-failed/)
            expect(await codeOf(other.open(nonce, sealed, aad)), label).toBe(refusal)
          }
        })
      }
    })
  }
}
