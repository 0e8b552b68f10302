import type { AlgorithmId, Measurement } from '@aeadkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cost, costAt, fitCosts } from '../src/evidence/costs.ts'
import { crossoverOf } from '../src/placement/halves.ts'
import { type PlacementCandidate, type PlacementInput, place } from '../src/placement/place.ts'

const node: PlacementCandidate = { name: 'node', kind: 'native', sync: true }
const webcrypto: PlacementCandidate = { name: 'webcrypto', kind: 'native', sync: false }
const wasm: PlacementCandidate = { name: 'wasm', kind: 'wasm', sync: true }
const noble: PlacementCandidate = { name: 'noble', kind: 'js', sync: true }

/** Call cost in microseconds and speed in MB/s, for both operations. */
function cost(
  backend: string,
  callMicroseconds: number,
  speed: number,
  algorithm: AlgorithmId = 'chacha20-poly1305',
): Cost[] {
  return (['seal', 'open'] as const).map((operation) => {
    return {
      backend,
      algorithm,
      operation,
      callNanoseconds: callMicroseconds * 1000,
      nanosecondsPerByte: 1000 / speed,
      fitError: 0,
    }
  })
}
const ask = (more: Partial<PlacementInput>): ReturnType<typeof place> =>
  place({
    algorithm: 'chacha20-poly1305',
    costs: [],
    candidates: [node, wasm],
    profile: 'throughput',
    fips: 'off',
    ...more,
  })

describe('unmeasured', () => {
  it.each([
    [[noble, wasm, node], 'node'],
    [[noble, wasm], 'wasm'],
    [[noble], 'noble'],
    [[webcrypto, node], 'webcrypto'],
    [[node, webcrypto], 'node'],
  ])('native before wasm before script, then the order given (%#)', (candidates, backend) => {
    const placed = ask({ candidates })
    expect(placed).toMatchObject({ kind: 'single', backend })
    if (candidates.length > 1) expect(placed?.reason).toMatch(/unmeasured/)
  })
  it('costs of another algorithm are not measurements of this one', () => {
    expect(ask({ costs: cost('wasm', 1, 9000, 'aes-128-gcm') })?.reason).toMatch(/unmeasured/)
  })
  it('no candidates, no placement', () => expect(ask({ candidates: [] })).toBeUndefined())
})

describe('R09: call cost swamps the cipher for small messages', () => {
  // 64 B: webcrypto 0.5 MB/s, node 5.6 MB/s, noble 1.1 MB/s, as time per message
  const costs = [...cost('webcrypto', 128, 3000), ...cost('node', 11.4, 2000), ...cost('noble', 58, 200)]
  it.each(['latency', 'small-messages'] as const)('%s takes node', (profile) => {
    expect(ask({ costs, candidates: [webcrypto, node, noble], profile, sizes: [64] })).toMatchObject({
      kind: 'single',
      backend: 'node',
    })
  })
  it('without node it is noble, not webcrypto, and the reason shows time per message', () => {
    const placed = ask({ costs, candidates: [webcrypto, noble], profile: 'small-messages', sizes: [64] })
    expect(placed).toMatchObject({ kind: 'single', backend: 'noble' })
    expect(placed?.reason).toMatch(/per message of 64 B: .*webcrypto 128\.0 µs.*noble 58\.3 µs/)
    expect(placed?.perSize[0]?.nanoseconds).toEqual({ webcrypto: 128_021, noble: 58_320 })
  })
})

describe('R10: what was measured wins over preference', () => {
  it('a slow native backend loses', () => {
    expect(ask({ costs: [...cost('node', 6, 90), ...cost('wasm', 0.4, 800)] })).toMatchObject({
      kind: 'single',
      backend: 'wasm',
    })
  })
})

