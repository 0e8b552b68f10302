/** Zeroes `bytes` bytes at `at`, rounded up to a multiple of 16. */
export function wipe(at: usize, bytes: usize): void {
  const zero = i64x2.splat(0)
  for (const end = at + bytes; at < end; at += 16) v128.store(at, zero)
}
