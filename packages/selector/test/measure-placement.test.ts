import { describe, expect, it } from 'vitest'
import { fitCosts } from '../src/evidence/costs.ts'
import { measurePlacement } from '../src/evidence/measure-placement.ts'
import { placementPlan } from '../src/evidence/plan.ts'
import type { Clock } from '../src/host.ts'
import { type Placement, place } from '../src/placement/place.ts'
import { nativeBackend } from './native-backend.mjs'

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
}

/** Backends whose operations take exactly what their speed says, on a clock that nothing else moves. */
function stepped(speeds: Readonly<Record<string, Speed>>): {
  readonly clock: Clock
  readonly backends: ReturnType<typeof nativeBackend>[]
  readonly calls: string[]
} {
  let time = 0
  const calls: string[] = []
  const backends = Object.entries(speeds).map(([name, { byte, call, cold, failsAbove, step }]) => {
    let worked = 0
    const work = (bytes: number): void => {
      if (failsAbove !== undefined && bytes > failsAbove) throw new Error('out of order')
      calls.push(name)
      const warm = call + byte * bytes + (step !== undefined && bytes >= step.fromBytes ? step.byMs : 0)
      const spent = cold !== undefined && worked < cold.untilMs ? warm * cold.factor : warm
      worked += spent
      time += spent
    }
    return nativeBackend(name, [ALGORITHM], { sealed: work, opened: work })
  })
  // A look costs a microsecond, so that the clock is seen to run.
  return { clock: { now: () => (time += 0.001) }, backends, calls }
}

function placed(
  backends: readonly { readonly name: string }[],
  done: { measurements: never[] | readonly object[] },
) {
  return place({
    algorithm: ALGORITHM,
    costs: fitCosts(done.measurements as Parameters<typeof fitCosts>[0]),
    candidates: backends.map(({ name }) => ({ name, kind: 'native', sync: true })),
    profile: 'throughput',
    fips: 'off',
  }) as Placement & { readonly crossoverBytes?: number }
}

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
    expect([...new Set(done.measurements.map(({ bytes }) => bytes))]).toEqual([
      64, 1024, 4096, 16_384, 65_536,
    ])
    expect(placed(backends, done)).toMatchObject({ kind: 'single', backend: 'native' })
    // Nothing is left to be decided, so the rest of the budget is not spent.
    expect(done.spentMs).toBeLessThan(60)
  })

  it('times every backend at least once, however small the budget, and says that it ran out', async () => {
    const { backends, clock } = stepped({ native: NATIVE, kernel: KERNEL })
    const done = await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 0.5 })
    expect(new Set(done.measurements.map(({ backend }) => backend))).toEqual(new Set(['native', 'kernel']))
    expect(done.gaps).toEqual([
      'aes-128-gcm: the budget ran out before 64 B, 1024 B, 4096 B, 16384 B, 65536 B settled',
    ])
  })

  it('turns are taken in threes and more: no backend is timed in one piece', async () => {
    const { backends, calls, clock } = stepped({ native: NATIVE, kernel: KERNEL })
    await measurePlacement(placementPlan(ALGORITHM, backends), { clock, budgetMs: 96 })
    const changes = calls.filter((name, at) => name !== calls[at - 1]).length
    expect(changes).toBeGreaterThan(50)
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
    const destroyed: string[] = []
    const backends = ['a', 'b'].map((name) =>
      nativeBackend(name, [ALGORITHM], { destroyed: () => destroyed.push(name) }),
    )
    const abort = new AbortController()
    setTimeout(() => abort.abort(new Error('enough')), 5)
    const options = { clock: { now: () => performance.now() }, budgetMs: 10_000, signal: abort.signal }
    await expect(measurePlacement(placementPlan(ALGORITHM, backends), options)).rejects.toThrow('enough')
    // The self-tests' keys and the measured ones.
    expect(destroyed.sort()).toEqual(['a', 'a', 'b', 'b'])
  })
})
