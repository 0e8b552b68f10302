/** What a server of this runtime takes from every order of the three suites and of two, and what its client lists. */
import { probeTls } from '@aeadkit/selector/protocols'

const [A, B, C] = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']
const clients = [[A, B, C], [B, A, C], [B, C, A], [C, A, B], [A, B], [B, A], [C]]
const seen = await probeTls({ server: { honorCipherOrder: false }, clients })
console.log(
  JSON.stringify(seen.orders.map(({ hello, order, server }) => ({ order, taken: server.chosen, hello }))),
)
