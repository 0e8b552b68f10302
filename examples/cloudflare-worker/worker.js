// A Worker that encrypts and decrypts. Workers compile no WebAssembly of their own: the kernel comes as a module.
import chacha from '@aeadkit/backend-wasm/chacha20-poly1305.columns.wasm'
import { createWasmBackendFromModules } from '@aeadkit/backend-wasm/module'
import { createSealer, decodeKey, isAeadError } from '@aeadkit/core'

const backends = [createWasmBackendFromModules({ 'chacha20-poly1305': chacha })]

export default {
  async fetch(request, env) {
    const sealer = await createSealer(decodeKey(env.AEAD_KEY), { backends })
    const body = new Uint8Array(await request.arrayBuffer())
    try {
      switch (new URL(request.url).pathname) {
        case '/encrypt':
          return new Response(await sealer.encrypt(body))
        case '/decrypt':
          return new Response(await sealer.decrypt(body))
        default:
          return new Response('POST to /encrypt or /decrypt\n', { status: 404 })
      }
    } catch (error) {
      if (!isAeadError(error)) throw error
      return new Response(error.code, { status: 400 })
    } finally {
      sealer.destroy()
    }
  },
}
