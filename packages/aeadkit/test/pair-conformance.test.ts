import { nodeBackend } from '@aeadkit/backend-node'
import { createWasmBackend } from '@aeadkit/backend-wasm'
import { createWebCryptoBackend } from '@aeadkit/backend-webcrypto'
import { expectCounts, runConformance } from '@aeadkit/conformance'
import type { AlgorithmId, SyncBackend } from '@aeadkit/core'
import { pairBackend } from '@aeadkit/selector'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { describe, expect, it } from 'vitest'

/** Those that WebCrypto has on every Node. */
const GCM: readonly AlgorithmId[] = ['aes-128-gcm', 'aes-256-gcm']
const FILE = 'aes-gcm/wycheproof_aes_gcm_test.json'

const webcrypto = (): ReturnType<typeof createWebCryptoBackend> =>
  createWebCryptoBackend({ experimental: false })
const wasm = createWasmBackend()

/** Pairs with crossovers among the lengths of the cases, so that both halves get some of every kind. */
const PAIRS = {
  'two synchronous backends': pairBackend(wasm, nodeBackend, { crossoverBytes: 64, openCrossoverBytes: 17 }),
  'a large half that answers by promise': pairBackend(nodeBackend, webcrypto(), 64) as SyncBackend,
  'the same, everything by promise, a crossover for each operation': pairBackend(wasm, webcrypto(), {
    crossoverBytes: 1,
    openCrossoverBytes: 17,
  }) as SyncBackend,
}

for (const [name, pair] of Object.entries(PAIRS)) {
  describe(name, () => {
    it('answers without a promise', () => {
      expect(pair.sync).toBe(true)
    })
    const report = runConformance(pair, { describe, it }, { vectors: vectorFiles, required: GCM })
    it('ran the AES-GCM vectors with a nonce of 12 bytes and a tag of 16, the only lengths of pairs', ({
      skip,
    }) => {
      if (!vectorOrigin.present) {
        console.log(vectorOrigin.reason)
        skip(vectorOrigin.reason)
      }
      expectCounts(report, { [FILE]: 68 })
    })
  })
}
