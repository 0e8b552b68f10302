// Compares the WebAssembly kernels with what users of JavaScript have today, in one process.
//   node dist/main.js [--algorithms=a,b] [--sizes=64,1024] [--rounds=n] [--best] [--json=file]
// --best compares the best rounds instead of the middle ones: steadier where others use the machine.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { COMPARED, type Compared, loadLibraries, OURS } from './contenders.ts'
import { type Row, runSize } from './run.ts'
import { machine, systemOpenssl } from './runtime.ts'
import { startUpMs } from './start-up.ts'
import { markdown } from './table.ts'

const { values } = parseArgs({
  options: {
    algorithms: { type: 'string', default: COMPARED.join() },
    sizes: { type: 'string', default: '16,64,256,1024,1350,8192,16384,65536,1048576' },
    rounds: { type: 'string', default: '101' },
    best: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const algorithms = values.algorithms.split(',') as Compared[]
const sizes = values.sizes.split(',').map(Number)
const effort = { rounds: Number(values.rounds), sampleMs: 0.3, warmMs: 60 }
const statistic = values.best ? 'minNs' : 'medianNs'

const here = machine()
const start = startUpMs()
const libraries = await loadLibraries()
const rows: Row[] = []
for (const algorithm of algorithms) {
  for (const bytes of sizes) rows.push(...(await runSize(algorithm, bytes, libraries, effort)))
}
const openssl = algorithms.includes('chacha20-poly1305') ? systemOpenssl() : undefined

console.log(
  `${here.runtime}, ${libraries.wasm.raw.version()}, ${here.cpu}, ${here.cores} cores, load ${here.load}`,
)
console.log(
  `${values.best ? 'Best' : 'Medians'} of ${effort.rounds} interleaved rounds; peer time, then peer time / ${OURS.into} time of the same row.`,
)
for (const reason of libraries.missing) console.log(`Missing: ${reason}`)
for (const [kernel, ms] of Object.entries(start)) {
  console.log(
    `${kernel}: decode, compile and instantiate ${ms.toFixed(2)} ms, the first time in this process`,
  )
}
const bulk = rows.find(
  ({ algorithm, bytes, contender, operation }) =>
    algorithm === 'chacha20-poly1305' && bytes === 16384 && contender === OURS.into && operation === 'seal',
)
if (openssl !== undefined && bulk !== undefined) {
  const ours = (bulk.bytes * 1e3) / bulk[statistic]
  console.log(
    `16 KiB: ${ours.toFixed(0)} MB/s, system openssl ${openssl.toFixed(0)} MB/s, ratio ${(ours / openssl).toFixed(2)}`,
  )
}
console.log(`\n${markdown(rows, here, statistic)}`)
if (values.json !== undefined) {
  const report = {
    machine: here,
    backend: libraries.wasm.raw.version(),
    effort,
    startUpMs: start,
    openssl,
    rows,
  }
  writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`)
}
