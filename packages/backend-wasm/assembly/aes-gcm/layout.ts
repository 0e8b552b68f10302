import { SCHEDULE_BYTES, SCHEDULE_SCRATCH_BYTES } from '../aes/schedule'
import { SUMS_BYTES, TABLES_BYTES } from '../ghash/hash'
import { TABLES_SCRATCH_BYTES } from '../ghash/tables'

// Everything lies at a fixed address. The compiler puts constant data at 1024 (--memoryBase) and
// takes addresses below that for unused when it optimises, so neither may be ours.
const BASE: i32 = 1536

/** Never written. */
export const ZEROS: i32 = BASE

// Scratch of one call, wiped before each export returns.
export const KEY_STREAM: i32 = ZEROS + 128
export const SUMS: i32 = KEY_STREAM + 128
export const NONCE_AREA: i32 = SUMS + SUMS_BYTES
export const SCRATCH: i32 = KEY_STREAM
export const SCRATCH_BYTES: i32 = NONCE_AREA + 16 - SCRATCH

// State of one message, wiped when it ends.
/** Nonce, then four bytes for the counter. */
export const BLOCK: i32 = SCRATCH + SCRATCH_BYTES
/** GHASH value, in the end the tag. */
export const HASH: i32 = BLOCK + 16
/** The encrypted pre-counter block, which the tag is masked with (SP 800-38D §7.1, step 6). */
export const MASK: i32 = HASH + 16
/** Lengths of the additional data and of the message in bits. */
export const LENGTHS: i32 = MASK + 16
export const STATE: i32 = BLOCK
export const STATE_BYTES: i32 = 64

// Scratch of key set-up, wiped before it returns.
export const KEY_AREA: i32 = STATE + STATE_BYTES
export const SCHEDULE_SCRATCH: i32 = KEY_AREA + 32
export const TABLES_SCRATCH: i32 = SCHEDULE_SCRATCH + SCHEDULE_SCRATCH_BYTES
export const SETUP: i32 = KEY_AREA
export const SETUP_BYTES: i32 = TABLES_SCRATCH + TABLES_SCRATCH_BYTES - SETUP

/** Room behind each window for padding, the tag and the block of lengths; a cache line. */
const SLACK: i32 = 64
export const AAD_AREA: i32 = (SETUP + SETUP_BYTES + 63) & ~63
export const AAD_CAPACITY: i32 = 4096
/** Room in front of the window for what stands before the ciphertext in a caller's layout. */
export const FRONT: i32 = 64
export const DATA_AREA: i32 = AAD_AREA + AAD_CAPACITY + SLACK + FRONT
export const WINDOW: i32 = 65536

export const FIRST_SLOT: i32 = DATA_AREA + WINDOW + SLACK
/** A slot: the number of rounds, the round keys, the tables of the hash key. */
export const SLOT_KEYS: i32 = 16
export const SLOT_TABLES: i32 = SLOT_KEYS + SCHEDULE_BYTES
export const SLOT_BYTES: i32 = SLOT_TABLES + TABLES_BYTES
export const SLOT_COUNT: i32 = 64
