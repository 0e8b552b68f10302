import { aesGcmKernel, chacha20Poly1305Kernel, createWasmBackend } from '@aeadkit/backend-wasm'
import { ALGORITHMS } from '@aeadkit/core'

/** Milliseconds from bytes to the first key, for each kernel: decode, compile, instantiate. */
export function startUpMs(): Record<string, number> {
  const kernels = [chacha20Poly1305Kernel, aesGcmKernel]
  return Object.fromEntries(
    kernels.map((kernel) => {
      const params = ALGORITHMS[kernel.facts.algorithms[0]!]
      const key = new Uint8Array(params.keyBytes)
      const backend = createWasmBackend({ kernels: [kernel] })
      const before = performance.now()
      backend.raw.create(params, key)
      return [kernel.facts.name, performance.now() - before]
    }),
  )
}
