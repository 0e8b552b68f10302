/**
 * What calls at once gain over calls one after the other, and how many processors each keeps busy (processor time by
 * time on the clock: it shows parallelism also where other programs take their share). Same process, interleaved,
 * medians. Not part of CI.
 *
 *   npx turbo run build --filter=@aeadkit/backend-webcrypto && node packages/backend-webcrypto/bench/parallel.mjs [--json]
 */
import { availableParallelism } from 'node:os'
import { createAead } from '@aeadkit/core'
import { createWebCryptoBackend } from '../dist/index.js'

/** Message length in bytes -> rounds, odd so that the median is one of them. */
const ROUNDS = new Map([
  [1024, 101],
  [65_536, 51],
  [1_048_576, 25],
  [8_388_608, 9],
])
const CALLS = 16
const WARM_UP_ROUNDS = 3

const backend = createWebCryptoBackend()
const aead = await createAead(backend, 'aes-256-gcm', new Uint8Array(32).fill(7), { nonceCheck: false })
const nonces = Array.from({ length: CALLS }, (_, i) => new Uint8Array(12).fill(i))
const sealed = []

const ways = {
  'one after the other': async (plaintext) => {
    for (const nonce of nonces) sealed[0] = await aead.seal(nonce, plaintext)
  },
  'all at once': async (plaintext) => {
    await Promise.all(nonces.map((nonce) => aead.seal(nonce, plaintext)))
  },
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

const rows = []
for (const [bytes, rounds] of ROUNDS) {
  const plaintext = new Uint8Array(bytes).fill(5)
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  const busy = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const before = process.cpuUsage()
      const start = process.hrtime.bigint()
      await way(plaintext)
      const nanoseconds = Number(process.hrtime.bigint() - start)
      const { user, system } = process.cpuUsage(before)
      if (round < 0) continue
      times[name].push(nanoseconds / CALLS)
      busy[name].push(((user + system) * 1000) / nanoseconds)
    }
  }
  const [single, parallel] = Object.values(times).map(median)
  const [busySingle, busyParallel] = Object.values(busy).map(median)
  const gain = single / parallel
  rows.push({
    bytes,
    singleNanoseconds: single,
    parallelNanoseconds: parallel,
    busySingle,
    busyParallel,
    gain,
  })
}

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ version: backend.raw.version(), threads: availableParallelism(), rows }))
} else {
  console.log(`${backend.raw.version()}, ${availableParallelism()} processors, ${CALLS} calls`)
  console.table(
    rows.map(({ bytes, singleNanoseconds, parallelNanoseconds, busySingle, busyParallel, gain }) => ({
      bytes,
      'µs per call, one after the other': (singleNanoseconds / 1000).toFixed(1),
      'µs per call, all at once': (parallelNanoseconds / 1000).toFixed(1),
      gain: gain.toFixed(2),
      'busy, one after the other': busySingle.toFixed(2),
      'busy, all at once': busyParallel.toFixed(2),
    })),
  )
}
