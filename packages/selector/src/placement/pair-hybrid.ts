/** A synchronous backend whose promise-returning calls give long messages to one that answers by promise. */
import {
  AeadError,
  type AlgorithmId,
  type AlgorithmParams,
  type AsyncBackend,
  defineHybridBackend,
  type LaterHalf,
  type RawAsyncAead,
  type RawSyncAead,
  type SyncBackend,
} from '@aeadkit/core'
import { baseOf, type From } from './claims.ts'
import { LazyAead } from './lazy-aead.ts'
import { PairKey } from './pair-key.ts'
import { type HalfTraits, PairAead, traitReader } from './pair-sync.ts'
import { pairTest } from './pair-test.ts'

class LargeHalf extends LazyAead implements LaterHalf {
  readonly sealFromBytes: number
  readonly openFromBytes: number

  constructor(key: PairKey, create: (key: Uint8Array) => Promise<RawAsyncAead>, from: From) {
    super(key, create)
    this.sealFromBytes = from.seal
    this.openFromBytes = from.open
  }
}

type Maker = (key: Uint8Array) => Promise<RawAsyncAead>

/** The small half alone, and beside it the large one for callers who wait. */
class HybridPairAead extends PairAead {
  readonly later: LargeHalf

  constructor(
    small: SyncBackend,
    makeLarge: Maker,
    params: AlgorithmParams,
    key: Uint8Array,
    from: From,
    traits: HalfTraits,
  ) {
    const shared = new PairKey(key)
    const makeSmall = (bytes: Uint8Array): RawSyncAead => small.raw.create(params, bytes)
    const { maxBytes } = small.raw
    // Calls without a promise never leave the small half, not even where an input grew after it was checked.
    const never = { seal: Number.POSITIVE_INFINITY, open: Number.POSITIVE_INFINITY }
    super([makeSmall, makeSmall], shared, never, maxBytes, traits)
    this.later = new LargeHalf(shared, makeLarge, from)
  }

  override destroy(): void {
    try {
      super.destroy()
    } finally {
      this.later.destroy()
    }
  }
}

/** {@link pairBackend} for a large half that answers by promise and a small one that takes every length it takes. */
export function hybridPair(small: SyncBackend, large: AsyncBackend, from: From): SyncBackend {
  const base = baseOf(small, large, from)
  const test = pairTest(small, large, from)
  const traits = traitReader([small])
  return defineHybridBackend(
    {
      ...base,
      probe({ id }) {
        const answer = small.probeSync(id)
        return answer.available || `${small.name}: ${answer.reason}`
      },
      allocate: (bytes) => small.raw.allocate?.(bytes) ?? new Uint8Array(bytes),
      create(params, key) {
        // Where nobody has waited for the test yet, the first long message does.
        const makeLarge: Maker = async (bytes) => {
          const answer = await test(params.id)
          if (!answer.available) throw failed(base.name, params.id, answer.reason)
          return large.raw.create(params, bytes)
        }
        return new HybridPairAead(small, makeLarge, params, key, from, traits(params))
      },
    },
    test,
  )
}

function failed(backend: string, algorithm: AlgorithmId, reason: string): AeadError {
  return new AeadError('unsupported', `${algorithm} is not available on backend ${backend}: ${reason}`, {
    details: { backend, algorithm },
  })
}
