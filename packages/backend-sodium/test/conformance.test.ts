import { runInNewContext } from 'node:vm'
import { expectCounts, runConformance } from '@aeadkit/conformance'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import * as sumo from 'libsodium-wrappers-sumo'
import { describe, it } from 'vitest'
import { createSodiumBackend } from '../src/index.ts'

const foreignBytes = [
  {
    name: 'another realm',
    make: (bytes: Uint8Array) => runInNewContext('new Uint8Array(list)', { list: [...bytes] }) as Uint8Array,
  },
  {
    name: 'a DataView',
    make: (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  },
  {
    name: 'a pooled Buffer',
    make: (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString('hex'), 'hex'),
  },
]

const report = runConformance(
  await createSodiumBackend(),
  { describe, it },
  { vectors: vectorFiles, required: 'all', foreignBytes },
)

/**
 * Executed vectors per file; what is missing to a file's count has its reason in the report. All vectors of the two
 * files with 0 have 16-byte tags: `aegis.test.ts` compares them as far as libsodium's 32-byte tags allow.
 */
const EXECUTED: Readonly<Record<string, number>> = {
  'aegis/cfrg_aegis-128l-test-vectors.json': 9,
  'aegis/cfrg_aegis-256-test-vectors.json': 9,
  'aegis/wycheproof_aegis128L_test.json': 0,
  'aegis/wycheproof_aegis256_test.json': 0,
  'chacha20-poly1305/rfc8439.json': 2,
  'chacha20-poly1305/wycheproof_chacha20_poly1305_test.json': 162,
  'xchacha20-poly1305/draft_irtf_cfrg_xchacha_03.json': 1,
  'xchacha20-poly1305/wycheproof_xchacha20_poly1305_test.json': 157,
}

it('ran every vector that is a call of this backend', ({ skip }) => {
  if (!vectorOrigin.present) {
    console.log(vectorOrigin.reason)
    skip(vectorOrigin.reason)
  }
  expectCounts(report, EXECUTED)
})

describe('libsodium-wrappers-sumo', async () => {
  runConformance(
    await createSodiumBackend({ sodium: sumo }),
    { describe, it },
    { required: 'all', foreignBytes },
  )
})
