/**
 * AEADs in WebAssembly SIMD kernels of this package, constant time by construction, for every runtime that compiles
 * WebAssembly. Subpaths carry one kernel each; `module` takes modules that the runtime has compiled.
 * @module
 */
import type { SyncBackend } from '@aeadkit/core'
import { createFrom, type EmbeddedKernel, prepareFrom, type WasmBackendOptions } from './embedded.ts'
import { HEX as BITSLICED } from './generated/aes-gcm.ts'
import { HEX as COLUMNS } from './generated/chacha20-poly1305.columns.ts'
import { HEX as ROWS } from './generated/chacha20-poly1305.rows.ts'
import { AES_GCM, CHACHA20_POLY1305 } from './kernel.ts'

export type { EngineChoice } from './engine.ts'
export type { WasmBackendOptions }

const KERNELS: readonly EmbeddedKernel[] = [
  { facts: CHACHA20_POLY1305, layouts: { columns: COLUMNS, rows: ROWS } },
  { facts: AES_GCM, layouts: { bitsliced: BITSLICED } },
]

/**
 * A backend with all kernels of this package. Returns at once: a kernel is compiled, synchronously, when one of its
 * algorithms is first probed or used. Where that is refused (a content security policy, `--jitless`, no WebAssembly,
 * no SIMD), its algorithms are unavailable with the reason.
 * @param options - see {@link WasmBackendOptions}; unknown names are refused.
 * @throws AeadError `invalid-argument` (options). Creating an Aead throws `not-ready` where the engine compiles only
 *   asynchronously: use {@link prepareWasmBackend} there.
 */
export function createWasmBackend(options: WasmBackendOptions = {}): SyncBackend {
  return createFrom(KERNELS, options)
}

/**
 * The same backend with its kernels compiled asynchronously before it is returned: no long task on a page's main
 * thread. Where WebAssembly is refused the backend says so when it is probed; this does not reject.
 * @param options - see {@link WasmBackendOptions}; unknown names are refused.
 * @throws AeadError `invalid-argument` (options).
 */
export async function prepareWasmBackend(options: WasmBackendOptions = {}): Promise<SyncBackend> {
  return prepareFrom(KERNELS, options)
}
