// Node with @peculiar/webcrypto in the place of its own WebCrypto, as a runtime without one would have it. The backend
// in plain JavaScript stands beside it for the algorithms that no WebCrypto has.
import { createWebCryptoBackend } from '@aeadkit/backend-webcrypto'
import { Crypto } from '@peculiar/webcrypto'
import { PORTABLE } from '../backends.js'
import { print } from '../print.js'
import { runSuite } from '../suite.js'

const PECULIAR = {
  name: 'webcrypto',
  load: async () =>
    createWebCryptoBackend({ crypto: new Crypto(), version: '@peculiar/webcrypto 1.7.2', kind: 'native' }),
}

print(
  await runSuite({
    sources: [PECULIAR, ...PORTABLE.filter(({ name }) => name === 'noble')],
    foreignBytes: [
      { name: 'a pooled Buffer', make: (bytes) => Buffer.from(Buffer.from(bytes).toString('hex'), 'hex') },
    ],
  }),
)
