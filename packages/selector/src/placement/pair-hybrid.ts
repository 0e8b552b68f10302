/** A synchronous backend whose promise-returning calls give long messages to one that answers by promise. */
import {
  AeadError,
  type AlgorithmParams,
  type AsyncBackend,
  defineHybridBackend,
  type LaterHalf,
  type RawAsyncAead,
  type RawSyncAead,
  type SyncBackend,
} from '@aeadkit/core'
import { baseOf, type From, fromOf } from './claims.ts'
import { LazyAead } from './lazy-aead.ts'
import { PairKey } from './pair-key.ts'
import { type HalfTraits, PairAead, traitReader } from './pair-sync.ts'
import { pairTest } from './pair-test.ts'

type Maker = (key: Uint8Array) => Promise<RawAsyncAead>

/** The small half alone, and beside it the large one for callers who wait. */
class HybridPairAead extends PairAead {
  readonly later: LaterHalf

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
    // Calls without a promise never leave the small half, not even where an input grew after it was checked.
    const never = fromOf(Number.POSITIVE_INFINITY)
    super([makeSmall, makeSmall], shared, never, small.raw.maxBytes, traits)
    this.later = Object.assign(new LazyAead(shared, makeLarge), {
      sealFromBytes: from.seal,
      openFromBytes: from.open,
    })
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
          const { id } = params
          const answer = await test(id)
          if (!answer.available) {
            const { name } = base
            throw new AeadError(
              'unsupported',
              `${id} is not available on backend ${name}: ${answer.reason}`,
              {
                details: { backend: name, algorithm: id },
              },
            )
          }
          return large.raw.create(params, bytes)
        }
        return new HybridPairAead(small, makeLarge, params, key, from, traits(params))
      },
    },
    test,
  )
}
