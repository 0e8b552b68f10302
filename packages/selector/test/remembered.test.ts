/** What later selections of a process do not do again, and what they always look at. */
import crypto from 'node:crypto'
import { ALGORITHMS, checkVolume, limitsOf } from '@aeadkit/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Reading } from '../src/index.ts'
import { collectEvidence, createHost, memoryCache, type SelectVolume, selectAead } from '../src/index.ts'
import { MOST_QUESTIONS, reckonerOf, rememberedQuestions } from '../src/policy/reckon.ts'
import { within } from '../src/within.ts'
import { fakeHost } from './fake-host.ts'
import { evidence, fake } from './fakes.ts'

const BACKENDS = { backends: [fake('one')], measure: 'never' } as const

afterEach(() => void vi.restoreAllMocks())

describe('what is looked at each time', () => {
  it('the FIPS state', async () => {
    expect((await selectAead(BACKENDS)).inputs.fips).toBe('off')
    // No provider refuses anything here, so a request for FIPS is unusable, which is never passed over.
    const flag = vi.spyOn(crypto, 'getFips').mockReturnValue(1)
    await expect(selectAead(BACKENDS)).rejects.toMatchObject({
      code: 'fips-unavailable',
      details: { state: 'requested-unusable' },
    })
    flag.mockReturnValue(0)
    expect((await selectAead(BACKENDS)).evidence.fips.state).toBe('off')
  })

  it('the variables, though only those of the start count', async () => {
    const name = 'OPENSSL_ia32cap'
    const before = process.env[name]
    const seen = async () => {
      const { items } = (await selectAead(BACKENDS)).evidence
      const value = (item: string) => items.find((one) => one.name === item)?.value
      return { mask: value(`env.${name}`), aes: value('cpu.effective.aes'), now: value(`env.now.${name}`) }
    }
    // Elsewhere the start does not show, and the present value is all there is.
    const shows = createHost().env(name).start !== undefined
    try {
      delete process.env[name]
      const plain = await seen()
      process.env[name] = '~0x200000200000001'
      const masked = await seen()
      expect(masked).toEqual(
        shows ? { ...plain, now: '~0x200000200000001' } : { ...masked, mask: '~0x200000200000001' },
      )
      delete process.env[name]
      expect(await seen()).toEqual(plain)
    } finally {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    }
  })
})

describe('what is read once', () => {
  const CPUINFO = 'processor\t: 0\nmodel name\t: Test CPU\nflags\t\t: aes pclmulqdq\n'

  it('the flags of the CPU', async () => {
    const readText = vi.fn(() => ({ state: 'read', text: CPUINFO }) as const)
    const host = { ...fakeHost(), readText }
    const first = await collectEvidence({ host, measure: 'never' })
    const second = await collectEvidence({ host, measure: 'never' })
    expect(first.cpuModel).toBe('Test CPU')
    expect(second).toEqual(first)
    expect(readText).toHaveBeenCalledTimes(1)
    // Another host is another machine.
    expect((await collectEvidence({ host: fakeHost(), measure: 'never' })).aes).toBe('unknown')
  })

  it('what could not be read is looked for again', async () => {
    let granted = false
    const readText = (): Reading =>
      granted ? { state: 'read', text: CPUINFO } : { state: 'unknown', reason: 'denied' }
    const host = { ...fakeHost(), readText }
    expect((await collectEvidence({ host, measure: 'never' })).aes).toBe('unknown')
    granted = true
    expect((await collectEvidence({ host, measure: 'never' })).aes).toBe('yes')
  })
})

