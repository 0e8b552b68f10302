import type { BackendSource } from './backends.ts'

/** Backends of the build for browsers and workers: nothing that imports `node:*`. */
export const BACKEND_SOURCES: readonly BackendSource[] = [
  { name: 'wasm', load: async () => (await import('@aeadkit/backend-wasm')).createWasmBackend() },
  // Loading libsodium takes 300 KB and about 80 ms; what others have as well, they do faster.
  {
    name: 'sodium',
    load: async () => (await import('@aeadkit/backend-sodium')).createSodiumBackend(),
    needed: (asked) => asked.includes('aegis-128l') || asked.includes('aegis-256'),
  },
  {
    name: 'webcrypto',
    load: async () => (await import('@aeadkit/backend-webcrypto')).createWebCryptoBackend(),
  },
  { name: 'noble', load: async () => (await import('@aeadkit/backend-noble')).nobleBackend },
]
