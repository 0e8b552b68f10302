// Limbs of Poly1305: bits 0-31, 32-63, 64-95 and 96-129.
@inline export const LOW_32: u64 = 0xffff_ffff
@inline export const LOW_34: u64 = 0x3_ffff_ffff
/** RFC 8439 §2.5.1: the bit set above each full block, 2^128, seen from the top limb. */
@inline export const BLOCK_BIT: u64 = 0x1_0000_0000
