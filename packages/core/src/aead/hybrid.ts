import type { AlgorithmParams } from '../algorithms.ts'
import type { Availability, Bytes, HybridSetUp, SyncBackend } from '../backend.ts'
import { type BytesInput, toBytes } from '../bytes.ts'
import { checkedKey, destroyedOnError, unavailable } from '../cipher/base.ts'
import { HybridCipher } from '../cipher/hybrid.ts'
import { AsyncAeadObject, SyncAeadObject, tripwireOf } from './objects.ts'
import { PendingTripwire } from './tripwire.ts'
import type { AeadOptions, SyncAead } from './types.ts'

/** A synchronous Aead that hands messages of promise-returning calls on; one memory of nonces for both. */
class HybridAeadObject extends SyncAeadObject {
  readonly #cipher: HybridCipher
  readonly #later: AsyncAeadObject

  constructor(backend: SyncBackend, cipher: HybridCipher, options: AeadOptions, tripwire: PendingTripwire) {
    super(backend, cipher, options, tripwire)
    this.#cipher = cipher
    this.#later = new AsyncAeadObject(backend, cipher.later, options, tripwire)
  }

  override async seal(nonce: BytesInput, plaintext: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const { sealFromBytes } = this.#cipher
    const input = toBytes(plaintext, 'plaintext')
    if (input.length < sealFromBytes) return this.sealSync(nonce, input, aad)
    return this.#later.seal(nonce, input, aad)
  }

  override async open(nonce: BytesInput, sealed: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const { openFromBytes, sizes } = this.#cipher
    const input = toBytes(sealed, 'sealed')
    if (input.length - sizes.tagBytes < openFromBytes) return this.openSync(nonce, input, aad)
    return this.#later.open(nonce, input, aad)
  }
}

/** An Aead of a backend that has answered; the caller wipes `keyCopy`. */
function hybridAead(
  backend: SyncBackend,
  params: AlgorithmParams,
  keyCopy: Bytes,
  options: AeadOptions,
  answer: Availability,
): SyncAead {
  if (!answer.available) throw unavailable(backend.name, params.id, answer)
  const cipher = new HybridCipher(backend, params, keyCopy)
  return destroyedOnError(
    cipher,
    () => new HybridAeadObject(backend, cipher, options, tripwireOf(PendingTripwire, params, options)),
  )
}

/**
 * The counterpart of `openSyncAead` for hybrid backends. The later half cannot be tested without a promise: it sees to
 * that before its first message.
 */
export function openHybridAead(
  backend: SyncBackend,
  params: AlgorithmParams,
  key: BytesInput,
  options: AeadOptions,
): SyncAead {
  const keyCopy = checkedKey(params, key)
  try {
    return hybridAead(backend, params, keyCopy, options, backend.probeSync(params.id))
  } finally {
    keyCopy.fill(0)
  }
}

/** What `createAead` and sealers use instead. */
export const HYBRID_SET_UP: HybridSetUp = {
  async setUp(backend, params, key, options) {
    const keyCopy = checkedKey(params, key)
    try {
      return hybridAead(backend, params, keyCopy, options, await backend.probe(params.id))
    } finally {
      keyCopy.fill(0)
    }
  },
  cipher: (backend, params, key) => new HybridCipher(backend, params, key),
}
