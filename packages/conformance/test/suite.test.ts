import { runInNewContext } from 'node:vm'
import { defineAsyncBackend, defineSyncBackend, type RawAsyncBackend } from '@aeadkit/core'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { describe, expect, it } from 'vitest'
import { expectCounts, type ForeignBytes, runConformance } from '../src/index.ts'
import { chachaRaw, type Faults } from './chacha.ts'
import { brokenBackend, goodBackend, outcomeOf } from './run.ts'
import { noTripwire, WRONG_WRAPPERS } from './wrappers.ts'

const ID = 'chacha20-poly1305'
const SEALS = `built-in known answers: ${ID} seals to exactly the ciphertext and tag and opens to the plaintext`
const CHANGES = `built-in known answers: ${ID} refuses every change of a valid vector`

/** The toy behind promises. */
function asyncRaw(): RawAsyncBackend {
  const sync = chachaRaw()
  const { create, ...rest } = sync
  return {
    ...rest,
    name: 'async toy',
    async create(params, key) {
      const aead = create(params, key)
      return {
        async seal(nonce, plaintext, aad) {
          const out = new Uint8Array(plaintext.length + params.tagBytes)
          aead.seal(nonce, plaintext, aad, out, 0, plaintext.length)
          return out
        },
        async open(nonce, sealed, aad) {
          const bytes = sealed.length - params.tagBytes
          const out = new Uint8Array(bytes)
          return aead.open(nonce, sealed, 0, bytes, bytes, aad, out) ? out : undefined
        },
        destroy: () => aead.destroy(),
      }
    },
  }
}

const FOREIGN: readonly ForeignBytes[] = [
  {
    name: 'another realm',
    make: (bytes) => runInNewContext('new Uint8Array(list)', { list: [...bytes] }) as Uint8Array,
  },
  { name: 'a pooled Buffer', make: (bytes) => Buffer.from(Buffer.from(bytes).toString('hex'), 'hex') },
]

// A correct backend under the runner people use: what a backend's own test file looks like.
runConformance(
  goodBackend(),
  { describe, it },
  {
    vectors: vectorFiles,
    foreignBytes: FOREIGN,
    required: 'all',
    peers: [defineAsyncBackend(asyncRaw())],
  },
)

if (!vectorOrigin.present) console.log(`1 test over vector files skipped: ${vectorOrigin.reason}`)

describe('a correct backend', () => {
  it('passes every case, behind promises too', async () => {
    const { failures, report, names } = await outcomeOf(defineAsyncBackend(asyncRaw()), {
      foreignBytes: FOREIGN,
      peers: [goodBackend()],
      required: 'all',
    })
    expect([...failures]).toEqual([])
    expect(report.cases).toBeGreaterThan(45)
    expect(new Set(names).size).toBe(names.length)
    expect(report.missingInputs.size).toBe(0)
  })

  it.skipIf(!vectorOrigin.present)(
    `executes every vector of its algorithm (${vectorOrigin.reason})`,
    async () => {
      const { failures, report } = await outcomeOf(goodBackend(), { vectors: vectorFiles })
      expect([...failures]).toEqual([])
      const mine = vectorFiles.filter((file) => file.cases.some((item) => item.algorithm === ID))
      expect(mine.length).toBeGreaterThan(0)
      expectCounts(report, Object.fromEntries(mine.map((file) => [file.file, file.cases.length])))
    },
  )
})

const RAW_FAULTS: readonly (readonly [what: string, faults: Faults, caseName: string])[] = [
  ['counts blocks wrongly after 64 bytes', { wrongCounter: true }, SEALS],
  ['ignores the AAD', { ignoresAad: true }, SEALS],
  ['ignores the last nonce byte', { ignoresLastNonceByte: true }, CHANGES],
  ['compares four tag bytes', { comparedTagBytes: 4 }, CHANGES],
  ['wipes the plaintext', { wipesPlaintext: true }, 'inputs are unchanged after success and after failure'],
  [
    'says atomic but releases early',
    { releasesEarly: true },
    'R22: a failed open leaves out and the input unchanged, in place too',
  ],
  [
    'leaves output after a bad tag',
    { leavesOutput: true },
    'the raw open leaves nothing of the plaintext in out after a bad tag',
  ],
  ['throws for a bad tag', { throwsOnBadTag: true }, 'the fixed list of failing calls has the fixed codes'],
  ['keeps the key by reference', { keepsKeyByReference: true }, SEALS],
  ['has one key for all', { oneKeyForAll: true }, 'two Aeads with different keys do not disturb one another'],
  [
    'ignores byte offsets',
    { ignoresOffsets: true },
    'takes a view inside a larger buffer as key, nonce, plaintext, AAD and sealed message',
  ],
  [
    'says nothing of constant time',
    { vagueClaims: true },
    'guarantees are present and well formed, params are those of the table',
  ],
]

