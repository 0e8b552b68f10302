/** Two synchronous backends behind one name. */
import type {
  AlgorithmId,
  AlgorithmParams,
  Availability,
  Backend,
  RawSyncAead,
  RawSyncBackend,
  SyncBackend,
} from '@aeadkit/core'
import { defineSyncBackend } from '@aeadkit/core'
import { baseOf, checkSmallAad } from './claims.ts'
import { crossOpenSync } from './cross-open.ts'

const missing = (backend: Backend, answer: Availability): string | undefined =>
  answer.available ? undefined : `${backend.name}: ${answer.reason}`

/** Sets a half up on first use; the key copy is wiped as soon as nobody can need it any more. */
class PairAead implements RawSyncAead {
  readonly atomic: boolean
  readonly allocates: boolean
  readonly readsOnce: boolean
  readonly #makeSmall: (key: Uint8Array) => RawSyncAead
  readonly #makeLarge: (key: Uint8Array) => RawSyncAead
  readonly #crossoverBytes: number
  readonly #smallMaxBytes: number
  readonly #key: Uint8Array
  #small: RawSyncAead | undefined
  #large: RawSyncAead | undefined

  constructor(
    makers: readonly [small: (key: Uint8Array) => RawSyncAead, large: (key: Uint8Array) => RawSyncAead],
    key: Uint8Array,
    crossoverBytes: number,
    smallMaxBytes: number,
    traits: HalfTraits,
  ) {
    this.#makeSmall = makers[0]
    this.#makeLarge = makers[1]
    this.#crossoverBytes = crossoverBytes
    this.#smallMaxBytes = smallMaxBytes
    this.#key = new Uint8Array(key)
    this.atomic = traits.atomic
    this.allocates = traits.allocates
    this.readsOnce = traits.readsOnce
  }

  #half(bytes: number, aadBytes: number): RawSyncAead {
    if (bytes < this.#crossoverBytes) {
      checkSmallAad(this.#smallMaxBytes, aadBytes)
      if (this.#small === undefined) {
        this.#small = this.#makeSmall(this.#key)
        this.#wipeWhenDone()
      }
      return this.#small
    }
    if (this.#large === undefined) {
      this.#large = this.#makeLarge(this.#key)
      this.#wipeWhenDone()
    }
    return this.#large
  }

  #wipeWhenDone(): void {
    if (this.#small !== undefined && this.#large !== undefined) this.#key.fill(0)
  }

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    this.#half(plaintext.length, aad.length).seal(nonce, plaintext, aad, out, ciphertextAt, tagAt)
  }

  open(
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
  ): boolean {
    return this.#half(bytes, aad.length).open(nonce, input, ciphertextAt, tagAt, bytes, aad, out)
  }

  destroy(): void {
    this.#key.fill(0)
    // One half that cannot be wiped must not keep the other from it.
    try {
      this.#small?.destroy()
    } finally {
      this.#large?.destroy()
    }
  }
}

/** What core has to know before a half exists. */
interface HalfTraits {
  readonly atomic: boolean
  readonly allocates: boolean
  readonly readsOnce: boolean
}

/** {@link pairBackend} for two synchronous backends. */
export function syncPair(small: SyncBackend, large: SyncBackend, crossoverBytes: number): SyncBackend {
  const base = baseOf(small, large, crossoverBytes)
  const traits = new Map<AlgorithmId, HalfTraits>()
  /** Learned from throw-away keys, so that the real ones can wait for the first message of their size. */
  const traitsOf = (params: AlgorithmParams): HalfTraits => {
    const known = traits.get(params.id)
    if (known !== undefined) return known
    const halves = [small, large].map((half) => half.raw.create(params, new Uint8Array(params.keyBytes)))
    const found = {
      atomic: halves.every((half) => half.atomic),
      allocates: halves.some((half) => half.allocates === true),
      readsOnce: halves.every((half) => half.readsOnce),
    }
    for (const half of halves) half.destroy()
    traits.set(params.id, found)
    return found
  }
  const raw: RawSyncBackend = {
    ...base,
    probe(params) {
      const gap = missing(small, small.probeSync(params.id)) ?? missing(large, large.probeSync(params.id))
      return gap ?? crossOpenSync(small, large, params, crossoverBytes)
    },
    create: (params, key) =>
      new PairAead(
        [(bytes) => small.raw.create(params, bytes), (bytes) => large.raw.create(params, bytes)],
        key,
        crossoverBytes,
        small.raw.maxBytes,
        traitsOf(params),
      ),
  }
  return defineSyncBackend(raw)
}
