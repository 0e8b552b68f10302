/** A CPU with VAES and AVX-512 under the mask of AES-NI and PCLMULQDQ: AES-GCM of OpenSSL 3.1 and later slows down by nothing. */
import { nodeBackend } from '@aeadkit/backend-node'
import { type AlgorithmId, createAead, type Measurement } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { collectEvidence, type SelectOptions, selectAead, toHardwareReport } from '../src/index.ts'
import { has, read, skipped } from './facts.ts'
import { fakeHost } from './fake-host.ts'
import { fake } from './fakes.ts'

const FIXTURE = 'facts/cpuinfo/amd-zen4-epyc-9454p.txt'
const MASK = '~0x200000200000000:~0x0'
const CLOSED = '~0x200000200000000:~0x60000000000'

function hostOf(mask: string | undefined, openssl: string) {
  return fakeHost({
    openssl,
    files: { '/proc/cpuinfo': read(FIXTURE) },
    ...(mask === undefined ? {} : { variables: { OPENSSL_ia32cap: mask } }),
  })
}

/** Timings of node:crypto at these nanoseconds per byte. */
function timed(gcm: number, chacha: number): readonly Measurement[] {
  const row = (algorithm: AlgorithmId, perByte: number, bytes: number): Measurement => {
    return { backend: 'node', algorithm, operation: 'seal', bytes, nanoseconds: 8000 + perByte * bytes }
  }
  return [65_536, 262_144].flatMap((bytes) => [
    row('aes-128-gcm', gcm, bytes),
    row('chacha20-poly1305', chacha, bytes),
  ])
}

const BACKENDS = [nodeBackend, fake('wasm', { kind: 'wasm', level: 'bitsliced' })]

describe.skipIf(!has(FIXTURE) && skipped(9, 'no ../shared/facts'))('the trap of VAES with AVX-512', () => {
  const evidenceOf = (mask: string | undefined, version: string, measurements?: readonly Measurement[]) =>
    collectEvidence({
      host: hostOf(mask, version),
      backends: BACKENDS,
      measure: 'never',
      ...(measurements === undefined ? {} : { given: { measurements } }),
    })
  const pickOf = async (
    mask: string | undefined,
    version: string,
    measurements?: readonly Measurement[],
    more: Pick<SelectOptions, 'algorithm' | 'fips' | 'sync' | 'volume'> = {},
  ) => {
    const evidence = await evidenceOf(mask, version, measurements)
    const use = { readers: 'here', nonce: 'counter', measure: 'never' } as const
    return selectAead({ ...use, backends: BACKENDS, evidence, ...more })
  }

  // Mask, OpenSSL, timings; algorithm, backend of it, rule, constant time of AES-GCM in node:crypto.
  it.each([
    ['no mask', undefined, '3.5.8', undefined, 'aes-128-gcm', 'V18', 'hardware'],
    ['the mask', MASK, '3.5.8', undefined, 'aes-128-gcm', 'V18', 'hardware'],
    ['the mask, measured', MASK, '3.5.8', timed(0.3, 1), 'aes-128-gcm', 'V18', 'hardware'],
    ['the mask, measured slow', MASK, '3.5.8', timed(5, 1), 'chacha20-poly1305', 'V19', 'none'],
    ['an OpenSSL without the way round', MASK, '3.0.19', undefined, 'chacha20-poly1305', 'V19', 'none'],
    ['the way round closed', CLOSED, '3.5.8', undefined, 'chacha20-poly1305', 'V19', 'none'],
  ] as const)('%s', async (_, mask, version, measurements, algorithm, rule, level) => {
    const pick = await pickOf(mask, version, measurements)
    expect(pick.algorithm).toBe(algorithm)
    expect(pick.backend).toBe('node')
    expect(pick.verdict.rules).toEqual([rule])
    expect(pick.verdict.reasons.join()).not.toMatch(/no native library|only WebAssembly or script/)
    const { evidence } = pick
    const aead = await createAead(nodeBackend, 'aes-128-gcm', new Uint8Array(16), { evidence })
    expect(aead.guarantees.constantTime.level).toBe(level)
    aead.destroy()
    const both = level === 'hardware' ? 'yes' : 'no'
    expect(toHardwareReport(evidence, 'm')).toMatchObject({ aes: both, clmul: both })
  })
  it('the native library keeps the long messages of an approved algorithm', async () => {
    const pick = await pickOf(MASK, '3.5.8', undefined, {
      fips: 'approved-algorithms',
      sync: true,
      volume: { messageBytes: 1e6 },
    })
    expect([pick.algorithm, pick.backend]).toEqual(['aes-128-gcm', 'node'])
    expect(pick.duties.filter((duty) => duty.startsWith('constant-time'))).toEqual([])
  })
  it('modes of OpenSSL that have no way round are not taken for hardware', async () => {
    const pick = await pickOf(MASK, '3.5.8', undefined, { algorithm: 'aes-128-ccm' })
    const aead = await createAead(nodeBackend, 'aes-128-ccm', new Uint8Array(16), { evidence: pick.evidence })
    expect(aead.guarantees.constantTime).toMatchObject({
      level: 'platform',
      basis: expect.stringMatching(/vector-permute/),
    })
    aead.destroy()
  })
})
