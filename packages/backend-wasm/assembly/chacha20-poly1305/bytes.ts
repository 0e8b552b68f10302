/** The first `count` (at most 16) bytes at `from`, then zeros. */
export function loadPart(from: usize, count: usize): v128 {
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  return v128.and(v128.load(from), i8x16.lt_u(places, i8x16.splat(<i8>count)))
}

/** From here on a call of the engine's own fill, with wider stores, is worth it. */
@inline const LONG: usize = 1024

@inline function mixRow(to: usize, from: usize, offset: usize): void {
  v128.store(to + offset, v128.xor(v128.load(to + offset), v128.load(from + offset)))
}

/**
 * XORs `count` bytes of keystream at `from` into those at `to`, and wipes them. Bytes behind
 * `to + count` stay as they are.
 */
export function take(to: usize, from: usize, count: usize): void {
  const begin = from
  const end = from + count
  for (; from + 63 < end; from += 64) {
    mixRow(to, from, 0)
    mixRow(to, from, 16)
    mixRow(to, from, 32)
    mixRow(to, from, 48)
    to += 64
  }
  for (; from + 15 < end; from += 16) {
    mixRow(to, from, 0)
    to += 16
  }
  if (from < end) v128.store(to, v128.xor(v128.load(to), loadPart(from, end - from)))
  wipe(begin, end)
}

/** Zeroes the bytes from `from` to `end`, rounded up to a multiple of 16. */
export function wipe(from: usize, end: usize): void {
  if (end - from >= LONG) {
    memory.fill(from, 0, (end - from + 15) & ~15)
    return
  }
  for (; from + 48 < end; from += 64) {
    v128.store(from, i64x2.splat(0))
    v128.store(from, i64x2.splat(0), 16)
    v128.store(from, i64x2.splat(0), 32)
    v128.store(from, i64x2.splat(0), 48)
  }
  for (; from < end; from += 16) v128.store(from, i64x2.splat(0))
}
