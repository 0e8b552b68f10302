/** What the memory of this runtime's own node:crypto holds after a message was opened or refused. */
import * as nodeCrypto from 'node:crypto'
import { createNodeBackend } from '@aeadkit/backend-node'
import { createAeadSync, isAeadError } from '@aeadkit/core'
import { ownsExactly, pattern } from './memory.js'

const LENGTHS = [1, 64, 2047, 2048, 16_384, 1_048_576]

/** node:crypto with every result of an opening kept. */
function recording() {
  const results = []
  const keep = (result) => {
    results.push(result)
    return result
  }
  const createDecipheriv = (...args) => {
    const cipher = nodeCrypto.createDecipheriv(...args)
    return {
      setAAD: (aad) => cipher.setAAD(aad),
      setAuthTag: (tag) => cipher.setAuthTag(tag),
      update: (data) => keep(cipher.update(data)),
      final: () => keep(cipher.final()),
    }
  }
  return { crypto: { ...nodeCrypto, createDecipheriv }, results }
}

function codeOf(call) {
  try {
    call()
    return 'opened'
  } catch (error) {
    return isAeadError(error) ? error.code : String(error)
  }
}

export function libraryMemoryCases({ describe, it }) {
  describe('memory of node:crypto', () => {
    it('holds no plaintext after a message was refused, and none but the result after one was opened', () => {
      const { crypto, results } = recording()
      const backend = createNodeBackend({ crypto })
      let refused = 0
      for (const id of ['aes-256-gcm', 'chacha20-poly1305']) {
        if (!backend.probeSync(id).available) continue
        const aead = createAeadSync(backend, id, new Uint8Array(32), { nonceCheck: false })
        const nonce = new Uint8Array(12)
        const left = (result) =>
          results.some((each) => each.buffer !== result?.buffer && each.some((byte) => byte !== 0))
        for (const bytes of [...LENGTHS, ...LENGTHS]) {
          const sealed = aead.sealSync(nonce, pattern(bytes))
          results.length = 0
          const opened = aead.openSync(nonce, sealed)
          ownsExactly(opened, bytes, `${id}, open of ${bytes} bytes`)
          if (results.length === 0 || left(opened))
            throw new Error(`${id}, ${bytes} bytes: plaintext is left`)
          for (const call of [
            () => aead.openSync(nonce, sealed),
            () => aead.openIntoSync(new Uint8Array(bytes), nonce, sealed),
          ]) {
            sealed[bytes] ^= 1
            results.length = 0
            const code = codeOf(call)
            if (code !== 'auth-failed') throw new Error(`${id}, ${bytes} bytes: a forgery gave ${code}`)
            if (results.length === 0 || left()) throw new Error(`${id}, ${bytes} bytes: a forgery is left`)
            sealed[bytes] ^= 1
            refused++
          }
        }
      }
      if (refused < 4 * LENGTHS.length) throw new Error(`${refused} forgeries tried`)
    })
  })
}
