/** Two backends behind one name, chosen by message length alone. */
import type { Backend, SyncBackend } from '@aeadkit/core'
import { type Crossover, fromOf, joinsByPromise } from './claims.ts'
import { asyncPair } from './pair-async.ts'
import { hybridPair } from './pair-hybrid.ts'
import { syncPair } from './pair-sync.ts'

/**
 * Joins two backends into one that sends plaintexts shorter than the crossover to `small` and all others to `large`.
 * The choice looks at nothing but the operation, the length and, where `large` alone answers by promise, whether the
 * caller waits for one; it never changes after an error. Each half sets its key up when its first message comes;
 * `destroy` reaches both. The self-test lets each half open what the other sealed.
 * @param crossover - first plaintext length in bytes that `large` takes, from 1, or one for each operation.
 * @returns a synchronous backend when both halves are, and when `large` alone answers by promise but `small` takes
 *   every length that `large` takes: then `seal`, `open`, `encrypt` and `decrypt` go to `large` from the crossover on,
 *   and calls that end in `Sync` always stay with `small`. Else one that answers by promise.
 * @throws AeadError `invalid-argument` for the crossover, one backend twice, or a `small` that cannot reach the
 *   crossover.
 */
export function pairBackend(
  small: SyncBackend,
  large: SyncBackend,
  crossover: number | Crossover,
): SyncBackend
export function pairBackend(small: Backend, large: Backend, crossover: number | Crossover): Backend
export function pairBackend(small: Backend, large: Backend, crossover: number | Crossover): Backend {
  const from = fromOf(crossover)
  if (!small.sync) return asyncPair(small, large, from)
  if (large.sync) return syncPair(small, large, from)
  return joinsByPromise(small, large) ? hybridPair(small, large, from) : asyncPair(small, large, from)
}
