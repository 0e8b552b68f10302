import type { Measurement } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { choiceText } from '../src/choice-text.ts'
import { explain } from '../src/explain.ts'
import { restoreSelection } from '../src/restore.ts'
import { selectAead } from '../src/select.ts'
import { byPromise } from './by-promise.ts'
import { evidence, HARDWARE } from './fakes.ts'
import { nativeBackend } from './native-backend.mjs'

const small = nativeBackend('small')
const large = byPromise(nativeBackend('large'))

/** Nanoseconds of a call and of a byte when sealing; opening takes `opens` times as long. */
const measured = (backend: string, call: number, byte: number, opens: number): readonly Measurement[] =>
  [64, 1024, 16_384, 1_048_576].flatMap((bytes): Measurement[] => {
    const nanoseconds = call + byte * bytes
    const one = { backend, algorithm: 'aes-128-gcm', bytes } as const
    return [
      { ...one, operation: 'seal', nanoseconds },
      { ...one, operation: 'open', nanoseconds: nanoseconds * opens },
    ]
  })

const select = (sealing: number) =>
  selectAead({
    backends: [small, large],
    readers: 'here',
    evidence: evidence({
      measurements: [...measured('small', 100, 4, sealing), ...measured('large', 20_000, 1, 1)],
    }),
  })

describe('a hybrid selection', () => {
  it('comes back from its JSON, with both crossovers and who answers Sync calls', async () => {
    const pick = await select(2)
    expect(pick.backend).toEqual({
      small: 'small',
      large: 'large',
      crossoverBytes: 6634,
      openCrossoverBytes: 2829,
      syncCalls: 'small',
    })
    expect(pick.verdict.reasons.at(-1)).toMatch(/by promise; Sync calls stay with small; saves \d+ %/)
    expect(explain(pick).chosen[0]).toMatch(
      /on backend small below 6634 B when sealing and below 2829 B when opening, else large by promise; Sync calls stay/,
    )
    const json = JSON.stringify(pick)
    const again = await restoreSelection(json, { backends: [large, small], evidence: HARDWARE })
    expect(again.backend).toEqual(pick.backend)
    expect(again.toJSON().backend).toEqual(pick.toJSON().backend)
    expect(again.backends[0]?.sync).toBe(true)
    const sealer = await again.createSealer(again.generateKey())
    for (const bytes of [0, 64, 2900, 20_000]) {
      const plaintext = new Uint8Array(bytes).fill(7)
      expect(sealer.decryptSync(await sealer.encrypt(plaintext))).toEqual(plaintext)
      expect(await sealer.decrypt(sealer.encryptSync(plaintext))).toEqual(plaintext)
    }
  })

  it('has one crossover where the operations agree', async () => {
    const pick = await select(1)
    expect(pick.backend).toEqual({ small: 'small', large: 'large', crossoverBytes: 6634, syncCalls: 'small' })
  })

  it('may have been stored before there were such fields', async () => {
    const pick = await select(2)
    const old = { ...pick.toJSON(), backend: { small: 'small', large: 'large', crossoverBytes: 6634 } }
    const again = await restoreSelection(old, { backends: [small, large], evidence: HARDWARE })
    expect(again.backend).toEqual({
      small: 'small',
      large: 'large',
      crossoverBytes: 6634,
      syncCalls: 'small',
    })
  })

  it('is two synchronous backends where the large one is one here', async () => {
    const pick = await select(2)
    const backends = [small, nativeBackend('large')]
    const again = await restoreSelection(pick.toJSON(), { backends, evidence: HARDWARE })
    expect(again.backend).toEqual({
      small: 'small',
      large: 'large',
      crossoverBytes: 6634,
      openCrossoverBytes: 2829,
    })
  })

  it('meets sync: true where it is given as a backend, and is not made where that is asked for', async () => {
    const pick = await select(2)
    const [pair] = pick.backends
    const given = await selectAead({ backends: [pair!], readers: 'here', sync: true, evidence: HARDWARE })
    expect(given.backend).toBe('small+large')
    const asked = await selectAead({
      backends: [small, large],
      readers: 'here',
      sync: true,
      evidence: evidence({
        measurements: [...measured('small', 100, 4, 1), ...measured('large', 20_000, 1, 1)],
      }),
    })
    expect(asked.backend).toBe('small')
  })

  it.each([
    { openCrossoverBytes: 0 },
    { openCrossoverBytes: '5' },
    { openCrossoverBytes: 1.5 },
    { openCrossoverBytes: null },
    { syncCalls: 'large' },
    { syncCalls: true },
  ])('is refused with %j', async (forged) => {
    const json = (await select(2)).toJSON() as unknown as { backend: object }
    const stored = { ...json, backend: { ...json.backend, ...forged } }
    await expect(
      restoreSelection(stored as never, { backends: [small, large], evidence: HARDWARE }),
    ).rejects.toMatchObject({ code: 'invalid-argument' })
  })

  it('whose opening goes beyond the small half here is placed anew', async () => {
    const json = (await select(2)).toJSON()
    const stored = { ...json, backend: { ...(json.backend as object), openCrossoverBytes: 2 ** 40 } }
    const again = await restoreSelection(stored as never, { backends: [small, large], evidence: HARDWARE })
    expect(again.backend).toBe('small')
  })
})

describe('who runs what, in words', () => {
  const pair = { small: 'wasm', large: 'node', crossoverBytes: 5000 }
  it.each([
    ['node', 'node'],
    [pair, 'wasm below 5000 B, node from there on'],
    [
      { ...pair, openCrossoverBytes: 700, syncCalls: 'small' },
      'wasm below 5000 B when sealing and below 700 B when opening, else node by promise; Sync calls stay with wasm',
    ],
    [{ ...pair, openCrossoverBytes: 1 }, 'wasm below 5000 B when sealing and never when opening, else node'],
    [
      { ...pair, crossoverBytes: 2_147_483_632, openCrossoverBytes: 9 },
      'wasm always when sealing and below 9 B when opening, else node',
    ],
  ] as const)('%j', (choice, text) => {
    expect(choiceText(choice)).toBe(text)
  })
})
