/** Whose memory results are, at the lengths where backends change how they make it. */
import { ALGORITHMS, createAead } from '@aeadkit/core'

const IDS = ['aes-256-gcm', 'chacha20-poly1305', 'xchacha20-poly1305']

/** Plaintext lengths in bytes. JavaScript alone always makes new arrays, and takes long for the long ones. */
const LENGTHS = [
  495, 496, 511, 512, 2047, 2048, 2049, 4079, 4096, 8192, 16_384, 32_751, 32_752, 65_536, 1_048_577,
]
const JS_MAX_BYTES = 8192

function check(condition, message) {
  if (!condition) throw new Error(message)
}

export function pattern(bytes) {
  return Uint8Array.from({ length: bytes }, (_, i) => ((i * 131 + (i >>> 7)) & 0xff) | 1)
}

export function ownsExactly(result, bytes, what) {
  check(Object.getPrototypeOf(result) === Uint8Array.prototype, `${what}: no plain Uint8Array`)
  check(result.length === bytes, `${what}: ${result.length} bytes`)
  check(result.byteOffset === 0, `${what}: begins at ${result.byteOffset}`)
  check(result.buffer instanceof ArrayBuffer, `${what}: not over an ArrayBuffer`)
  check(result.buffer.byteLength === bytes, `${what}: its buffer has ${result.buffer.byteLength} bytes`)
}

export function memoryCases({ describe, it }, backends) {
  describe('memory of results', () => {
    for (const backend of backends) {
      it(`${backend.name}: they own exactly their bytes, the first time and later`, async () => {
        for (const id of IDS) {
          if (!backend.algorithms.includes(id) || !(await backend.probe(id)).available) continue
          const { keyBytes, nonceBytes } = ALGORITHMS[id]
          const aead = await createAead(backend, id, new Uint8Array(keyBytes), { nonceCheck: false })
          const nonce = new Uint8Array(nonceBytes)
          for (const bytes of LENGTHS) {
            if (backend.kind === 'js' && bytes > JS_MAX_BYTES) continue
            const plaintext = pattern(bytes)
            for (let turn = 0; turn < 2; turn++) {
              const sealed = await aead.seal(nonce, plaintext)
              ownsExactly(sealed, bytes + 16, `${id}, seal of ${bytes} bytes`)
              const opened = await aead.open(nonce, sealed)
              ownsExactly(opened, bytes, `${id}, open of ${bytes} bytes`)
              check(
                opened.every((byte, i) => byte === plaintext[i]),
                `${id}: opened to other bytes`,
              )
            }
          }
          aead.destroy()
        }
      })
    }
  })
}
