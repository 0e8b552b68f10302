// Prints the hardware class of this process as JSON. Runs over the built package.
import { nodeBackend } from '@aeadkit/backend-node'
import { collectEvidence } from '../dist/index.js'

const evidence = await collectEvidence({ backends: [nodeBackend], measure: process.argv[2] ?? 'always' })
const flag = evidence.items.find((item) => item.name === 'cpu.flags.aes')
const reason = evidence.items.find((item) => item.name === 'hardware.class')
console.log(
  JSON.stringify({ ...evidence, items: [], measurements: [], flag: flag?.value, reason: reason?.source }),
)
