/** Caches, signals and backends of others that misbehave while something is timed. */
import {
  type AlgorithmId,
  type AsyncBackend,
  type Backend,
  createAeadSync,
  defineAsyncBackend,
} from '@aeadkit/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { collectEvidence, type MeasurementCache, memoryCache, selectAead } from '../src/index.ts'
import { unlessAborted, within } from '../src/within.ts'
import { fakeHost } from './fake-host.ts'
import { nativeBackend } from './native-backend.mjs'
import { stepped } from './stepped.ts'

const IDS: readonly AlgorithmId[] = ['aes-128-gcm', 'chacha20-poly1305']
const BASE = { nonce: 'counter', algorithm: 'chacha20-poly1305', measureBudgetMs: 20 } as const

afterEach(() => void vi.unstubAllGlobals())

/** Timers go off fifty times as soon, so that what waits for seconds does not. */
function hurry(): void {
  const { setTimeout: real } = globalThis
  vi.stubGlobal('setTimeout', (act: () => void, ms = 0) => real(act, ms / 50))
}

/**
 * Timers of this length and more never go off: what waits for one waits for ever, so that an answer shows that nothing
 * did. Says how to let those go off that wait.
 */
function holdTimers(fromMs: number): () => void {
  const { clearTimeout: clear, setTimeout: real } = globalThis
  const held = new Map<unknown, () => void>()
  vi.stubGlobal('setTimeout', (act: () => void, ms = 0) => {
    if (ms < fromMs) return real(act, ms)
    const timer = {}
    held.set(timer, act)
    return timer
  })
  vi.stubGlobal('clearTimeout', (timer: never) => {
    if (!held.delete(timer)) clear(timer)
  })
  return () => {
    for (const act of [...held.values()]) act()
  }
}

/** One that works until it is told not to. */
function failing(name: string, on: { what: 'seal' | 'open' | 'set-up' | 'wipe' | 'nothing' }) {
  const fail = (what: string) => () => {
    if (on.what === what) throw new Error('unplugged')
  }
  return nativeBackend(name, IDS, {
    sealed: fail('seal'),
    opened: fail('open'),
    created: fail('set-up'),
    destroyed: fail('wipe'),
  })
}

/** Answers its self-test and then never again, or never sets up a key. */
function silentLater(silent: { now: boolean }, setUp = false): AsyncBackend {
  const inner = nativeBackend('inner', IDS)
  const never = new Promise<never>(() => undefined)
  return defineAsyncBackend({
    ...inner.raw,
    name: 'silent',
    async create(params, key) {
      if (setUp && silent.now) return never
      const aead = createAeadSync(inner, params.id, key, { nonceCheck: false })
      return {
        seal: async (nonce, plaintext, aad) => (silent.now ? never : aead.sealSync(nonce, plaintext, aad)),
        async open(nonce, sealed, aad) {
          try {
            return aead.openSync(nonce, sealed, aad)
          } catch {
            return undefined
          }
        },
        destroy: () => aead.destroy(),
      }
    },
  })
}

describe('a backend that fails after its self-test', () => {
  it.each(['seal', 'open', 'set-up'] as const)('is not chosen: %s', async (what) => {
    const on = { what: 'nothing' } as { what: typeof what | 'nothing' }
    const [first, second] = [failing('first', on), nativeBackend('second', IDS)]
    for (const id of IDS) first.probeSync(id)
    on.what = what
    const pick = await selectAead({ ...BASE, backends: [first, second], measurementCache: memoryCache() })
    expect(pick.backend).toBe('second')
    expect(pick.verdict.reasons.at(-1)).toContain('chacha20-poly1305 on first: backend-failed')
  })

  it('is still chosen when there is no other that works', async () => {
    const on = { what: 'nothing' } as { what: 'seal' | 'nothing' }
    const both = [failing('first', on), failing('second', on)]
    for (const one of both) for (const id of IDS) one.probeSync(id)
    on.what = 'seal'
    const pick = await selectAead({ ...BASE, backends: both, measurementCache: memoryCache() })
    expect(pick.backend).toBe('first')
  })

  it('does not end a collection, whenever it fails', async () => {
    let told = 0
    for (let after = 0; after < 40; after += 2) {
      let calls = Number.NEGATIVE_INFINITY
      const time = stepped()
      const broken = time.backend('broken', IDS, {
        sealed() {
          calls++
          if (calls > after) throw new Error('unplugged')
        },
      })
      for (const id of IDS) broken.probeSync(id)
      calls = 0
      const host = fakeHost({ clock: time.clock })
      const options = { backends: [broken], budgetMs: 40, measurementCache: memoryCache() }
      const seen = await collectEvidence({ ...options, host })
      const gaps = seen.items.find(({ name }) => name === 'measure.gaps')?.value ?? ''
      if (gaps.includes('backend-failed')) told++
    }
    // Whatever is asked, four rounds of it come first.
    expect(told).toBe(20)
  })

  it('that cannot wipe a key of the measurement costs nothing else', async () => {
    const on = { what: 'nothing' } as { what: 'wipe' | 'nothing' }
    const destroyed: string[] = []
    const first = failing('first', on)
    const second = nativeBackend('second', IDS, { destroyed: (id) => destroyed.push(id) })
    for (const id of IDS) for (const one of [first, second]) one.probeSync(id)
    on.what = 'wipe'
    destroyed.length = 0
    const pick = await selectAead({ ...BASE, backends: [first, second], measurementCache: memoryCache() })
    expect(pick.algorithm).toBe('chacha20-poly1305')
    expect(destroyed).toContain('chacha20-poly1305')
  })
})

