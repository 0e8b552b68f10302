import type { AlgorithmParams } from '../algorithms.ts'
import type { LimitKind } from '../limits/types.ts'

/** What is closest to its limit; `caller` is `maxMessages`, `none` only the width of the nonce counter. */
export type MeterBinding = LimitKind | 'caller' | 'none'

/** Counts of one key. All bounds are the enforced ones, at most 2^53 - 1; `null` where none is enforced. */
export interface KeyUsage {
  readonly keyId: string
  /** Messages reserved. */
  readonly messages: bigint
  readonly maxMessages: bigint
  /**
   * What `blocks` and `failedBlocks` count: `blocks` of 16 bytes (for Magma 8) with what the mode adds per message,
   * `bytes`, or `blocks-squared` (in units of 2^20, rounded up) where each message has a derived key.
   */
  readonly unit: 'blocks' | 'bytes' | 'blocks-squared'
  /** What the sealed messages took out of the data bound. */
  readonly blocks: bigint
  readonly maxBlocks: bigint | null
  /** Opens that failed. */
  readonly failedOpens: bigint
  readonly maxFailedOpens: bigint | null
  /** What the failed opens took out of the integrity bound: blocks, or `bytes` where `unit` says so. */
  readonly failedBlocks: bigint
  /** With `sharedBound`, what sealed and failed messages may take together. */
  readonly maxFailedBlocks: bigint | null
  /** Whether sealed messages and failed opens draw from one budget (AES-CCM, Ascon). */
  readonly sharedBound: boolean
  /** Largest used share of any bound, from 0 to 1; above 1 only when failures were counted past their bound. */
  readonly fraction: number
  /** The bound `fraction` belongs to. */
  readonly binding: MeterBinding
}

/** Given to `onWarn`, once per key. Counts only, never content. */
export interface MeterWarning {
  readonly keyId: string
  readonly fraction: number
  readonly binding: MeterBinding
  readonly usage: KeyUsage
}

/** Stored counts of one key, as decimal strings. */
export interface KeySnapshot {
  readonly algorithm: string
  /** How the nonces of everything sealed so far were made; `null` before the first seal. */
  readonly nonce: 'random' | 'counter' | null
  readonly messages: string
  readonly blocks: string
  readonly failedOpens: string
  readonly failedBlocks: string
  /** Longest message so far in bytes. */
  readonly longestBytes: string
  readonly warned: boolean
}

/** All counts of a meter by key id, safe for JSON. Holds no secret. */
export interface MeterSnapshot {
  readonly version: 1
  readonly keys: Readonly<Record<string, KeySnapshot>>
}

/** Options of `createMeter`. */
export interface MeterOptions {
  /** log2 of the advantage to stay below, per key and property: an integer from -128 to -1. Default: -57. */
  readonly target?: number | undefined
  /** The same for nonce collisions. Default: `target`, for FIPS keys -32. */
  readonly nonceTarget?: number | undefined
  /** The caller's own cap on messages per key, 1 or more. Default: none. */
  readonly maxMessages?: number | bigint | undefined
  /** Share of a bound at which `onWarn` is called, above 0 and up to 1. Default: 0.5. */
  readonly warnAt?: number | undefined
  /** Called once per key. What it throws is dropped: a broken logger must not stop or miscount sealing. */
  readonly onWarn?: ((warning: MeterWarning) => void) | undefined
  /** Whether opening stops when the integrity bound is used up. Default: `refuse`. */
  readonly onIntegrityLimit?: 'refuse' | 'report' | undefined
  /** How many messages may share one nonce; read by SIV modes as in `limitsOf`. Default: 1. */
  readonly repeatsPerNonce?: number | undefined
  /** Counts to continue from. Default: none. */
  readonly snapshot?: MeterSnapshot | undefined
}

/** Counts the use of one key and refuses to pass its bounds. */
export interface KeyMeter {
  readonly keyId: string
  /**
   * Counts one message, before it is sealed.
   * @throws AeadError `key-exhausted` when it would cross a bound, `invalid-argument` for sizes that are not whole
   *   numbers and for a key that was sealed with the other kind of nonces; then nothing is counted.
   */
  reserve(plaintextBytes: number, aadBytes: number): void
  /**
   * Asks whether one more open may be tried. Exhausted sealing never blocks it.
   * @param ciphertextBytes - without tag; with sizes it also refuses an open whose failure would cross the bound.
   * @throws AeadError `key-exhausted` when failed opens have used up the integrity bound, unless `report`.
   */
  checkOpen(ciphertextBytes?: number, aadBytes?: number): void
  /** Counts an open that failed to authenticate. @throws AeadError `invalid-argument` for bad sizes. */
  openFailed(ciphertextBytes: number, aadBytes: number): void
  /** Counts, bounds and the share used. */
  usage(): KeyUsage
  /** Whether the other one counts into the same place. */
  sharesCounts(other: KeyMeter): boolean
}

/** Counts the use of keys by their key id. */
export interface Meter {
  /**
   * The meter of one key. The same key id always shares one count, however its nonces are made, so that a reader
   * counts together with a writer. Sealing keeps to the regime of the first seal.
   * @param keyId - identity of the key: its record's id, never derived from key bytes.
   * @param params - facts about the algorithm, from `ALGORITHMS`.
   * @param nonce - how the key's nonces are made.
   * @param fips - adds the cap for random 96-bit nonces. Default: false.
   * @param continued - counts of the same key by another meter, continued here when this meter does not know the key.
   * @throws AeadError `invalid-argument` when the key id was used with another algorithm.
   */
  forKey(
    keyId: string,
    params: AlgorithmParams,
    nonce: 'random' | 'counter',
    fips?: boolean,
    continued?: KeyMeter,
  ): KeyMeter
  /** Every count, as decimal strings; give it to `createMeter({ snapshot })`. */
  snapshot(): MeterSnapshot
  /** The same as {@link Meter.snapshot}, for `JSON.stringify`. */
  toJSON(): MeterSnapshot
}
