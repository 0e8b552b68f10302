/**
 * AEADs of @noble/ciphers in plain JavaScript: the floor that works on every runtime. Subpaths carry one construction
 * each.
 * @module
 */
import { GCM_FAMILY, GCM_SIV_FAMILY, POLY1305_FAMILY, SIV_FAMILY, type SyncBackend } from '@aeadkit/core'
import { GCM } from './aes-gcm.ts'
import { GCM_SIV } from './aes-gcm-siv.ts'
import { SIV } from './aes-siv.ts'
import { backendOf } from './backend.ts'
import { CHACHA } from './chacha20-poly1305.ts'

/**
 * AES-GCM, AES-GCM-SIV, AES-SIV, ChaCha20-Poly1305 and XChaCha20-Poly1305 in plain JavaScript. Its AES is not constant
 * time (`guarantees.constantTime.level` is `none`); ChaCha is.
 */
export const nobleBackend: SyncBackend = /* @__PURE__ */ (() =>
  backendOf([GCM_FAMILY, GCM_SIV_FAMILY, SIV_FAMILY, POLY1305_FAMILY], [GCM, GCM_SIV, SIV, ...CHACHA]))()