describe('a backend that never answers', () => {
  it.each([false, true])('is waited for a while, and not chosen; in set-up: %s', async (setUp) => {
    const state = { now: false }
    const silent = silentLater(state, setUp)
    for (const id of IDS) await silent.probe(id)
    state.now = true
    hurry()
    const measurementCache = memoryCache()
    const backends = [silent, nativeBackend('second', IDS)]
    const pick = await selectAead({ ...BASE, backends, measurementCache })
    expect(pick.backend).toBe('second')
    // And the next selection with this cache gets its turn.
    expect((await selectAead({ ...BASE, backends, measurementCache })).backend).toBe('second')
  })
})

describe('a cache that misbehaves', () => {
  const backends = [nativeBackend('first', IDS), nativeBackend('second', IDS)]

  it.each(['get', 'set'] as const)('is waited for once when %s never answers', async (which) => {
    const lateAgain = holdTimers(1000)
    let asked = 0
    const measurementCache: MeasurementCache = { get: () => undefined, set: () => undefined }
    measurementCache[which] = () => {
      asked++
      return new Promise<never>(() => undefined)
    }
    const pick = selectAead({ ...BASE, backends, measurementCache })
    // All that is asked is asked before the second is over: seconds would add up otherwise.
    for (let before = -1; asked === 0 || asked > before; ) {
      before = asked
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    // What would wait for another second now would wait for ever.
    lateAgain()
    await pick
    const once = asked
    await selectAead({ ...BASE, backends, measurementCache })
    expect([once > 0, asked]).toEqual([true, once])
  })

  it('with more than a cache can hold counts as empty', async () => {
    const text = (key: string): string => {
      const [backend, , algorithm] = (JSON.parse(key) as string[]).slice(-3)
      const one = (bytes: number) => ({
        backend,
        algorithm,
        operation: 'seal',
        bytes,
        nanoseconds: 1000 + bytes,
      })
      return JSON.stringify({
        key,
        at: Date.now(),
        measurements: Array.from({ length: 200_000 }, (_, at) => one(at)),
      })
    }
    const seen = await collectEvidence({
      backends,
      budgetMs: 5,
      measurementCache: { get: text, set: () => undefined },
    })
    expect(seen.measurements.length).toBeLessThan(1000)
  })
})

describe('a signal that is aborted', () => {
  const backends = [nativeBackend('first', IDS), nativeBackend('second', IDS)]
  const aborted = AbortSignal.abort(new Error('mine'))

  it.each(['cached', 'always', 'never'] as const)('before: rejects, measure %s', async (measure) => {
    await expect(selectAead({ ...BASE, backends, measure, signal: aborted })).rejects.toThrow('mine')
    await expect(collectEvidence({ backends, measure, signal: aborted })).rejects.toThrow('mine')
  })

  it('rejects when everything is known: from a cache, from the caller, or with one backend', async () => {
    const measurementCache = memoryCache()
    await selectAead({ ...BASE, backends, measurementCache })
    const evidence = await collectEvidence({ measure: 'never' })
    for (const known of [{ measurementCache }, { evidence }, { backends: backends.slice(1) }])
      await expect(selectAead({ ...BASE, backends, ...known, signal: aborted })).rejects.toThrow('mine')
  })

  it('is seen at once by a selection that waits for a long one, and budget 0 does not wait', async () => {
    const measurementCache = memoryCache()
    const options = { ...BASE, backends, measurementCache }
    const long = new AbortController()
    const done: string[] = []
    let started: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      started = resolve
    })
    const timed = [
      nativeBackend('first', IDS, { sealed: (bytes) => bytes >= 16_384 && started() }),
      backends[1]!,
    ]
    const wait = { ...options, backends: timed }
    const first = selectAead({ ...wait, measureBudgetMs: 60_000, signal: long.signal }).catch(() => {
      done.push('first')
      return 'ended'
    })
    await begun
    const control = new AbortController()
    setTimeout(() => control.abort(new Error('mine')), 50)
    await expect(selectAead({ ...wait, signal: control.signal })).rejects.toThrow('mine')
    expect((await selectAead({ ...wait, measureBudgetMs: 0 })).algorithm).toBe(BASE.algorithm)
    // The one that gave up its place did not let the next one in before the first was done.
    const third = selectAead({ ...wait, measureBudgetMs: 5 }).finally(() => done.push('third'))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(done).toEqual([])
    long.abort()
    expect(await first).toBe('ended')
    expect((await third).algorithm).toBe(BASE.algorithm)
    expect(done).toEqual(['first', 'third'])
  })

  it.each(['selectAead', 'collectEvidence'] as const)(
    'ends the waiting of %s for a self-test that never answers',
    async (which) => {
      const silent: Backend = {
        ...nativeBackend('silent', IDS),
        probe: () => new Promise<never>(() => undefined),
      }
      // The ten seconds that a self-test may take.
      holdTimers(5000)
      const control = new AbortController()
      setTimeout(() => control.abort(new Error('mine')), 40)
      const options = { backends: [silent, ...backends], signal: control.signal }
      const call = which === 'selectAead' ? selectAead({ ...BASE, ...options }) : collectEvidence(options)
      await expect(call).rejects.toThrow('mine')
    },
  )

  it.each(['seal', 'set-up'] as const)(
    'ends the waiting for a backend that never answers while it is timed: %s',
    async (what) => {
      const state = { now: false }
      const silent = silentLater(state, what === 'set-up')
      for (const id of IDS) await silent.probe(id)
      state.now = true
      // The five seconds that an operation may take.
      holdTimers(5000)
      const control = new AbortController()
      setTimeout(() => control.abort(new Error('mine')), 40)
      const measurementCache = memoryCache()
      const options = { ...BASE, backends: [...backends, silent], measurementCache }
      await expect(selectAead({ ...options, signal: control.signal })).rejects.toThrow('mine')
      expect((await selectAead({ ...options, backends })).algorithm).toBe(BASE.algorithm)
    },
  )

  it.each(['get', 'set'] as const)('ends the waiting for a cache that never answers: %s', async (which) => {
    // The second that a cache has to answer.
    holdTimers(1000)
    const measurementCache: MeasurementCache = { get: () => undefined, set: () => undefined }
    const control = new AbortController()
    measurementCache[which] = () => {
      setTimeout(() => control.abort(new Error('mine')), 20)
      return new Promise<never>(() => undefined)
    }
    const call = selectAead({ ...BASE, backends, measurementCache, signal: control.signal })
    await expect(call).rejects.toThrow('mine')
  })

  it('is one of two that wait: an answer that comes too late for another ends the waiting', async () => {
    const late = within(10, new Promise<never>(() => undefined))
    const answer = unlessAborted(late, new AbortController().signal)
    await expect(answer).rejects.toThrow('no answer within 10 ms')
  })

  it('leaves no rejection behind that nobody hears', async () => {
    const unheard = vi.fn()
    process.on('unhandledRejection', unheard)
    try {
      const late = Promise.reject(new Error('unplugged'))
      await expect(unlessAborted(late, aborted)).rejects.toThrow('mine')
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(unheard).not.toHaveBeenCalled()
    } finally {
      process.off('unhandledRejection', unheard)
    }
  })

  it('rejects while it waits for its turn', async () => {
    const measurementCache = memoryCache()
    const first = selectAead({ ...BASE, backends, measurementCache, measureBudgetMs: 60 })
    const control = new AbortController()
    const second = selectAead({ ...BASE, backends, measurementCache, signal: control.signal })
    control.abort(new Error('mine'))
    await expect(second).rejects.toThrow('mine')
    expect((await first).algorithm).toBe(BASE.algorithm)
  })
})
