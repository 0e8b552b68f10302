/**
 * Limits for a target that covers a whole fleet of keys, after draft-irtf-cfrg-aead-limits-11. Same conventions as
 * the single-key formulas: p = 2^-e, `blocks` per message, exact integers rounded down.
 */
import { isqrt, pow2, rootOfPow2, smaller } from './formulas.ts'

/** Below this, the most used key has not "much more than 100 blocks" and the small-B correction applies. */
const MANY_BLOCKS = 10_000n

function gcmPerKeyBlocks(blocksPerKey: bigint, keyBits: 128 | 256): bigint {
  if (blocksPerKey >= MANY_BLOCKS) return blocksPerKey
  return blocksPerKey + (keyBits === 128 ? 161n : 97n)
}

/**
 * AES-GCM with nonce randomisation (a secret offset XORed into the nonce, as TLS 1.3 and QUIC do): largest q + v
 * over all keys, from (q + v)LB / 2^127 <= p.
 * @param blocks - length of the longest message, at least 1.
 * @param blocksPerKey - B, the most blocks encrypted under any one key; 161 (AES-128) or 97 (AES-256) is added when
 *   it is below 10 000.
 * @param keyBits - for 128 the bound holds while the attacker's offline work stays below 2^70.
 */
export function gcmRandomisedMultiKey(
  e: number,
  blocks: bigint,
  blocksPerKey: bigint,
  keyBits: 128 | 256,
): bigint {
  return pow2(127 - e) / (blocks * gcmPerKeyBlocks(blocksPerKey, keyBits))
}

/**
 * AES-128-GCM with partly implicit random nonces (as TLS 1.2): largest q + v over all keys, when the attacker's
 * offline work is at most q + v. The explicit part must not repeat.
 */
export function gcm128ImplicitMultiKey(e: number, blocks: bigint, blocksPerKey: bigint): bigint {
  const byWork = rootOfPow2(152 - e)
  const byData = pow2(126 - e) / (blocks * gcmPerKeyBlocks(blocksPerKey, 128))
  return smaller(byWork, byData)
}

/** AES-256-GCM with partly implicit random nonces: as with nonce randomisation. */
export function gcm256ImplicitMultiKey(e: number, blocks: bigint, blocksPerKey: bigint): bigint {
  return gcmRandomisedMultiKey(e, blocks, blocksPerKey, 256)
}

/** ChaCha20-Poly1305 with nonce randomisation: largest number of failed decryptions, counted over all keys. */
export function chachaMultiKeyFailures(e: number, blocks: bigint): bigint {
  return pow2(103 - e) / (blocks + 1n)
}

/**
 * ChaCha20-Poly1305 with nonce randomisation: largest number of messages over all keys.
 * @param offlineWork - o, the attacker's offline work in block operations.
 */
export function chachaMultiKeyMessages(e: number, offlineWork: bigint): bigint {
  const byWork = pow2(247 - e) - offlineWork
  const cap = pow2(100)
  if (byWork < 0n) return 0n
  return smaller(byWork, cap)
}

/**
 * AES-128-CCM with nonce randomisation: largest q + v over all keys.
 * @param blocksPerKey - C, the most blocks encrypted and decrypted under any one key.
 */
export function ccmMultiKeyMessagesAndFailures(e: number, blocks: bigint, blocksPerKey: bigint): bigint {
  return pow2(127 - e) / (blocks * blocksPerKey)
}

/** AES-128-CCM with nonce randomisation: largest number of failed decryptions for a tag of 128 or 64 bits. */
export function ccmMultiKeyFailures(e: number, tagBits: 64 | 128): bigint {
  return pow2(tagBits - 1 - e)
}

/**
 * Any algorithm without a published multi-key bound: the exponent one key must meet so that the single-key bound
 * times the number of keys stays within 2^-e. The number of keys is rounded up to a power of two.
 */
export function perKeyExponent(e: number, keys: bigint): number {
  return keys <= 1n ? e : e + (keys - 1n).toString(2).length
}

/** AES-GCM by the generic bound: messages of this length per key so that `keys` keys together meet 2^-e; exact. */
export function gcmGenericMultiKey(e: number, blocks: bigint, keys: bigint): bigint {
  const root = isqrt(pow2(129 - e) / keys)
  return root > 0n ? (root - 1n) / (blocks + 1n) : 0n
}
