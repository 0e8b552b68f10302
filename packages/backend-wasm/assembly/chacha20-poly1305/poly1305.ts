import { loadPart } from './bytes'
import { POLY, POLY_PAD } from './layout'
import { LOW_32, LOW_34 } from './limbs'
import { absorb } from './rounds.generated'

/** RFC 8439 §2.5: takes the 32-byte one-time key at `key`: clamps r, keeps the final addend. */
@inline export function startTag(key: usize): void {
  v128.store(POLY, i64x2.splat(0))
  v128.store(POLY, i64x2.splat(0), 16)
  const r0: u64 = load<u32>(key) & 0x0fff_ffff
  store<u64>(POLY, r0, 32)
  for (let at: usize = 4; at < 16; at += 4) {
    const r: u64 = load<u32>(key + at) & 0x0fff_fffc
    store<u64>(POLY + 2 * at, r, 32)
    // 2^130 = 5 mod 2^130 - 5, hence 2^128 r = 5/4 r; clamping made r a multiple of 4.
    store<u64>(POLY + 2 * at, r + (r >> 2), 56)
  }
  v128.store(POLY, v128.load(key, 16), POLY_PAD)
}

/** RFC 8439 §2.8: absorbs `count` bytes, zero-padded to a whole block. */
export function absorbPadded(from: usize, count: usize): void {
  if (!count) return
  const blocks = (count - 1) >> 4
  const last = loadPart(from + (blocks << 4), count - (blocks << 4))
  absorb(from, blocks, i64x2.extract_lane(last, 0), i64x2.extract_lane(last, 1))
}

/** The end of the message, then the block with both lengths (RFC 8439 §2.8); makes the tag. */
export function absorbEnd(from: usize, count: usize, aadBytes: u64, messageBytes: u64): void {
  if (count & 15) {
    absorbPadded(from, count)
    count = 0
  }
  absorb(from, count >> 4, aadBytes, messageBytes)
  finishTag()
}

/** RFC 8439 §2.5.1, end: h mod 2^130 - 5, plus the second half of the key; the tag is left at POLY. */
@inline function finishTag(): void {
  let h0 = load<u64>(POLY)
  let h1 = load<u64>(POLY, 8)
  let h2 = load<u64>(POLY, 16)
  let h3 = load<u64>(POLY, 24)
  // Only h0 can be too long, by two bits. If its carry runs through to bit 130, the limbs above are
  // all zero then, and the last carry ends in h1.
  h1 += h0 >> 32
  h2 += h1 >> 32
  h3 += h2 >> 32
  h0 = (h0 & LOW_32) + 5 * (h3 >> 34)
  h1 = (h1 & LOW_32) + (h0 >> 32)
  h0 &= LOW_32
  h2 &= LOW_32
  h3 &= LOW_34
  // g = h + 5 reaches 2^130 exactly if h >= p; then g without that bit is h - p.
  const g0 = h0 + 5
  const g1 = h1 + (g0 >> 32)
  const g2 = h2 + (g1 >> 32)
  const g3 = h3 + (g2 >> 32)
  const reduced: u64 = 0 - (g3 >> 34)
  const hLow = h0 | (h1 << 32)
  const hHigh = h2 | (h3 << 32)
  const gLow = (g0 & LOW_32) | (g1 << 32)
  const gHigh = (g2 & LOW_32) | (g3 << 32)
  const padLow = load<u64>(POLY, POLY_PAD)
  const low = (hLow ^ (reduced & (hLow ^ gLow))) + padLow
  const high = (hHigh ^ (reduced & (hHigh ^ gHigh))) + load<u64>(POLY, POLY_PAD + 8) + u64(low < padLow)
  store<u64>(POLY, low)
  store<u64>(POLY, high, 8)
}
