/**
 * ChaCha20-Poly1305 and XChaCha20-Poly1305 alone, in the layout that is faster on JavaScriptCore: the smallest bundle. It runs on
 * every engine with the same results, slower on V8.
 * @module
 */
import type { SyncBackend } from '@aeadkit/core'
import { createFrom, type EmbeddedKernel, prepareFrom } from './embedded.ts'
import { HEX } from './generated/chacha20-poly1305.rows.ts'
import { CHACHA20_POLY1305 } from './kernel.ts'

const KERNELS: readonly EmbeddedKernel[] = [{ facts: CHACHA20_POLY1305, layouts: { rows: HEX } }]

/**
 * `createWasmBackend` of the main entry, with ChaCha20-Poly1305 in this layout alone.
 */
export function createWasmBackend(): SyncBackend {
  return createFrom(KERNELS, {})
}

/**
 * `prepareWasmBackend` of the main entry, with ChaCha20-Poly1305 in this layout alone.
 */
export async function prepareWasmBackend(): Promise<SyncBackend> {
  return prepareFrom(KERNELS, {})
}
