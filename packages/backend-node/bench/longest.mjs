/**
 * Seals and opens one message of the longest length (2^31 - 17 bytes) with every algorithm this Node has, and refuses
 * one byte more. Needs about 10 GiB of free memory and minutes; by hand only.
 *
 *   npx turbo run build --filter=@aeadkit/backend-node && node packages/backend-node/bench/longest.mjs [algorithm ...]
 */
import { createHash } from 'node:crypto'
import { ALGORITHMS, createAeadSync } from '@aeadkit/core'
import { nodeBackend } from '../dist/index.js'

const asked = process.argv.slice(2)
const digest = (bytes) => {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += 2 ** 30) hash.update(bytes.subarray(at, at + 2 ** 30))
  return hash.digest('hex')
}

console.log(nodeBackend.raw.version())
for (const id of asked.length > 0 ? asked : nodeBackend.algorithms) {
  const answer = nodeBackend.probeSync(id)
  if (!answer.available) {
    console.log(`${id}: ${answer.reason}`)
    continue
  }
  const { keyBytes, nonceBytes } = ALGORITHMS[id]
  const aead = createAeadSync(nodeBackend, id, new Uint8Array(keyBytes).fill(1), { nonceCheck: false })
  const { maxBytes } = aead.guarantees
  const nonce = new Uint8Array(nonceBytes).fill(2)
  const plaintext = new Uint8Array(maxBytes).fill(0x41)
  plaintext[maxBytes - 1] = 0x42
  const expected = digest(plaintext)
  let started = performance.now()
  const sealed = aead.sealSync(nonce, plaintext)
  const sealSeconds = (performance.now() - started) / 1000
  plaintext.fill(0)
  started = performance.now()
  const opened = aead.openSync(nonce, sealed)
  const openSeconds = (performance.now() - started) / 1000
  const right = digest(opened) === expected
  sealed[sealed.length - 1] ^= 1
  let forged = 'opened'
  try {
    aead.openSync(nonce, sealed)
  } catch (error) {
    forged = error.code
  }
  let longer = 'sealed'
  try {
    aead.sealSync(nonce, new Uint8Array(maxBytes + 1))
  } catch (error) {
    longer = error.code
  }
  const times = `seal ${sealSeconds.toFixed(1)} s, open ${openSeconds.toFixed(1)} s`
  console.log(
    `${id}: ${maxBytes} bytes ${right ? 'right' : 'WRONG'} (${times}); forgery ${forged}; one more ${longer}`,
  )
  if (!right || forged !== 'auth-failed' || longer !== 'limit-exceeded') process.exitCode = 1
}
