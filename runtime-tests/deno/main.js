// Deno: run with all permissions and with none. Without permissions nothing may prompt or throw, and what cannot be
// seen is unknown.
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import { nodeBackend } from '@aeadkit/backend-node'
import { collectEvidence } from '@aeadkit/selector'
import { PORTABLE } from '../backends.js'
import { libraryMemoryCases } from '../library-memory.js'
import { print } from '../print.js'
import { createShim } from '../shim.js'
import { runSuite } from '../suite.js'

/** Evidence that has to be read from files or variables. */
const READ = ['cpu.flags.aes', 'cpu.flags.clmul', 'env.OPENSSL_ia32cap', 'env.OPENSSL_CONF']

const closed = globalThis.Deno.permissions.querySync({ name: 'read' }).state !== 'granted'

const record = await runSuite({
  sources: [{ name: 'node', load: async () => nodeBackend }, ...PORTABLE],
  moreCases: libraryMemoryCases,
  // Deno's require() reads files.
  require: closed ? undefined : createRequire(import.meta.url),
  foreignBytes: [
    {
      name: 'another realm',
      make: (bytes) => runInNewContext('new Uint8Array(list)', { list: [...bytes] }),
    },
  ],
})

const { describe, it, run } = createShim()
describe('permissions', () => {
  it(closed ? 'denied ones make evidence unknown' : 'granted ones let evidence be seen', async () => {
    const { items } = await collectEvidence({ measure: 'never' })
    for (const name of READ) {
      const item = items.find((each) => each.name === name)
      const unknown = item === undefined || item.certainty === 'unknown'
      if (closed && !unknown) throw new Error(`${name} is ${item.value}, read from ${item.source}`)
      if (!closed && name.startsWith('cpu.') && unknown) throw new Error(`${name} is unknown`)
    }
  })
})
print({ ...record, selector: [...record.selector, ...(await run())] })
