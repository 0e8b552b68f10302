// Prints a new key for the secret AEAD_KEY.
import { encodeKey, generateKey } from '@aeadkit/core'

console.log(encodeKey(generateKey('xchacha20-poly1305')))
