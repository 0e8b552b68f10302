import { nobleBackend } from '@aeadkit/backend-noble'
import { nodeBackend } from '@aeadkit/backend-node'
import { createWasmBackend } from '@aeadkit/backend-wasm'
import { runConformance } from '@aeadkit/conformance'
import { vectorFiles } from '@aeadkit-internal/vectors'
import { describe, expect, it } from 'vitest'
import { compareRandomCases } from '../src/random-cases.ts'

/** Per layout; `npm run differential -w @aeadkit/backend-wasm` runs a million. */
const CASES = 10_000

for (const engine of ['columns', 'rows'] as const) {
  describe(`wasm kernels, ${engine}`, () => {
    it(`${CASES} random cases give the bytes of node:crypto and noble, and open again`, () => {
      const subject = createWasmBackend({ engine })
      const { compared, opened } = compareRandomCases(subject, [nodeBackend, nobleBackend], CASES, 20_261_130)
      expect(opened).toBe(CASES)
      expect(Object.values(compared).reduce((sum, count) => sum + count, 0)).toBe(CASES)
      expect(Object.keys(compared).sort()).toEqual(['noble', 'node'])
    }, 300_000)
    runConformance(
      createWasmBackend({ engine }),
      { describe, it },
      { peers: [nodeBackend, nobleBackend], vectors: vectorFiles, required: 'all', print: () => {} },
    )
  })
}