describe('pairs', () => {
  const costs = [...cost('node', 6, 1600), ...cost('wasm', 0.4, 900)]
  it('by the sizes asked for, small to the one without call cost', () => {
    const placed = ask({ costs, sizes: [64, 1024, 16_384, 1_048_576] })
    expect(placed).toMatchObject({ kind: 'pair', small: 'wasm', large: 'node', crossoverBytes: 11_520 })
    expect(placed?.reason).toMatch(/saves \d+ % against/)
  })
  it.each(['throughput', 'latency'] as const)('%s without a length: any may come, so both', (profile) => {
    expect(ask({ costs, profile })).toMatchObject({ kind: 'pair', small: 'wasm', large: 'node' })
  })
  it.each([
    [65_536, 'node'],
    [64, 'wasm'],
  ] as const)('%i B lies on one side of the crossover: one backend', (bytes, backend) => {
    expect(ask({ costs, sizes: [bytes] })).toMatchObject({ kind: 'single', backend })
  })
  it('never under a FIPS module', () => {
    const placed = ask({ costs, sizes: [64, 1_048_576], fips: 'module' })
    expect(placed?.kind).toBe('single')
    expect(placed?.reason).toMatch(/FIPS module/)
  })
  it('approved algorithms alone allow one', () => {
    expect(ask({ costs, sizes: [64, 1_048_576], fips: 'approved-algorithms' })?.kind).toBe('pair')
  })
  it('not for a gain within noise', () => {
    const close = [...cost('node', 1.04, 1000), ...cost('wasm', 1, 990)]
    expect(ask({ costs: close, sizes: [64, 1_048_576] })).toMatchObject({ kind: 'single', backend: 'node' })
  })
  it('not with a small half that cannot reach the crossover', () => {
    const candidates = [node, { ...wasm, maxBytes: 4096 }]
    expect(ask({ costs, candidates, sizes: [64, 1_048_576] })?.kind).toBe('single')
  })
  it('an asynchronous half has to win with its call cost; short messages pay nothing for it', () => {
    const mixed = [...cost('webcrypto', 40, 3000), ...cost('wasm', 0.4, 800)]
    const candidates = [webcrypto, wasm]
    for (const sizes of [[16_384, 1_048_576], [64, 1_048_576], undefined]) {
      const placed = ask({ costs: mixed, candidates, sizes })
      expect(placed).toMatchObject({
        kind: 'pair',
        small: 'wasm',
        large: 'webcrypto',
        // (40 - 0.4 µs) / (1.25 - 0.333 ns/B)
        crossoverBytes: 43_200,
        syncCalls: 'small',
      })
      expect(placed).not.toHaveProperty('openCrossoverBytes')
      expect(placed?.reason).toMatch(
        /^measured: wasm below 43200 B, webcrypto from there on by promise; Sync calls stay with wasm; saves \d+ %/,
      )
    }
    expect(ask({ costs: mixed, candidates, sizes: [64, 16_384] })).toMatchObject({
      kind: 'single',
      backend: 'wasm',
    })
  })
  it('a small half that cannot take what the large one takes makes no hybrid', () => {
    const mixed = [...cost('webcrypto', 40, 3000), ...cost('wasm', 0.4, 800)]
    const ends = (small: number, large: number) =>
      ask({
        costs: mixed,
        candidates: [
          { ...webcrypto, maxBytes: large },
          { ...wasm, maxBytes: small },
        ],
      })
    expect(ends(2 ** 30, 2 ** 30)?.kind).toBe('pair')
    expect(ends(2 ** 30, 2 ** 30 + 1)?.kind).toBe('single')
  })
  it('a promise is no small half beside one without', () => {
    const odd = [...cost('webcrypto', 0.1, 800), ...cost('node', 6, 3000)]
    expect(ask({ costs: odd, candidates: [webcrypto, node] })?.kind).toBe('single')
  })
  it('two promises make a pair', () => {
    const other = { ...webcrypto, name: 'other' }
    const both = [...cost('webcrypto', 6, 3000), ...cost('other', 1, 800)]
    const placed = ask({ costs: both, candidates: [webcrypto, other] })
    expect(placed).toMatchObject({ kind: 'pair', small: 'other', large: 'webcrypto' })
    expect(placed).not.toHaveProperty('syncCalls')
  })
})

