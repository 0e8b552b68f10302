import type { Backend, Measurement } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { fitCosts } from '../src/evidence/costs.ts'
import { measurePlacement } from '../src/evidence/measure-placement.ts'
import { placementPlan } from '../src/evidence/plan.ts'
import type { Clock } from '../src/host.ts'
import { type Placement, place } from '../src/placement/place.ts'
import { byPromise } from './by-promise.ts'
import { nativeBackend } from './native-backend.mjs'
import { stepped as steppedTime } from './stepped.ts'

const ALGORITHM = 'aes-128-gcm'

interface Speed {
  /** Milliseconds of a call, and of a byte. */
  readonly call: number
  readonly byte: number
  /** The first calls take this many times as long, up to so many milliseconds of work in all. */
  readonly cold?: { readonly factor: number; readonly untilMs: number }
  /** From so many bytes on a call takes this much longer. */
  readonly step?: { readonly fromBytes: number; readonly byMs: number }
  /** Breaks at longer messages. */
  readonly failsAbove?: number
  readonly kind?: 'native' | 'wasm' | 'js'
  /** Answers by promise. */
  readonly promise?: true
  /** Whether longer messages are sealed to something else. */
  readonly spoil?: true
  /** Opens this many times as fast as it seals, by the byte. */
  readonly opens?: number
}

/** Backends whose operations take exactly what their speed says, on a clock that nothing else moves. */
function stepped(speeds: Readonly<Record<string, Speed>>): {
  readonly clock: Clock
  readonly backends: Backend[]
  readonly calls: string[]
} {
  let time = 0
  const calls: string[] = []
  const backends = Object.entries(speeds).map(([name, speed]) => {
    const { byte, call, cold, failsAbove, kind, opens = 1, promise, step } = speed
    let worked = 0
    const work = (bytes: number, byte: number): void => {
      if (failsAbove !== undefined && bytes > failsAbove) throw new Error('out of order')
      calls.push(name)
      const warm = call + byte * bytes + (step !== undefined && bytes >= step.fromBytes ? step.byMs : 0)
      const spent = cold !== undefined && worked < cold.untilMs ? warm * cold.factor : warm
      worked += spent
      time += spent
    }
    const backend = nativeBackend(name, [ALGORITHM], {
      sealed: (bytes) => work(bytes, byte),
      opened: (bytes) => work(bytes, byte / opens),
      ...(kind === undefined ? {} : { kind }),
      ...(speed.spoil === undefined ? {} : { spoil: true }),
    })
    return promise === true ? byPromise(backend) : backend
  })
  // A look costs a microsecond, so that the clock is seen to run.
  return { clock: { now: () => (time += 0.001) }, backends, calls }
}

function placed(backends: readonly Backend[], done: { measurements: never[] | readonly object[] }) {
  return place({
    algorithm: ALGORITHM,
    costs: fitCosts(done.measurements as Parameters<typeof fitCosts>[0]),
    candidates: backends.map(({ kind, name, sync }) => ({ name, kind, sync })),
    profile: 'throughput',
    fips: 'off',
  }) as Placement & { readonly crossoverBytes?: number }
}

/** Lengths at which a backend was timed by itself. */
const lengths = (all: readonly Measurement[], name: string): readonly number[] =>
  [...new Set(all.filter((one) => one.backend === name).map(({ bytes }) => bytes))].sort((a, b) => a - b)

/** Like node:crypto and our kernel: they meet at (6 - 0.5) µs / (4 - 0.5) ns = 1571 bytes. */
const NATIVE: Speed = { call: 0.006, byte: 0.5e-6 }
const KERNEL: Speed = { call: 0.0005, byte: 4e-6 }