describe('the limits arithmetic', () => {
  const volume = { messages: 2n ** 33n, messageBytes: 1024n, aadBytes: 5n, failedOpens: 1000n }
  const options = { target: -57, nonceTarget: -40, nonce: 'random', fips: false, ...volume } as const
  const { failedOpens: _, messages: __, ...limitOptions } = options

  it('says what the functions say, the second time as well', () => {
    let violations = 0
    for (const nonce of ['random', 'counter'] as const) {
      for (const params of [...Object.values(ALGORITHMS), ...Object.values(ALGORITHMS)]) {
        const asked = { ...limitOptions, nonce }
        const { limits, violations: found } = reckonerOf(asked, volume)(params)
        expect(limits).toEqual(limitsOf(params, asked))
        expect(found).toEqual(checkVolume(params, volume, asked))
        violations += found.length
      }
    }
    expect(violations).toBeGreaterThan(0)
  })

  it('every part of a question counts', () => {
    const first = reckonerOf(limitOptions, volume)
    const gcm = ALGORITHMS['aes-256-gcm-siv']
    const others = [
      [{ ...limitOptions, target: -50 }, volume],
      [{ ...limitOptions, nonceTarget: -50 }, volume],
      [{ ...limitOptions, nonce: 'counter' }, volume],
      [{ ...limitOptions, fips: true }, volume],
      [{ ...limitOptions, repeatsPerNonce: 256 }, volume],
      [{ ...limitOptions, messageBytes: 1n }, volume],
      [{ ...limitOptions, aadBytes: 1n }, volume],
      [limitOptions, { ...volume, messages: 2n ** 34n }],
      [limitOptions, { ...volume, failedOpens: 1n }],
      [limitOptions, { ...volume, messageBytes: 2n ** 20n }],
      [limitOptions, { ...volume, aadBytes: 2n ** 20n }],
    ] as const
    for (const [asked, planned] of others) {
      const other = reckonerOf(asked, planned)
      expect(other).not.toBe(first)
      expect(other(gcm)).toEqual({
        limits: limitsOf(gcm, asked),
        violations: checkVolume(gcm, planned, asked),
      })
    }
    expect(reckonerOf({ ...limitOptions }, { ...volume })).toBe(first)
  })

  it('facts of a caller are not taken for those of the table', () => {
    const reckon = reckonerOf(limitOptions, volume)
    const own = { ...ALGORITHMS['aes-128-gcm'], randomNonceBits: 64 }
    expect(reckon(ALGORITHMS['aes-128-gcm']).limits).not.toEqual(reckon(own).limits)
  })

  it('is remembered for a few questions only, the one asked for last among them', async () => {
    const ask = (messages: number): SelectVolume => ({ messages })
    const seen = { backends: BACKENDS.backends, evidence: evidence() }
    for (let at = 0; at < 3 * MOST_QUESTIONS; at++) {
      await selectAead({ ...seen, volume: ask(1000 + at) })
      expect(rememberedQuestions()).toBeLessThanOrEqual(MOST_QUESTIONS)
    }
    expect(rememberedQuestions()).toBe(MOST_QUESTIONS)
    const kept = reckonerOf(limitOptions, volume)
    for (let at = 0; at < 2 * MOST_QUESTIONS; at++) {
      reckonerOf({ ...limitOptions, messageBytes: at }, volume)
      expect(reckonerOf(limitOptions, volume)).toBe(kept)
    }
  })

  it('belongs to nobody: what a caller does to a selection stays there', async () => {
    const first = await selectAead(BACKENDS)
    const before = JSON.stringify(first)
    const limits = first.limits.all as unknown as { max: bigint | null }[]
    for (const limit of limits) limit.max = 1n
    limits.length = 0
    const second = await selectAead(BACKENDS)
    expect(JSON.stringify(second)).toBe(before)
    expect(second.limits.all.length).toBeGreaterThan(0)
  })
})

describe('an answer from memory', () => {
  it('takes no timer', async () => {
    const measurementCache = memoryCache()
    const { backends } = BACKENDS
    await selectAead({ backends, measurementCache, measureBudgetMs: 0 })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await selectAead({ backends, measurementCache, measureBudgetMs: 0 })
    expect(timers).not.toHaveBeenCalled()
  })

  it('is what comes in time all the same', async () => {
    const later = (async () => {
      for (let turn = 0; turn < 100; turn++) await undefined
      return 'late but there'
    })()
    expect(await within(1000, later)).toBe('late but there')
    expect(await within(1000, 'there')).toBe('there')
    await expect(within(1000, Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(within(1, new Promise<never>(() => undefined))).rejects.toThrow('no answer within 1 ms')
  })
})
