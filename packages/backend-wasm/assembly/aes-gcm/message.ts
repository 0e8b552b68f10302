import { counterBlocks } from '../aes/counter'
import { ghash } from '../ghash/hash'
import { wipe } from '../wipe'
import { slotAt } from './keys'
import {
  AAD_AREA, BLOCK, DATA_AREA, FRONT, HASH, KEY_STREAM, MASK, NONCE_AREA, SCRATCH, SCRATCH_BYTES,
  SLOT_KEYS, SLOT_TABLES, STATE_BYTES, SUMS, ZEROS,
} from './layout'

/** The counter of the first message block: 0 is not used, 1 is the pre-counter block (SP 800-38D §7.1). */
export const FIRST_COUNTER: u32 = 2
/** Bytes of message that the batch with the pre-counter block covers: short messages need no other. */
const FIRST_BYTES: i32 = 6 * 16
/** Encryption and authentication take turns in steps that stay in the first-level cache. */
const STEP_BYTES: i32 = 4096

/** Adds to 128 bytes at `input` the key stream of the counters `counter`..`counter` + 7. */
@inline
function addBatch(slot: usize, counter: u32, input: usize, out: usize): void {
  counterBlocks(slot + SLOT_KEYS, load<i32>(slot), v128.load(BLOCK), counter, input, out)
}

/** Adds to the data at `at` what `addBatch` left at `stream`, in whole blocks. */
@inline
function addKeyStream(at: usize, stream: usize, bytes: i32): void {
  for (const end = at + bytes; at < end; at += 16) {
    v128.store(at, v128.xor(v128.load(at), v128.load(stream)))
    stream += 16
  }
}

/** Takes the nonce, makes the key stream of the first eight counters and keeps the mask of the tag. */
export function startMessage(slot: usize): void {
  v128.store(BLOCK, v128.load(NONCE_AREA))
  v128.store(HASH, i64x2.splat(0))
  addBatch(slot, 0, ZEROS, KEY_STREAM)
  v128.store(MASK, v128.load(KEY_STREAM, 16))
}

/** Encrypts or decrypts `bytes` bytes at `at`, whose first block has the counter `counter`, in whole blocks. */
export function crypt(slot: usize, at: usize, bytes: i32, counter: u32): void {
  while (bytes > 0) {
    const skip = counter & 7
    let count = 128 - 16 * skip
    if (count > bytes || skip) {
      count = min(count, bytes)
      addBatch(slot, counter - skip, ZEROS, KEY_STREAM)
      addKeyStream(at, KEY_STREAM + 16 * skip, count)
    } else {
      addBatch(slot, counter, at, at)
    }
    counter += 8 - skip
    at += count
    bytes -= count
  }
}

/** Encrypts or decrypts a message at DATA, right after `startMessage`, up to at most `limit` bytes; returns how many. */
function cryptStart(slot: usize, bytes: i32, limit: i32): i32 {
  const first = min(bytes, FIRST_BYTES)
  addKeyStream(DATA_AREA, KEY_STREAM + 32, first)
  const count = min(bytes, limit)
  crypt(slot, DATA_AREA + first, count - first, FIRST_COUNTER + (FIRST_BYTES >> 4))
  return count
}

/** Zeroes the bytes behind `bytes` bytes at `at`, at least to the next multiple of 16. */
@inline
export function pad(at: usize, bytes: i32): void {
  v128.store(at + bytes, i64x2.splat(0))
}

/** Adds whole blocks to the hash. */
export function hash(slot: usize, at: usize, bytes: i32): void {
  ghash(slot + SLOT_TABLES, HASH, at, (bytes + 15) >> 4, SUMS)
}

/** Stores the block of lengths in bits (SP 800-38D §7.1, step 5). */
export function storeLengths(at: usize, aadBytes: u64, bytes: u64): void {
  store<u64>(at, bswap(aadBytes << 3))
  store<u64>(at, bswap(bytes << 3), 8)
}

/** The tag: the hash under the mask. */
@inline
export function tag(): v128 {
  return v128.xor(v128.load(HASH), v128.load(MASK))
}

/** Zeroes everything that belongs to one call. */
export function wipeScratch(): void {
  wipe(SCRATCH, SCRATCH_BYTES)
}

/** Zeroes everything that belongs to one call or one message. */
export function wipeMessage(): void {
  wipe(SCRATCH, SCRATCH_BYTES + STATE_BYTES)
}

/** Hashes the additional data and zeroes it. */
export function hashAad(slot: usize, bytes: i32): void {
  if (!bytes) return
  pad(AAD_AREA, bytes)
  hash(slot, AAD_AREA, bytes)
  wipe(AAD_AREA, bytes)
}

/**
 * Encrypts and hashes `bytes` bytes at DATA, step by step from `done`, the first with the counter
 * `counter`; a step ends where a batch of counters ends. Returns from where on they are not hashed.
 */
export function sealSteps(slot: usize, bytes: i32, done: i32, counter: u32): i32 {
  let hashed = 0
  while (done < bytes) {
    hash(slot, DATA_AREA + hashed, done - hashed)
    hashed = done
    const next = counter + (done >> 4)
    const step = min<i32>(bytes - done, STEP_BYTES - 16 * (next & 7))
    crypt(slot, DATA_AREA + done, step, next)
    done += step
  }
  return hashed
}

/** Hashes the end of a message, from `from` on, with the lengths behind it. */
function hashEnd(slot: usize, from: i32, aadBytes: i32, bytes: i32): void {
  const padded = (bytes + 15) & ~15
  pad(DATA_AREA, bytes)
  storeLengths(DATA_AREA + padded, aadBytes, bytes)
  hash(slot, DATA_AREA + from, padded - from + 16)
  pad(DATA_AREA, padded)
}

/** Encrypts `bytes` bytes at DATA in place and writes the tag behind them (SP 800-38D §7.1). */
export function seal(slot: i32, aadBytes: i32, bytes: i32): void {
  const key = slotAt(slot)
  startMessage(key)
  hashAad(key, aadBytes)
  const done = cryptStart(key, bytes, FIRST_BYTES + STEP_BYTES)
  hashEnd(key, sealSteps(key, bytes, done, FIRST_COUNTER), aadBytes, bytes)
  v128.store(DATA_AREA + bytes, tag())
  wipeMessage()
}

/**
 * Verifies the tag behind the `bytes` bytes at DATA, then decrypts them in place (SP 800-38D
 * §7.2, with the tag compared before decryption so that a forgery is never decrypted).
 * @returns 1, or 0 if the tag does not match and nothing was decrypted.
 */
export function open(slot: i32, aadBytes: i32, bytes: i32): i32 {
  const key = slotAt(slot)
  const given = v128.load(DATA_AREA + bytes)
  startMessage(key)
  hashAad(key, aadBytes)
  hashEnd(key, 0, aadBytes, bytes)
  const valid = !v128.any_true(v128.xor(given, tag()))
  if (valid) {
    cryptStart(key, bytes, bytes)
    pad(DATA_AREA, bytes)
  }
  wipeMessage()
  return valid
}

/** Zeroes the front and `bytes` bytes at DATA: what a call left there, once it is copied out. */
export function wipeData(bytes: i32): void {
  wipe(DATA_AREA - FRONT, FRONT + bytes)
}