describe('measurePlacement', () => {
  it('finds where two backends meet, within the budget', async () => {
    const { backends, clock } = stepped({ native: NATIVE, kernel: KERNEL })
    const start = clock.now()
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 96 })
    expect(clock.now() - start).toBeLessThan(97)
    expect(done.gaps).toEqual([])
    const { crossoverBytes, kind } = placed(backends, done)
    expect(kind).toBe('pair')
    expect(crossoverBytes! / 1571).toBeGreaterThan(0.97)
    expect(crossoverBytes! / 1571).toBeLessThan(1.03)
  })

  it('what is slow at first does not count', async () => {
    const cold = { factor: 4, untilMs: 20 }
    const { backends, clock } = stepped({ native: { ...NATIVE, cold }, kernel: KERNEL })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 96 })
    const { crossoverBytes } = placed(backends, done)
    expect(crossoverBytes! / 1571).toBeGreaterThan(0.97)
    expect(crossoverBytes! / 1571).toBeLessThan(1.03)
  })

  it('looks closer where it changes: one line from 1 to 4 KiB would hide a step', async () => {
    const step = { fromBytes: 1200, byMs: 0.004 }
    const { backends, clock } = stepped({ native: { ...NATIVE, step }, kernel: KERNEL })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 96 })
    // (6 + 4 - 0.5) µs / (4 - 0.5) ns; the line would say 1891.
    const { crossoverBytes } = placed(backends, done)
    expect(crossoverBytes! / 2714).toBeGreaterThan(0.97)
    expect(crossoverBytes! / 2714).toBeLessThan(1.03)
  })

  it('looks between the lengths only where the fastest changes', async () => {
    const { backends, clock } = stepped({ native: NATIVE, slow: { call: 0.012, byte: 1e-6 } })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 96 })
    expect([...new Set(done.measurements.map(({ bytes }) => bytes))]).toEqual([64, 1024, 16_384, 1_048_576])
    expect(placed(backends, done)).toMatchObject({ kind: 'single', backend: 'native' })
    // Nothing is left to be decided, so the rest of the budget is not spent.
    expect(done.spentMs).toBeLessThan(80)
  })

  it('times every backend at least once, however small the budget, and says that it ran out', async () => {
    const { backends, clock } = stepped({ native: NATIVE, kernel: KERNEL })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 0.5 })
    expect(new Set(done.measurements.map(({ backend }) => backend))).toEqual(new Set(['native', 'kernel']))
    expect(done.gaps).toEqual([
      'aes-128-gcm: the budget ran out before 64 B, 1024 B, 16384 B, 1048576 B settled',
    ])
  })

  it('turns are taken in threes and more: no backend is timed in one piece', async () => {
    const { backends, calls, clock } = stepped({ native: NATIVE, kernel: KERNEL })
    await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 96 })
    const changes = calls.filter((name, at) => name !== calls[at - 1]).length
    expect(changes).toBeGreaterThan(50)
  })

  it('1 MiB is timed itself: what holds up to 64 KiB may not hold there', async () => {
    // Ahead by 10 % at 64 KiB, and a third behind at 1 MiB.
    const step = { fromBytes: 131_072, byMs: 0.4 }
    const { backends, clock } = stepped({
      native: { call: 0.004, byte: 1e-6 },
      kernel: { call: 0.0005, byte: 0.9e-6, step },
    })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 200 })
    const { crossoverBytes, kind } = placed(backends, done)
    expect(kind).toBe('pair')
    expect(crossoverBytes).toBeGreaterThan(65_536)
    expect(crossoverBytes).toBeLessThanOrEqual(180_000)
  })

  it('memory is given back before long messages are timed, where that has an effect', async () => {
    for (const reusesMemory of [true, false]) {
      const { backends, clock } = stepped({ native: NATIVE, kernel: KERNEL })
      // Before the constructor is another one, which their self-test would see.
      for (const backend of backends) await backend.probe(ALGORITHM)
      const whole = globalThis.Uint8Array
      const big: number[] = []
      globalThis.Uint8Array = new Proxy(whole, {
        construct(target, [first, ...rest]: [number, ...[]], self) {
          if (typeof first === 'number' && first > 2 ** 22) big.push(first)
          return Reflect.construct(target, [first, ...rest], self)
        },
      })
      try {
        const plan = placementPlan(ALGORITHM, backends)
        const { measurements } = await measurePlacement(plan, { clock, budgetMs: 5, reusesMemory })
        expect(measurements.some(({ bytes }) => bytes === 1_048_576)).toBe(true)
      } finally {
        globalThis.Uint8Array = whole
      }
      expect(big.reduce((sum, bytes) => sum + bytes, 0)).toBe(reusesMemory ? 5 * 2 ** 24 : 0)
    }
  })

  it('where there is no memory to give back it is timed all the same', async () => {
    const { backends, clock } = stepped({ native: NATIVE, kernel: KERNEL })
    // Before the constructor is another one, which their self-test would see.
    for (const backend of backends) await backend.probe(ALGORITHM)
    const whole = globalThis.Uint8Array
    let refused = 0
    globalThis.Uint8Array = new Proxy(whole, {
      construct(target, [first, ...rest]: [number, ...[]], self) {
        if (typeof first === 'number' && first > 2 ** 22) {
          refused++
          throw new RangeError('Array buffer allocation failed')
        }
        return Reflect.construct(target, [first, ...rest], self)
      },
    })
    try {
      const settings = { clock, budgetMs: 5, reusesMemory: true }
      const done = await measurePlacement(placementPlan(ALGORITHM, backends), settings)
      expect(done.measurements.some(({ bytes }) => bytes === 2 ** 20)).toBe(true)
    } finally {
      globalThis.Uint8Array = whole
    }
    expect(refused).toBe(1)
  })

  it('script beside compiled code is left after its first two lengths', async () => {
    const { backends, calls, clock } = stepped({
      native: NATIVE,
      kernel: { ...KERNEL, kind: 'wasm' },
      script: { call: 0.01, byte: 40e-6, kind: 'js' },
    })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 96 })
    expect(lengths(done.measurements, 'script')).toEqual([64, 1024])
    // Settling, and one turn at each length.
    expect(calls.filter((name) => name === 'script').length).toBeLessThan(200)
  })

  describe('a promise beside a backend that answers at once', () => {
    const kernel: Speed = { ...KERNEL, kind: 'wasm' }
    it('that does not win at the longest length is timed there and at the shortest, a few times', async () => {
      const { backends, calls, clock } = stepped({
        kernel,
        slow: { call: 0.05, byte: 4.2e-6, promise: true },
      })
      const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 200 })
      expect(lengths(done.measurements, 'slow')).toEqual([64, 1_048_576])
      expect(calls.filter((name) => name === 'slow').length).toBeLessThan(120)
      expect(placed(backends, done)).toMatchObject({ kind: 'single', backend: 'kernel' })
    })

    it('that wins there is timed at every length and becomes the long half', async () => {
      const { backends, clock } = stepped({
        kernel,
        subtle: { call: 0.05, byte: 0.4e-6, promise: true },
      })
      const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 600 })
      expect(done.gaps).toEqual([])
      expect(lengths(done.measurements, 'subtle')).toEqual(
        expect.arrayContaining([64, 1024, 16_384, 1_048_576]),
      )
      const { crossoverBytes, reason, ...where } = placed(backends, done)
      expect(where).toMatchObject({ kind: 'pair', small: 'kernel', large: 'subtle', syncCalls: 'small' })
      // (50 - 0.5 µs) / (4 - 0.4 ns)
      expect(crossoverBytes! / 13_750).toBeGreaterThan(0.95)
      expect(crossoverBytes! / 13_750).toBeLessThan(1.05)
      expect(reason).toMatch(/by promise; Sync calls stay with kernel; saves \d+ %/)
    })

    it('is timed as callers reach it: through the pair, where there may be one', async () => {
      const { backends, clock } = stepped({ kernel, subtle: { ...KERNEL, promise: true, spoil: true } })
      // What it seals is not opened by the other: only a pair looks at that before it is timed.
      for (const [bytes, code] of [
        [undefined, 'unsupported'],
        [1024, 'auth-failed'],
      ] as const) {
        const done = await measurePlacement(placementPlan(ALGORITHM, backends, bytes), {
          clock,
          budgetMs: 20,
        })
        expect(done.gaps[0]).toBe(`aes-128-gcm on subtle: ${code}`)
        expect(done.failed).toEqual(['subtle'])
      }
    })
  })

  it('looks between lengths for each operation: they may meet at different ones', async () => {
    const { backends, clock } = stepped({
      native: { call: 0.006, byte: 0.5e-6 },
      kernel: { call: 0.0005, byte: 1.5e-6, opens: 0.25 },
    })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 200 })
    const found = placed(backends, done) as { crossoverBytes: number; openCrossoverBytes: number }
    // 5.5 µs / (1.5 - 0.5 ns/B), 5.5 µs / (6 - 0.5 ns/B)
    expect(found.crossoverBytes / 5500).toBeGreaterThan(0.97)
    expect(found.crossoverBytes / 5500).toBeLessThan(1.03)
    expect(found.openCrossoverBytes / 1000).toBeGreaterThan(0.97)
    expect(found.openCrossoverBytes / 1000).toBeLessThan(1.03)
  })

  it('looks where one operation changes over though their mean does not', async () => {
    const { backends, clock } = stepped({
      native: { call: 0.006, byte: 0.5e-6 },
      // Opening is ahead up to a step that a line from 16 KiB to 1 MiB would put at 31 KB.
      kernel: { call: 0.0005, byte: 6e-6, opens: 13.3, step: { fromBytes: 100_000, byMs: 0.5 } },
    })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 400 })
    const { openCrossoverBytes } = placed(backends, done) as { openCrossoverBytes?: number }
    expect(openCrossoverBytes! / 100_000).toBeGreaterThan(0.75)
    expect(openCrossoverBytes! / 100_000).toBeLessThan(1.3)
  })

  it('one length asked for: that one and a neighbour', async () => {
    const { backends, clock } = stepped({ native: NATIVE, kernel: KERNEL })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends, 1024), { clock, budgetMs: 96 })
    expect([...new Set(done.measurements.map(({ bytes }) => bytes))]).toEqual([256, 1024])
  })

  it('a backend that fails is a gap and no measurement', async () => {
    const { backends, clock } = stepped({ native: NATIVE, broken: { ...KERNEL, failsAbove: 20_000 } })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 96 })
    expect(done.gaps[0]).toMatch(/^aes-128-gcm on broken: /)
    expect(new Set(done.measurements.map(({ backend }) => backend))).toEqual(new Set(['native']))
  })

  it('budget 0 touches nothing', async () => {
    const { backends, calls, clock } = stepped({ native: NATIVE, kernel: KERNEL })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 0 })
    expect([done.measurements, calls]).toEqual([[], []])
  })

  it('is cancelled by a signal and lets go of the keys', async () => {
    const created: string[] = []
    const destroyed: string[] = []
    const abort = new AbortController()
    const { backend, clock } = steppedTime()
    const backends = ['a', 'b'].map((name) =>
      backend(name, [ALGORITHM], {
        created: () => created.push(name),
        destroyed: () => destroyed.push(name),
        sealed: () => created.length === 4 && abort.abort(new Error('enough')),
      }),
    )
    const options = { clock, budgetMs: 10_000, signal: abort.signal }
    await expect(measurePlacement(placementPlan(ALGORITHM, backends), options)).rejects.toThrow('enough')
    // The self-tests' keys and the measured ones.
    expect(destroyed.sort()).toEqual(['a', 'a', 'b', 'b'])
  })
})