describe('calls without a promise', () => {
  const candidates = [node, webcrypto, wasm]
  const costs = (speed: number): Cost[] => [
    ...cost('webcrypto', 6, speed),
    ...cost('node', 6, 2000),
    ...cost('wasm', 0.4, 800),
  ]
  it('lose by a hybrid where a pair serves them better: it has to gain more than a tenth, and says so', () => {
    const placed = ask({ costs: costs(3000), candidates })
    expect(placed).toMatchObject({ small: 'wasm', large: 'webcrypto', syncCalls: 'small' })
    // 1.31 ms on the kernel, 0.53 ms on node.
    expect(placed?.reason).toMatch(
      /Sync calls take up to 2\.5 times as long at 1048576 B as without webcrypto: ask with sync: true where there are no others$/,
    )
    // 0.530 ms against 0.494 and 0.474: 7 and 12 %.
    expect(ask({ costs: costs(2150), candidates })).toMatchObject({ small: 'wasm', large: 'node' })
    expect(ask({ costs: costs(2240), candidates })).toMatchObject({ large: 'webcrypto' })
  })
  it('lose nothing where the small half would serve them anyway: more than noise is enough', () => {
    const placed = ask({ costs: costs(900), candidates: [webcrypto, wasm] })
    expect(placed).toMatchObject({ small: 'wasm', large: 'webcrypto' })
    expect(placed?.reason).not.toMatch(/Sync calls take/)
  })
})

describe('a promise alone is weighed by what is lost at worst', () => {
  const short = { ...wasm, maxBytes: 2 ** 20 }
  const candidates = [{ ...webcrypto, maxBytes: 2 ** 30 }, short]
  it('more is lost on short messages than won on long ones: none, and the reason says why', () => {
    const placed = ask({ costs: [...cost('webcrypto', 40, 2400), ...cost('wasm', 0.4, 800)], candidates })
    expect(placed).toMatchObject({ kind: 'single', backend: 'wasm' })
    expect(placed?.reason).toMatch(
      /webcrypto answers by promise and would save 64 % at 1048576 B, but every message would pay for a promise, 83 times as long at 64 B: state volume\.messageBytes if they are long$/,
    )
  })
  it('with little to lose it is chosen, and the reason says what it costs', () => {
    const placed = ask({ costs: [...cost('webcrypto', 1, 9000), ...cost('wasm', 0.4, 800)], candidates })
    expect(placed).toMatchObject({ kind: 'single', backend: 'webcrypto' })
    expect(placed?.reason).toMatch(/at worst the promise makes it 2\.1 times as long at 64 B, without it/)
  })
  it('for a long length of their own nothing is weighed', () => {
    const costs = [...cost('webcrypto', 40, 2400), ...cost('wasm', 0.4, 800)]
    expect(ask({ costs, candidates: [webcrypto, wasm], sizes: [1_048_576] })).toMatchObject({
      kind: 'single',
      backend: 'webcrypto',
    })
  })
})

