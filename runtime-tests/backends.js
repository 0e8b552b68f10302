/**
 * The backends that need nothing of one runtime, in order of preference: one line each. `load` resolves to the
 * backend or rejects with the reason why there is none here. backend-node is added by the runtimes that have
 * `node:crypto`, before these.
 */
export const PORTABLE = [
  { name: 'wasm', load: async () => (await import('@aeadkit/backend-wasm')).createWasmBackend() },
  {
    name: 'webcrypto',
    load: async () => (await import('@aeadkit/backend-webcrypto')).createWebCryptoBackend(),
  },
  { name: 'sodium', load: async () => (await import('@aeadkit/backend-sodium')).createSodiumBackend() },
  { name: 'noble', load: async () => (await import('@aeadkit/backend-noble')).nobleBackend },
]
