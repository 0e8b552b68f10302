/**
 * AES-SIV-CMAC-256 and AES-SIV-CMAC-512 alone.
 * @module
 */
import { SIV_FAMILY, type SyncBackend } from '@aeadkit/core'
import { aessiv } from '@noble/ciphers/aes.js'
import { backendOf } from './backend.ts'
import type { NobleMode } from './mode.ts'
import { TABLES } from './tables.ts'

/**
 * The mode of this entry. S2V components are the AAD, then the nonce (RFC 5297 §6); a nonce of no bytes is no component
 * (§3).
 */
export const SIV: NobleMode = {
  ids: ['aes-siv-cmac-256', 'aes-siv-cmac-512'],
  make: (key, nonce, aad) => (nonce.length > 0 ? aessiv(key, aad, nonce) : aessiv(key, aad)),
  writesInto: false,
  constantTime: TABLES,
  nonces: [0, 1024],
}

/** `nobleBackend` of the main entry with AES-SIV alone; not constant time. */
export const nobleBackend: SyncBackend = /* @__PURE__ */ backendOf([SIV_FAMILY], [SIV])
