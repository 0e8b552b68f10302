/** Two synchronous backends behind one name. */
import type {
  AlgorithmId,
  AlgorithmParams,
  Availability,
  Backend,
  Bytes,
  RawSyncAead,
  RawSyncBackend,
  SyncBackend,
} from '@aeadkit/core'
import { AeadError, defineSyncBackend } from '@aeadkit/core'
import { baseOf, checkSmallAad, type From } from './claims.ts'
import { crossOpenSync } from './cross-open.ts'
import { PairKey } from './pair-key.ts'

const missing = (backend: Backend, answer: Availability): string | undefined =>
  answer.available ? undefined : `${backend.name}: ${answer.reason}`

/**
 * The same bytes in memory that neither another thread nor a resize can change: a copy when needed. Core does this for
 * a backend that reads its input more than once; asking it of a pair would have the half that does not pay for it.
 */
function fixed(bytes: Uint8Array): Uint8Array {
  const buffer = bytes.buffer as ArrayBuffer & { readonly resizable?: boolean }
  try {
    // The accessor throws for shared memory whose prototype was changed.
    if (buffer instanceof ArrayBuffer && buffer.resizable !== true) return bytes
  } catch {
    // Copied below.
  }
  return new Uint8Array(bytes)
}

function grown(): AeadError {
  return new AeadError('invalid-argument', 'an input changed its length during the call')
}

/** Up to which length a half without memory of its own opens into an array of the pair, in bytes. */
const SHORT_BYTES = 4096

/** Sets a half up on first use. */
export class PairAead implements RawSyncAead {
  readonly atomic: boolean
  readonly allocates: boolean
  readonly readsOnce: boolean
  readonly #makeSmall: (key: Uint8Array) => RawSyncAead
  readonly #makeLarge: (key: Uint8Array) => RawSyncAead
  readonly #sealFrom: number
  readonly #openFrom: number
  readonly #smallMaxBytes: number
  readonly #key: PairKey
  #small: RawSyncAead | undefined
  #large: RawSyncAead | undefined

  constructor(
    makers: readonly [small: (key: Uint8Array) => RawSyncAead, large: (key: Uint8Array) => RawSyncAead],
    key: PairKey,
    from: From,
    smallMaxBytes: number,
    traits: HalfTraits,
  ) {
    this.#makeSmall = makers[0]
    this.#makeLarge = makers[1]
    this.#sealFrom = from.seal
    this.#openFrom = from.open
    this.#smallMaxBytes = smallMaxBytes
    this.#key = key
    this.atomic = traits.atomic
    this.allocates = traits.allocates
    this.readsOnce = traits.readsOnce
  }

  #half(fromBytes: number, bytes: number, aadBytes: number): RawSyncAead {
    if (bytes >= fromBytes) return this.#large ?? this.#setUpLarge()
    if (aadBytes > this.#smallMaxBytes) checkSmallAad(this.#smallMaxBytes, aadBytes)
    return this.#small ?? this.#setUpSmall()
  }

