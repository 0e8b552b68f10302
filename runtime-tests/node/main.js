// Node: every backend, every vector. `--jitless` is passed to Node itself by the driver; then there is no WebAssembly
// and no compiler, so few vectors run.
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import { nodeBackend } from '@aeadkit/backend-node'
import { PORTABLE } from '../backends.js'
import { libraryMemoryCases } from '../library-memory.js'
import { print } from '../print.js'
import { runSuite } from '../suite.js'

const jitless = process.execArgv.includes('--jitless')

print(
  await runSuite({
    sources: [{ name: 'node', load: async () => nodeBackend }, ...PORTABLE],
    ...(jitless ? { mostVectors: 8, parts: ['conformance', 'selector', 'transcript'] } : {}),
    require: createRequire(import.meta.url),
    moreCases: libraryMemoryCases,
    foreignBytes: [
      {
        name: 'another realm',
        make: (bytes) => runInNewContext('new Uint8Array(list)', { list: [...bytes] }),
      },
      { name: 'a pooled Buffer', make: (bytes) => Buffer.from(Buffer.from(bytes).toString('hex'), 'hex') },
    ],
  }),
)
