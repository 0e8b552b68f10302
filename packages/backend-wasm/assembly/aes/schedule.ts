import { storeUniformPlanes, toRows } from './planes'
import { substitutePlanes } from './rounds.generated'

/** Bytes of one bitsliced round key. */
export const ROUND_KEY_BYTES: i32 = 128
/** Bytes of the longest schedule, that of a 32-byte key. */
export const SCHEDULE_BYTES: i32 = 15 * ROUND_KEY_BYTES
/** Bytes of scratch that `expandKey` needs: the words of the schedule, then planes. */
export const SCHEDULE_SCRATCH_BYTES: i32 = 15 * 16 + 128

/** Rounds for a key of `keyBytes` bytes (FIPS 197 §5, table 3). */
@inline
export function roundsFor(keyBytes: i32): i32 {
  return 6 + (keyBytes >> 2)
}

/** SubWord (FIPS 197 §5.2) through the bitsliced S-box: no table is indexed by key bytes. */
function subWord(word: u32, planes: usize): u32 {
  for (let k = 0; k < 8; k++) v128.store(planes + 16 * k, i32x4.splat((word >> k) & 0x01010101))
  substitutePlanes(planes)
  let result: u32 = 0
  for (let k = 0; k < 8; k++) result |= (load<u32>(planes + 16 * k) & 0x01010101) << k
  return result ^ 0x63636363
}

/**
 * KeyExpansion (FIPS 197 §5.2) from `keyBytes` bytes at `key` to bitsliced round keys at
 * `schedule`. `scratch` holds key material afterwards; the caller wipes it.
 * @returns the number of rounds.
 */
export function expandKey(schedule: usize, key: usize, keyBytes: i32, scratch: usize): i32 {
  const rounds = roundsFor(keyBytes)
  const planes = scratch + 15 * 16
  const end = scratch + 16 * (rounds + 1)
  for (let i: usize = 0; i < <usize>keyBytes; i += 16) v128.store(scratch + i, v128.load(key + i))
  let rcon: u32 = 1
  let position = keyBytes
  for (let at: usize = scratch + keyBytes; at < end; at += 4) {
    let word = load<u32>(at - 4)
    if (position == keyBytes) {
      word = subWord(rotr(word, 8), planes) ^ rcon
      rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b)
      position = 0
    } else if (keyBytes > 24 && position == 16) {
      word = subWord(word, planes)
    }
    store<u32>(at, load<u32>(at - keyBytes) ^ word)
    position += 4
  }
  // The circuit leaves out the constant of SubBytes; adding it to the next round key is the same,
  // since ShiftRows and MixColumns map 63 63 .. 63 to itself.
  const affine = i8x16.splat(0x63)
  for (let round = 0; round <= rounds; round++) {
    let lanes = v128.load(scratch + 16 * round)
    if (round < rounds) lanes = toRows(lanes)
    if (round > 0) lanes = v128.xor(lanes, affine)
    storeUniformPlanes(schedule + ROUND_KEY_BYTES * round, lanes)
  }
  return rounds
}