  // Apart, so that the choice above is small enough to be inlined.
  #setUpSmall(): RawSyncAead {
    const half = this.#makeSmall(this.#key.bytes)
    this.#small = half
    this.#key.taken()
    return half
  }

  #setUpLarge(): RawSyncAead {
    const half = this.#makeLarge(this.#key.bytes)
    this.#large = half
    this.#key.taken()
    return half
  }

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    const half = this.#half(this.#sealFrom, plaintext.length, aad.length)
    if (half.readsOnce || !this.readsOnce) {
      half.seal(nonce, plaintext, aad, out, ciphertextAt, tagAt)
      return
    }
    const input = fixed(plaintext)
    // Core measured it before; what grew since would be written past its place.
    if (input.length !== tagAt - ciphertextAt) throw grown()
    half.seal(fixed(nonce), input, fixed(aad), out, ciphertextAt, tagAt)
  }

  /** What the half has at hand; a half without is written to memory from core. */
  sealNew(front: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes | undefined {
    const half = this.#half(this.#sealFrom, plaintext.length, aad.length)
    return half.readsOnce ? half.sealNew?.(front, nonce, plaintext, aad) : undefined
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
    const half = this.#half(this.#openFrom, bytes, aad.length)
    if (half.readsOnce || !this.readsOnce)
      return half.open(nonce, input, ciphertextAt, tagAt, bytes, aad, out)
    return half.open(fixed(nonce), fixed(input), ciphertextAt, tagAt, bytes, fixed(aad), out)
  }

  openNew(
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
  ): Bytes | false | undefined {
    const half = this.#half(this.#openFrom, bytes, aad.length)
    if (half.openNew === undefined) {
      // Here, where the half is known: for a short message a second choice is felt.
      return bytes < SHORT_BYTES
        ? this.#openShort(half, nonce, input, ciphertextAt, tagAt, bytes, aad)
        : undefined
    }
    if (half.readsOnce || !this.readsOnce) return half.openNew(nonce, input, ciphertextAt, tagAt, bytes, aad)
    return half.openNew(fixed(nonce), fixed(input), ciphertextAt, tagAt, bytes, fixed(aad))
  }

  /** Into plain memory, which for a few bytes no backend makes faster. */
  #openShort(
    half: RawSyncAead,
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
  ): Bytes | false {
    const out = new Uint8Array(bytes)
    let opened = false
    try {
      opened =
        half.readsOnce || !this.readsOnce
          ? half.open(nonce, input, ciphertextAt, tagAt, bytes, aad, out)
          : half.open(fixed(nonce), fixed(input), ciphertextAt, tagAt, bytes, fixed(aad), out)
    } finally {
      if (!opened && !half.atomic) out.fill(0)
    }
    return opened && out
  }

  destroy(): void {
    this.#key.wipe()
    // One half that cannot be wiped must not keep the other from it.
    try {
      this.#small?.destroy()
    } finally {
      this.#large?.destroy()
    }
  }
}

/** What core has to know before a half exists. */
export interface HalfTraits {
  readonly atomic: boolean
  readonly allocates: boolean
  readonly readsOnce: boolean
}

/** Learns the traits from throw-away keys, so that the real ones can wait for the first message of their size. */
export function traitReader(backends: readonly SyncBackend[]): (params: AlgorithmParams) => HalfTraits {
  const known = new Map<AlgorithmId, HalfTraits>()
  return (params) => {
    const before = known.get(params.id)
    if (before !== undefined) return before
    const halves = backends.map((half) => half.raw.create(params, new Uint8Array(params.keyBytes)))
    const found = {
      atomic: halves.every((half) => half.atomic),
      allocates: halves.some((half) => half.allocates === true),
      // A tag in front says nothing of the length that core measured, so there core has to take the copies.
      readsOnce: params.tagPosition === 'end' || halves.every((half) => half.readsOnce),
    }
    for (const half of halves) half.destroy()
    known.set(params.id, found)
    return found
  }
}

/** {@link pairBackend} for two synchronous backends. */
export function syncPair(small: SyncBackend, large: SyncBackend, from: From): SyncBackend {
  const traits = traitReader([small, large])
  const largeFrom = Math.min(from.seal, from.open)
  const raw: RawSyncBackend = {
    ...baseOf(small, large, from),
    probe(params) {
      const gap = missing(small, small.probeSync(params.id)) ?? missing(large, large.probeSync(params.id))
      return gap ?? crossOpenSync(small, large, params, from)
    },
    allocate: (bytes) => (bytes < largeFrom ? small : large).raw.allocate?.(bytes) ?? new Uint8Array(bytes),
    create: (params, key) =>
      new PairAead(
        [(bytes) => small.raw.create(params, bytes), (bytes) => large.raw.create(params, bytes)],
        new PairKey(key),
        from,
        small.raw.maxBytes,
        traits(params),
      ),
  }
  return defineSyncBackend(raw)
}
