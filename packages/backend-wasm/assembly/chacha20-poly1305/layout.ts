// Where everything lies in the fixed memory of three pages (192 KiB). The compiler puts static data
// below 2048: at 1024 when it optimizes, lower when it does not.

/** Byte moves that rotate each 32-bit lane left by 16 and by 8. */
export const MASKS: usize = memory.data<u8>([
  2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13,
  3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14,
], 16)

/** Static data ends before here. */
@inline export const CONSTANTS_END: usize = 2048

// Staging areas, written by the caller; so is NONCE_AT.
@inline export const KEY_AT: usize = 2304
@inline export const AAD_AT: usize = 3072
@inline export const AAD_CAPACITY: usize = 4096

@inline export const SLOTS_AT: usize = 8128
@inline export const SLOT_COUNT: usize = 1024

/** Room in front of the window for what stands before the ciphertext in a caller's layout. */
@inline export const FRONT: usize = 64
/** One window of message, the tag behind it, and slack for whole 16-byte accesses. */
@inline export const DATA_AT: usize = 40960
@inline export const WINDOW: usize = 65536

// State of one message, wiped as one piece, and block 0 of the keystream behind it along with it.
/** RFC 8439 §2.3: the sixteen words of the next block; word 12 counts blocks. */
@inline export const STATE: usize = 106784
/** Four limbs h, four limbs r, three limbs s at 64, the 16 bytes added last at 96. */
@inline export const POLY: usize = STATE + 64
@inline export const POLY_PAD: usize = 96
/** Bytes of additional data and of message so far, 64-bit counts as RFC 8439 §2.8 wants them. */
@inline export const TOTALS: usize = STATE + 176
@inline export const NONCE_AT: usize = STATE + 192
@inline export const MESSAGE_END: usize = STATE + 224

/**
 * Keystream not used in place. All zero between two calls, so that mixing into it yields keystream.
 * Four blocks for the start of a message, then a window rounded up to steps of four blocks.
 */
@inline export const STREAM: usize = MESSAGE_END
@inline export const STREAM_REST: usize = STREAM + 256
