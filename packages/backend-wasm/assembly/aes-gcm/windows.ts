import { slotAt } from './keys'
import { DATA_AREA, HASH, LENGTHS } from './layout'
import {
  FIRST_COUNTER, crypt, hash, hashAad, pad, sealSteps, startMessage, storeLengths, tag, wipeMessage, wipeScratch,
} from './message'

// One message at a time. These are public; what is secret lies in the message state in memory.
let key: usize = 0
let aadTotal: u64 = 0
let total: u64 = 0
let counter: u32 = 0

/** Starts a message with the nonce staged at NONCE. */
export function begin(slot: i32): void {
  key = slotAt(slot)
  aadTotal = 0
  total = 0
  counter = FIRST_COUNTER
  startMessage(key)
  wipeScratch()
}

/** Authenticates `bytes` bytes at AAD: a multiple of 16 in every call but the last. */
export function aadUpdate(bytes: i32): void {
  hashAad(key, bytes)
  aadTotal += bytes
  wipeScratch()
}

/** Encrypts and authenticates `bytes` bytes at DATA in place: WINDOW_BYTES in every call but the last. */
export function sealUpdate(bytes: i32): void {
  const hashed = sealSteps(key, bytes, 0, counter)
  pad(DATA_AREA, bytes)
  hash(key, DATA_AREA + hashed, bytes - hashed)
  counter += (bytes + 15) >> 4
  total += bytes
  wipeScratch()
}

/** Authenticates `bytes` bytes of ciphertext at DATA: WINDOW_BYTES in every call but the last. */
export function authUpdate(bytes: i32): void {
  pad(DATA_AREA, bytes)
  hash(key, DATA_AREA, bytes)
  total += bytes
  wipeScratch()
}

/** Completes the tag (SP 800-38D §7.1, steps 5 and 6). */
function authEnd(): void {
  storeLengths(LENGTHS, aadTotal, total)
  hash(key, LENGTHS, 16)
  v128.store(HASH, tag())
  wipeScratch()
}

/** Compares the tag given at DATA with that of the message; 1 if they are equal. */
export function verify(): i32 {
  authEnd()
  return !v128.any_true(v128.xor(v128.load(HASH), v128.load(DATA_AREA)))
}

/** Writes the tag to DATA and ends the message. */
export function finish(): void {
  authEnd()
  v128.store(DATA_AREA, v128.load(HASH))
  end()
}

/** Starts decryption of a message whose tag `verify` accepted. */
export function decryptBegin(): void {
  counter = FIRST_COUNTER
}

/** Decrypts `bytes` bytes at DATA in place: WINDOW_BYTES in every call but the last. */
export function decryptUpdate(bytes: i32): void {
  crypt(key, DATA_AREA, bytes, counter)
  pad(DATA_AREA, bytes)
  counter += (bytes + 15) >> 4
  wipeScratch()
}

/** Zeroes all that belongs to the message, at any point of it. */
export function end(): void {
  wipeMessage()
  key = 0
  aadTotal = 0
  total = 0
  counter = 0
}
