import { toRows } from './planes'
import { encryptCounters } from './rounds.generated'

/** Planes 0 to 2 of the numbers 0 to 7 in the last byte of eight blocks. */
const INDEX = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xaa,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xcc,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0,
], 16)

/**
 * Adds to the 128 bytes at `input` the key stream of the counter blocks `counter`..`counter` + 7 and
 * stores them at `out`. A counter block is the first 12 bytes of `block` and a 32-bit big-endian
 * counter (SP 800-38D §6.5). `counter` is a multiple of 8, so that the blocks differ in three
 * known bits and need no transposition.
 */
export function counterBlocks(key: usize, rounds: i32, block: v128, counter: u32, input: usize, out: usize): void {
  encryptCounters(key, rounds, toRows(i32x4.replace_lane(block, 3, bswap(counter))), INDEX, input, out)
}
