/** Makes the nonces of one sealer. A nonce that was taken is burned, whatever happens next. */
export interface NonceMaker {
  /** What the usage bounds must assume. */
  readonly regime: 'random' | 'counter'
  /** Writes the next nonce over all of `out`. @throws AeadError `key-exhausted`, `nonce-reused`, `unsupported`. */
  take(out: Uint8Array): void
  /** The same where the value comes by promise; absent when `take` always works. */
  takeAsync?(out: Uint8Array): Promise<void>
  /** Next counter value of a counter, to be persisted. */
  nextCounter?(): bigint
  /** Wipes nonces not yet handed out. */
  destroy(): void
}
