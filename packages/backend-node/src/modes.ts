import type { AesNeeds, AlgorithmId, AlgorithmParams } from '@aeadkit/core'
import type { WholeMode } from './whole.ts'

/** How one algorithm is made of what `node:crypto` has. */
export type NodeMode = readonly [
  /** Name of the cipher in OpenSSL; known only to this package. */
  name: string,
  /** `pieces`: any number of updates. `xchacha`, `xaes`: a derived key, then pieces. Else one update. */
  shape: 'pieces' | 'xchacha' | 'xaes' | WholeMode,
  /** What the native code is made of, which decides whether it is free of secret-dependent table look-ups. */
  needs: AesNeeds | 'none',
]

/** Every algorithm of this backend. Whether this Node has it is for the probe to say. */
export const MODES: Readonly<Partial<Record<AlgorithmId, NodeMode>>> = {
  'aes-128-gcm': ['aes-128-gcm', 'pieces', 'gcm'],
  'aes-256-gcm': ['aes-256-gcm', 'pieces', 'gcm'],
  'aes-128-ccm': ['aes-128-ccm', 'ccm', 'aes'],
  'aes-256-ccm': ['aes-256-ccm', 'ccm', 'aes'],
  'aes-128-ocb': ['aes-128-ocb', 'pieces', 'aes'],
  'aes-256-ocb': ['aes-256-ocb', 'pieces', 'aes'],
  'aes-128-gcm-siv': ['aes-128-gcm-siv', 'gcm-siv', 'aes+clmul'],
  'aes-256-gcm-siv': ['aes-256-gcm-siv', 'gcm-siv', 'aes+clmul'],
  // OpenSSL counts one half of the key: aes-128-siv takes 32 bytes, aes-256-siv takes 64.
  'aes-siv-cmac-256': ['aes-128-siv', 'siv', 'aes'],
  'aes-siv-cmac-512': ['aes-256-siv', 'siv', 'aes'],
  'chacha20-poly1305': ['chacha20-poly1305', 'pieces', 'none'],
  'xchacha20-poly1305': ['chacha20-poly1305', 'xchacha', 'none'],
  'xaes-256-gcm': ['aes-256-gcm', 'xaes', 'gcm+aes'],
}

/** Nonce and tag lengths in bytes that OpenSSL and Node take besides the algorithm's own. */
const VARIANTS: readonly (readonly [
  ids: RegExp,
  minNonce: number,
  maxNonce: number,
  tags: readonly number[],
])[] = [
  [/^aes-...-gcm$/, 1, 128, [4, 8, 12, 13, 14, 15, 16]],
  [/ccm/, 7, 13, [4, 6, 8, 10, 12, 14, 16]],
  [/ocb/, 1, 15, [8, 12, 16]],
  // The nonce is a component of S2V: any length, and none at all for the deterministic form.
  [/cmac/, 0, 128, [16]],
]

/** Whether the native cipher takes the nonce and tag lengths of `params`; only `@aeadkit/core/unsafe` asks. */
export function takesVariant({ id, nonceBytes, tagBytes }: AlgorithmParams): boolean {
  return VARIANTS.some(
    ([ids, min, max, tags]) =>
      ids.test(id) && nonceBytes >= min && nonceBytes <= max && tags.includes(tagBytes),
  )
}
