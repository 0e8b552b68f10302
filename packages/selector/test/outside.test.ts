/** What comes from outside: backends of others, evidence, stores, stored selections, options that change. */
import type { Backend } from '@aeadkit/core'
import { AeadError, isAeadError } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { readCached } from '../src/evidence/cache.ts'
import { explain, restoreSelection, selectAead } from '../src/index.ts'
import { askProbe } from '../src/policy/ask.ts'
import { EVERYTHING, fake, HARDWARE, timing } from './fakes.ts'

const never = new Promise<never>(() => undefined)
const good = fake('good', { kind: 'js', level: 'structural' })
const raw = fake('bad')
const claiming = (claims: () => unknown): Backend => ({ ...raw, raw: { ...raw.raw, claims } }) as Backend

describe('a broken backend is left out and the others serve', () => {
  it.each<[string, Backend]>([
    [
      'its probe throws',
      {
        ...raw,
        probe: () => {
          throw new TypeError('p')
        },
      } as Backend,
    ],
    [
      'its probe rejects',
      {
        ...raw,
        probe: async () => {
          throw new TypeError('p')
        },
      } as Backend,
    ],
    ['its probe answers nothing', { ...raw, probe: async () => undefined } as unknown as Backend],
    [
      'its claims throw',
      claiming(() => {
        throw new TypeError('c')
      }),
    ],
    ['its claims are nothing', claiming(() => undefined)],
    ['its claims name an unknown level', claiming(() => ({ constantTime: { level: 'super', basis: '' } }))],
  ])('%s', async (_, bad) => {
    const pick = await selectAead({ backends: [bad, good], evidence: HARDWARE })
    expect(pick.backend).toBe('good')
    const again = await restoreSelection(JSON.stringify(pick), { backends: [bad, good], evidence: HARDWARE })
    expect(again.backend).toBe('good')
  })

  it('its probe never answers: asked once, then no more', async () => {
    let asked = 0
    const silent = {
      ...raw,
      probe: () => {
        asked++
        return never
      },
    } as Backend
    expect(await askProbe(silent, 'aes-128-gcm', 20)).toMatchObject({ available: false })
    const pick = await selectAead({ backends: [silent, good], evidence: HARDWARE })
    expect(pick.backend).toBe('good')
    expect(asked).toBe(1)
  })

  it.each<[string, unknown]>([
    ['no raw part', { ...raw, raw: undefined }],
    ['no claims', { ...raw, raw: { ...raw.raw, claims: undefined } }],
    ['a size that is no number', { ...raw, raw: { ...raw.raw, maxBytes: Number.NaN } }],
  ])('%s is refused by name', async (_, bad) => {
    const error = await selectAead({ backends: [bad as Backend], evidence: HARDWARE }).catch((one) => one)
    expect(isAeadError(error, 'invalid-argument'), String(error)).toBe(true)
  })
})

