/**
 * ChaCha20-Poly1305 and XChaCha20-Poly1305 alone: a bundle of this entry carries no other kernel.
 * @module
 */
import type { SyncBackend } from '@aeadkit/core'
import { createFrom, prepareFrom, type WasmBackendOptions } from './embedded.ts'
import { HEX as COLUMNS } from './generated/chacha20-poly1305.columns.ts'
import { HEX as ROWS } from './generated/chacha20-poly1305.rows.ts'
import { CHACHA20_POLY1305, type WasmKernel } from './kernel.ts'

export type { EngineChoice } from './engine.ts'
export type { KernelFacts, KernelLayout, KernelName, WasmKernel } from './kernel.ts'
export type { WasmBackendOptions }

/** ChaCha20-Poly1305 (RFC 8439 §2.8) and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03 §2), for every engine. */
export const chacha20Poly1305Kernel: WasmKernel = {
  facts: CHACHA20_POLY1305,
  layouts: { columns: COLUMNS, rows: ROWS },
}

/**
 * `createWasmBackend` of the main entry, with this kernel alone by default.
 * @throws AeadError `invalid-argument` (options).
 */
export function createWasmBackend(options: WasmBackendOptions = {}): SyncBackend {
  return createFrom([chacha20Poly1305Kernel], options)
}

/**
 * `prepareWasmBackend` of the main entry, with this kernel alone by default.
 * @throws AeadError `invalid-argument` (options).
 */
export async function prepareWasmBackend(options: WasmBackendOptions = {}): Promise<SyncBackend> {
  return prepareFrom([chacha20Poly1305Kernel], options)
}
