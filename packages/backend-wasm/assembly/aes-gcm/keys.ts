import { counterBlocks } from '../aes/counter'
import { expandKey } from '../aes/schedule'
import { expandHashKey } from '../ghash/tables'
import { wipe } from '../wipe'
import {
  FIRST_SLOT, KEY_AREA, KEY_STREAM, SCHEDULE_SCRATCH, SCRATCH, SCRATCH_BYTES, SETUP, SETUP_BYTES,
  SLOT_BYTES, SLOT_KEYS, SLOT_TABLES, SUMS, TABLES_SCRATCH, ZEROS,
} from './layout'

/** Address of a slot. */
@inline
export function slotAt(slot: i32): usize {
  return FIRST_SLOT + slot * SLOT_BYTES
}

/** Expands the `keyBytes` (16 or 32) bytes staged at KEY into `slot` and wipes the staging area. */
export function setKey(slot: i32, keyBytes: i32): void {
  const at = slotAt(slot)
  const rounds = expandKey(at + SLOT_KEYS, KEY_AREA, keyBytes, SCHEDULE_SCRATCH)
  store<i32>(at, rounds)
  // SP 800-38D §7.1, step 1: the hash key is the encrypted zero block, the first counter block here.
  counterBlocks(at + SLOT_KEYS, rounds, i64x2.splat(0), 0, ZEROS, KEY_STREAM)
  v128.store(TABLES_SCRATCH, v128.load(KEY_STREAM))
  expandHashKey(at + SLOT_TABLES, TABLES_SCRATCH, SUMS)
  wipe(SETUP, SETUP_BYTES)
  wipe(SCRATCH, SCRATCH_BYTES)
}

/** Zeroes `slot`. */
export function wipeSlot(slot: i32): void {
  wipe(slotAt(slot), SLOT_BYTES)
}
