import { createContext, runInContext } from 'node:vm'
import { expectCounts, type ForeignBytes, runConformance } from '@aeadkit/conformance'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { describe, it } from 'vitest'
import { createWasmBackend } from '../src/index.ts'

/** Vectors per file with 12-byte nonces (24 for XChaCha20), 16-byte tags and keys of 16 or 32 bytes. */
const RAN = {
  'aes-gcm/wycheproof_aes_gcm_test.json': 68,
  'chacha20-poly1305/rfc8439.json': 2,
  'chacha20-poly1305/wycheproof_chacha20_poly1305_test.json': 162,
  'xchacha20-poly1305/draft_irtf_cfrg_xchacha_03.json': 1,
  'xchacha20-poly1305/wycheproof_xchacha20_poly1305_test.json': 157,
}

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
    if (vectorFiles.length === 0) console.log(`vectors skipped: ${vectorOrigin.reason}`)
    else {
      it('ran every vector of the sizes it takes', () => expectCounts(report, RAN))
    }
  })
}
