import type { Backend } from '@aeadkit/core'

/** One backend that this package can load. */
export interface BackendSource {
  /** The backend's name. */
  readonly name: string
  /** Loads it; a broken or missing package rejects. */
  load(): Promise<Backend>
}

/** Backends of this package in order of preference; the build for browsers and workers has its own list. */
export const BACKEND_SOURCES: readonly BackendSource[] = [
  { name: 'node', load: async () => (await import('@aeadkit/backend-node')).nodeBackend },
  { name: 'wasm', load: async () => (await import('@aeadkit/backend-wasm')).createWasmBackend() },
  { name: 'noble', load: async () => (await import('@aeadkit/backend-noble')).nobleBackend },
]
