/**
 * AEADs of @noble/ciphers in plain JavaScript: the floor that works on every runtime.
 * @module
 */
import {
  type BackendClaims,
  type ConstantTimeClaim,
  defineSyncBackend,
  type SyncBackend,
} from '@aeadkit/core'
import { NobleAead } from './aead.ts'
import { MODES, NOBLE_ALGORITHMS, takesVariant } from './ciphers.ts'

/** Version of @noble/ciphers this package depends on; a test compares it with the installed one. */
const NOBLE_VERSION = '2.4.0'

/**
 * Longest message of one call in bytes, 2^31 - 17, the same as on the OpenSSL backend: message and tag stay below the
 * 2^31 - 1 bytes that every engine takes as a typed array. Far below the 2^32 blocks at which noble's counters end.
 */
const MAX_BYTES = 2_147_483_631

/** Day the statements below were last held against noble's source. */
const AS_OF = '2026-11-30'

const TABLES: ConstantTimeClaim = {
  level: 'none',
  basis: 'noble computes AES and GHASH with tables indexed by secret-dependent values: caches leak them',
  asOf: AS_OF,
}

const ARX: ConstantTimeClaim = {
  level: 'structural',
  basis:
    'additions, XORs, rotations and masks only, no table and no branch on secrets; a JavaScript engine gives no promise about the machine code it makes of them',
  asOf: AS_OF,
}

function claims(tables: boolean): BackendClaims {
  return { constantTime: tables ? TABLES : ARX, oneShot: true, fipsModule: 'off' }
}

/**
 * AES-GCM, AES-GCM-SIV, AES-SIV, ChaCha20-Poly1305 and XChaCha20-Poly1305 in plain JavaScript. Its AES is not constant
 * time (`guarantees.constantTime.level` is `none`); ChaCha is.
 */
export const nobleBackend: SyncBackend = /* @__PURE__ */ defineSyncBackend({
  name: 'noble',
  kind: 'js',
  algorithms: NOBLE_ALGORITHMS,
  maxBytes: MAX_BYTES,
  version: () => `@noble/ciphers ${NOBLE_VERSION}`,
  probe: (params) => (MODES[params.id] === undefined ? `@noble/ciphers has no ${params.id}` : true),
  claims: (params) => claims(MODES[params.id]?.tables === true),
  takesVariant,
  create: (params, key) => new NobleAead(MODES[params.id]!, params.tagBytes, key),
})
