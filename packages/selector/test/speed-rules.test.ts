import { ALGORITHMS, type AlgorithmId, type Measurement } from '@aeadkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPTION_VALUES } from '../src/options.ts'
import { selectAead } from '../src/select.ts'
import { fakeHost } from './fake-host.ts'
import { evidence, fake } from './fakes.ts'
import { stepped } from './stepped.ts'

const backends = [
  fake('node', { level: 'hardware' }),
  fake('wasm', { kind: 'wasm', level: 'bitsliced' }),
  fake('noble', { kind: 'js', level: 'structural' }),
]
const SCRIPT = ['wasm', 'noble']
const CIPHERS: readonly AlgorithmId[] = [
  'aes-128-gcm',
  'aes-256-gcm',
  'chacha20-poly1305',
  'xaes-256-gcm',
  'xchacha20-poly1305',
]
const BYTES = [64, 256, 1350, 16_384]

/** Nanoseconds of every cipher on every backend at every length. */
const timings = fc
  .array(fc.integer({ min: 3000, max: 60_000 }), {
    minLength: backends.length * CIPHERS.length * BYTES.length,
    maxLength: backends.length * CIPHERS.length * BYTES.length,
  })
  .map((times) =>
    backends.flatMap(({ name: backend }, b) =>
      CIPHERS.flatMap((algorithm, c) =>
        BYTES.map((bytes, at): Measurement => {
          const nanoseconds = times[(b * CIPHERS.length + c) * BYTES.length + at]!
          return { backend, algorithm, operation: 'seal', bytes, nanoseconds }
        }),
      ),
    ),
  )

const options = fc.record({
  profile: fc.constantFrom(...OPTION_VALUES.profile),
  nonce: fc.constantFrom('counter' as const, 'random' as const, 'many-writers' as const),
  volume: fc.record(
    { messageBytes: fc.constantFrom(...BYTES), messages: fc.constantFrom(2 ** 10, 2 ** 21) },
    { requiredKeys: ['messages'] },
  ),
})

describe('software AES is never chosen for speed', () => {
  it('whatever AES measures in script, the algorithm is the one without those timings', async () => {
    const chosen = new Map<AlgorithmId, number>()
    await fc.assert(
      fc.asyncProperty(options, timings, async (asked, measurements) => {
        const pick = async (seen: readonly Measurement[]): Promise<AlgorithmId> => {
          const given = evidence({ measurements: seen })
          return (await selectAead({ ...asked, readers: 'here', backends, evidence: given })).algorithm
        }
        const softAes = ({ algorithm, backend }: Measurement): boolean =>
          SCRIPT.includes(backend) && ALGORITHMS[algorithm].cpu.cipher === 'aes'
        const algorithm = await pick(measurements)
        expect(algorithm).toBe(await pick(measurements.filter((one) => !softAes(one))))
        // Nor because all of it got five times faster.
        const faster = measurements.map((one) =>
          softAes(one) ? { ...one, nanoseconds: one.nanoseconds / 5 } : one,
        )
        expect(algorithm).toBe(await pick(faster))
        chosen.set(algorithm, (chosen.get(algorithm) ?? 0) + 1)
      }),
      { numRuns: 300, seed: 20_261_130 },
    )
    for (const id of ['aes-128-gcm', 'chacha20-poly1305', 'xaes-256-gcm', 'xchacha20-poly1305'] as const)
      expect(chosen.get(id), id).toBeGreaterThan(5)
  })
})

it.each([
  [undefined, 'aes-128-gcm'],
  [256, 'aes-256-gcm'],
] as const)('with keyBits %s the profile compares %s, the one that V18 would name', async (keyBits, gcm) => {
  const time = stepped()
  const { evidence: seen, verdict } = await selectAead({
    backends: [time.backend('native', ['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305'])],
    host: fakeHost({ clock: time.clock }),
    readers: 'here',
    nonce: 'counter',
    profile: 'small-messages',
    keyBits,
    measure: 'always',
  })
  const short = seen.measurements.filter(({ bytes }) => bytes <= 1024).map(({ algorithm }) => algorithm)
  expect([...new Set(short)].sort()).toEqual([gcm, 'chacha20-poly1305'])
  expect(verdict.reasons.join()).not.toMatch(/not both measured/)
})
