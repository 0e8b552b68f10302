/** Numbers that documents publish as they stand. They hold at the advantage written beside them, no stricter. */

/** A published pair: so many messages, each no longer than `messageBytes`. */
export interface PublishedRow {
  readonly messages: bigint
  /** Longest message in bytes. */
  readonly messageBytes: bigint
}

/** AES-GCM-SIV, how the nonces of a key repeat. */
export type GcmSivRegime = 'repeats-256' | 'random' | 'repeats-1024'

/** AES-GCM-SIV, advantage 2^-32, AAD under 64 bytes; RFC 8452 §9. Rows from the longest message to the shortest. */
export const GCM_SIV_ROWS: Readonly<Record<GcmSivRegime, readonly PublishedRow[]>> = {
  'repeats-256': [
    { messages: 536_870_912n, messageBytes: 1_073_741_824n },
    { messages: 34_359_738_368n, messageBytes: 134_217_728n },
    { messages: 562_949_953_421_312n, messageBytes: 1_048_576n },
    { messages: 2_305_843_009_213_693_952n, messageBytes: 16_384n },
  ],
  random: [
    { messages: 4_294_967_296n, messageBytes: 8_589_934_592n },
    { messages: 281_474_976_710_656n, messageBytes: 33_554_432n },
    { messages: 18_446_744_073_709_551_616n, messageBytes: 131_072n },
  ],
  'repeats-1024': [
    { messages: 33_554_432n, messageBytes: 1_073_741_824n },
    { messages: 2_147_483_648n, messageBytes: 134_217_728n },
    { messages: 35_184_372_088_832n, messageBytes: 1_048_576n },
    { messages: 144_115_188_075_855_872n, messageBytes: 16_384n },
  ],
}

/** log2 of the advantage of {@link GCM_SIV_ROWS}. */
export const GCM_SIV_PROVEN_AT = -32

/** AAD from this length on is outside the published rows. */
export const GCM_SIV_AAD_BYTES = 64n

/**
 * AES-GCM-SIV: messages of this length by the published rows. Longer than the longest row: an estimate, continuing
 * the rows, along which messages times length squared is constant.
 */
export function gcmSivMessages(
  regime: GcmSivRegime,
  bytes: bigint,
): { messages: bigint; published: boolean } {
  const rows = GCM_SIV_ROWS[regime]
  let best: PublishedRow | undefined
  for (const row of rows) if (bytes <= row.messageBytes) best = row
  if (best) return { messages: best.messages, published: true }
  const longest = rows[0]!
  const area = longest.messages * longest.messageBytes * longest.messageBytes
  return { messages: area / (bytes * bytes), published: false }
}

/** Random 96-bit GCM nonces under FIPS: 2^32 invocations over all who hold the key; NIST SP 800-38D §8.3. */
export const FIPS_RANDOM_NONCE_MESSAGES = 4_294_967_296n

/** 24-byte random nonces of XChaCha20-Poly1305 and XAES-256-GCM: 2^80 messages at 2^-32. */
export const EXTENDED_NONCE_MESSAGES = 1_208_925_819_614_629_174_706_176n

/** AEGIS with 16-byte random nonces: 2^48 messages at about 2^-33. */
export const AEGIS_128_NONCE_MESSAGES = 281_474_976_710_656n

/** Ascon-AEAD128: 2^54 bytes per key, encrypted and decrypted, nonces included; SP 800-232 §4.2. */
export const ASCON_BYTES = 18_014_398_509_481_984n

/** Ascon-AEAD128 with a 16-byte tag: 2^96 failed decryptions per key; SP 800-232 §4.2. */
export const ASCON_FAILURES = 79_228_162_514_264_337_593_543_950_336n

/** AES-CCM: 2^61 calls of the block cipher per key; NIST SP 800-38C. */
export const CCM_CALLS = 2_305_843_009_213_693_952n

/** AES-SIV: 2^48 messages per key; RFC 5297. */
export const SIV_MESSAGES = 281_474_976_710_656n

/** AES-OCB: 2^48 blocks per key; RFC 7253. */
export const OCB_BLOCKS = 281_474_976_710_656n
