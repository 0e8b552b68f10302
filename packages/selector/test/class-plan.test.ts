import type { AlgorithmId, AlgorithmParams, Backend } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { memoryCache } from '../src/evidence/cache.ts'
import { hardwareClassOf } from '../src/evidence/hardware-class.ts'
import { timings } from '../src/evidence/timings.ts'
import { fakeHost } from './fake-host.ts'
import { nativeBackend } from './native-backend.mjs'

const BOTH: readonly AlgorithmId[] = ['aes-128-gcm', 'chacha20-poly1305']

/** Nanoseconds per byte of AES-GCM and ChaCha20-Poly1305; how many times as long the first milliseconds take. */
type Speeds = readonly [gcm: number, chacha: number, disturbed?: number]

/** How long a disturbance lasts, in milliseconds: the first attempt and a part of the second. */
const DISTURBED_MS = 20

/** Times backends on a clock that only they move. */
async function timed(
  speeds: Readonly<Record<string, Speeds>>,
  kinds: Readonly<Record<string, Backend['kind']>> = {},
) {
  let time = 0
  const usable = Object.entries(speeds).map(([name, [gcm, chacha, disturbed = 1]]) => {
    let current: AlgorithmId = 'aes-128-gcm'
    const work = (bytes: number): void => {
      const perByte = current === 'aes-128-gcm' ? gcm : time < DISTURBED_MS ? chacha * disturbed : chacha
      time += bytes * perByte * 1e-6
    }
    const backend = nativeBackend(name, BOTH, { sealed: work, kind: kinds[name] ?? 'native' })
    // The hook does not say which algorithm it is called for.
    const { create } = backend.raw
    backend.raw.create = (params: AlgorithmParams, key: Uint8Array) => {
      const raw = create(params, key)
      return {
        ...raw,
        seal: (...args: Parameters<typeof raw.seal>) => {
          current = params.id
          raw.seal(...args)
        },
      }
    }
    return { backend, algorithms: BOTH }
  })
  const host = fakeHost({ clock: { now: () => (time += 0.001) } })
  const done = await timings({
    usable,
    options: { algorithms: [], budgetMs: 120 },
    host,
    cache: memoryCache(),
    machine: ['test'],
  })
  return { ...done, timedOn: [...new Set(done.measurements.map(({ backend }) => backend))] }
}

describe('what the hardware class costs', () => {
  const wasm = { wasm: 'wasm' } as const
  it('one native backend that decides: a twelfth of the budget, and nobody else is asked', async () => {
    const { spentMs, timedOn } = await timed({ node: [0.5, 1], wasm: [4, 1] }, wasm)
    expect(timedOn).toEqual(['node'])
    expect(spentMs).toBeLessThan(11)
  })
  it('two that agree: nobody else is asked', async () => {
    const { timedOn } = await timed({ node: [4, 1], other: [5, 1], wasm: [4, 1] }, wasm)
    expect(timedOn).toEqual(['node', 'other'])
  })
  it('two that disagree: everybody is', async () => {
    const { timedOn } = await timed({ node: [4, 1], other: [0.5, 1], wasm: [4, 1] }, wasm)
    expect(timedOn).toEqual(['node', 'other', 'wasm'])
  })
  it('two that only seem to disagree are asked again before anybody else is', async () => {
    const { timedOn, measurements } = await timed({ node: [4, 1], other: [1.4, 1, 3], wasm: [2, 1] }, wasm)
    expect(timedOn).toEqual(['node', 'other'])
    const kinds = { node: 'native', other: 'native', wasm: 'wasm' } as const
    expect(hardwareClassOf({ measurements, kinds, flags: null }).hardwareClass).toBe('none')
  })
  it('too close to tell: tried three times, and not again when nothing got faster', async () => {
    const { spentMs } = await timed({ node: [1.2, 1] })
    expect(spentMs).toBeGreaterThan(27)
    expect(spentMs).toBeLessThan(34)
  })
})
