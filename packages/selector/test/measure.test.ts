import { defineAsyncBackend, type Measurement } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { costAt, fitCosts } from '../src/evidence/costs.ts'
import { type MeasureRequest, measureCosts } from '../src/evidence/measure.ts'
import { clockTick } from '../src/evidence/measure-session.ts'
import type { Clock } from '../src/host.ts'
import { nativeBackend } from './native-backend.mjs'

const clock: Clock = { now: () => performance.now() }
const request = (backend = nativeBackend(), sizes: readonly number[] = [64, 16_384]): MeasureRequest => {
  return { backend, algorithm: 'aes-128-gcm', operations: ['seal', 'open'], sizes }
}

/** A backend whose operations take exactly so many milliseconds of a clock that nothing else moves on. */
function steppedBy(sealMs: number): {
  readonly clock: Clock
  readonly backend: ReturnType<typeof nativeBackend>
} {
  let time = 0
  const work = (): void => {
    time += sealMs
  }
  const backend = nativeBackend('stepped', ['aes-128-gcm'], { sealed: work, opened: work })
  // A look costs a microsecond, so that the clock is seen to run.
  return { clock: { now: () => (time += 0.001) }, backend }
}

/** Answers like the native backend, by promise, a little later. */
const later = defineAsyncBackend({
  name: 'later',
  kind: 'native',
  algorithms: ['aes-128-gcm'],
  maxBytes: 2 ** 30,
  version: () => '1',
  probe: () => true,
  claims: nativeBackend().raw.claims,
  async create(params, key) {
    const own = nativeBackend().raw.create(params, key)
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    return {
      async seal(nonce, plaintext, aad) {
        const out = new Uint8Array(plaintext.length + 16)
        own.seal(nonce, plaintext, aad, out, 0, plaintext.length)
        await turn()
        return out
      },
      async open(nonce, sealed, aad) {
        const out = new Uint8Array(sealed.length - 16)
        const good = own.open(nonce, sealed, 0, out.length, out.length, aad, out)
        await turn()
        return good ? out : undefined
      },
      destroy: () => own.destroy(),
    }
  },
})