describe('a crossover for each operation', () => {
  /** Call in microseconds and speed in MB/s, by operation. */
  const split = (backend: string, call: number, seal: number, open: number): Cost[] =>
    cost(backend, call, seal).map((one) =>
      one.operation === 'open' ? { ...one, nanosecondsPerByte: 1000 / open } : one,
    )
  it('where they differ beyond noise', () => {
    // As ChaCha20 on Node: sealing meets at 16 KiB, opening well before.
    const placed = ask({ costs: [...split('node', 6, 1200, 1600), ...split('wasm', 0.4, 850, 850)] })
    expect(placed).toMatchObject({
      kind: 'pair',
      small: 'wasm',
      large: 'node',
      // 5.6 µs / (1.176 - 0.833 ns/B), 5.6 µs / (1.176 - 0.625 ns/B)
      crossoverBytes: 16_320,
      openCrossoverBytes: 10_155,
    })
    expect(placed?.reason).toMatch(
      /wasm below 16320 B when sealing and below 10155 B when opening, else node/,
    )
  })
  it('one where each loses no more than noise by it', () => {
    const placed = ask({ costs: [...split('node', 6, 1600, 1650), ...split('wasm', 0.4, 900, 900)] })
    expect(placed).toMatchObject({ kind: 'pair', small: 'wasm', large: 'node' })
    expect(placed).not.toHaveProperty('openCrossoverBytes')
  })
  it('where one backend is faster at every length in one operation, its end says so', () => {
    const all = ask({ costs: [...split('node', 6, 1600, 1600), ...split('wasm', 0.4, 900, 2000)] })
    expect(all).toMatchObject({ small: 'wasm', large: 'node', crossoverBytes: 11_520 })
    expect(all?.kind === 'pair' && (all.openCrossoverBytes ?? 0) > 2 ** 31).toBe(true)
    expect(all?.reason).toMatch(/wasm below 11520 B when sealing and always when opening, else node/)
    const candidates = [node, { ...wasm, maxBytes: 2 ** 20 }]
    expect(
      ask({ costs: [...split('node', 6, 1600, 1600), ...split('wasm', 0.4, 900, 2000)], candidates }),
    ).toMatchObject({ openCrossoverBytes: 2 ** 20 + 1 })
    const none = cost('wasm', 0.4, 900).map((one) =>
      one.operation === 'open' ? { ...one, callNanoseconds: 9000 } : one,
    )
    expect(ask({ costs: [...cost('node', 6, 1600), ...none] })).toMatchObject({
      small: 'wasm',
      large: 'node',
      crossoverBytes: 11_520,
      openCrossoverBytes: 1,
    })
  })
  it('a hybrid for one operation alone, where the mean of both would be no gain', () => {
    // At 1 MiB sealing takes 1.3 and 2.1 ms, opening 1.3 and 0.6.
    const costs = [...split('webcrypto', 40, 500, 2000), ...split('wasm', 0.4, 800, 800)]
    expect(ask({ costs, candidates: [webcrypto, wasm] })).toMatchObject({
      small: 'wasm',
      large: 'webcrypto',
      openCrossoverBytes: 52_800,
    })
  })
  it('a hybrid says what Sync calls lose in one of them, where the mean of both hides it', () => {
    // Opening 1 MiB takes 0.66 and 0.55 ms; with sealing 3.28 and 3.17 ms.
    const sync = [...split('wasm', 0.4, 400, 1600), ...split('node', 6, 400, 1920)]
    const costs = [...split('webcrypto', 40, 3000, 1500), ...sync]
    const placed = ask({ costs, candidates: [node, webcrypto, wasm] })
    expect(placed).toMatchObject({ small: 'wasm', large: 'webcrypto' })
    expect(placed?.reason).toMatch(
      /Sync calls take up to 1\.2 times as long at 1048576 B as without webcrypto/,
    )
  })
  it('two promises say nothing of Sync calls, which there are none of', () => {
    const costs = [...cost('wasm', 0.4, 800), ...cost('other', 1, 4000), ...cost('webcrypto', 40, 9000)]
    const candidates = [{ ...wasm, maxBytes: 2 ** 20 }, webcrypto, { ...webcrypto, name: 'other' }]
    const placed = ask({ costs, candidates: candidates.map((one) => ({ maxBytes: 2 ** 30, ...one })) })
    expect(placed).toMatchObject({ small: 'other', large: 'webcrypto' })
    expect(placed?.reason).not.toMatch(/Sync calls/)
  })
  it('a hybrid has them as well', () => {
    const costs = [...split('webcrypto', 40, 2000, 4000), ...split('wasm', 0.4, 800, 800)]
    expect(ask({ costs, candidates: [webcrypto, wasm] })).toMatchObject({
      large: 'webcrypto',
      crossoverBytes: 52_800,
      openCrossoverBytes: 39_600,
      syncCalls: 'small',
    })
  })
})

it.each([
  [Number.NaN, 1],
  [1, Number.NaN],
  [Number.POSITIVE_INFINITY, 1],
  [Number.NEGATIVE_INFINITY, 1],
  [0, Number.POSITIVE_INFINITY],
])(
  'a call of %d ns and %d ns a byte have no crossover with anything',
  (callNanoseconds, nanosecondsPerByte) => {
    const [good] = cost('wasm', 0.4, 800)
    if (good === undefined) throw new Error('no cost')
    const bad = { ...good, callNanoseconds, nanosecondsPerByte }
    expect([crossoverOf(good, bad), crossoverOf(bad, good)]).toEqual([undefined, undefined])
  },
)

describe('ties', () => {
  it('go to the earlier preference and say so', () => {
    const placed = ask({ costs: [...cost('node', 6, 1000), ...cost('wasm', 6, 1030)] })
    expect(placed).toMatchObject({ kind: 'single', backend: 'node' })
    expect(placed?.reason).toMatch(/^tie/)
  })
  it('an asynchronous backend does not win a tie', () => {
    const costs = [...cost('webcrypto', 6, 1030), ...cost('wasm', 6, 1000)]
    expect(ask({ costs, candidates: [webcrypto, wasm] })).toMatchObject({ backend: 'wasm' })
  })
  it('5 % is noise, 8 % is not', () => {
    const at = (speed: number) => ask({ costs: [...cost('node', 0, 1000), ...cost('wasm', 0, speed)] })
    expect(at(1040)).toMatchObject({ backend: 'node' })
    expect(at(1080)).toMatchObject({ backend: 'wasm' })
  })
})

