/** Two backends behind one name where at least one answers by promise. */
import type {
  AlgorithmId,
  AlgorithmParams,
  AsyncBackend,
  Availability,
  Backend,
  RawAsyncAead,
  RawAsyncBackend,
} from '@aeadkit/core'
import { ALGORITHMS, defineAsyncBackend } from '@aeadkit/core'
import { baseOf, checkSmallAad } from './claims.ts'
import { crossOpen } from './cross-open.ts'

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

/** Sets a half up on first use; inputs that have to wait for it are copied first. */
class AsyncPairAead implements RawAsyncAead {
  readonly #backends: readonly [small: Backend, large: Backend]
  readonly #params: AlgorithmParams
  readonly #key: Uint8Array
  readonly #crossoverBytes: number
  readonly #pending: (Promise<RawAsyncAead> | undefined)[] = [undefined, undefined]
  readonly #ready: (RawAsyncAead | undefined)[] = [undefined, undefined]

  constructor(
    backends: readonly [small: Backend, large: Backend],
    params: AlgorithmParams,
    key: Uint8Array,
    crossoverBytes: number,
  ) {
    this.#backends = backends
    this.#params = params
    this.#key = new Uint8Array(key)
    this.#crossoverBytes = crossoverBytes
  }

  #at(bytes: number, aadBytes: number): 0 | 1 {
    if (bytes >= this.#crossoverBytes) return 1
    checkSmallAad(this.#backends[0].raw.maxBytes, aadBytes)
    return 0
  }

  #make(at: 0 | 1): Promise<RawAsyncAead> {
    const known = this.#pending[at]
    if (known !== undefined) return known
    const made = createHalf(this.#backends[at], this.#params, this.#key).then(
      (aead) => {
        this.#ready[at] = aead
        if (this.#ready.every((one) => one !== undefined)) this.#key.fill(0)
        return aead
      },
      (error: unknown) => {
        // The next message tries again, as with one backend alone.
        this.#pending[at] = undefined
        throw error
      },
    )
    this.#pending[at] = made
    return made
  }

  async seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Promise<Uint8Array> {
    const at = this.#at(plaintext.length, aad.length)
    const ready = this.#ready[at]
    if (ready !== undefined) return ready.seal(nonce, plaintext, aad)
    const inputs = [new Uint8Array(nonce), new Uint8Array(plaintext), new Uint8Array(aad)] as const
    const aead = await this.#make(at)
    return aead.seal(...inputs)
  }

  async open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Promise<Uint8Array | undefined> {
    const at = this.#at(sealed.length - this.#params.tagBytes, aad.length)
    const ready = this.#ready[at]
    if (ready !== undefined) return ready.open(nonce, sealed, aad)
    const inputs = [new Uint8Array(nonce), new Uint8Array(sealed), new Uint8Array(aad)] as const
    const aead = await this.#make(at)
    return aead.open(...inputs)
  }

  destroy(): void {
    this.#key.fill(0)
    for (const made of this.#pending) made?.then((aead) => aead.destroy()).catch(() => undefined)
  }
}

/** {@link pairBackend} where at least one half is asynchronous. */
export function asyncPair(small: Backend, large: Backend, crossoverBytes: number): AsyncBackend {
  const base = baseOf(small, large, crossoverBytes)
  const raw: RawAsyncBackend = {
    ...base,
    // The halves can only be asked by promise, so their answers are awaited in `probe` of the backend below.
    probe: () => true,
    create: async (params, key) => new AsyncPairAead([small, large], params, key, crossoverBytes),
  }
  const backend = defineAsyncBackend(raw)
  const known = new Map<AlgorithmId, Promise<Availability>>()
  const test = async (id: AlgorithmId): Promise<Availability> => {
    for (const half of [small, large]) {
      const answer = await half.probe(id)
      if (!answer.available) return { ...answer, reason: `${half.name}: ${answer.reason}` }
    }
    const crossed = await crossOpen(small, large, ALGORITHMS[id], crossoverBytes)
    return crossed === true ? backend.probe(id) : { available: false, stage: 'self-test', reason: crossed }
  }
  return {
    ...backend,
    probe(id) {
      const answer = known.get(id) ?? test(id)
      known.set(id, answer)
      return answer
    },
  }
}
