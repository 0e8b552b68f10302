import { runInNewContext } from 'node:vm'
import { type ConformanceReport, expectCounts, runConformance } from '@aeadkit/conformance'
import type { AlgorithmId, AsyncBackend } from '@aeadkit/core'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { Crypto } from '@peculiar/webcrypto'
import { describe, it } from 'vitest'
import { createWebCryptoBackend } from '../src/index.ts'

const GCM: readonly AlgorithmId[] = ['aes-128-gcm', 'aes-256-gcm']

/** Node before 26 takes no nonce below 12 bytes in WebCrypto; 13 vectors have one. */
const SHORT_NONCES = Number(process.versions.node.split('.')[0]) >= 26 ? 13 : 0

function conform(backend: AsyncBackend): ConformanceReport {
  return runConformance(
    backend,
    { describe, it },
    {
      vectors: vectorFiles,
      required: GCM,
      foreignBytes: [
        {
          name: 'another realm',
          make: (bytes) => runInNewContext('new Uint8Array(list)', { list: [...bytes] }) as Uint8Array,
        },
        { name: 'a pooled Buffer', make: (bytes) => Buffer.from(Buffer.from(bytes).toString('hex'), 'hex') },
      ],
    },
  )
}

interface Row {
  readonly name: string
  readonly backend: AsyncBackend
  /** Executed AES-GCM vectors with keys of 128 and 256 bits. */
  readonly gcmVectors: number
}

const ROWS: readonly Row[] = [
  {
    name: "the platform's WebCrypto",
    backend: createWebCryptoBackend(),
    gcmVectors: 92 + SHORT_NONCES,
  },
  {
    name: '@peculiar/webcrypto',
    backend: createWebCryptoBackend({ crypto: new Crypto(), version: '@peculiar/webcrypto 1.7.2' }),
    gcmVectors: 105,
  },
]

for (const { name, backend, gcmVectors } of ROWS) {
  describe(name, () => {
    const report = conform(backend)
    it('ran every AES-GCM vector that is a call of this backend', ({ skip }) => {
      if (!vectorOrigin.present) {
        console.log(vectorOrigin.reason)
        skip(vectorOrigin.reason)
      }
      expectCounts(report, { 'aes-gcm/wycheproof_aes_gcm_test.json': gcmVectors })
    })
  })
}
