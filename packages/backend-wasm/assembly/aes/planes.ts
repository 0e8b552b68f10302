import { encryptPlanes, transposeBits } from './rounds.generated'

/** Lane order of a block whose rows lie in 32-bit lanes: lane 4r + c takes byte r + 4c (FIPS 197 §3.4). */
const TO_ROWS = memory.data<u8>([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], 16)

/** The block with its rows in 32-bit lanes. */
@inline
export function toRows(block: v128): v128 {
  return i8x16.swizzle(block, v128.load(TO_ROWS))
}

/** All bits of each lane set where bit `k` of the lane is set. */
@inline
function plane(lanes: v128, k: i32): v128 {
  const bit = i32x4.splat(0x01010101 << k)
  return i8x16.eq(v128.and(lanes, bit), bit)
}

/** Stores at `planes` the planes of eight blocks that all equal `lanes`. */
@inline
export function storeUniformPlanes(planes: usize, lanes: v128): void {
  v128.store(planes, plane(lanes, 0), 0)
  v128.store(planes, plane(lanes, 1), 16)
  v128.store(planes, plane(lanes, 2), 32)
  v128.store(planes, plane(lanes, 3), 48)
  v128.store(planes, plane(lanes, 4), 64)
  v128.store(planes, plane(lanes, 5), 80)
  v128.store(planes, plane(lanes, 6), 96)
  v128.store(planes, plane(lanes, 7), 112)
}

/** Encrypts eight blocks from `input` to `output` (which may be the same); `planes` is 128 bytes of scratch. */
export function encryptBlocks(key: usize, rounds: i32, input: usize, output: usize, planes: usize): void {
  for (let i: usize = 0; i < 128; i += 16) v128.store(planes + i, toRows(v128.load(input + i)))
  transposeBits(planes, planes)
  encryptPlanes(key, rounds, planes, output)
}
