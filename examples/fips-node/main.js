// OpenSSL's FIPS provider or nothing: one backend, no fallback.
import { nodeBackend } from '@aeadkit/backend-node'
import { isAeadError } from '@aeadkit/core'
import { selectAead } from '@aeadkit/selector'

try {
  const pick = await selectAead({ backends: [nodeBackend], fips: 'module' })
  console.log(`algorithm: ${pick.algorithm}, on ${pick.backend}`)
  console.log(`module: ${pick.evidence.fips.state}`)
  for (const duty of pick.duties) console.log(`duty: ${duty}`)
  const chacha = pick.verdict.rejected.find(({ algorithm }) => algorithm === 'chacha20-poly1305')
  console.log(`chacha20-poly1305: ${chacha.reason}`)

  const sealer = await pick.createSealer(pick.generateKey())
  const box = await sealer.encrypt(new TextEncoder().encode('hello'))
  console.log(`opened: ${new TextDecoder().decode(await sealer.decrypt(box))}`)
} catch (error) {
  if (!isAeadError(error)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
}
