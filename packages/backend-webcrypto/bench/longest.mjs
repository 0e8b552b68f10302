/**
 * Seals and opens a message of exactly the length this backend states as its longest. Needs 7 GiB of memory and ten
 * seconds, so it is run by hand:
 *
 *   npx turbo run build --filter=@aeadkit/backend-webcrypto && node packages/backend-webcrypto/bench/longest.mjs
 */
import { createAead } from '@aeadkit/core'
import { createWebCryptoBackend } from '../dist/index.js'

const backend = createWebCryptoBackend()
const aead = await createAead(backend, 'aes-256-gcm', new Uint8Array(32))
const nonce = new Uint8Array(12)
const { maxBytes } = aead.guarantees
let plaintext = new Uint8Array(maxBytes)
const sealed = await aead.seal(nonce, plaintext)
plaintext = undefined
const opened = await aead.open(nonce, sealed)
const same = opened.length === maxBytes && opened.every((byte) => byte === 0)
console.log(`${backend.raw.version()}: ${maxBytes} bytes sealed, ${same ? 'and opened' : 'but not opened'}`)
process.exitCode = same ? 0 : 1
