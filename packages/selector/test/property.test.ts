import { checkVolume, isAeadError, isConstantTime, type Measurement } from '@aeadkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPTION_VALUES, type SelectOptions } from '../src/options.ts'
import type { WithBackends } from '../src/select.ts'
import { selectAead } from '../src/select.ts'
import {
  ALL,
  ENFORCING,
  evidence,
  fake,
  GUEST,
  HARDWARE,
  MASKED,
  NO_HARDWARE,
  PARTIAL,
  PHONE,
  PI4,
  UNKNOWN,
  ZEN3,
} from './fakes.ts'

const LEVELS = ['structural', 'bitsliced', 'hardware', 'platform', 'none', 'unknown'] as const

const backends = fc
  .array(
    fc.record({
      kind: fc.constantFrom('native', 'native', 'wasm', 'js'),
      sync: fc.boolean(),
      algorithms: fc.oneof(
        { weight: 3, arbitrary: fc.constant(ALL) },
        { weight: 1, arbitrary: fc.subarray([...ALL], { minLength: 1 }) },
      ),
      level: fc.constantFrom(...LEVELS, 'hardware', 'structural'),
      fipsModule: fc.constantFrom('off', 'enforcing', 'unknown'),
      maxBytes: fc.constantFrom(65_536, 2 ** 31 - 64),
      broken: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.subarray([...ALL]) },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => list.map((options, at) => fake(`b${at}`, options)))

/** Nanoseconds per call and per byte of each backend: quick to call, or quick with long messages. */
const between = (min: number, max: number) => fc.integer({ min, max })
const speed = fc.oneof(
  fc.tuple(between(200, 800), between(8, 30)),
  fc.tuple(between(2_000, 40_000), between(1, 3)),
)
const speeds = fc.option(fc.tuple(speed, speed, speed), { nil: undefined })

/** Timings of every algorithm on every backend. */
function timed(list: readonly (readonly [call: number, perByte: number])[] = []): readonly Measurement[] {
  return list.flatMap(([call, perByte], at) =>
    ALL.flatMap((algorithm) =>
      [64, 1024, 16_384, 1_048_576].flatMap((bytes) =>
        (['seal', 'open'] as const).map((operation): Measurement => {
          return { backend: `b${at}`, algorithm, operation, bytes, nanoseconds: call + bytes * perByte }
        }),
      ),
    ),
  )
}

const options: fc.Arbitrary<SelectOptions & WithBackends> = fc.record(
  {
    algorithm: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...ALL) },
    ),
    context: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...OPTION_VALUES.context) },
      { weight: 4, arbitrary: fc.constantFrom('own-protocol' as const, 'file-format' as const) },
    ),
    readers: fc.oneof(
      fc.constantFrom('here', 'anywhere'),
      fc.subarray([ZEN3, PI4, GUEST, PHONE], { minLength: 1 }),
    ),
    lifetime: fc.constantFrom(...OPTION_VALUES.lifetime),
    nonce: fc.constantFrom(...OPTION_VALUES.nonce, 'random', 'random', 'counter', 'counter'),
    volume: fc.record(
      {
        messages: fc.constantFrom(1, 1000, 1000, 2 ** 20, 2 ** 21, 2 ** 32, 2n ** 33n, 2n ** 60n),
        messageBytes: fc.constantFrom(0, 64, 64, 1000, 16_384, 65_536, 2 ** 24, 2n ** 31n),
        aadBytes: fc.constantFrom(0, 13, 65_536),
        failedOpens: fc.constantFrom(0, 1, 1, 2 ** 20, 2n ** 62n),
      },
      { requiredKeys: [] },
    ),
    rekey: fc.constantFrom(...OPTION_VALUES.rekey),
    target: fc.oneof(fc.constantFrom(-57, -50, -32), fc.integer({ min: -128, max: -1 })),
    nonceTarget: fc.oneof(fc.constantFrom(-57, -33, -32), fc.integer({ min: -128, max: -1 })),
    fips: fc.constantFrom(...OPTION_VALUES.fips, 'auto', 'off'),
    regulation: fc.constantFrom<('gost' | 'cnsa')[]>([], [], [], ['gost'], ['cnsa'], ['cnsa', 'gost']),
    keyBits: fc.constantFrom(...OPTION_VALUES.keyBits),
    profile: fc.constantFrom(...OPTION_VALUES.profile),
    wholeMessage: fc.boolean(),
    duplicatesVisible: fc.boolean(),
    commitment: fc.constantFrom(...OPTION_VALUES.commitment),
    constrained: fc.boolean(),
    optIn: fc.record({ aegis: fc.boolean(), approvedComposition: fc.boolean() }, { requiredKeys: [] }),
    lease: fc.constantFrom('per-seal', undefined),
    constantTime: fc.constantFrom(...OPTION_VALUES.constantTime),
    sync: fc.boolean(),
    evidence: fc.constantFrom(
      HARDWARE,
      NO_HARDWARE,
      MASKED,
      PARTIAL,
      UNKNOWN,
      ENFORCING,
      evidence({}, 'requested-unusable'),
    ),
    backends,
  },
  { requiredKeys: ['backends', 'evidence'] },
) as fc.Arbitrary<SelectOptions & WithBackends>

