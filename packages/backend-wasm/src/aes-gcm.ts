/**
 * AES-128-GCM and AES-256-GCM alone: a bundle of this entry carries no other kernel.
 * @module
 */
import type { SyncBackend } from '@aeadkit/core'
import { createFrom, prepareFrom, type WasmBackendOptions } from './embedded.ts'
import { HEX } from './generated/aes-gcm.ts'
import { AES_GCM, type WasmKernel } from './kernel.ts'

export type { EngineChoice } from './engine.ts'
export type { KernelFacts, KernelLayout, KernelName, WasmKernel } from './kernel.ts'
export type { WasmBackendOptions }

/** AES-128-GCM and AES-256-GCM (NIST SP 800-38D), bitsliced, for every engine. */
export const aesGcmKernel: WasmKernel = {
  facts: AES_GCM,
  layouts: { bitsliced: HEX },
}

/**
 * `createWasmBackend` of the main entry, with this kernel alone by default.
 * @throws AeadError `invalid-argument` (options).
 */
export function createWasmBackend(options: WasmBackendOptions = {}): SyncBackend {
  return createFrom([aesGcmKernel], options)
}

/**
 * `prepareWasmBackend` of the main entry, with this kernel alone by default.
 * @throws AeadError `invalid-argument` (options).
 */
export async function prepareWasmBackend(options: WasmBackendOptions = {}): Promise<SyncBackend> {
  return prepareFrom([aesGcmKernel], options)
}
