// AEAD_CHACHA20_POLY1305 (RFC 8439 §2.8) and its form with 24-byte nonces
// (draft-irtf-cfrg-xchacha-03 §2) over one fixed memory.
//
// Only lengths, slot numbers and the outcome of a tag comparison decide a branch, a loop bound or an
// address. The caller keeps lengths within AAD_BYTES and WINDOW_BYTES and slots below SLOTS.

import { take, wipe } from './bytes'
import {
  AAD_AT, AAD_CAPACITY, CONSTANTS_END, DATA_AT, FRONT, KEY_AT, MESSAGE_END, NONCE_AT, POLY,
  SLOTS_AT, SLOT_COUNT, STATE, STREAM, STREAM_REST, TOTALS, WINDOW,
} from './layout'
import { bulk, pair, subkey, triple } from './rounds.generated'
import { absorbEnd, absorbPadded, startTag } from './poly1305'

export const KEY: i32 = <i32>KEY_AT
export const NONCE: i32 = <i32>NONCE_AT
export const AAD: i32 = <i32>AAD_AT
export const AAD_BYTES: i32 = <i32>AAD_CAPACITY
export const DATA: i32 = <i32>DATA_AT
export const FRONT_BYTES: i32 = <i32>FRONT
export const WINDOW_BYTES: i32 = <i32>WINDOW
export const SLOTS: i32 = <i32>SLOT_COUNT
export const STATIC_END: i32 = <i32>CONSTANTS_END
export const SLOTS_START: i32 = <i32>SLOTS_AT
export const SLOTS_END: i32 = <i32>(SLOTS_AT + 32 * SLOT_COUNT)

// ---- Keys ---------------------------------------------------------------------------------------

/** Moves the staged key into a slot. `keyBytes` is 32: kernels of other algorithms know more lengths. */
export function setKey(slot: usize, keyBytes: i32): void {
  const at = SLOTS_AT + slot * 32
  v128.store(at, v128.load(KEY_AT))
  v128.store(at, v128.load(KEY_AT, 16), 16)
  wipe(KEY_AT, KEY_AT + 32)
}

export function wipeSlot(slot: usize): void {
  const at = SLOTS_AT + slot * 32
  wipe(at, at + 32)
}

// ---- State of one message -----------------------------------------------------------------------

/** RFC 8439 §2.3: "expand 32-byte k" before the key words. */
@inline function setConstants(): void {
  v128.store(STATE, i32x4(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574))
}

@inline function setKeyWords(slot: usize): void {
  const key = SLOTS_AT + slot * 32
  setConstants()
  v128.store(STATE, v128.load(key), 16)
  v128.store(STATE, v128.load(key, 16), 32)
}

/** 12-byte nonce; the word before it gives way to block counter 0. */
function setState(slot: usize): void {
  setKeyWords(slot)
  v128.store(STATE, i32x4.replace_lane(v128.load(NONCE_AT - 4), 0, 0), 48)
}

/** draft-irtf-cfrg-xchacha-03 §2.3: subkey from 16 bytes of nonce, then 4 zero bytes and the rest. */
function setStateX(slot: usize): void {
  setKeyWords(slot)
  v128.store(STATE, v128.load(NONCE_AT), 48)
  subkey()
  setConstants()
  v128.store(STATE, i64x2.replace_lane(i64x2.splat(0), 1, load<u64>(NONCE_AT, 16)), 48)
}

/**
 * RFC 8439 §2.6: the Poly1305 key is block 0. The same call makes keystream of blocks 1 to 3 for
 * the message, at STREAM + 64; returns for how many bytes.
 */
function start(count: usize): usize {
  let ahead: usize = 64
  if (count <= 64) {
    pair(STREAM)
  } else if (count <= 128) {
    triple(STREAM)
    ahead = 128
  } else {
    bulk(STREAM, 1, 0, 0, 0)
    ahead = 192
  }
  startTag(STREAM)
  return ahead
}

/** Wipes state, nonce and block 0, and what is left of the keystream from `rest` to `end`. */
@inline function forget(rest: usize, end: usize): void {
  wipe(STATE, STREAM + 64)
  if (rest < end) wipe(rest, end)
}

/** Where keystream ends that `take` has used for `count` bytes of message. */
@inline function taken(count: usize): usize {
  return STREAM + 64 + ((count + 15) & ~15)
}

/**
 * Mixes keystream into DATA from `at` to `end`. Ciphertext from `from` on is authenticated on the
 * way, while it is in the nearest cache, as far as `grows` lets it: 256 when sealing, 0 for none.
 * Returns where authentication has come to.
 */
function crypt(at: usize, end: usize, from: usize, grows: usize): usize {
  const steps = (end - at) >> 8
  if (steps) {
    from = bulk(at, steps, from, grows ? at : from, grows)
    at += steps << 8
  }
  if (at < end) {
    from = bulk(STREAM_REST, 1, from, grows ? at : from, 0)
    take(at, STREAM_REST, end - at)
    wipe(STREAM_REST, STREAM_REST + 256)
  }
  return from
}

