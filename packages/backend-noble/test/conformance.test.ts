import { runInNewContext } from 'node:vm'
import { expectCounts, runConformance } from '@aeadkit/conformance'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { describe, it } from 'vitest'
import { nobleBackend } from '../src/index.ts'

const report = runConformance(
  nobleBackend,
  { describe, it },
  {
    vectors: vectorFiles,
    required: 'all',
    foreignBytes: [
      {
        name: 'another realm',
        make: (bytes) => runInNewContext('new Uint8Array(list)', { list: [...bytes] }) as Uint8Array,
      },
      { name: 'a pooled Buffer', make: (bytes) => Buffer.from(Buffer.from(bytes).toString('hex'), 'hex') },
    ],
  },
)

/** Executed vectors per file; what is missing to a file's count has its reason in the report. */
const EXECUTED: Readonly<Record<string, number>> = {
  'aes-gcm/wycheproof_aes_gcm_test.json': 99,
  'aes-gcm-siv/rfc8452_appendix_c.json': 50,
  'aes-gcm-siv/wycheproof_aes_gcm_siv_test.json': 101,
  'aes-siv/wycheproof_aead_aes_siv_cmac_test.json': 300,
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
