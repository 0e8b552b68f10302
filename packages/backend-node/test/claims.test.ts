import { ALGORITHMS, type AlgorithmId, type Evidence, type EvidenceItem } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { claimsOf, type Library } from '../src/claims.ts'
import { nodeBackend } from '../src/index.ts'
import { MODES } from '../src/modes.ts'
import type { NodeCrypto } from '../src/native.ts'

const NO_FIPS = { getFips: () => 0 } as NodeCrypto

function evidence(given: Partial<Evidence>, flags: Readonly<Record<string, string>> = {}): Evidence {
  const items: EvidenceItem[] = Object.entries(flags).map(([name, value]) => ({
    name: name.includes('.') ? name : `cpu.flags.${name}`,
    value,
    source: '/proc/cpuinfo',
    certainty: 'observed',
  }))
  return {
    runtime: 'node',
    runtimeVersion: '20.20.2',
    arch: 'x64',
    cpuModel: 'unknown',
    aes: 'unknown',
    clmul: 'unknown',
    source: 'flags',
    hardwareClass: 'unknown',
    fips: { state: 'off', certificate: null, provider: 'unknown', reason: 'not requested' },
    items,
    measurements: [],
    ...given,
  }
}

const BOTH = { aes: 'yes', clmul: 'yes' } as const
const NO_CLMUL = { aes: 'yes', clmul: 'no' } as const
const NO_AES = { aes: 'no', clmul: 'yes' } as const
const NEITHER = { aes: 'no', clmul: 'no' } as const
const SSSE3 = { ssse3: 'yes' }
const MEASURED_NONE = { hardwareClass: 'none', source: 'measured' } as const
const MEASURED_HARDWARE = { hardwareClass: 'hardware', source: 'measured' } as const

/** Evidence -> level of AES-GCM, AES-CCM. */
const CASES: readonly [
  name: string,
  library: Library,
  given: Evidence | undefined,
  gcm: string,
  ccm: string,
][] = [
  ['no evidence', 'openssl', undefined, 'platform', 'platform'],
  ['nothing known', 'openssl', evidence({}), 'platform', 'platform'],
  ['both halves', 'openssl', evidence(BOTH), 'hardware', 'hardware'],
  ['both halves, measured', 'openssl', evidence({ ...BOTH, ...MEASURED_HARDWARE }), 'hardware', 'hardware'],
  ['both halves, measured slow', 'openssl', evidence({ ...BOTH, ...MEASURED_NONE }), 'none', 'none'],
  ['multiply masked', 'openssl', evidence({ ...NO_CLMUL, ...MEASURED_NONE }, SSSE3), 'none', 'hardware'],
  ['AES masked', 'openssl', evidence({ ...NO_AES, ...MEASURED_NONE }, SSSE3), 'platform', 'platform'],
  [
    'mask set, SSSE3 only among the bare flags',
    'openssl',
    evidence(NEITHER, { ...SSSE3, 'env.OPENSSL_ia32cap': '~0x200020200000000' }),
    'none',
    'none',
  ],
  [
    'mask set, SSSE3 after masks',
    'openssl',
    evidence(NEITHER, { 'cpu.effective.ssse3': 'yes', 'env.OPENSSL_ia32cap': '~0x200000200000000' }),
    'none',
    'platform',
  ],
  ['AES masked, no SSSE3', 'openssl', evidence(NO_AES, { ssse3: 'no' }), 'none', 'none'],
  ['both masked', 'openssl', evidence({ ...NEITHER, ...MEASURED_NONE }, SSSE3), 'none', 'platform'],
  ['both masked, SSSE3 unseen', 'openssl', evidence(NEITHER), 'none', 'none'],
  ['arm64 without the block', 'openssl', evidence({ ...NEITHER, arch: 'arm64' }), 'none', 'platform'],
  [
    'arm64 with NEON masked',
    'openssl',
    evidence({ ...NEITHER, arch: 'arm64' }, { neon: 'no' }),
    'none',
    'none',
  ],
  ['flags unseen, measured fast', 'openssl', evidence(MEASURED_HARDWARE), 'hardware', 'hardware'],
  ['flags unseen, measured slow', 'openssl', evidence(MEASURED_NONE), 'none', 'platform'],
  ['neither, BoringSSL', 'boringssl', evidence(NEITHER), 'platform', 'platform'],
  ['neither, another library', 'other', evidence(NEITHER), 'unknown', 'unknown'],
]

