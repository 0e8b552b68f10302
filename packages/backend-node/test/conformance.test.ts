import { runInNewContext } from 'node:vm'
import { expectCounts, runConformance } from '@aeadkit/conformance'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { describe, it } from 'vitest'
import { nodeBackend } from '../src/index.ts'

/** Node exposes the SIV modes from 24.22 and 26.10 on; everything else must be there on every Node. */
const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
const hasSiv = major > 26 || (major === 26 && minor >= 10) || (major === 24 && minor >= 22)

const report = runConformance(
  nodeBackend,
  { describe, it },
  {
    vectors: vectorFiles,
    required: hasSiv ? 'all' : nodeBackend.algorithms.filter((id) => !id.includes('siv')),
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
  'aes-gcm/wycheproof_aes_gcm_test.json': 105,
  'aes-ccm/wycheproof_aes_ccm_test.json': 184,
  'aes-ocb/botan_ocb_aes128.json': 21,
  'chacha20-poly1305/rfc8439.json': 2,
  'chacha20-poly1305/wycheproof_chacha20_poly1305_test.json': 162,
  'xchacha20-poly1305/draft_irtf_cfrg_xchacha_03.json': 1,
  'xchacha20-poly1305/wycheproof_xchacha20_poly1305_test.json': 157,
  'xaes-256-gcm/c2sp_xaes256gcm_vectors.json': 2,
  'aes-gcm-siv/rfc8452_appendix_c.json': hasSiv ? 50 : 0,
  'aes-gcm-siv/wycheproof_aes_gcm_siv_test.json': hasSiv ? 101 : 0,
  'aes-siv/wycheproof_aead_aes_siv_cmac_test.json': hasSiv ? 300 : 0,
}

it('ran every vector that is a call of this backend', ({ skip }) => {
  if (!vectorOrigin.present) {
    console.log(vectorOrigin.reason)
    skip(vectorOrigin.reason)
  }
  expectCounts(report, EXECUTED)
})