describe('measureCosts', () => {
  it('times every combination, best at most the median, and fits a line', async () => {
    const { measurements, costs, gaps } = await measureCosts([request()], { clock, budgetMs: 300 })
    expect(gaps).toEqual([])
    expect(measurements.map((one) => [one.operation, one.bytes])).toEqual([
      ['seal', 64],
      ['open', 64],
      ['seal', 16_384],
      ['open', 16_384],
    ])
    for (const one of measurements) expect(one.bestNanoseconds).toBeLessThanOrEqual(one.nanoseconds)
    expect(costs).toHaveLength(2)
    expect(JSON.parse(JSON.stringify(measurements))).toEqual(measurements)
  })

  it('reports nanoseconds of one message, however many it does between two looks at the clock', async () => {
    const { clock: stepped, backend } = steppedBy(2)
    const only = { ...request(backend, [64, 16_384]), operations: ['seal'] as const }
    const { measurements } = await measureCosts([only], { clock: stepped, budgetMs: 2000 })
    expect(measurements).toHaveLength(2)
    for (const one of measurements) {
      expect(one.nanoseconds / 2e6).toBeCloseTo(1, 1)
      expect(one.bestNanoseconds! / 2e6).toBeCloseTo(1, 1)
    }
  })

  it('counts the promise of an asynchronous backend', async () => {
    const both = [
      { ...request(), operations: ['seal'] as const },
      { ...request(), backend: later, operations: ['seal'] as const },
    ]
    const { costs } = await measureCosts(both, { clock, budgetMs: 400 })
    const call = (name: string): number => costs.find((cost) => cost.backend === name)?.callNanoseconds ?? 0
    expect(costs).toHaveLength(2)
    expect(call('later')).toBeGreaterThan(call('native'))
  })

  it('keeps to its budget', async () => {
    const { clock: stepped, backend } = steppedBy(0.1)
    const many = Array.from({ length: 30 }, () => request(backend, [64, 65_536]))
    const start = stepped.now()
    const { gaps } = await measureCosts(many, { clock: stepped, budgetMs: 10 })
    expect(stepped.now() - start).toBeLessThan(12)
    expect(gaps.length).toBeGreaterThan(0)
    expect(gaps[0]).toMatch(/budget spent/)
  })

  it('finishes the rounds that are due although the budget is gone', async () => {
    const many = [request(nativeBackend('a')), request(nativeBackend('b'))]
    const { measurements, gaps } = await measureCosts(many, { clock, budgetMs: 0.05, minRounds: 2 })
    expect(gaps).toEqual([])
    expect(measurements).toHaveLength(8)
  })

  it('a busy machine does not eat the budget: CPU time counts, up to four times it by the clock', async () => {
    const idle = { now: () => performance.now() * 3, cpu: () => performance.now() }
    const stuck = { now: () => performance.now(), cpu: () => performance.now() / 1000 }
    const wall = async (one: Clock): Promise<number> => {
      const start = one.now()
      await measureCosts([request()], { clock: one, budgetMs: 40 })
      return one.now() - start
    }
    expect(await wall(idle)).toBeGreaterThan(100)
    expect(await wall(stuck)).toBeGreaterThan(150)
  })

  it('budget 0 does nothing at all', async () => {
    const created: string[] = []
    const backend = nativeBackend('n', ['aes-128-gcm'], { created: (id) => created.push(id) })
    expect(await measureCosts([request(backend)], { clock, budgetMs: 0 })).toMatchObject({
      measurements: [],
      costs: [],
    })
    expect(created).toEqual([])
  })

  it('goes on without what a backend lacks', async () => {
    const lacking = {
      ...request(),
      algorithm: 'chacha20-poly1305' as const,
      backend: nativeBackend('few', ['aes-128-gcm']),
    }
    const { measurements, gaps } = await measureCosts([lacking, request()], { clock, budgetMs: 300 })
    expect(gaps).toEqual(['chacha20-poly1305 on few: unsupported'])
    expect(new Set(measurements.map((one) => one.backend))).toEqual(new Set(['native']))
  })

  it('is cancelled by a signal, before and in the middle, and lets go of the keys', async () => {
    await expect(
      measureCosts([request()], { clock, signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop')
    const destroyed: string[] = []
    const backend = nativeBackend('n', ['aes-128-gcm'], { destroyed: (id) => destroyed.push(id) })
    const abort = new AbortController()
    setTimeout(() => abort.abort(new Error('enough')), 5)
    await expect(
      measureCosts([request(backend)], { clock, budgetMs: 10_000, signal: abort.signal }),
    ).rejects.toThrow('enough')
    // The self-test's key and the measured one.
    expect(destroyed).toHaveLength(2)
  })

  it('gives other work its turn', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await measureCosts([request()], { clock, budgetMs: 80 })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })
})

describe('clocks', () => {
  /** Time only visible in steps, moved on by `perReading` per look and by the work done. */
  const coarse = (stepMs: number): Clock => ({ now: () => Math.floor(performance.now() / stepMs) * stepMs })
  it('finds the step of a coarse clock', () => {
    expect(clockTick(coarse(0.1))).toBeCloseTo(0.1, 3)
  })
  it('a slice spans 20 steps or more', async () => {
    const sealed: number[] = []
    const backend = nativeBackend('n', ['aes-128-gcm'], { sealed: (bytes) => sealed.push(bytes) })
    const only = { ...request(backend, [64]), operations: ['seal'] as const }
    const { measurements, tickMs } = await measureCosts([only], { clock: coarse(0.1), budgetMs: 200 })
    expect(tickMs).toBeCloseTo(0.1, 3)
    const [one] = measurements
    // 20 steps of 0.1 ms are 2 ms: rounding to a step is at most 5 % of it, so a figure far below is impossible.
    expect(one?.nanoseconds).toBeGreaterThan(200)
    expect(sealed.length).toBeGreaterThan(2000 / ((one?.nanoseconds ?? 1) / 1000))
  })
  it('refuses a clock that stands still, and one too coarse for the budget', async () => {
    const still = await measureCosts([request()], { clock: { now: () => 5 } })
    expect(still).toMatchObject({ measurements: [], tickMs: undefined })
    expect(still.gaps[0]).toMatch(/stands still/)
    let time = 0
    const now = (): number => {
      time += 0.01
      return Math.floor(time / 16) * 16
    }
    const lazy = await measureCosts([request()], { clock: { now } })
    expect(lazy.gaps[0]).toMatch(/too coarse/)
  })
  it('uses CPU time where it is fine, wall time where it is not', async () => {
    const fast = { ...clock, cpu: () => performance.now() / 1000 }
    const slowed = await measureCosts([request()], { clock: fast, budgetMs: 200 })
    const ticks = { ...clock, cpu: () => Math.floor(performance.now() / 4) * 4 }
    const plain = await measureCosts([request()], { clock: ticks, budgetMs: 200 })
    const best = (one: { measurements: readonly Measurement[] }): number =>
      one.measurements[0]?.bestNanoseconds ?? 0
    expect(best(slowed)).toBeLessThan(best(plain) / 20)
    const wall = await measureCosts([request()], { clock: fast, budgetMs: 200, byWall: true })
    expect(best(wall)).toBeGreaterThan(best(plain) / 5)
  })
})

describe('fitCosts', () => {
  const point = (bytes: number, nanoseconds: number, rest: Partial<Measurement> = {}): Measurement => {
    return { backend: 'a', algorithm: 'aes-128-gcm', operation: 'seal', bytes, nanoseconds, ...rest }
  }
  it('recovers a line exactly', () => {
    const [cost] = fitCosts([64, 1024, 16_384, 65_536].map((bytes) => point(bytes, 6000 + 0.5 * bytes)))
    expect(cost?.callNanoseconds).toBeCloseTo(6000, 3)
    expect(cost?.nanosecondsPerByte).toBeCloseTo(0.5, 6)
    expect(cost?.fitError).toBeCloseTo(0, 6)
    expect(cost && costAt(cost, 100)).toBeCloseTo(6050, 3)
  })
  it('prefers the best run', () => {
    const [cost] = fitCosts([
      point(0, 900, { bestNanoseconds: 100 }),
      point(100, 900, { bestNanoseconds: 200 }),
    ])
    expect(cost?.callNanoseconds).toBeCloseTo(100, 6)
    expect(cost?.nanosecondsPerByte).toBeCloseTo(1, 6)
  })
  it('is never negative', () => {
    expect(fitCosts([point(64, 1000), point(1024, 500)])[0]?.nanosecondsPerByte).toBe(0)
    expect(fitCosts([point(64, 10), point(1024, 5000)])[0]?.callNanoseconds).toBe(0)
  })
  it('keeps groups apart and fits none from one size', () => {
    const costs = fitCosts([
      point(1, 2),
      point(2, 3),
      point(1, 5, { operation: 'open' }),
      point(1, 5, { backend: 'b' }),
    ])
    expect(costs).toHaveLength(1)
    expect(fitCosts([])).toEqual([])
  })
})
