/** Entry of the tests of the shared parts: AES in blocks, and the hashes of GCM and GCM-SIV. */
import { counterBlocks } from '../aes/counter'
import { encryptBlocks } from '../aes/planes'
import { SCHEDULE_BYTES, expandKey } from '../aes/schedule'
import { ghash, polyval } from '../ghash/hash'
import { expandHashKey, expandPolyvalKey } from '../ghash/tables'

const SCRATCH: i32 = 2048
const TABLES: i32 = 4096
const KEYS: i32 = 8192
export const OUT: i32 = KEYS + SCHEDULE_BYTES
export const IN: i32 = OUT + 128

let rounds: i32 = 0

/** Expands the key at IN. */
export function setKey(keyBytes: i32): void {
  rounds = expandKey(KEYS, IN, keyBytes, SCRATCH)
}

/** Encrypts the eight blocks at IN to OUT. */
export function encrypt(): void {
  encryptBlocks(KEYS, rounds, IN, OUT, SCRATCH)
}

/** Key stream of eight counters from `counter`, a multiple of 8, on, with the nonce at IN, to OUT. */
export function counters(counter: u32): void {
  memory.fill(SCRATCH, 0, 128)
  counterBlocks(KEYS, rounds, v128.load(IN), counter, SCRATCH, OUT)
}

/** Takes the GHASH or POLYVAL key at IN. */
export function setHashKey(reversed: bool): void {
  v128.store(SCRATCH, v128.load(IN))
  if (reversed) expandPolyvalKey(TABLES, SCRATCH, SCRATCH + 256)
  else expandHashKey(TABLES, SCRATCH, SCRATCH + 256)
}

/** GHASH or POLYVAL of `count` blocks at IN, to OUT. */
export function hash(reversed: bool, count: i32): void {
  v128.store(OUT, i64x2.splat(0))
  if (reversed) polyval(TABLES, OUT, IN, count, SCRATCH)
  else ghash(TABLES, OUT, IN, count, SCRATCH)
}
