import type { BackendClaims, ConstantTimeClaim } from '@aeadkit/core'

/** Day the statements below were last held against libsodium's source. */
const AS_OF = '2026-11-30'

const ARX: ConstantTimeClaim = {
  level: 'structural',
  basis:
    "libsodium's portable ChaCha20 and Poly1305 in WebAssembly: additions, XORs, rotations and integer multiplications, no table and no branch on secrets; an engine gives no promise about the machine code it makes of them",
  asOf: AS_OF,
}

const TABLES: ConstantTimeClaim = {
  level: 'none',
  basis:
    'compiled to WebAssembly, libsodium computes the AES round with tables indexed by secret-dependent values: caches leak them',
  asOf: AS_OF,
}

/** Claims about one algorithm of this backend. No module stands behind WebAssembly. */
export function claimsOf(aegis: boolean): BackendClaims {
  return { constantTime: aegis ? TABLES : ARX, oneShot: true, fipsModule: 'off' }
}
