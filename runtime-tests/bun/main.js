// Bun: its node:crypto is BoringSSL.
import { nodeBackend } from '@aeadkit/backend-node'
import { PORTABLE } from '../backends.js'
import { print } from '../print.js'
import { runSuite } from '../suite.js'

print(
  await runSuite({
    sources: [{ name: 'node', load: async () => nodeBackend }, ...PORTABLE],
    foreignBytes: [
      { name: 'a pooled Buffer', make: (bytes) => Buffer.from(Buffer.from(bytes).toString('hex'), 'hex') },
    ],
  }),
)
