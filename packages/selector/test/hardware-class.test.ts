import type { AlgorithmId, BackendKind, Measurement } from '@aeadkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hardwareClassOf } from '../src/evidence/hardware-class.ts'
import { measuredSpeed } from '../src/protocols/speed.ts'
import { NO_HARDWARE } from './fakes.ts'

/** Timings of a backend from MB/s at 64 KiB; 1000 MB/s is 1 ns per byte. */
function at(backend: string, speeds: Partial<Record<AlgorithmId, number>>, bytes = 65_536): Measurement[] {
  return (Object.entries(speeds) as [AlgorithmId, number][]).map(([algorithm, speed]) => {
    return { backend, algorithm, operation: 'seal', bytes, nanoseconds: (bytes * 1000) / speed }
  })
}
const gcmChacha = (backend: string, gcm: number, chacha: number): Measurement[] =>
  at(backend, { 'aes-128-gcm': gcm, 'chacha20-poly1305': chacha })
const one: Record<string, BackendKind> = { node: 'native' }

describe('one native backend', () => {
  it.each([
    // gcm and chacha in MB/s, flags, class, source
    [2250, 1300, true, 'hardware', 'measured'],
    [203, 1210, true, 'none', 'measured'],
    [322, 1150, true, 'none', 'measured'],
    [431, 1320, false, 'none', 'measured'],
    [1000, 1000, false, 'hardware', 'measured'],
    [999, 1000, true, 'hardware', 'flags'],
    [999, 1000, false, 'none', 'flags'],
    [999, 1000, null, 'unknown', 'unknown'],
    [500, 1000, true, 'hardware', 'flags'],
    [499, 1000, true, 'none', 'measured'],
  ] as const)('GCM %d, ChaCha20 %d, flags %s: %s by %s', (gcm, chacha, flags, hardwareClass, source) => {
    expect(
      hardwareClassOf({ measurements: gcmChacha('node', gcm, chacha), kinds: one, flags }),
    ).toMatchObject({ hardwareClass, source })
  })
  it('looks at no message below 64 KiB, where ChaCha20 wins by call cost', () => {
    const small = at('node', { 'aes-128-gcm': 100, 'chacha20-poly1305': 400 }, 1024)
    expect(hardwareClassOf({ measurements: small, kinds: one, flags: true })).toMatchObject({
      hardwareClass: 'hardware',
      source: 'flags',
    })
    const both = [...small, ...gcmChacha('node', 2000, 1300)]
    expect(hardwareClassOf({ measurements: both, kinds: one, flags: false })).toMatchObject({
      hardwareClass: 'hardware',
      source: 'measured',
    })
  })
  it.each<[string, Measurement[]]>([
    ['a longer length', at('node', { 'chacha20-poly1305': 2600 }, 1_048_576)],
    [
      'the same length into memory in use',
      at('node', { 'chacha20-poly1305': 2600 }).map((m) => ({ ...m, into: true })),
    ],
  ])('what was timed of one cipher alone does not change it: %s', (_, later) => {
    const measurements = [...gcmChacha('node', 2000, 1300), ...later]
    const verdict = hardwareClassOf({ measurements, kinds: one, flags: null })
    expect(verdict).toMatchObject({ hardwareClass: 'hardware', source: 'measured' })
    expect(verdict.reason).toMatch(/ratio 1\.54$/)
    expect(measuredSpeed({ ...NO_HARDWARE, measurements })?.ratio).toBeCloseTo(2000 / 1300)
  })
  it('takes AES-256-GCM where there is no AES-128-GCM', () => {
    const measurements = at('node', { 'aes-256-gcm': 200, 'chacha20-poly1305': 1000 })
    expect(hardwareClassOf({ measurements, kinds: one, flags: true }).hardwareClass).toBe('none')
  })
  it('the best run counts, not the median a busy machine gives', () => {
    const measurements = gcmChacha('node', 400, 1300).map((m) => ({ ...m, bestNanoseconds: 30_000 }))
    expect(hardwareClassOf({ measurements, kinds: one, flags: null }).hardwareClass).toBe('hardware')
  })
})

describe('R10: the flag is only a prior', () => {
  it.each([
    [197, 1295, 'none', /^measured/],
    [4933, 1300, 'hardware', /^measured/],
  ] as const)('flag set, GCM %d, ChaCha20 %d: %s', (gcm, chacha, hardwareClass, reason) => {
    const verdict = hardwareClassOf({ measurements: gcmChacha('node', gcm, chacha), kinds: one, flags: true })
    expect(verdict.hardwareClass).toBe(hardwareClass)
    expect(verdict.reason).toMatch(reason)
  })
  it('no bench: the flag decides, and the reason says it is unmeasured', () => {
    const verdict = hardwareClassOf({ measurements: [], kinds: one, flags: true })
    expect(verdict).toMatchObject({ hardwareClass: 'hardware', source: 'flags' })
    expect(verdict.reason).toMatch(/flag, unmeasured/)
  })
})

