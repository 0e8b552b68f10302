/**
 * ChaCha20-Poly1305 and XChaCha20-Poly1305 alone, in both layouts: a bundle of this entry carries no other kernel.
 * @module
 */
import type { SyncBackend } from '@aeadkit/core'
import { createFrom, type EmbeddedKernel, prepareFrom, type WasmBackendOptions } from './embedded.ts'
import { HEX as COLUMNS } from './generated/chacha20-poly1305.columns.ts'
import { HEX as ROWS } from './generated/chacha20-poly1305.rows.ts'
import { CHACHA20_POLY1305 } from './kernel.ts'

export type { EngineChoice } from './engine.ts'
export type { WasmBackendOptions }

const KERNELS: readonly EmbeddedKernel[] = [
  { facts: CHACHA20_POLY1305, layouts: { columns: COLUMNS, rows: ROWS } },
]

/**
 * `createWasmBackend` of the main entry, with ChaCha20-Poly1305 alone.
 * @throws AeadError `invalid-argument` (options).
 */
export function createWasmBackend(options: WasmBackendOptions = {}): SyncBackend {
  return createFrom(KERNELS, options)
}

/**
 * `prepareWasmBackend` of the main entry, with ChaCha20-Poly1305 alone.
 * @throws AeadError `invalid-argument` (options).
 */
export async function prepareWasmBackend(options: WasmBackendOptions = {}): Promise<SyncBackend> {
  return prepareFrom(KERNELS, options)
}
