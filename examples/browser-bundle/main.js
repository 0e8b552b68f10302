// One backend and one algorithm: nothing else gets into the bundle.
import { createWasmBackend } from '@aeadkit/backend-wasm/chacha20-poly1305'
import { createAead } from '@aeadkit/core'

const key = crypto.getRandomValues(new Uint8Array(32))
const nonce = crypto.getRandomValues(new Uint8Array(24)) // never twice with one key
const aad = new TextEncoder().encode('message 1')

const aead = await createAead(createWasmBackend(), 'xchacha20-poly1305', key)
const sealed = await aead.seal(nonce, new TextEncoder().encode('hello'), aad)
const opened = await aead.open(nonce, sealed, aad)

sealed[0] ^= 1
const refused = await aead.open(nonce, sealed, aad).catch((error) => error.code)

document.querySelector('#result').textContent = [
  `${aead.params.id} on ${aead.backendName}, constant time: ${aead.guarantees.constantTime.level}`,
  `sealed: ${sealed.length} bytes`,
  `opened: ${new TextDecoder().decode(opened)}`,
  `changed by one bit: ${refused}`,
].join('\n')
