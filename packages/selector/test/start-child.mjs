// Prints what is seen of the masks after this process changed them, as JSON. Runs over the built package.
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { collectEvidence } from '../dist/index.js'

const [mode, mask] = isMainThread ? process.argv.slice(2) : workerData
const name = 'OPENSSL_ia32cap'
if (mode === 'set') process.env[name] = mask
if (mode === 'delete') delete process.env[name]
if (mode === 'title') process.title = 'x'.repeat(100_000)
if (mode === 'worker' && isMainThread) {
  new Worker(new URL(import.meta.url), { env: {}, workerData: [mode, mask] })
} else {
  const { aes, items } = await collectEvidence({ measure: 'never' })
  const of = (item) => items.find((one) => one.name === item)
  const { certainty, value } = of(`env.${name}`) ?? {}
  const now = of(`env.now.${name}`)?.value
  console.log(JSON.stringify({ aes, flag: of('cpu.flags.aes')?.value, mask: value, certainty, now }))
}