describe('several native backends, or none with both', () => {
  const two: Record<string, BackendKind> = { node: 'native', webcrypto: 'native', wasm: 'wasm' }
  it('agreeing ones decide', () => {
    const measurements = [...gcmChacha('node', 2000, 1300), ...gcmChacha('webcrypto', 3000, 1500)]
    expect(hardwareClassOf({ measurements, kinds: two, flags: null }).hardwareClass).toBe('hardware')
  })
  it.each([
    // Deno: node:crypto is software, WebCrypto is not
    [90, 800, 3000, 1000, 500, 'hardware'],
    [90, 800, 700, 600, 900, 'none'],
    // a lead within noise is none: 5 %
    [90, 800, 840, 600, 500, 'none'],
    [90, 800, 841, 600, 500, 'hardware'],
  ] as const)(
    'disagreeing ones: best against best (%d:%d, %d:%d, wasm %d) is %s',
    (g1, c1, g2, c2, w, expected) => {
      const measurements = [
        ...gcmChacha('node', g1, c1),
        ...gcmChacha('webcrypto', g2, c2),
        ...at('wasm', { 'chacha20-poly1305': w }),
      ]
      const verdict = hardwareClassOf({ measurements, kinds: two, flags: null })
      expect(verdict).toMatchObject({ hardwareClass: expected, source: 'measured' })
      expect(verdict.reason).toMatch(/disagree/)
    },
  )
  it.each([
    [3000, 500, 'hardware'],
    [150, 500, 'none'],
  ] as const)('native GCM %d alone against wasm ChaCha20 %d is %s', (gcm, chacha, expected) => {
    const measurements = [
      ...at('webcrypto', { 'aes-128-gcm': gcm }),
      ...at('wasm', { 'chacha20-poly1305': chacha }),
    ]
    const verdict = hardwareClassOf({ measurements, kinds: two, flags: null })
    expect(verdict).toMatchObject({ hardwareClass: expected, source: 'measured' })
    expect(verdict.reason).toMatch(/no native backend has both/)
  })
  it('AES-GCM that wasm computes says nothing of instructions, though it beats every ChaCha20', () => {
    const measurements = [
      ...gcmChacha('node', 90, 800),
      ...gcmChacha('webcrypto', 850, 830),
      ...gcmChacha('wasm', 5000, 500),
    ]
    const verdict = hardwareClassOf({ measurements, kinds: two, flags: true })
    expect(verdict).toMatchObject({ hardwareClass: 'none', across: 'disagreeing' })
    expect(verdict.reason).toMatch(/aes-128-gcm .* \(webcrypto\)/)
  })
  it.each([true, false, null])('without a native backend flags decide (%s)', (flags) => {
    const kinds: Record<string, BackendKind> = { wasm: 'wasm', noble: 'js' }
    const verdict = hardwareClassOf({ measurements: gcmChacha('wasm', 4000, 500), kinds, flags })
    expect(verdict.hardwareClass).toBe(flags === null ? 'unknown' : flags ? 'hardware' : 'none')
    expect(verdict.source).toBe(flags === null ? 'unknown' : 'flags')
  })
})

it('noise that moves both alike never changes the class, and noise below 25 % no clear verdict', () => {
  const factor = fc.double({ min: 0.8, max: 1.25, noNaN: true })
  fc.assert(
    fc.property(
      fc.constantFrom([2250, 1300, 'hardware'], [203, 1210, 'none'], [322, 1150, 'none'] as const),
      factor,
      factor,
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      ([gcm, chacha, expected], a, b, both) => {
        const measurements = gcmChacha(
          'node',
          (gcm as number) * both * Math.sqrt(a),
          (chacha as number) * both * Math.sqrt(b),
        )
        return (
          hardwareClassOf({ measurements, kinds: one, flags: expected !== 'hardware' }).hardwareClass ===
          expected
        )
      },
    ),
  )
})

describe('whether native backends settled it', () => {
  const two: Record<string, BackendKind> = { node: 'native', webcrypto: 'native', wasm: 'wasm' }
  it.each([
    ['agree', [...gcmChacha('node', 2000, 1000), ...gcmChacha('webcrypto', 3000, 1000)], undefined],
    [
      'one decides, the other is close',
      [...gcmChacha('node', 2000, 1000), ...gcmChacha('webcrypto', 700, 1000)],
      undefined,
    ],
    ['disagree', [...gcmChacha('node', 2000, 1000), ...gcmChacha('webcrypto', 100, 1000)], 'disagreeing'],
    [
      'none has both',
      [...at('node', { 'aes-128-gcm': 2000 }), ...at('webcrypto', { 'chacha20-poly1305': 900 })],
      'incomplete',
    ],
    ['one cipher alone anywhere', at('node', { 'aes-128-gcm': 2000 }), 'incomplete'],
  ] as const)('%s', (_, measurements, across) => {
    expect(hardwareClassOf({ measurements, kinds: two, flags: true }).across).toBe(across)
  })
})