describe('a tie at one size is no tie when another size is lost', () => {
  it('8 % at 0 B, equal at 1 MiB', () => {
    const costs = [...cost('node', 1.08, 1000), ...cost('wasm', 1, 1000)]
    expect(ask({ costs, sizes: [0, 1_048_576] })).toMatchObject({ kind: 'single', backend: 'wasm' })
  })
})

describe('measured lengths', () => {
  /** Times in microseconds by length, the same for both operations. */
  const timed = (backend: string, times: Readonly<Record<number, number>>): readonly Cost[] =>
    fitCosts(
      (['seal', 'open'] as const).flatMap((operation) =>
        Object.entries(times).map(([bytes, time]): Measurement => {
          const algorithm = 'chacha20-poly1305'
          return { backend, algorithm, operation, bytes: Number(bytes), nanoseconds: time * 1000 }
        }),
      ),
    )
  it('the crossover lies between the two lengths that it was seen between, whatever happens far away', () => {
    // From 64 KiB on node pays for fresh pages: one line through all its points would put the crossover at 25 KiB.
    const costs = [
      ...timed('node', { 64: 6, 1024: 6.3, 4096: 8, 16384: 13, 65536: 120 }),
      ...timed('wasm', { 64: 0.8, 1024: 4.3, 4096: 16, 16384: 62, 65536: 250 }),
    ]
    const placed = ask({ costs })
    expect(placed).toMatchObject({ kind: 'pair', small: 'wasm', large: 'node' })
    // Straight lines between 1 and 4 KiB: 2.0 µs apart there, -8 µs here.
    expect((placed as { crossoverBytes: number }).crossoverBytes).toBe(1639)
    expect(placed?.perSize.find(({ bytes }) => bytes === 1024)?.nanoseconds).toEqual({
      node: 6300,
      wasm: 4300,
    })
  })
  it('of several crossings the one that costs least', () => {
    const costs = [
      ...timed('node', { 64: 6, 1024: 6, 4096: 7, 16384: 20, 65536: 60 }),
      ...timed('wasm', { 64: 0.5, 1024: 6.1, 4096: 6.2, 16384: 30, 65536: 120 }),
    ]
    expect((ask({ costs }) as { crossoverBytes: number }).crossoverBytes).toBeGreaterThan(4096)
  })
  it('a backend left behind at all its lengths is no half, however flat its line', () => {
    const costs = [
      ...timed('node', { 64: 6, 1024: 6.5, 4096: 8, 16384: 14, 65536: 40 }),
      ...timed('wasm', { 64: 0.5, 1024: 2, 4096: 7, 16384: 27, 65536: 105 }),
      ...timed('noble', { 64: 60, 1024: 60.1 }),
    ]
    expect(ask({ costs, candidates: [node, wasm, noble] })).toMatchObject({ small: 'wasm', large: 'node' })
  })
  it('one backend timed alone is no measurement', () => {
    const placed = ask({ costs: timed('wasm', { 64: 1, 1024: 2 }) })
    expect(placed).toMatchObject({ kind: 'single', backend: 'node' })
    expect(placed?.reason).toMatch(/^unmeasured: wasm alone was timed/)
  })
  it('within noise it is a tie, and the reason says so', () => {
    const costs = [...timed('node', { 64: 1.02, 1024: 2.03 }), ...timed('wasm', { 64: 1, 1024: 2 })]
    const placed = ask({ costs })
    expect(placed).toMatchObject({ kind: 'single', backend: 'node' })
    expect(placed?.reason).toMatch(/^tie within 5 %/)
  })
  it('the reason says what the timings lack', () => {
    expect(ask({ costs: timed('wasm', { 64: 1, 1024: 2 }), note: 'the budget ran out' })?.reason).toMatch(
      /\(the budget ran out\)$/,
    )
  })
})

