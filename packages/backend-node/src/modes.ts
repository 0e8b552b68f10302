import type { AlgorithmId, AlgorithmParams } from '@aeadkit/core'
import type { WholeMode } from './whole.ts'

/** How one algorithm is made of what `node:crypto` has. */
export interface NodeMode {
  /** Name of the cipher in OpenSSL; known only to this package. */
  readonly name: string
  /** `pieces`: any number of updates. `xchacha`, `xaes`: a derived key, then pieces. Else one update. */
  readonly shape: 'pieces' | 'xchacha' | 'xaes' | WholeMode
  /** Which instructions the native code needs to be free of secret-dependent table look-ups. */
  readonly needs: 'aes' | 'aes+clmul' | 'none'
}

/** Every algorithm of this backend. Whether this Node has it is for the probe to say. */
export const MODES: Readonly<Partial<Record<AlgorithmId, NodeMode>>> = {
  'aes-128-gcm': { name: 'aes-128-gcm', shape: 'pieces', needs: 'aes+clmul' },
  'aes-256-gcm': { name: 'aes-256-gcm', shape: 'pieces', needs: 'aes+clmul' },
  'aes-128-ccm': { name: 'aes-128-ccm', shape: 'ccm', needs: 'aes' },
  'aes-256-ccm': { name: 'aes-256-ccm', shape: 'ccm', needs: 'aes' },
  'aes-128-ocb': { name: 'aes-128-ocb', shape: 'pieces', needs: 'aes' },
  'aes-256-ocb': { name: 'aes-256-ocb', shape: 'pieces', needs: 'aes' },
  'aes-128-gcm-siv': { name: 'aes-128-gcm-siv', shape: 'gcm-siv', needs: 'aes+clmul' },
  'aes-256-gcm-siv': { name: 'aes-256-gcm-siv', shape: 'gcm-siv', needs: 'aes+clmul' },
  // OpenSSL counts one half of the key: aes-128-siv takes 32 bytes, aes-256-siv takes 64.
  'aes-siv-cmac-256': { name: 'aes-128-siv', shape: 'siv', needs: 'aes' },
  'aes-siv-cmac-512': { name: 'aes-256-siv', shape: 'siv', needs: 'aes' },
  'chacha20-poly1305': { name: 'chacha20-poly1305', shape: 'pieces', needs: 'none' },
  'xchacha20-poly1305': { name: 'chacha20-poly1305', shape: 'xchacha', needs: 'none' },
  'xaes-256-gcm': { name: 'aes-256-gcm', shape: 'xaes', needs: 'aes+clmul' },
}

/** Ids of {@link MODES}, written out so that importing runs nothing. */
export const NODE_ALGORITHMS: readonly AlgorithmId[] = [
  'aes-128-gcm',
  'aes-256-gcm',
  'aes-128-ccm',
  'aes-256-ccm',
  'aes-128-ocb',
  'aes-256-ocb',
  'aes-128-gcm-siv',
  'aes-256-gcm-siv',
  'aes-siv-cmac-256',
  'aes-siv-cmac-512',
  'chacha20-poly1305',
  'xchacha20-poly1305',
  'xaes-256-gcm',
]

/** Sizes in bytes that OpenSSL and Node take besides the algorithm's own. */
interface VariantRule {
  readonly nonceBytes: readonly [min: number, max: number]
  readonly tagBytes: readonly number[]
}

const GCM: VariantRule = { nonceBytes: [1, 128], tagBytes: [4, 8, 12, 13, 14, 15, 16] }
const CCM: VariantRule = { nonceBytes: [7, 13], tagBytes: [4, 6, 8, 10, 12, 14, 16] }
const OCB: VariantRule = { nonceBytes: [1, 15], tagBytes: [8, 12, 16] }
/** The nonce is a component of S2V: any length, and none at all for the deterministic form. */
const SIV: VariantRule = { nonceBytes: [0, 128], tagBytes: [16] }

const VARIANTS: Readonly<Partial<Record<AlgorithmId, VariantRule>>> = {
  'aes-128-gcm': GCM,
  'aes-256-gcm': GCM,
  'aes-128-ccm': CCM,
  'aes-256-ccm': CCM,
  'aes-128-ocb': OCB,
  'aes-256-ocb': OCB,
  'aes-siv-cmac-256': SIV,
  'aes-siv-cmac-512': SIV,
}

/** Whether the native cipher takes the nonce and tag lengths of `params`; only `@aeadkit/core/unsafe` asks. */
export function takesVariant(params: AlgorithmParams): boolean {
  const rule = VARIANTS[params.id]
  if (rule === undefined) return false
  const [min, max] = rule.nonceBytes
  return params.nonceBytes >= min && params.nonceBytes <= max && rule.tagBytes.includes(params.tagBytes)
}
