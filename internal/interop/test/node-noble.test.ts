import { createHash } from 'node:crypto'
import { nobleBackend } from '@aeadkit/backend-noble'
import { nodeBackend } from '@aeadkit/backend-node'
import { ALGORITHMS, type AlgorithmId, createAeadSync } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'

/** Deterministic bytes: SHAKE-128 of a label. */
function bytesOf(label: string, length: number): Uint8Array {
  return createHash('shake128', { outputLength: Math.max(length, 1) })
    .update(label)
    .digest()
    .subarray(0, length)
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** Every length up to 300, then around the lengths at which the OpenSSL backend changes how it cuts messages. */
const LENGTHS = [
  ...Array.from({ length: 301 }, (_, i) => i),
  ...[16_384, 32_768, 262_144].flatMap((bytes) => [bytes - 1, bytes, bytes + 1]),
  1_048_583,
]

const both = nodeBackend.algorithms.filter((id) => nobleBackend.algorithms.includes(id))
const runnable = (id: AlgorithmId): boolean => nodeBackend.probeSync(id).available

describe('node:crypto and noble give the same bytes', () => {
  it('share eight algorithms, of which this Node has at least four', () => {
    expect(both.length).toBe(8)
    expect(both.filter(runnable).length).toBeGreaterThanOrEqual(4)
    for (const id of both)
      if (!runnable(id)) console.log(`${id}: comparison skipped, this Node does not expose it`)
  })
  for (const id of both.filter(runnable)) {
    it(`${id}: ${LENGTHS.length} lengths, each opened by the other`, () => {
      const { keyBytes, nonceBytes } = ALGORITHMS[id]
      for (const length of LENGTHS) {
        const label = `${id} ${length}`
        const key = bytesOf(`${label} key`, keyBytes)
        const nonce = bytesOf(`${label} nonce`, nonceBytes)
        const plaintext = bytesOf(`${label} plaintext`, length)
        const aad = bytesOf(`${label} aad`, (length * 7) % 67)
        const node = createAeadSync(nodeBackend, id, key, { nonceCheck: false })
        const noble = createAeadSync(nobleBackend, id, key, { nonceCheck: false })
        const sealed = node.sealSync(nonce, plaintext, aad)
        expect(same(noble.sealSync(nonce, plaintext, aad), sealed), label).toBe(true)
        expect(same(noble.openSync(nonce, sealed, aad), plaintext), label).toBe(true)
        expect(same(node.openSync(nonce, sealed, aad), plaintext), label).toBe(true)
        sealed[length % sealed.length]! ^= 1
        for (const aead of [node, noble]) {
          expect(() => aead.openSync(nonce, sealed, aad), label).toThrow(/authentication failed/)
        }
      }
    })
  }
})