describe('constant-time claims', () => {
  for (const [name, library, given, gcm, ccm] of CASES) {
    it(`${name} on ${library}: GCM ${gcm}, CCM ${ccm}`, () => {
      const level = (id: AlgorithmId): string => claimsOf(id, NO_FIPS, library, given).constantTime.level
      for (const id of ['aes-128-gcm', 'xaes-256-gcm', 'aes-256-gcm-siv'] as const)
        expect(level(id)).toBe(gcm)
      for (const id of ['aes-128-ccm', 'aes-256-ocb', 'aes-siv-cmac-256'] as const)
        expect(level(id)).toBe(ccm)
      for (const id of ['chacha20-poly1305', 'xchacha20-poly1305'] as const)
        expect(level(id)).toBe('structural')
    })
  }
  // VAES with AVX-512 computes AES-GCM although the AES-NI and PCLMULQDQ bits are masked; nothing else of OpenSSL does.
  const MASK = { 'env.OPENSSL_ia32cap': '~0x200000200000000:~0x0', 'cpu.effective.ssse3': 'yes' }
  const WIDE = { ...NEITHER, hardwareClass: 'hardware' } as const
  it.each<[string, Library, Evidence, Readonly<Partial<Record<AlgorithmId, string>>>, RegExp]>([
    [
      'by flags',
      'openssl',
      evidence({ ...WIDE, source: 'flags' }, MASK),
      {
        'aes-128-gcm': 'hardware',
        'xaes-256-gcm': 'platform',
        'aes-256-gcm-siv': 'none',
        'aes-128-ccm': 'platform',
      },
      /VAES with AVX-512/,
    ],
    [
      'measured',
      'openssl',
      evidence({ ...WIDE, source: 'measured' }, MASK),
      {
        'aes-256-gcm': 'hardware',
        'xaes-256-gcm': 'platform',
        'aes-256-gcm-siv': 'none',
        'aes-256-ccm': 'platform',
      },
      /measured/,
    ],
    [
      'without SSSE3',
      'openssl',
      evidence({ ...WIDE, source: 'measured' }, { ...MASK, 'cpu.effective.ssse3': 'no' }),
      { 'aes-256-gcm': 'hardware', 'xaes-256-gcm': 'none', 'aes-128-ccm': 'none' },
      /measured/,
    ],
    [
      'the multiply alone masked',
      'openssl',
      evidence({ ...WIDE, ...NO_CLMUL, source: 'flags' }, MASK),
      {
        'aes-128-gcm': 'hardware',
        'xaes-256-gcm': 'hardware',
        'aes-256-gcm-siv': 'none',
        'aes-128-ccm': 'hardware',
      },
      /VAES/,
    ],
    [
      'measured on another library',
      'boringssl',
      evidence({ ...WIDE, source: 'measured' }),
      { 'aes-128-gcm': 'hardware', 'aes-128-ccm': 'platform' },
      /measured/,
    ],
    // What a caller states against the flags is not held against the library.
    [
      'a class that was given',
      'openssl',
      evidence({ ...WIDE, source: 'given' }),
      { 'aes-128-gcm': 'none' },
      /tables/,
    ],
  ])('instructions behind a mask: %s', (_, library, given, levels, basis) => {
    const claim = (id: AlgorithmId) => claimsOf(id, NO_FIPS, library, given).constantTime
    const seen = Object.keys(levels).map((id) => [id, claim(id as AlgorithmId).level])
    expect(Object.fromEntries(seen)).toEqual(levels)
    expect(claim('aes-128-gcm').basis).toMatch(basis)
  })
  it('lists what the table of modes has', () => {
    expect(Object.keys(MODES)).toEqual(nodeBackend.algorithms)
  })
  it('states a basis and its day for every algorithm', () => {
    for (const id of nodeBackend.algorithms) {
      const { constantTime } = nodeBackend.raw.claims(ALGORITHMS[id], undefined)
      expect(constantTime.basis.length).toBeGreaterThan(20)
      expect(constantTime.asOf).toBe('2026-11-30')
    }
  })
})

describe('FIPS state', () => {
  it('comes from the evidence, else from getFips, else is unknown', () => {
    const state = (crypto: NodeCrypto, given?: Evidence): string =>
      claimsOf('aes-256-gcm', crypto, 'openssl', given).fipsModule
    const enforcing = evidence({
      fips: { state: 'enforcing', certificate: null, provider: 'fips', reason: 'ChaCha20-Poly1305 refused' },
    })
    expect(state(NO_FIPS, enforcing)).toBe('enforcing')
    expect(state(NO_FIPS)).toBe('off')
    expect(state({ getFips: () => 1 } as NodeCrypto)).toBe('unknown')
    expect(state({} as NodeCrypto)).toBe('unknown')
    const throwing = {
      getFips: () => {
        throw new Error('not here')
      },
    } as unknown as NodeCrypto
    expect(state(throwing)).toBe('unknown')
  })
})

describe('version', () => {
  it('names the runtime and the library with their exact versions', () => {
    const { node, openssl } = process.versions
    expect(nodeBackend.raw.version()).toBe(`node ${node}, OpenSSL ${openssl}`)
  })
})