describe('timings no machine can have', () => {
  it.each([0, -4, 1e300, 1e-300, 1e-3, Number.NaN])('%d ns', async (nanoseconds) => {
    const one = { ...timing('native', 'aes-128-gcm', 65536, 1000), bestNanoseconds: nanoseconds }
    const store = {
      get: () => JSON.stringify({ key: 'k', at: Date.now(), measurements: [one] }),
      set: () => undefined,
    }
    expect(await readCached(store, 'k', 'native', 'aes-128-gcm')).toBeUndefined()
    const error = await selectAead({
      backends: EVERYTHING,
      evidence: { ...HARDWARE, measurements: [one] },
    }).catch((thrown) => thrown)
    expect(isAeadError(error, 'invalid-argument'), String(error)).toBe(true)
  })

  it('what is stored under another key counts as missing', async () => {
    const one = timing('native', 'aes-128-gcm', 65536, 1000)
    const store = {
      get: () => JSON.stringify({ key: 'k', at: Date.now(), measurements: [one] }),
      set: () => undefined,
    }
    expect(await readCached(store, 'k', 'native', 'aes-128-gcm')).toEqual([one])
    expect(await readCached(store, 'another machine', 'native', 'aes-128-gcm')).toBeUndefined()
  })

  it.each([{ note: '\u001b[2J' }, { ['__proto__']: { into: true } }, { reason: 'x'.repeat(1000) }])(
    'what is stored with more than a timing counts as missing: %j',
    async (more) => {
      const one = timing('native', 'aes-128-gcm', 65536, 1000)
      const stored = JSON.stringify({ key: 'k', at: Date.now(), measurements: [{ ...one, ...more }] })
      const store = { get: () => stored, set: () => undefined }
      expect(await readCached(store, 'k', 'native', 'aes-128-gcm')).toBeUndefined()
    },
  )

  it.each<[string, unknown, boolean]>([
    ['of today', Date.now(), true],
    ['of 29 days ago', Date.now() - 29 * 86_400_000, true],
    ['of 31 days ago', Date.now() - 31 * 86_400_000, false],
    ['of next year', Date.now() + 365 * 86_400_000, false],
    ['of no day', undefined, false],
    ['of a day that is no number', 'today', false],
  ])('timings %s', async (_, at, used) => {
    const one = timing('native', 'aes-128-gcm', 65536, 1000)
    const store = { get: () => JSON.stringify({ key: 'k', at, measurements: [one] }), set: () => undefined }
    expect(await readCached(store, 'k', 'native', 'aes-128-gcm')).toEqual(used ? [one] : undefined)
  })

  it('a store that never answers counts as empty', async () => {
    expect(
      await readCached({ get: () => never, set: () => undefined }, 'k', 'native', 'aes-128-gcm'),
    ).toBeUndefined()
  })
})

describe('options and evidence', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['no options', () => selectAead(undefined as never)],
    ['no options to restore', () => restoreSelection('{}', undefined as never)],
    [
      'items that are nothing',
      () =>
        selectAead({
          backends: EVERYTHING,
          readers: 'here',
          evidence: { ...HARDWARE, items: [null] as never },
        }),
    ],
    [
      'evidence to restore that is empty',
      async () =>
        restoreSelection(
          await selectAead({ backends: EVERYTHING, evidence: HARDWARE }).then((one) => one.toJSON()),
          { backends: EVERYTHING, evidence: {} as never },
        ),
    ],
    [
      'a count past 2^128, which no stored selection takes back',
      () =>
        selectAead({
          backends: EVERYTHING,
          evidence: HARDWARE,
          rekey: 'possible',
          volume: { messages: 10n ** 70n },
        }),
    ],
    [
      'rejections that are nothing',
      async () => {
        const json = JSON.parse(
          JSON.stringify(await selectAead({ backends: EVERYTHING, evidence: HARDWARE })),
        )
        explain(
          await restoreSelection(
            { ...json, verdict: { ...json.verdict, rejected: [null] } },
            { backends: EVERYTHING, evidence: HARDWARE },
          ),
        )
      },
    ],
  ])('%s', async (_, act) => {
    const error = await act().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(AeadError)
    expect(isAeadError(error, 'invalid-argument'), String(error)).toBe(true)
  })

  it('what was checked is what is used: getters are read once, later changes have no effect', async () => {
    let reads = 0
    const readers = [{ name: 'zen3', aes: 'yes' as 'yes' | 'no', clmul: 'yes' as const }]
    const pick = await selectAead({
      backends: EVERYTHING,
      evidence: HARDWARE,
      readers,
      get nonce(): 'counter' {
        return reads++ === 0 ? 'counter' : ('garbage' as never)
      },
    })
    readers[0]!.aes = 'no'
    expect(pick.inputs).toMatchObject({ nonce: 'counter', readers: [{ aes: 'yes' }] })
    expect(reads).toBe(1)
  })
})
