/** Two backends behind one name where every message is answered by promise. */
import type {
  AlgorithmId,
  AlgorithmParams,
  AsyncBackend,
  Availability,
  Backend,
  RawAsyncAead,
  RawAsyncBackend,
} from '@aeadkit/core'
import { defineAsyncBackend } from '@aeadkit/core'
import { baseOf, checkSmallAad, type From } from './claims.ts'
import { LazyAead } from './lazy-aead.ts'
import { PairKey } from './pair-key.ts'
import { pairTest } from './pair-test.ts'

/** Gives a synchronous half the shape of an asynchronous one: ciphertext, then tag, in arrays of its own. */
async function createHalf(backend: Backend, params: AlgorithmParams, key: Uint8Array): Promise<RawAsyncAead> {
  if (!backend.sync) return backend.raw.create(params, key)
  const aead = backend.raw.create(params, key)
  return {
    async seal(nonce, plaintext, aad) {
      const out = new Uint8Array(plaintext.length + params.tagBytes)
      aead.seal(nonce, plaintext, aad, out, 0, plaintext.length)
      return out
    },
    async open(nonce, sealed, aad) {
      const bytes = sealed.length - params.tagBytes
      const out = new Uint8Array(bytes)
      return aead.open(nonce, sealed, 0, bytes, bytes, aad, out) ? out : undefined
    },
    destroy: () => aead.destroy(),
  }
}

/** Chooses a half for each message. */
class AsyncPairAead implements RawAsyncAead {
  readonly #halves: readonly [small: LazyAead, large: LazyAead]
  readonly #key: PairKey
  readonly #tagBytes: number
  readonly #from: From
  readonly #smallMaxBytes: number

  constructor(small: Backend, large: Backend, params: AlgorithmParams, key: Uint8Array, from: From) {
    this.#key = new PairKey(key)
    const half = (backend: Backend): LazyAead =>
      new LazyAead(this.#key, (bytes) => createHalf(backend, params, bytes))
    this.#halves = [half(small), half(large)]
    this.#tagBytes = params.tagBytes
    this.#from = from
    this.#smallMaxBytes = small.raw.maxBytes
  }

  #half(fromBytes: number, bytes: number, aadBytes: number): LazyAead {
    if (bytes >= fromBytes) return this.#halves[1]
    checkSmallAad(this.#smallMaxBytes, aadBytes)
    return this.#halves[0]
  }

  async seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Promise<Uint8Array> {
    return this.#half(this.#from.seal, plaintext.length, aad.length).seal(nonce, plaintext, aad)
  }

  async open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Promise<Uint8Array | undefined> {
    const bytes = sealed.length - this.#tagBytes
    return this.#half(this.#from.open, bytes, aad.length).open(nonce, sealed, aad)
  }

  destroy(): void {
    this.#key.wipe()
    for (const half of this.#halves) half.destroy()
  }
}

/** {@link pairBackend} where the small half answers by promise, or cannot take what the large one takes. */
export function asyncPair(small: Backend, large: Backend, from: From): AsyncBackend {
  const raw: RawAsyncBackend = {
    ...baseOf(small, large, from),
    // The halves can only be asked by promise, so their answers are awaited in `probe` of the backend below.
    probe: () => true,
    create: async (params, key) => new AsyncPairAead(small, large, params, key, from),
  }
  const backend = defineAsyncBackend(raw)
  const test = pairTest(small, large, from)
  return {
    ...backend,
    async probe(id: AlgorithmId): Promise<Availability> {
      const answer = await test(id)
      return answer.available ? backend.probe(id) : answer
    },
  }
}
