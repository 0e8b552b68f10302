// Compares the WebAssembly kernels with node:crypto and noble on seeded random cases:
//   node dist/differential.js [cases] [seed]
import { nobleBackend } from '@aeadkit/backend-noble'
import { nodeBackend } from '@aeadkit/backend-node'
import { createWasmBackend } from '@aeadkit/backend-wasm'
import { compareRandomCases } from './random-cases.ts'

const cases = Number(process.argv[2] ?? 1_000_000)
const seed = Number(process.argv[3] ?? 1)
const peers = [nodeBackend, nobleBackend]
const subjects = (['columns', 'rows'] as const).map((engine) => createWasmBackend({ engine }))

let done = 0
for (const subject of subjects) {
  const each = Math.ceil(cases / subjects.length)
  const { compared, opened } = compareRandomCases(subject, peers, each, seed, (count) => {
    if (count % 20_000 === 0) console.error(`${done + count} of ${cases}`)
  })
  done += each
  const counts = Object.entries(compared).map(([name, count]) => `${count} with ${name}`)
  console.log(`${subject.raw.version()}: ${each} cases, ${counts.join(', ')}, ${opened} opened, no mismatch`)
}
