// A Worker compiles no WebAssembly of its own: backend-wasm gets modules that workerd compiled, by static import.

import aesGcm from '@aeadkit/backend-wasm/aes-gcm.wasm'
import chacha from '@aeadkit/backend-wasm/chacha20-poly1305.columns.wasm'
import { createWasmBackendFromModules } from '@aeadkit/backend-wasm/module'
import { PORTABLE } from '../backends.js'

const WASM = {
  name: 'wasm',
  load: async () => createWasmBackendFromModules({ 'aes-gcm': aesGcm, 'chacha20-poly1305': chacha }),
}

/** The portable backends, with the WebAssembly one made for Workers. */
export const FOR_WORKERS = PORTABLE.map((row) => (row.name === WASM.name ? WASM : row))
