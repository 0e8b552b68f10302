import type { AlgorithmParams } from '../algorithms.ts'
import type { Bytes, SyncBackend } from '../backend.ts'
import { AsyncCipher } from './async.ts'
import { SyncCipher } from './sync.ts'

/** One key on a backend made by `defineHybridBackend`: a synchronous cipher, and another one for callers who wait. */
export class HybridCipher extends SyncCipher {
  /** For messages of callers who wait, from the two lengths on. */
  readonly later: AsyncCipher
  readonly sealFromBytes: number
  readonly openFromBytes: number

  constructor(backend: SyncBackend, params: AlgorithmParams, key: Bytes) {
    super(backend, params, key)
    const half = this.raw.later
    if (half === undefined) {
      this.raw.destroy()
      throw this.failure(new TypeError('its key has no later half'), 'set up a key')
    }
    this.later = AsyncCipher.of(backend, params, half)
    this.sealFromBytes = half.sealFromBytes
    this.openFromBytes = half.openFromBytes
  }

  override destroy(): void {
    try {
      super.destroy()
    } finally {
      this.later.destroy()
    }
  }
}