describe('operations', () => {
  it('opening counts as well as sealing', () => {
    const slowOpen = cost('wasm', 0.4, 2000).map((one) =>
      one.operation === 'open' ? { ...one, nanosecondsPerByte: 10 } : one,
    )
    // Sealing takes 33 µs on wasm and 47 on node, opening 656 and 47.
    expect(ask({ costs: [...cost('node', 6, 1600), ...slowOpen], sizes: [65_536] })).toMatchObject({
      small: 'wasm',
      large: 'node',
      openCrossoverBytes: 598,
    })
  })
  it('only operations measured on all candidates are compared', () => {
    const sealOnly = cost('wasm', 0.4, 3000).filter((one) => one.operation === 'seal')
    expect(ask({ costs: [...cost('node', 6, 1600), ...sealOnly] })).toMatchObject({ backend: 'wasm' })
  })
})

describe('properties', () => {
  const line = fc.record({
    call: fc.double({ min: 0.1, max: 100, noNaN: true }),
    speed: fc.double({ min: 10, max: 5000, noNaN: true }),
  })
  /** An empty message is judged as one of 1 B: a fitted line may put the call alone at nothing. */
  const asOne = (bytes: number): number => Math.max(1, bytes)
  it('an empty message is judged as one of 1 B', () => {
    const costs = [...cost('node', 0.1, 10), ...cost('noble', 0.108, 20)]
    for (const bytes of [0, 1]) {
      const placed = ask({ costs, candidates: [node, noble], sizes: [bytes] })
      expect(placed, `${bytes} B`).toMatchObject({ kind: 'single', backend: 'noble' })
    }
  })
  const sizes = fc.uniqueArray(fc.integer({ min: 0, max: 1 << 20 }), { minLength: 1, maxLength: 5 })
  it('no single backend is better than the placement by more than noise, at any size asked for on its own', () => {
    fc.assert(
      fc.property(line, line, line, fc.integer({ min: 0, max: 1 << 20 }), (a, b, c, bytes) => {
        const names = ['node', 'wasm', 'noble']
        const costs = [a, b, c].flatMap((one, at) => cost(names[at] ?? '', one.call, one.speed))
        const placed = ask({ costs, candidates: [node, wasm, noble], sizes: [bytes] })
        const time = (name: string): number =>
          costAt(costs.find((one) => one.backend === name) as Cost, asOne(bytes))
        expect(placed?.kind).toBe('single')
        const chosen = placed?.kind === 'single' ? placed.backend : ''
        expect(time(chosen)).toBeLessThanOrEqual(Math.min(...names.map(time)) * 1.0501)
      }),
    )
  })
  it('two synchronous backends: at no size asked for more than the noise is lost', () => {
    fc.assert(
      fc.property(line, line, sizes, (a, b, asked) => {
        const costs = [...cost('node', a.call, a.speed), ...cost('wasm', b.call, b.speed)]
        const placed = ask({ costs, sizes: asked })
        const time = (name: string, bytes: number): number =>
          costAt(costs.find((one) => one.backend === name) as Cost, asOne(bytes))
        for (const bytes of asked) {
          const pair =
            placed?.kind === 'pair'
              ? bytes < placed.crossoverBytes
                ? placed.small
                : placed.large
              : undefined
          const chosen = pair ?? (placed?.kind === 'single' ? placed.backend : '')
          const regret = time(chosen, bytes) / Math.min(time('node', bytes), time('wasm', bytes))
          expect(regret).toBeLessThanOrEqual(1.0501)
        }
      }),
      { numRuns: 1000 },
    )
  })
  it('crossoverOf is the first length at which the second is cheaper', () => {
    fc.assert(
      fc.property(line, line, (a, b) => {
        const [small] = cost('a', a.call, a.speed) as [Cost]
        const [large] = cost('b', b.call, b.speed) as [Cost]
        const x = crossoverOf(small, large)
        if (x === undefined) {
          const ends = [0, 1e12].map((bytes) => Math.sign(costAt(small, bytes) - costAt(large, bytes)))
          expect(ends).not.toEqual([-1, 1])
        } else {
          expect(costAt(large, x)).toBeLessThanOrEqual(costAt(small, x) * (1 + 1e-9))
          expect(costAt(small, x - 1)).toBeLessThanOrEqual(costAt(large, x - 1) * (1 + 1e-9))
        }
      }),
    )
  })
})