const CODES = ['no-candidate', 'fips-unavailable']

describe('no combination of inputs breaks its own constraints', () => {
  it('3000 combinations', async () => {
    let picked = 0
    let advised = 0
    let refused = 0
    let pairs = 0
    let hybrids = 0
    await fc.assert(
      fc.asyncProperty(options, speeds, async (asked, list) => {
        const given = { ...asked, evidence: { ...asked.evidence!, measurements: timed(list) } }
        let pick: Awaited<ReturnType<typeof selectAead>>
        try {
          pick = await selectAead(given)
        } catch (error) {
          if (!isAeadError(error)) throw error
          expect(CODES).toContain(error.code)
          if (error.code === 'no-candidate')
            expect((error.details!.rules as string[]).length).toBeGreaterThan(0)
          refused++
          return
        }
        const { inputs } = pick
        expect(pick.verdict.reasons.length).toBeGreaterThan(0)
        if (pick.algorithm === null) {
          expect(pick.verdict.class).toBe('protocol')
          advised++
          return
        }
        picked++
        const { params } = pick
        const names =
          typeof pick.backend === 'string' ? [pick.backend] : [pick.backend.small, pick.backend.large]
        const used = given.backends!.filter(({ name }) => names.includes(name))
        expect(used.length).toBe(names.length)
        if (typeof pick.backend !== 'string') {
          pairs++
          expect(new Set(names).size).toBe(2)
          expect(pick.backend.crossoverBytes).toBeGreaterThan(1)
          const { large, small, syncCalls } = pick.backend
          const sync = (name: string): boolean | undefined => used.find((one) => one.name === name)?.sync
          // Nobody waits for a promise with a short message; one in the large half is said.
          expect(sync(small) === true || sync(large) === false).toBe(true)
          expect(syncCalls).toBe(sync(small) === true && sync(large) === false ? 'small' : undefined)
          if (syncCalls !== undefined) hybrids++
          expect(pick.backends[0]?.sync).toBe(sync(small))
        }
        if (given.algorithm !== undefined) expect(pick.algorithm).toBe(given.algorithm)
        const regulated = inputs.fips !== 'off' || inputs.regulation.length > 0
        for (const backend of used) {
          const claims = backend.raw.claims(params, given.evidence)
          expect(backend.algorithms).toContain(params.id)
          expect(await backend.probe(params.id)).toEqual({ available: true })
          if (inputs.sync) expect(backend.sync).toBe(true)
          if (inputs.fips === 'module') {
            expect([backend.kind, claims.fipsModule]).toEqual(['native', 'enforcing'])
          }
          if (!isConstantTime(claims.constantTime.level)) {
            expect(inputs.constantTime === 'preferred' || regulated).toBe(true)
            expect(pick.duties.some((duty) => duty.startsWith('constant-time-not-met:'))).toBe(true)
          }
          if (inputs.wholeMessage)
            expect(inputs.volume.messageBytes <= BigInt(backend.raw.maxBytes)).toBe(true)
        }
        if (inputs.fips !== 'off') {
          expect(params.fips).not.toBe('not-approved')
          if (params.fips === 'composition') expect(inputs.optIn.approvedComposition).toBe(true)
          expect(pick.duties.some((duty) => duty.startsWith('ivSource: external'))).toBe(true)
        }
        if (inputs.fips === 'module') {
          expect(given.evidence!.fips.state).toBe('enforcing')
          expect(typeof pick.backend).toBe('string')
        }
        if (inputs.regulation.includes('gost')) expect(params.bound).toMatch(/^mgm/)
        if (inputs.regulation.includes('cnsa')) expect(params.id).toBe('aes-256-gcm')
        if (inputs.keyBits === 256) expect(params.keyBytes).toBeGreaterThanOrEqual(32)
        if (!inputs.wholeMessage) expect(params.wholeMessage).toBe(false)
        if (inputs.constrained && !regulated) {
          expect(params.id).toMatch(/ccm|ascon|chacha/)
        }
        if (!inputs.constrained) expect(params.id).not.toBe('ascon-aead128')
        if (params.bound === 'aegis') {
          expect([inputs.optIn.aegis, inputs.lifetime]).toEqual([true, 'negotiated'])
          // AEGIS is tables without AES rounds: every end must have them.
          if (given.algorithm === undefined) {
            const ends = Array.isArray(inputs.readers) ? inputs.readers : []
            expect(inputs.readers).not.toBe('anywhere')
            expect(ends.every(({ aes, clmul }) => aes === 'yes' && clmul === 'yes')).toBe(true)
            expect(given.evidence!.hardwareClass).toBe('hardware')
          }
        }
        if (inputs.fips !== 'off' && inputs.nonce === 'many-writers') expect(params.bound).toBe('gcm')
        if (inputs.nonce === 'snapshot-risk' && inputs.lease === undefined) {
          expect(params.nonceReuse.forgery).toBe('none')
          expect(inputs.duplicatesVisible).toBe(true)
        }
        const random = inputs.nonce === 'random' || (inputs.nonce === 'many-writers' && inputs.fips === 'off')
        const within = (volume: typeof inputs.volume): void =>
          expect(
            checkVolume(params, volume, {
              target: inputs.target,
              nonceTarget: inputs.nonceTarget,
              nonce: random ? 'random' : 'counter',
              fips: inputs.fips !== 'off',
            }),
          ).toEqual([])
        if (inputs.rekey === 'impossible') within(inputs.volume)
        else {
          const { messages, rekeyAfterMessages } = pick.limits
          if (messages !== null) expect(messages).toBeGreaterThan(0n)
          const perKey = rekeyAfterMessages ?? inputs.volume.messages
          expect(perKey > 0n && perKey <= inputs.volume.messages).toBe(true)
          // Forgeries are spread over keys as well; where both draw on one budget, they may take half of it.
          const { failedOpens } = inputs.volume
          const most = pick.limits.failedOpens
          const opens = most !== null && most <= failedOpens ? most / 2n : failedOpens
          within({ ...inputs.volume, messages: perKey, failedOpens: opens })
        }
        if (!pick.limits.targetShown) {
          expect(pick.duties.some((duty) => duty.startsWith('target-not-shown:'))).toBe(true)
        }
        const passed = new Set(pick.verdict.rejected.map(({ algorithm }) => algorithm))
        expect(passed.has(pick.algorithm)).toBe(false)
        if (given.algorithm === undefined) expect(passed.size).toBe(ALL.length - 1)
        const again = await selectAead(given)
        expect(JSON.stringify(again)).toBe(JSON.stringify(pick))
      }),
      { numRuns: 3000, seed: 20_261_130 },
    )
    // A generator that never gets through the filters would prove nothing.
    expect(picked).toBeGreaterThan(600)
    expect(advised).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(100)
    expect(pairs).toBeGreaterThan(30)
    expect(hybrids).toBeGreaterThan(3)
  })
})
