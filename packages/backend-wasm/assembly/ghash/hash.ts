/** Powers of the hash key that one group of blocks uses. */
export const POWERS: i32 = 8
/** Bytes of the nibble tables of one power. */
export const POWER_BYTES: i32 = 512
/** Bytes of the tables of all powers: the highest power first. */
export const TABLES_BYTES: i32 = POWERS * POWER_BYTES
/** Bytes of scratch for the sums of one group. */
export const SUMS_BYTES: i32 = 256

/**
 * The product of a byte with 1 + x + x^2 + x^7, which x^128 equals (SP 800-38D §6.3), as
 * its first and second byte by the high nibble, then by the low nibble.
 */
const FOLD = memory.data<u8>([
  0, 28, 56, 36, 112, 108, 72, 84, 225, 253, 217, 197, 145, 141, 169, 181,
  0, 32, 64, 96, 128, 160, 192, 224, 0, 32, 64, 96, 128, 160, 192, 224,
  0, 1, 3, 2, 7, 6, 4, 5, 14, 15, 13, 12, 9, 8, 10, 11,
  0, 194, 132, 70, 8, 202, 140, 78, 16, 210, 148, 86, 24, 218, 156, 94,
], 16)

/** Loaded once: engines build a vector constant anew at each use. */
const NIBBLE = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16)
/** The lanes from last to first. */
const REVERSE = memory.data<u8>([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0], 16)

@inline
function zero(): v128 {
  return i64x2.splat(0)
}

@inline
function high(bytes: v128, nibble: v128): v128 {
  return v128.and(i64x2.shr_u(bytes, 4), nibble)
}

@inline
function low(bytes: v128, nibble: v128): v128 {
  return v128.and(bytes, nibble)
}

/** `bytes` moved up by one byte, with the last byte of `below` shifted in. */
@inline
function up(below: v128, bytes: v128): v128 {
  return i8x16.shuffle(below, bytes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
}

/** A block in the byte order of GHASH; POLYVAL has the other (RFC 8452 appendix A). */
@inline
function element(reversed: bool, bytes: v128): v128 {
  return reversed ? i8x16.swizzle(bytes, v128.load(REVERSE)) : bytes
}

/** The sums of the products of `y` + one block with the power at `table`, added to those before unless `first`. */
@inline
function one(first: bool, reversed: bool, table: usize, sums: usize, y: v128, block: usize, nibble: v128): void {
  const x = v128.xor(element(reversed, v128.load(block)), y)
  const h = high(x, nibble)
  const l = low(x, nibble)
  for (const end = sums + SUMS_BYTES; sums != end; sums += 16) {
    let s = v128.xor(i8x16.swizzle(v128.load(table), h), i8x16.swizzle(v128.load(table, 16), l))
    if (!first) s = v128.xor(s, v128.load(sums))
    v128.store(sums, s)
    table += 32
  }
}

/** The same of four blocks, `y` added to the first, with four powers that follow each other. */
@inline
function four(first: bool, reversed: bool, table: usize, sums: usize, y: v128, blocks: usize, nibble: v128): void {
  const x0 = v128.xor(element(reversed, v128.load(blocks)), y)
  const x1 = element(reversed, v128.load(blocks, 16))
  const x2 = element(reversed, v128.load(blocks, 32))
  const x3 = element(reversed, v128.load(blocks, 48))
  const h0 = high(x0, nibble)
  const l0 = low(x0, nibble)
  const h1 = high(x1, nibble)
  const l1 = low(x1, nibble)
  const h2 = high(x2, nibble)
  const l2 = low(x2, nibble)
  const h3 = high(x3, nibble)
  const l3 = low(x3, nibble)
  for (const end = sums + SUMS_BYTES; sums != end; sums += 16) {
    let s = i8x16.swizzle(v128.load(table), h0)
    s = v128.xor(s, i8x16.swizzle(v128.load(table, 16), l0))
    s = v128.xor(s, i8x16.swizzle(v128.load(table, POWER_BYTES), h1))
    s = v128.xor(s, i8x16.swizzle(v128.load(table, POWER_BYTES + 16), l1))
    s = v128.xor(s, i8x16.swizzle(v128.load(table, 2 * POWER_BYTES), h2))
    s = v128.xor(s, i8x16.swizzle(v128.load(table, 2 * POWER_BYTES + 16), l2))
    s = v128.xor(s, i8x16.swizzle(v128.load(table, 3 * POWER_BYTES), h3))
    s = v128.xor(s, i8x16.swizzle(v128.load(table, 3 * POWER_BYTES + 16), l3))
    if (!first) s = v128.xor(s, v128.load(sums))
    v128.store(sums, s)
    table += 32
  }
}

/** Sum b moved b bytes up, all added, reduced to 16 bytes. */
@inline
function fold(sums: usize, nibble: v128): v128 {
  let lower = v128.load(sums, 240)
  let upper = zero()
  for (let at = sums + 240; at != sums; ) {
    at -= 16
    upper = up(lower, upper)
    lower = v128.xor(up(zero(), lower), v128.load(at))
  }
  const h = high(upper, nibble)
  const l = low(upper, nibble)
  const first = v128.xor(i8x16.swizzle(v128.load(FOLD), h), i8x16.swizzle(v128.load(FOLD, 32), l))
  const second = v128.xor(i8x16.swizzle(v128.load(FOLD, 16), h), i8x16.swizzle(v128.load(FOLD, 48), l))
  return v128.xor(v128.xor(lower, first), up(zero(), second))
}

/**
 * Adds `count` blocks at `blocks` to the value at `y`. Up to eight blocks at a time are multiplied by
 * descending powers of the hash key and reduced once. Products come from tables of 16 bytes looked
 * up in a register: no load address depends on data or key.
 */
@inline
function absorb(reversed: bool, tables: usize, y: usize, blocks: usize, count: i32, sums: usize): void {
  const nibble = v128.load(NIBBLE)
  let value = element(reversed, v128.load(y))
  for (; count >= POWERS; count -= POWERS) {
    four(true, reversed, tables, sums, value, blocks, nibble)
    four(false, reversed, tables + 4 * POWER_BYTES, sums, zero(), blocks + 64, nibble)
    value = fold(sums, nibble)
    blocks += 128
  }
  if (count) {
    let table = tables + (POWERS - count) * POWER_BYTES
    if (count >= 4) {
      four(true, reversed, table, sums, value, blocks, nibble)
      blocks += 64
      table += 4 * POWER_BYTES
      count -= 4
    } else {
      one(true, reversed, table, sums, value, blocks, nibble)
      blocks += 16
      table += POWER_BYTES
      count -= 1
    }
    for (; count; count--) {
      one(false, reversed, table, sums, zero(), blocks, nibble)
      blocks += 16
      table += POWER_BYTES
    }
    value = fold(sums, nibble)
  }
  v128.store(y, element(reversed, value))
}

/** GHASH (SP 800-38D §6.4) of `count` blocks at `blocks`, continued from the value at `y` and stored there. */
export function ghash(tables: usize, y: usize, blocks: usize, count: i32, sums: usize): void {
  absorb(false, tables, y, blocks, count, sums)
}

/** The same for POLYVAL (RFC 8452 §3), with the tables of `expandPolyvalKey`. */
export function polyval(tables: usize, y: usize, blocks: usize, count: i32, sums: usize): void {
  absorb(true, tables, y, blocks, count, sums)
}
