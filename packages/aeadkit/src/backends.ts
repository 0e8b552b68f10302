import type { AlgorithmId, Backend } from '@aeadkit/core'

/** One backend that this package can load. */
export interface BackendSource {
  /** The backend's name. */
  readonly name: string
  /** Loads it; a broken or missing package rejects. */
  load(): Promise<Backend>
  /**
   * Whether a selection among `asked` algorithms (none: whatever wins) has any use for it; absent: always. For
   * backends that cost much to load, or that never win on some runtime.
   */
  needed?(asked: readonly AlgorithmId[]): boolean
}

/** Backends of this package in order of preference; the build for browsers and workers has its own list. */
export const BACKEND_SOURCES: readonly BackendSource[] = [
  { name: 'node', load: async () => (await import('@aeadkit/backend-node')).nodeBackend },
  { name: 'wasm', load: async () => (await import('@aeadkit/backend-wasm')).createWasmBackend() },
  // Loading libsodium takes 300 KB and about 80 ms; what others have as well, they do faster.
  {
    name: 'sodium',
    load: async () => (await import('@aeadkit/backend-sodium')).createSodiumBackend(),
    needed: (asked) => asked.includes('aegis-128l') || asked.includes('aegis-256'),
  },
  // On Node backend-node runs the same library without promises, 1.6 to 5 times faster up to 1 MiB; the experimental
  // algorithms print a warning there, and backend-node has them all.
  {
    name: 'webcrypto',
    load: async () =>
      (await import('@aeadkit/backend-webcrypto')).createWebCryptoBackend({ experimental: false }),
    needed: () => process.versions.bun !== undefined || process.versions.deno !== undefined,
  },
  { name: 'noble', load: async () => (await import('@aeadkit/backend-noble')).nobleBackend },
]
