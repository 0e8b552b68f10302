import type { Counter } from './counter.ts'
import type { Meter } from './meter.ts'

/** What all sealers of one key record share, so that two of them never count or number apart. */
export interface KeyState {
  /** Running counters by fixed field (hexadecimal). */
  readonly counters: Map<string, Counter>
  /** Every fixed field in use (hexadecimal), and how its messages are numbered. */
  readonly fields: Map<string, 'counter' | 'leased'>
  /** The meter of sealers that were given none. */
  meter: Meter | undefined
}
