/**
 * AES-128-GCM-SIV and AES-256-GCM-SIV alone.
 * @module
 */
import { GCM_SIV_FAMILY, type SyncBackend } from '@aeadkit/core'
import { gcmsiv } from '@noble/ciphers/aes.js'
import { backendOf } from './backend.ts'
import type { NobleMode } from './mode.ts'
import { TABLES } from './tables.ts'

/** The mode of this entry. */
export const GCM_SIV: NobleMode = {
  ids: ['aes-128-gcm-siv', 'aes-256-gcm-siv'],
  make: gcmsiv,
  writesInto: false,
  constantTime: TABLES,
}

/** `nobleBackend` of the main entry with AES-GCM-SIV alone; not constant time. */
export const nobleBackend: SyncBackend = /* @__PURE__ */ backendOf([GCM_SIV_FAMILY], [GCM_SIV])
