import { createWasmBackend as createAesGcm } from '@aeadkit/backend-wasm/aes-gcm'
import { createWasmBackend as createChaCha20Poly1305 } from '@aeadkit/backend-wasm/chacha20-poly1305'
import type { SyncBackend } from '@aeadkit/core'
import { ALGORITHMS } from '@aeadkit/core'

/** Milliseconds from bytes to the first key, for each kernel: decode, compile, instantiate. */
export function startUpMs(): Record<string, number> {
  const entries: Readonly<Record<string, () => SyncBackend>> = {
    'chacha20-poly1305': createChaCha20Poly1305,
    'aes-gcm': createAesGcm,
  }
  return Object.fromEntries(
    Object.entries(entries).map(([name, create]) => {
      const backend = create()
      const params = ALGORITHMS[backend.algorithms[0]!]
      const key = new Uint8Array(params.keyBytes)
      const before = performance.now()
      backend.raw.create(params, key)
      return [name, performance.now() - before]
    }),
  )
}
