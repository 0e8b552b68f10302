import { POWERS, POWER_BYTES, ghash } from './hash'

/** Bytes of scratch that `expandHashKey` needs. */
export const TABLES_SCRATCH_BYTES: i32 = 144

/** Multiplies the element at `from` by x into `to` (SP 800-38D §6.3: bits run from the left, x is a right shift). */
function timesX(from: usize, to: usize): void {
  const high = bswap(load<u64>(from))
  const low = bswap(load<u64>(from, 8))
  const carry: u64 = 0 - (low & 1)
  store<u64>(to, bswap((high >> 1) ^ (carry & 0xe100000000000000)))
  store<u64>(to, bswap((low >> 1) | (high << 63)), 8)
}

/** For each byte b and nibble n, byte b of n times the elements at `multiples`..+48, whose first belongs to the top bit of n. */
function storeNibbleTable(table: usize, multiples: usize): void {
  const bit3 = i8x16(0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1)
  const bit2 = i8x16(0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1)
  const bit1 = i8x16(0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1)
  const bit0 = i8x16(0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1, 0, -1)
  for (let b: usize = 0; b < 16; b++) {
    const at = multiples + b
    const upper = v128.xor(v128.and(v128.load8_splat(at), bit3), v128.and(v128.load8_splat(at, 16), bit2))
    const lower = v128.xor(v128.and(v128.load8_splat(at, 32), bit1), v128.and(v128.load8_splat(at, 48), bit0))
    v128.store(table + 32 * b, v128.xor(upper, lower))
  }
}

/**
 * Fills `tables` from the hash key at `scratch`: for the powers 8 to 1, for each byte position,
 * 16 bytes for the high nibble of a data byte and 16 for the low nibble. `sums` is scratch of `ghash`.
 * Both scratch areas hold key material afterwards; the caller wipes them.
 */
export function expandHashKey(tables: usize, scratch: usize, sums: usize): void {
  const power = scratch + 128
  v128.store(power, v128.load(scratch))
  for (let table = tables + (POWERS - 1) * POWER_BYTES; ; table -= POWER_BYTES) {
    v128.store(scratch, v128.load(power))
    for (let i: usize = 0; i < 7 * 16; i += 16) timesX(scratch + i, scratch + i + 16)
    storeNibbleTable(table, scratch)
    storeNibbleTable(table + 16, scratch + 64)
    if (table == tables) break
    // The next power: the last one times the hash key.
    v128.store(power, i64x2.splat(0))
    ghash(tables, power, scratch, 1, sums)
  }
}

/**
 * The same from the POLYVAL key at `scratch`: POLYVAL with H is GHASH with x times the reversed H, on
 * reversed blocks (RFC 8452 appendix A).
 */
export function expandPolyvalKey(tables: usize, scratch: usize, sums: usize): void {
  const high = load<u64>(scratch, 8)
  const low = load<u64>(scratch)
  store<u64>(scratch, bswap(high))
  store<u64>(scratch, bswap(low), 8)
  timesX(scratch, scratch)
  expandHashKey(tables, scratch, sums)
}
