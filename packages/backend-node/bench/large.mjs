/**
 * Speed of whole messages against one bare `update` call, which leaves ciphertext and tag apart and copies nothing.
 * One process, both interleaved in random order, medians; above 1 the backend is faster. Not part of CI.
 *
 *   npx turbo run build --filter=@aeadkit/backend-node && node packages/backend-node/bench/large.mjs [--json]
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { cpus } from 'node:os'
import { createAeadSync } from '@aeadkit/core'
import { nodeBackend } from '../dist/index.js'

const ALGORITHMS = ['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305']
/** Message length in bytes -> rounds, odd so that the median is one of them. */
const ROUNDS = new Map([
  [65_536, 601],
  [1_048_576, 201],
  [16_777_216, 25],
])
const WARM_UP_ROUNDS = 10

const options = { authTagLength: 16 }
const nonce = new Uint8Array(12).fill(3)

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

/** Median nanoseconds of each function. */
function measure(functions, rounds) {
  const times = Object.fromEntries(Object.keys(functions).map((name) => [name, []]))
  const names = Object.keys(functions)
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    if (Math.random() < 0.5) names.reverse()
    for (const name of names) {
      const start = process.hrtime.bigint()
      functions[name]()
      const nanoseconds = Number(process.hrtime.bigint() - start)
      if (round >= 0) times[name].push(nanoseconds)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]))
}

function same(a, b) {
  if (Buffer.compare(a, b) !== 0) throw new Error('the two results differ')
}

const rows = []
for (const algorithm of ALGORITHMS) {
  const key = new Uint8Array(algorithm === 'aes-128-gcm' ? 16 : 32).fill(7)
  const aead = createAeadSync(nodeBackend, algorithm, key, { nonceCheck: false })
  for (const [bytes, rounds] of ROUNDS) {
    const plaintext = new Uint8Array(bytes).fill(5)
    const sealed = aead.sealSync(nonce, plaintext)
    const ciphertext = sealed.subarray(0, bytes)
    const tag = sealed.subarray(bytes)
    const bareSeal = () => {
      const cipher = createCipheriv(algorithm, key, nonce, options)
      const result = cipher.update(plaintext)
      cipher.final()
      return [result, cipher.getAuthTag()]
    }
    const bareOpen = () => {
      const decipher = createDecipheriv(algorithm, key, nonce, options)
      decipher.setAuthTag(tag)
      const result = decipher.update(ciphertext)
      decipher.final()
      return result
    }
    same(Buffer.concat(bareSeal()), sealed)
    same(bareOpen(), aead.openSync(nonce, sealed))
    const operations = {
      seal: { bare: bareSeal, backend: () => aead.sealSync(nonce, plaintext) },
      open: { bare: bareOpen, backend: () => aead.openSync(nonce, sealed) },
    }
    for (const [operation, functions] of Object.entries(operations)) {
      const { bare, backend } = measure(functions, rounds)
      rows.push({
        algorithm,
        operation,
        bytes,
        bareNanoseconds: bare,
        nanoseconds: backend,
        ratio: bare / backend,
      })
    }
  }
}

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ version: nodeBackend.raw.version(), cpu: cpus()[0]?.model, rows }))
} else {
  console.log(`${nodeBackend.raw.version()}, ${cpus()[0]?.model}`)
  console.table(
    rows.map(({ algorithm, operation, bytes, bareNanoseconds, ratio }) => ({
      algorithm,
      operation,
      bytes,
      'bare MB/s': Math.round((bytes / bareNanoseconds) * 1000),
      'of bare': ratio.toFixed(2),
    })),
  )
}
