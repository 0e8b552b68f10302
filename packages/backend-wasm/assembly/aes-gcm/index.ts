/** AES-128-GCM and AES-256-GCM with 12-byte nonces and 16-byte tags (NIST SP 800-38D). */
import {
  AAD_AREA, AAD_CAPACITY, DATA_AREA, FIRST_SLOT, FRONT, KEY_AREA, NONCE_AREA, SLOT_BYTES, SLOT_COUNT, WINDOW, ZEROS,
} from './layout'

export { setKey, wipeSlot } from './keys'
export { seal, open, wipeData } from './message'
export {
  begin, aadUpdate, sealUpdate, authUpdate, verify, finish, decryptBegin, decryptUpdate, end,
} from './windows'

/** Where the key is staged for `setKey`. */
export const KEY: i32 = KEY_AREA
/** Where the 12-byte nonce of a message is staged. */
export const NONCE: i32 = NONCE_AREA
/** Where additional data is staged. */
export const AAD: i32 = AAD_AREA
export const AAD_BYTES: i32 = AAD_CAPACITY
/** The window in which messages are sealed and opened in place. */
export const DATA: i32 = DATA_AREA
/** Room in front of the window. */
export const FRONT_BYTES: i32 = FRONT
export const WINDOW_BYTES: i32 = WINDOW
export const SLOTS: i32 = SLOT_COUNT
/** Constant data ends before here, and slots lie from here to there: the rest is wiped after a call cut short. */
export const STATIC_END: i32 = ZEROS
export const SLOTS_START: i32 = FIRST_SLOT
export const SLOTS_END: i32 = FIRST_SLOT + SLOT_COUNT * SLOT_BYTES
