/** Two backends behind one name, chosen by message length alone. */
import type { Backend, SyncBackend } from '@aeadkit/core'
import { asyncPair } from './pair-async.ts'
import { syncPair } from './pair-sync.ts'

/**
 * Joins two backends into one that sends plaintexts shorter than `crossoverBytes` to `small` and all others to
 * `large`. The choice looks at nothing but the length and never changes after an error. Each half sets its key up
 * when its first message comes; `destroy` reaches both. The self-test lets each half open what the other sealed.
 * @param crossoverBytes - first plaintext length in bytes that `large` takes, from 1.
 * @returns a synchronous backend when both halves are.
 * @throws AeadError `invalid-argument` for the crossover, one backend twice, or a `small` that cannot reach the
 *   crossover.
 */
export function pairBackend(small: SyncBackend, large: SyncBackend, crossoverBytes: number): SyncBackend
export function pairBackend(small: Backend, large: Backend, crossoverBytes: number): Backend
export function pairBackend(small: Backend, large: Backend, crossoverBytes: number): Backend {
  return small.sync && large.sync
    ? syncPair(small, large, crossoverBytes)
    : asyncPair(small, large, crossoverBytes)
}
