import type { ConstantTimeClaim } from '@aeadkit/core'
import { AS_OF } from './mode.ts'

/** What every AES mode of noble claims. */
export const TABLES: ConstantTimeClaim = {
  level: 'none',
  basis: 'noble computes AES and GHASH with tables indexed by secret-dependent values: caches leak them',
  asOf: AS_OF,
}
