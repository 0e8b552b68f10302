/**
 * AES-128-GCM and AES-256-GCM alone: a bundle of this entry carries no other kernel.
 * @module
 */
import type { SyncBackend } from '@aeadkit/core'
import { createFrom, type EmbeddedKernel, prepareFrom, type WasmBackendOptions } from './embedded.ts'
import { HEX } from './generated/aes-gcm.ts'
import { AES_GCM } from './kernel.ts'

export type { EngineChoice } from './engine.ts'
export type { WasmBackendOptions }

const KERNELS: readonly EmbeddedKernel[] = [{ facts: AES_GCM, layouts: { bitsliced: HEX } }]

/**
 * `createWasmBackend` of the main entry, with AES-GCM alone.
 * @throws AeadError `invalid-argument` (options).
 */
export function createWasmBackend(options: WasmBackendOptions = {}): SyncBackend {
  return createFrom(KERNELS, options)
}

/**
 * `prepareWasmBackend` of the main entry, with AES-GCM alone.
 * @throws AeadError `invalid-argument` (options).
 */
export async function prepareWasmBackend(options: WasmBackendOptions = {}): Promise<SyncBackend> {
  return prepareFrom(KERNELS, options)
}
