import {
  type AlgorithmFamily,
  type AlgorithmParams,
  defineNarrowBackend,
  type SyncBackend,
} from '@aeadkit/core'
import { NobleAead } from './aead.ts'
import type { NobleMode } from './mode.ts'

/** Version of @noble/ciphers this package depends on; a test compares it with the installed one. */
const NOBLE_VERSION = '2.4.0'

/**
 * Longest message of one call in bytes, 2^31 - 17, the same as on the OpenSSL backend: message and tag stay below the
 * 2^31 - 1 bytes that every engine takes as a typed array. Far below the 2^32 blocks at which noble's counters end.
 */
const MAX_BYTES = 2_147_483_631

/** A backend with the given modes and nothing else. */
export function backendOf(families: readonly AlgorithmFamily[], modes: readonly NobleMode[]): SyncBackend {
  // core asks for nothing but the algorithms below.
  const modeOf = ({ id }: AlgorithmParams): NobleMode => modes.find(({ ids }) => ids.includes(id))!
  return defineNarrowBackend(families, {
    name: 'noble',
    kind: 'js',
    maxBytes: MAX_BYTES,
    version: () => `@noble/ciphers ${NOBLE_VERSION}`,
    probe: () => true,
    claims: (params) => ({ constantTime: modeOf(params).constantTime, oneShot: true, fipsModule: 'off' }),
    takesVariant: (params) => {
      const nonces = modeOf(params)?.nonces
      if (nonces === undefined || params.tagBytes !== 16) return false
      return params.nonceBytes >= nonces[0] && params.nonceBytes <= nonces[1]
    },
    create: (params, key) => new NobleAead(modeOf(params), key),
  })
}
