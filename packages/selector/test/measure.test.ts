import { type Backend, defineAsyncBackend, type Measurement } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { costAt, fitCosts } from '../src/evidence/costs.ts'
import { type MeasureRequest, measureCosts } from '../src/evidence/measure.ts'
import { clockTick } from '../src/evidence/measure-session.ts'
import type { Clock } from '../src/host.ts'
import { nativeBackend } from './native-backend.mjs'
import { type Stepped, stepped } from './stepped.ts'

const request = (backend: Backend, sizes: readonly number[] = [64, 16_384]): MeasureRequest => {
  return { backend, algorithm: 'aes-128-gcm', operations: ['seal', 'open'], sizes }
}

/** Answers like the native backend, by promise, and as much later as it takes itself. */
const laterOn = (time: Stepped, milliseconds: number) =>
  defineAsyncBackend({
    name: 'later',
    kind: 'native',
    algorithms: ['aes-128-gcm'],
    maxBytes: 2 ** 30,
    version: () => '1',
    probe: () => true,
    claims: nativeBackend().raw.claims,
    async create(params, key) {
      const own = time.backend().raw.create(params, key)
      const turn = async (): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve))
        time.pass(milliseconds)
      }
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
    const { backend, clock } = stepped()
    const { measurements, costs, gaps } = await measureCosts([request(backend())], { clock, budgetMs: 60 })
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
    const { backend, clock } = stepped({ call: 2, byte: 0 })
    const only = { ...request(backend(), [64, 16_384]), operations: ['seal'] as const }
    const { measurements } = await measureCosts([only], { clock, budgetMs: 2000 })
    expect(measurements).toHaveLength(2)
    for (const one of measurements) {
      expect(one.nanoseconds / 2e6).toBeCloseTo(1, 1)
      expect(one.bestNanoseconds! / 2e6).toBeCloseTo(1, 1)
    }
  })

  it('counts the promise of an asynchronous backend', async () => {
    const time = stepped({ call: 0.2 })
    const both = [time.backend(), laterOn(time, 0.1)].map((backend) => {
      return { ...request(backend), operations: ['seal'] as const }
    })
    const { costs } = await measureCosts(both, { clock: time.clock, budgetMs: 100 })
    const call = (name: string): number => costs.find((cost) => cost.backend === name)?.callNanoseconds ?? 0
    expect(costs).toHaveLength(2)
    expect(call('native') / 200_000).toBeCloseTo(1, 1)
    expect(call('later') / 300_000).toBeCloseTo(1, 1)
  })

  it('keeps to its budget', async () => {
    const { backend, clock } = stepped({ call: 0.1, byte: 0 })
    const many = Array.from({ length: 30 }, () => request(backend(), [64, 65_536]))
    const start = clock.now()
    const { gaps } = await measureCosts(many, { clock, budgetMs: 10 })
    expect(clock.now() - start).toBeLessThan(12)
    expect(gaps.length).toBeGreaterThan(0)
    expect(gaps[0]).toMatch(/budget spent/)
  })

  it('finishes the rounds that are due although the budget is gone', async () => {
    const { backend, clock } = stepped()
    const many = [request(backend('a')), request(backend('b'))]
    const { measurements, gaps } = await measureCosts(many, { clock, budgetMs: 0.05, minRounds: 2 })
    expect(gaps).toEqual([])
    expect(measurements).toHaveLength(8)
  })

  it('a busy machine does not eat the budget: CPU time counts, up to four times it by the clock', async () => {
    // A clock of a machine where this process gets the given share of the CPU.
    const wall = async (share: number): Promise<number> => {
      const { backend, clock } = stepped()
      const shared: Clock = { now: clock.now, cpu: () => clock.now() * share }
      const start = shared.now()
      await measureCosts([request(backend())], { clock: shared, budgetMs: 40 })
      return shared.now() - start
    }
    expect(await wall(1 / 3)).toBeGreaterThan(100)
    expect(await wall(1 / 3)).toBeLessThan(130)
    expect(await wall(1 / 20)).toBeGreaterThan(150)
    expect(await wall(1 / 20)).toBeLessThan(170)
  })

  it('budget 0 does nothing at all', async () => {
    const created: string[] = []
    const { backend: make, clock } = stepped()
    const backend = make('n', ['aes-128-gcm'], { created: (id) => created.push(id) })
    expect(await measureCosts([request(backend)], { clock, budgetMs: 0 })).toMatchObject({
      measurements: [],
      costs: [],
    })
    expect(created).toEqual([])
  })

  it('goes on without what a backend lacks', async () => {
    const { backend, clock } = stepped()
    const lacking = {
      ...request(backend('few', ['aes-128-gcm'])),
      algorithm: 'chacha20-poly1305' as const,
    }
    const { measurements, gaps } = await measureCosts([lacking, request(backend())], { clock, budgetMs: 60 })
    expect(gaps).toEqual(['chacha20-poly1305 on few: unsupported'])
    expect(new Set(measurements.map((one) => one.backend))).toEqual(new Set(['native']))
  })

  it('is cancelled by a signal, before and in the middle, and lets go of the keys', async () => {
    const { backend: make, clock } = stepped()
    await expect(
      measureCosts([request(make())], { clock, signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop')
    const created: string[] = []
    const destroyed: string[] = []
    const abort = new AbortController()
    const backend = make('n', ['aes-128-gcm'], {
      created: (id) => created.push(id),
      destroyed: (id) => destroyed.push(id),
      // The first key is that of the self-test.
      sealed: () => created.length === 2 && abort.abort(new Error('enough')),
    })
    await expect(
      measureCosts([request(backend)], { clock, budgetMs: 10_000, signal: abort.signal }),
    ).rejects.toThrow('enough')
    expect(created).toHaveLength(2)
    expect(destroyed).toHaveLength(2)
  })

  it('gives other work its turn', async () => {
    const { backend, clock } = stepped()
    let turns = 0
    const turn = (): void => {
      turns++
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    await measureCosts([request(backend())], { clock, budgetMs: 80 })
    clearImmediate(next)
    // One every 12 ms.
    expect(turns).toBeGreaterThan(3)
  })
})

describe('clocks', () => {
  it('finds the step of a coarse clock', () => {
    expect(clockTick(stepped({ tick: 0.1 }).clock)).toBeCloseTo(0.1, 3)
  })
  it('a slice spans 20 steps or more', async () => {
    let sealed = 0
    const { backend, clock } = stepped({ call: 0.03, byte: 0, tick: 0.1 })
    const counted = backend('n', ['aes-128-gcm'], { sealed: () => sealed++ })
    const only = { ...request(counted, [64]), operations: ['seal'] as const }
    const { measurements, tickMs } = await measureCosts([only], { clock, budgetMs: 200 })
    expect(tickMs).toBeCloseTo(0.1, 3)
    const [one] = measurements
    // 20 steps of 0.1 ms are 2 ms: rounding to a step is at most 5 % of it.
    expect(one!.nanoseconds / 30_000).toBeGreaterThan(0.95)
    expect(one!.nanoseconds / 30_000).toBeLessThan(1.05)
    expect(sealed).toBeGreaterThan(2 / 0.03)
  })
  it('refuses a clock that stands still, and one too coarse for the budget', async () => {
    const still = await measureCosts([request(nativeBackend())], { clock: { now: () => 5 } })
    expect(still).toMatchObject({ measurements: [], tickMs: undefined })
    expect(still.gaps[0]).toMatch(/stands still/)
    let time = 0
    const now = (): number => {
      time += 0.01
      return Math.floor(time / 16) * 16
    }
    const lazy = await measureCosts([request(nativeBackend())], { clock: { now } })
    expect(lazy.gaps[0]).toMatch(/too coarse/)
  })
  it('uses CPU time where it is fine, wall time where it is not', async () => {
    // The process gets every fifth millisecond of the CPU.
    const best = async (cpuTick: number, byWall = false): Promise<number> => {
      const { backend, clock } = stepped({ call: 0.2, byte: 0 })
      const cpu = (): number => {
        const used = clock.now() / 5
        return cpuTick === 0 ? used : Math.floor(used / cpuTick) * cpuTick
      }
      const shared = { now: clock.now, cpu }
      const { measurements } = await measureCosts([request(backend())], {
        clock: shared,
        budgetMs: 60,
        byWall,
      })
      return measurements[0]!.bestNanoseconds! / 200_000
    }
    expect(await best(0)).toBeCloseTo(1 / 5, 1)
    expect(await best(4)).toBeCloseTo(1, 1)
    expect(await best(0, true)).toBeCloseTo(1, 1)
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
