import { createContext, runInContext } from 'node:vm'
import { expectCounts, type ForeignBytes, runConformance } from '@aeadkit/conformance'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { describe, it } from 'vitest'
import { createWasmBackend } from '../src/index.ts'

const context = createContext({})

const FOREIGN: readonly ForeignBytes[] = [
  {
    name: 'another realm',
    make: (bytes) => runInContext(`new Uint8Array([${bytes.join()}])`, context) as Uint8Array,
  },
  { name: 'a pooled Buffer', make: (bytes) => Buffer.from(Buffer.from(bytes).toString('hex'), 'hex') },
]

for (const engine of ['columns', 'rows'] as const) {
  describe(engine, () => {
    const report = runConformance(
      createWasmBackend({ engine }),
      { describe, it },
      { vectors: vectorFiles, required: 'all', foreignBytes: FOREIGN },
    )
    if (vectorFiles.length === 0) console.log(`vectors skipped: ${vectorOrigin.message}`)
    else {
      it('ran every vector of the sizes it takes', () => expectCounts(report, {}))
    }
  })
}