// ---- Messages of one window ---------------------------------------------------------------------

function sealWindow(aadBytes: usize, count: usize): void {
  const end = DATA_AT + count
  const ahead = start(count)
  absorbPadded(AAD_AT, aadBytes)
  let from = DATA_AT
  if (count <= ahead) {
    take(DATA_AT, STREAM + 64, count)
  } else {
    take(DATA_AT, STREAM + 64, 192)
    from = crypt(DATA_AT + 192, end, from, 256)
  }
  absorbEnd(from, end - from, aadBytes, count)
  writeTag(end)
  forget(taken(min(count, ahead)), STREAM + 64 + ahead)
}

function openWindow(aadBytes: usize, count: usize): i32 {
  const end = DATA_AT + count
  const ahead = start(count)
  let stream = STREAM + 64 + ahead
  let rest = STREAM + 64
  absorbPadded(AAD_AT, aadBytes)
  let from = DATA_AT
  if (count > ahead) {
    // Keystream only: nothing is decrypted before the tag is known to be right.
    const steps = (count - 192 + 255) >> 8
    from = bulk(STREAM_REST, steps, from, end, 0)
    stream += steps << 8
  }
  absorbEnd(from, end - from, aadBytes, count)
  const valid = matches(end)
  if (valid) {
    take(DATA_AT, STREAM + 64, count)
    rest = taken(count)
  }
  forget(rest, stream)
  return valid
}

/** Word by word, as the tag was stored: a wider load would have to wait for both stores. */
@inline function writeTag(to: usize): void {
  store<u64>(to, load<u64>(POLY))
  store<u64>(to, load<u64>(POLY, 8), 8)
}

/** Compares the tag at POLY with 16 given bytes; every bit of both is looked at. */
function matches(given: usize): i32 {
  const low = load<u64>(POLY) ^ load<u64>(given)
  const high = load<u64>(POLY, 8) ^ load<u64>(given, 8)
  return i32((low | high) == 0)
}

export function seal(slot: usize, aadBytes: usize, bytes: usize): void {
  setState(slot)
  sealWindow(aadBytes, bytes)
}

export function open(slot: usize, aadBytes: usize, bytes: usize): i32 {
  setState(slot)
  return openWindow(aadBytes, bytes)
}

export function sealX(slot: usize, aadBytes: usize, bytes: usize): void {
  setStateX(slot)
  sealWindow(aadBytes, bytes)
}

export function openX(slot: usize, aadBytes: usize, bytes: usize): i32 {
  setStateX(slot)
  return openWindow(aadBytes, bytes)
}

/** Wipes the front and `bytes` bytes of DATA: what a call left there, once it is copied out. */
export function wipeData(bytes: usize): void {
  wipe(DATA_AT - FRONT, DATA_AT + bytes)
}

// ---- Messages of several windows ----------------------------------------------------------------

function beginMessage(): void {
  start(0)
  wipe(STREAM, STREAM + 128)
  wipe(TOTALS, MESSAGE_END)
  decryptBegin()
}

export function begin(slot: usize): void {
  setState(slot)
  beginMessage()
}

export function beginX(slot: usize): void {
  setStateX(slot)
  beginMessage()
}

export function aadUpdate(bytes: usize): void {
  store<u64>(TOTALS, load<u64>(TOTALS) + bytes)
  absorbPadded(AAD_AT, bytes)
}

@inline function addToMessage(bytes: usize): void {
  store<u64>(TOTALS, load<u64>(TOTALS, 8) + bytes, 8)
}

export function sealUpdate(bytes: usize): void {
  addToMessage(bytes)
  const from = crypt(DATA_AT, DATA_AT + bytes, DATA_AT, 256)
  absorbPadded(from, DATA_AT + bytes - from)
}

export function authUpdate(bytes: usize): void {
  addToMessage(bytes)
  absorbPadded(DATA_AT, bytes)
}

@inline function finishMessage(): void {
  absorbEnd(0, 0, load<u64>(TOTALS), load<u64>(TOTALS, 8))
}

/** Writes the tag to DATA and wipes the message's state. */
export function finish(): void {
  finishMessage()
  writeTag(DATA_AT)
  wipe(STATE, MESSAGE_END)
}

/** Compares with the tag at DATA. Wipes the message's state if it differs, keeps the cipher if not. */
export function verify(): i32 {
  finishMessage()
  const valid = matches(DATA_AT)
  wipe(valid ? POLY : STATE, MESSAGE_END)
  return valid
}

/** RFC 8439 §2.8: the message begins at block 1. */
export function decryptBegin(): void {
  store<u32>(STATE, 1, 48)
}

export function decryptUpdate(bytes: usize): void {
  crypt(DATA_AT, DATA_AT + bytes, DATA_AT, 0)
}

/** Wipes the message's state, at any point of it. */
export function end(): void {
  wipe(STATE, MESSAGE_END)
}