describe('a broken backend fails', () => {
  it.each(RAW_FAULTS)('one that %s', async (_what, faults, caseName) => {
    const { failures, names } = await outcomeOf(brokenBackend(faults), {}, caseName)
    expect(names).toContain(caseName)
    expect([...failures.keys()]).toContain(caseName)
  })

  it.each(WRONG_WRAPPERS)('one that %s: %s', async (_what, caseName, create) => {
    const { failures, names } = await outcomeOf(goodBackend(), { createAead: create }, caseName)
    expect(names).toContain(caseName)
    expect([...failures.keys()]).toContain(caseName)
  })

  it('one without the nonce tripwire', async () => {
    const { failures } = await outcomeOf(goodBackend(), { createAead: noTripwire })
    expect([...failures.keys()].sort()).toEqual([
      'R42: sealing twice with one nonce is refused with nonce-reused, except in modes that survive it',
      'two calls at once cannot share a nonce',
    ])
  })

  it('one that disagrees with a peer', async () => {
    const { failures } = await outcomeOf(brokenBackend({ wrongCounter: true }), {
      peers: [defineAsyncBackend(asyncRaw())],
    })
    expect([...failures.keys()]).toContain(
      'seals the same bytes as async toy, and each opens what the other sealed',
    )
  })

  it('one that fails its self-test', async () => {
    const { failures, report } = await outcomeOf(defineSyncBackend(chachaRaw({ ignoresAad: true })))
    expect([...failures.keys()]).toEqual(['is available, or absent with a reason'])
    expect(report.casesNotRun).toBeGreaterThan(40)
  })
})

describe('gaps, absence and counts', () => {
  const gap = { id: ID, test: SEALS, reason: 'known' } as const

  it('counts a gap that shows', async () => {
    const { failures, report, printed } = await outcomeOf(brokenBackend({ wrongCounter: true }), {
      gaps: [gap],
    })
    expect([...failures.keys()]).not.toContain(SEALS)
    expect(report.gaps).toMatchObject([{ algorithm: ID, reason: 'known' }])
    expect(printed.join('\n')).toContain('known')
  })

  it('refuses a gap that no longer shows, and one that names no case', async () => {
    const { failures } = await outcomeOf(goodBackend(), { gaps: [gap, { ...gap, test: 'no such case' }] })
    expect([...failures.keys()]).toEqual([SEALS, 'every gap names a case'])
  })

  it('reports an absent algorithm with its reason, and fails when it is required', async () => {
    const absent = defineSyncBackend({ ...chachaRaw(), probe: () => 'not compiled in' })
    const { failures, report, printed } = await outcomeOf(absent)
    expect([...failures]).toEqual([])
    expect(report.unavailable.get(ID)).toBe('not compiled in')
    expect(report.cases).toBe(0)
    expect(printed.join('\n')).toContain('not compiled in')
    const required = await outcomeOf(absent, { required: [ID] })
    expect([...required.failures.keys()]).toEqual(['is available, or absent with a reason'])
  })

  it('fails when vectors are unaccounted for, or another number ran', async () => {
    const lost = { file: 'lost.json', count: 3, cases: [], exclusions: [{ reason: 'other', count: 2 }] }
    const { failures, report } = await outcomeOf(goodBackend(), { vectors: [lost] })
    expect([...failures.values()].join()).toContain('lost.json: 3 vectors, but 0 executed and 2 excluded')
    expect(() => expectCounts(report)).toThrow('lost.json')
    const { report: whole } = await outcomeOf(goodBackend())
    expect(() => expectCounts(whole, { 'built-in known answers': 1 })).toThrow('expected 1 executed')
  })

  it('fails on a wrong vector and on an invalid one that opens', async () => {
    const good = {
      id: '1',
      algorithm: ID,
      key: '030a11181f262d343b424950575e656c737a81888f969da4abb2b9c0c7ced5dc',
      nonce: 'a0a1a2a3a4a5a6a7a8a9aaab',
      aad: '6864723a7631',
      plaintext: '6369706865722d73656c6563742070726f626520c3a9',
      ciphertext: '2d140abd676b3936a14797f20758bda44ce1222dc487',
      tag: '12eeb74fc04bb5ef7aaa4b8c508c8be6',
      flags: [],
      comment: '',
    } as const
    const cases = [
      { ...good, result: 'invalid' },
      { ...good, id: '2', tag: '13eeb74fc04bb5ef7aaa4b8c508c8be6', result: 'valid' },
    ] as const
    const { failures } = await outcomeOf(goodBackend(), {
      vectors: [{ file: 'wrong.json', count: 2, cases, exclusions: [] }],
    })
    expect([...failures.keys()].filter((name) => name.startsWith('wrong.json'))).toHaveLength(3)
  })
})
