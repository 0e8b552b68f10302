/**
 * ChaCha20-Poly1305 and XChaCha20-Poly1305 alone: a bundle of this entry carries no AES.
 * @module
 */
import { type ConstantTimeClaim, POLY1305_FAMILY, type SyncBackend } from '@aeadkit/core'
import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { backendOf } from './backend.ts'
import { AS_OF, type NobleMode } from './mode.ts'

const ARX: ConstantTimeClaim = {
  level: 'structural',
  basis:
    'additions, XORs, rotations and masks only; a JavaScript engine gives no promise about its machine code',
  asOf: AS_OF,
}

/** The modes of this entry. */
export const CHACHA: readonly NobleMode[] = [
  { ids: ['chacha20-poly1305'], make: chacha20poly1305, writesInto: true, constantTime: ARX },
  { ids: ['xchacha20-poly1305'], make: xchacha20poly1305, writesInto: true, constantTime: ARX },
]

/** `nobleBackend` of the main entry with these two algorithms alone; constant time is `structural`. */
export const nobleBackend: SyncBackend = /* @__PURE__ */ backendOf([POLY1305_FAMILY], CHACHA)
