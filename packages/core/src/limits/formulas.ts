/**
 * The formulas of the usage limits, in exact integers, rounded down. `e` is the negative exponent of the target
 * advantage (p = 2^-e), `blocks` the length of one message in 16-byte blocks, plaintext and AAD each rounded up.
 *
 * They follow draft-irtf-cfrg-aead-limits-11 (December 2025); revisions -12 and -13 exist.
 */

/** Largest integer whose square is at most `n`; `n` is not negative. */
export function isqrt(n: bigint): bigint {
  if (n < 2n) return n
  // A start above the root makes Newton's iteration fall monotonically to its floor.
  let root = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + n / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** The smaller of two counts. */
export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** floor(2^k); 0 when `k` is negative. */
export function pow2(k: number): bigint {
  return k < 0 ? 0n : 1n << BigInt(k)
}

/** floor(2^(k/2)): exact also for odd `k`, where the root is irrational. 0 when `k` is negative. */
export function rootOfPow2(k: number): bigint {
  return k % 2 === 0 ? pow2(k / 2) : isqrt(pow2(k))
}

/** Number of blocks that hold `bytes`; a partial block counts as a full one. */
export function blocksOf(bytes: bigint, blockBytes = 16n): bigint {
  return (bytes + blockBytes - 1n) / blockBytes
}

/** Length of one message in blocks: plaintext and AAD are rounded up separately. */
export function messageBlocks(plaintextBytes: bigint, aadBytes: bigint, blockBytes = 16n): bigint {
  return blocksOf(plaintextBytes, blockBytes) + blocksOf(aadBytes, blockBytes)
}

/** AES-GCM, one key: largest sum of (blocks + 1) over all messages, from (s + q + 1)^2 / 2^129 <= p. */
export function gcmBlocks(e: number): bigint {
  const root = rootOfPow2(129 - e)
  return root > 0n ? root - 1n : 0n
}

/** AES-GCM, one key: largest number of messages of this length. The key size does not matter. */
export function gcmMessages(e: number, blocks: bigint): bigint {
  return gcmBlocks(e) / (blocks + 1n)
}

/** Most failed decryptions AES-GCM takes under one key, whatever their length. */
export const GCM_MAX_FAILURES = 18_446_744_073_709_551_616n

/** AES-GCM, one key: largest sum of (blocks + 1) over failed decryptions, from 2v(L + 1) / 2^128 <= p. */
export function gcmFailureBlocks(e: number): bigint {
  return pow2(127 - e)
}

/** AES-GCM, one key: largest number of failed decryptions of this length, at most 2^64. */
export function gcmFailures(e: number, blocks: bigint): bigint {
  return smaller(gcmFailureBlocks(e) / (blocks + 1n), GCM_MAX_FAILURES)
}

/** ChaCha20-Poly1305: largest sum of (blocks + 1) over failed decryptions, from v(L' + 1) / 2^103 <= p. */
export function chachaFailureBlocks(e: number): bigint {
  return pow2(103 - e)
}

/** ChaCha20-Poly1305, one key: largest number of failed decryptions of this length. */
export function chachaFailures(e: number, blocks: bigint): bigint {
  return chachaFailureBlocks(e) / (blocks + 1n)
}

/** AES-CCM, one key: largest sum of blocks over messages and failed decryptions, from (2L(v + q))^2 / 2^128 <= p. */
export function ccmBlocks(e: number): bigint {
  return rootOfPow2(126 - e)
}

/** AES-CCM, one key, 16-byte tag: largest q + v at this length. An empty message counts as one block. */
export function ccmMessagesAndFailures(e: number, blocks: bigint): bigint {
  return ccmBlocks(e) / (blocks > 0n ? blocks : 1n)
}

/** AES-CCM with an 8-byte tag: largest number of failed decryptions, from v / 2^64 <= p / 2. */
export function ccm8Failures(e: number): bigint {
  return pow2(63 - e)
}

/** AES-CCM with an 8-byte tag: largest q + v at this length, from (2L(v + q))^2 / 2^128 <= p / 2. */
export function ccm8MessagesAndFailures(e: number, blocks: bigint): bigint {
  return ccmMessagesAndFailures(e + 1, blocks)
}

/** Random nonces: largest number of messages for which q^2 / 2^(bits + 1) <= p. */
export function randomNonceMessages(bits: number, e: number): bigint {
  return rootOfPow2(bits + 1 - e)
}

/** XAES-256-GCM: largest number of distinct 12-byte nonce prefixes, from (2n)^2 / 2^129 <= p. */
export function xaesPrefixes(e: number): bigint {
  return rootOfPow2(127 - e)
}

/**
 * XAES-256-GCM: largest number of messages of this length when each has its own derived key, from the single-key
 * bound of GCM for one message times the number of keys: n(L + 2)^2 / 2^129 <= p.
 */
export function xaesMessages(e: number, blocks: bigint): bigint {
  return pow2(129 - e) / ((blocks + 2n) * (blocks + 2n))
}

/** 128-bit block cipher in MGM: birthday estimate of the largest number of blocks, sigma^2 / 2^129 <= p. */
export function mgm128Blocks(e: number): bigint {
  return rootOfPow2(129 - e)
}

/** 64-bit block cipher in MGM: birthday estimate of the largest number of 8-byte blocks, sigma^2 / 2^65 <= p. */
export function mgm64Blocks(e: number): bigint {
  return rootOfPow2(65 - e)
}
