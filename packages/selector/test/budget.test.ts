/** The budget is one for all that is timed: class, speeds that rules compare, placement. */
import type { AlgorithmId, AlgorithmParams, Backend, BackendKind, RawSyncBackend } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { memoryCache, type SelectOptions, selectAead } from '../src/index.ts'
import { fakeHost } from './fake-host.ts'
import { nativeBackend } from './native-backend.mjs'

const BOTH: readonly AlgorithmId[] = ['aes-128-gcm', 'chacha20-poly1305']

/** Microseconds of a call, nanoseconds of a byte. */
interface Speed {
  readonly kind: BackendKind
  readonly call: number
  readonly gcm: number
  readonly chacha: number
}

const WASM: Speed = { kind: 'wasm', call: 0.5, gcm: 12, chacha: 1.6 }
const SCRIPT: Speed = { kind: 'js', call: 2, gcm: 50, chacha: 5 }

/** Orders of magnitude seen on one server. */
const RUNTIMES: Readonly<Record<string, readonly Speed[]>> = {
  Node: [{ kind: 'native', call: 6, gcm: 0.6, chacha: 0.9 }, WASM, SCRIPT],
  'Node, class too close to tell': [{ kind: 'native', call: 6, gcm: 1.4, chacha: 1 }, WASM, SCRIPT],
  Deno: [{ kind: 'native', call: 9, gcm: 11, chacha: 1.2 }, WASM, SCRIPT],
  Bun: [
    { kind: 'native', call: 2, gcm: 0.25, chacha: 1 },
    { ...WASM, gcm: 9 },
    { ...SCRIPT, call: 1, chacha: 7 },
  ],
}

/** Backends whose calls take what their speed says, on a clock that they alone move. */
function runtimeOf(speeds: readonly Speed[]): { backends: Backend[]; clock: { now(): number } } {
  let time = 0
  const backends = speeds.map((speed): Backend => {
    const backend = nativeBackend(speed.kind, BOTH, { kind: speed.kind, level: 'structural' })
    const raw = backend.raw as { create: RawSyncBackend['create'] }
    const { create } = raw
    raw.create = (params: AlgorithmParams, key: Uint8Array) => {
      const own = create(params, key)
      const spend = (bytes: number): void => {
        const byte = params.id === 'aes-128-gcm' ? speed.gcm : speed.chacha
        time += speed.call * 1e-3 + bytes * byte * 1e-6
      }
      return {
        ...own,
        seal(...args: Parameters<typeof own.seal>) {
          spend(args[1].length)
          own.seal(...args)
        },
        open(...args: Parameters<typeof own.open>) {
          spend(args[4])
          return own.open(...args)
        },
      }
    }
    return backend
  })
  return { backends, clock: { now: () => (time += 0.0005) } }
}

/** What each kind of selection has timed: the class and the placement; and for V21 the speeds of both ciphers as well. */
const SELECTIONS: Readonly<Record<string, SelectOptions>> = {
  'for this machine': { readers: 'here', nonce: 'counter' },
  'by speed': { readers: 'here', nonce: 'counter', profile: 'small-messages' },
}

async function spentBy(speeds: readonly Speed[], options: SelectOptions): Promise<number> {
  const { backends, clock } = runtimeOf(speeds)
  const host = fakeHost({ clock })
  const start = clock.now()
  const pick = await selectAead({ ...options, host, backends, measurementCache: memoryCache() })
  expect(pick.evidence.measurements.length).toBeGreaterThan(0)
  return clock.now() - start
}

/** Milliseconds for the call under way when the time is over, and for self-tests, which are not timed. */
const UNDER_WAY_MS = 5
/** A budget this much too small for one look at each length may be overdrawn by half. */
const SMALL = 60

describe.each(Object.entries(RUNTIMES))('at the speeds of %s', (_, speeds) => {
  it.each(Object.entries(SELECTIONS))(
    'a selection %s stays within its budget',
    async (_, options) => {
      // The default.
      expect(await spentBy(speeds, options)).toBeLessThan(120 + UNDER_WAY_MS)
      expect(await spentBy(speeds, { ...options, measureBudgetMs: SMALL })).toBeLessThan(SMALL * 1.5)
    },
    60_000,
  )
})
