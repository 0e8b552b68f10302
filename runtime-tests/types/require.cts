// A CommonJS consumer that uses require() of these ES modules (report R33): TypeScript types it from 5.8 on, and
// says before that only import() reaches them.
import core = require('@aeadkit/core')
import noble = require('@aeadkit/backend-noble')

export async function consume(plaintext: Uint8Array): Promise<Uint8Array> {
  const sealer = await core.createSealer(core.generateKey('xchacha20-poly1305'), {
    backends: [noble.nobleBackend],
  })
  return sealer.encrypt(plaintext)
}
