/**
 * AEADs of the library behind `node:crypto`: Node, and as far as they have them Bun and Deno; not browsers.
 * @module
 */
import * as nodeCrypto from 'node:crypto'
import {
  AeadError,
  ALGORITHMS,
  type AlgorithmId,
  type AlgorithmParams,
  defineSyncBackend,
  type RawSyncAead,
  readOptions,
  type SyncBackend,
} from '@aeadkit/core'
import { claimsOf, fipsState } from './claims.ts'
import { libraryOf, versionText } from './host.ts'
import { hashesNonces } from './long-nonce.ts'
import { allocate } from './memory.ts'
import { MODES, takesVariant } from './modes.ts'
import type { NodeCrypto } from './native.ts'
import { PieceAead } from './pieces.ts'
import { WholeAead } from './whole.ts'
import { XaesDerivation } from './xaes.ts'
import { XChaChaDerivation } from './xchacha.ts'

export type { NativeCipher, NativeOptions, NodeCrypto } from './native.ts'

/**
 * Longest message of one call in bytes, 2^31 - 17: sealed with its 16-byte tag it still has at most 2^31 - 1 bytes,
 * the most every Node version takes in one native call. Longer ones are `limit-exceeded` on all of them alike.
 */
const MAX_BYTES = 2_147_483_631

function create(crypto: NodeCrypto, params: AlgorithmParams, key: Uint8Array): RawSyncAead {
  const [name, shape] = MODES[params.id]!
  if (shape === 'ccm' || shape === 'gcm-siv' || shape === 'siv') {
    return new WholeAead(crypto, shape, name, params.tagBytes, key)
  }
  const source =
    shape === 'xchacha'
      ? new XChaChaDerivation(key)
      : shape === 'xaes'
        ? new XaesDerivation(crypto, key)
        : key
  return new PieceAead(crypto, name, params.tagBytes, source)
}

/** What a failed probe says for the codes Node gives; others are quoted. */
const REASONS: Readonly<Record<string, string>> = {
  ERR_CRYPTO_UNKNOWN_CIPHER: 'it does not know this cipher',
  ERR_OSSL_EVP_UNSUPPORTED:
    'no loaded OpenSSL provider offers this cipher (FIPS or legacy settings withhold it)',
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return `${REASONS[code] ?? message} (${code})`
  return String(message ?? error)
}

/**
 * Seals one byte and opens a forgery of it: `getCiphers()` lists ciphers whose constructor then throws, under FIPS Node
 * seals with CCM but refuses to open, and some ciphers of workerd report a bad tag by throwing where any other failure
 * would. Whether the right one opens and the forgery does not is for the self-test of core to see.
 */
function probe(crypto: NodeCrypto, params: AlgorithmParams): true | string {
  let opening = false
  try {
    const { keyBytes, nonceBytes, tagBytes } = params
    const aead = create(crypto, params, new Uint8Array(keyBytes))
    const [nonce, byte, none] = [new Uint8Array(nonceBytes), new Uint8Array(1), new Uint8Array(0)]
    const sealed = new Uint8Array(1 + tagBytes)
    aead.seal(nonce, byte, none, sealed, 0, 1)
    aead.open(nonce, sealed, 0, 1, 1, none, byte)
    sealed[1]! ^= 1
    opening = true
    aead.open(nonce, sealed, 0, 1, 1, none, byte)
    aead.destroy()
    return true
  } catch (error) {
    return opening
      ? `${versionText()} reports a bad tag of ${params.id} before final(), like other failures`
      : `${versionText()} cannot do ${params.id}: ${reasonOf(error)}`
  }
}

/** Options of {@link createNodeBackend}. */
export interface NodeBackendOptions {
  /** The crypto module to use. */
  readonly crypto: NodeCrypto
}

/**
 * The backend over a crypto module handed in, for tests and for runtimes whose `node:crypto` is wrapped. Everyone else
 * uses {@link nodeBackend}. Nothing of the module is called before the backend is probed or used.
 * @throws AeadError `invalid-argument`: no options, or no such module.
 */
export function createNodeBackend(options: NodeBackendOptions): SyncBackend {
  const { crypto } = readOptions<Partial<NodeBackendOptions>>(options, ['crypto'], 'createNodeBackend')
  // Looked at no further: nothing of it is touched yet.
  if (typeof crypto === 'object' && crypto !== null) return backendOver(crypto)
  throw new AeadError('invalid-argument', 'createNodeBackend: crypto must be a module like node:crypto')
}

function backendOver(crypto: NodeCrypto): SyncBackend {
  return defineSyncBackend({
    name: 'node',
    kind: 'native',
    algorithms: Object.keys(MODES) as AlgorithmId[],
    maxBytes: MAX_BYTES,
    version: versionText,
    probe: (params) => probe(crypto, params),
    mode: () => fipsState(crypto),
    claims: (params, evidence) => claimsOf(params.id, crypto, libraryOf(), evidence),
    takesVariant: (params) =>
      takesVariant(params) &&
      (params.nonceBytes === ALGORITHMS[params.id].nonceBytes || hashesNonces(crypto, params.id)),
    allocate,
    fillRandom: (out) => {
      crypto.randomFillSync(out)
    },
    create: (params, key) => create(crypto, params, key),
  })
}

/**
 * AES-GCM, AES-CCM, AES-OCB, ChaCha20-Poly1305, XChaCha20-Poly1305 and XAES-256-GCM on every Node; AES-GCM-SIV and
 * AES-SIV where Node exposes them (24.22 and later). A failed probe names what is missing.
 */
// The declared overloads of node:crypto tie cipher names to object types; the names here come from a table.
export const nodeBackend: SyncBackend = /* @__PURE__ */ backendOver(nodeCrypto as unknown as NodeCrypto)
