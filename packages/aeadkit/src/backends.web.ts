import type { BackendSource } from './backends.ts'

/** Backends of the build for browsers and workers: nothing that imports `node:*`. */
export const BACKEND_SOURCES: readonly BackendSource[] = [
  { name: 'wasm', load: async () => (await import('@aeadkit/backend-wasm')).createWasmBackend() },
  { name: 'noble', load: async () => (await import('@aeadkit/backend-noble')).nobleBackend },
]
