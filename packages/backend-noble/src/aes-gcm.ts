/**
 * AES-128-GCM and AES-256-GCM alone.
 * @module
 */
import { GCM_FAMILY, type SyncBackend } from '@aeadkit/core'
import { gcm } from '@noble/ciphers/aes.js'
import { backendOf } from './backend.ts'
import type { NobleMode } from './mode.ts'
import { TABLES } from './tables.ts'

/** The mode of this entry. */
export const GCM: NobleMode = {
  ids: ['aes-128-gcm', 'aes-256-gcm'],
  make: gcm,
  writesInto: false,
  constantTime: TABLES,
  nonces: [8, 1024],
}

/** `nobleBackend` of the main entry with AES-GCM alone; not constant time. */
export const nobleBackend: SyncBackend = /* @__PURE__ */ backendOf([GCM_FAMILY], [GCM])
