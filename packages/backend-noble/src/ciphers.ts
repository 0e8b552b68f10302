import type { AlgorithmId, AlgorithmParams } from '@aeadkit/core'
import { aessiv, gcm, gcmsiv } from '@noble/ciphers/aes.js'
import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js'

/** One message's cipher object of noble; it refuses a second `encrypt`, so there is one per call. */
export interface NobleCipher {
  encrypt(plaintext: Uint8Array, output?: Uint8Array): Uint8Array
  decrypt(sealed: Uint8Array, output?: Uint8Array): Uint8Array
}

/** How one algorithm is made of what noble has. */
export interface NobleMode {
  make(key: Uint8Array, nonce: Uint8Array, aad: Uint8Array): NobleCipher
  /** Whether noble takes an output array and works in it; else it returns new memory. */
  readonly writesInto: boolean
  /** Whether it works on AES and GHASH tables. */
  readonly tables: boolean
}

const GCM: NobleMode = { make: (key, nonce, aad) => gcm(key, nonce, aad), writesInto: false, tables: true }
const GCM_SIV: NobleMode = {
  make: (key, nonce, aad) => gcmsiv(key, nonce, aad),
  writesInto: false,
  tables: true,
}
/** S2V components are the AAD, then the nonce (RFC 5297 §6); a nonce of no bytes is no component (§3). */
const SIV: NobleMode = {
  make: (key, nonce, aad) => (nonce.length > 0 ? aessiv(key, aad, nonce) : aessiv(key, aad)),
  writesInto: false,
  tables: true,
}

/** Every algorithm of this backend. */
export const MODES: Readonly<Partial<Record<AlgorithmId, NobleMode>>> = {
  'aes-128-gcm': GCM,
  'aes-256-gcm': GCM,
  'aes-128-gcm-siv': GCM_SIV,
  'aes-256-gcm-siv': GCM_SIV,
  'aes-siv-cmac-256': SIV,
  'aes-siv-cmac-512': SIV,
  'chacha20-poly1305': {
    make: (key, nonce, aad) => chacha20poly1305(key, nonce, aad),
    writesInto: true,
    tables: false,
  },
  'xchacha20-poly1305': {
    make: (key, nonce, aad) => xchacha20poly1305(key, nonce, aad),
    writesInto: true,
    tables: false,
  },
}

/** Ids of {@link MODES}. */
export const NOBLE_ALGORITHMS: readonly AlgorithmId[] = [
  'aes-128-gcm',
  'aes-256-gcm',
  'aes-128-gcm-siv',
  'aes-256-gcm-siv',
  'aes-siv-cmac-256',
  'aes-siv-cmac-512',
  'chacha20-poly1305',
  'xchacha20-poly1305',
]

/** Nonce lengths in bytes that noble takes besides the algorithm's own. */
const VARIANT_NONCES: Readonly<Partial<Record<AlgorithmId, readonly [min: number, max: number]>>> = {
  'aes-128-gcm': [8, 1024],
  'aes-256-gcm': [8, 1024],
  'aes-siv-cmac-256': [0, 1024],
  'aes-siv-cmac-512': [0, 1024],
}

/** Tags are always 16 bytes long here. */
const TAG_BYTES = 16

/** Whether noble takes the nonce and tag lengths of `params`; only `@aeadkit/core/unsafe` asks. */
export function takesVariant(params: AlgorithmParams): boolean {
  const range = VARIANT_NONCES[params.id]
  if (range === undefined || params.tagBytes !== TAG_BYTES) return false
  return params.nonceBytes >= range[0] && params.nonceBytes <= range[1]
}
