import type { KeyMeter, Meter } from './meter.ts'
import type { Counter } from './sealer/counter.ts'

/** What all sealers of one key record share, so that two of them never count or number apart. */
export interface KeyState {
  /** Running counters by fixed field (hexadecimal). */
  readonly counters: Map<string, Counter>
  /** Every fixed field in use (hexadecimal), and how its messages are numbered. */
  readonly fields: Map<string, 'counter' | 'leased'>
  /** The meter of sealers that were given none. */
  meter: Meter | undefined
  /** Counts of the first sealer; every later one must continue them, or none would know the sum. */
  counted: KeyMeter | undefined
}
