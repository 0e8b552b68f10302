import type { Aead, AeadOptions, SyncAead } from './aead/types.ts'
import type { AlgorithmId, AlgorithmParams } from './algorithms.ts'
import type { BytesInput } from './bytes.ts'
import type { HybridCipher } from './cipher/hybrid.ts'
import type { Evidence, FipsModuleState } from './evidence.ts'
import type { ConstantTimeClaim } from './guarantees.ts'

/** Bytes whose buffer is a plain, fixed ArrayBuffer: what every function here returns. */
export type Bytes = ReturnType<typeof Uint8Array.of>

/** Where the work happens: the platform's library, WebAssembly, or plain JavaScript. */
export type BackendKind = 'native' | 'wasm' | 'js'

/**
 * One algorithm with one key, as a synchronous backend writes it. `core` has checked every argument: types, lengths,
 * limits, overlap, and that the object is not destroyed. Offsets are in bytes. Inputs may be subclasses such as Node's
 * Buffer, whose `slice` shares memory: copy with `new Uint8Array(bytes)`, and never write to an input.
 */
export interface RawSyncAead {
  /** Whether `seal` and `open` write to `out` only after they have succeeded; else `core` puts a temporary between. */
  readonly atomic: boolean
  /** Whether it allocates memory as long as the message inside `seal` or `open`; absent: it does not. */
  readonly allocates?: boolean
  /** Whether each input byte is read at most once, so that memory shared with another thread needs no copy first. */
  readonly readsOnce: boolean
  /**
   * Writes the ciphertext (as long as the plaintext) to `out` at `ciphertextAt` and the tag at `tagAt`, which is right
   * behind the ciphertext, or right before it where `params.tagPosition` is `start`. `plaintext` may be the very bytes
   * of `out` at `ciphertextAt`; no other overlap occurs. Where `readsOnce` is set it may lie in shared memory that grows
   * meanwhile: `tagAt` tells how long it was.
   */
  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void
  /**
   * `seal` into new memory that owns exactly its bytes: `front` (0 to 64 bytes, copied as they are), ciphertext, tag.
   * For a backend that has the result at hand and copies it faster than `core` allocates and `seal` writes.
   * `undefined`: use `seal` for this message. Absent: always.
   */
  sealNew?(front: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes | undefined
  /**
   * Reads `bytes` bytes of ciphertext from `input` at `ciphertextAt` and the tag at `tagAt`, placed as in `seal`; writes
   * the plaintext to `out` at 0. `out` may start exactly where `input` starts; no other overlap occurs.
   * @returns `false` for a bad tag, and only for that; then nothing of the plaintext may be left in `out`.
   */
  open(
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
  ): boolean
  /**
   * `open` into new memory that owns exactly its bytes, or `false` for a bad tag, and only for that; then nothing of the
   * plaintext may be left anywhere. For a backend whose library returns such memory. `undefined`: use `open` for this
   * message. Absent: always.
   */
  openNew?(
    nonce: Uint8Array,
    input: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
  ): Bytes | false | undefined
  /**
   * Takes the longer messages of callers who wait: see {@link LaterHalf}. Read only of backends made by
   * `defineHybridBackend`, which always have it.
   */
  readonly later?: LaterHalf
  /** Wipes what can be reached, the later half included. Called once. */
  destroy(): void
}

/**
 * One algorithm with one key, as an asynchronous backend writes it. Inputs are read before the first await. The
 * layout is always ciphertext, then tag; `core` moves the tag for algorithms that put it first.
 */
export interface RawAsyncAead {
  /** Returns ciphertext, then tag, in an array that owns its memory. */
  seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Promise<Uint8Array>
  /** Returns the plaintext in an array that owns its memory, or `undefined` for a bad tag, and only for that. */
  open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Promise<Uint8Array | undefined>
  /** Wipes what can be reached. Called once. */
  destroy(): void
}

/**
 * The asynchronous half of a hybrid key. It gets what promise-returning calls hand over from these lengths on; calls
 * without a promise never reach it. Its `destroy` may be called after that of the whole.
 */
export interface LaterHalf extends RawAsyncAead {
  /** First plaintext length in bytes that it seals. */
  readonly sealFromBytes: number
  /** First plaintext length in bytes that it opens. */
  readonly openFromBytes: number
}

/** What a backend says of one algorithm. */
export interface BackendClaims {
  readonly constantTime: ConstantTimeClaim
  /** Whether the backend must be handed the whole message in one call. */
  readonly oneShot: boolean
  /** State of the FIPS module this backend runs in; `off` for code outside any module. */
  readonly fipsModule: FipsModuleState
}

/** What both kinds of backend write. */
export interface RawBackendBase {
  /** Short name, for example `node`. */
  readonly name: string
  /** Where the work happens. */
  readonly kind: BackendKind
  /** Algorithms it may have; whether it has one here is for `probe` and the self-test to say. */
  readonly algorithms: readonly AlgorithmId[]
  /** Largest plaintext of one call in bytes; the algorithm's own maximum applies as well. */
  readonly maxBytes: number
  /** Library and exact version that does the work, for reports. */
  version(): string
  /**
   * Cheap presence check by doing: `true`, or the reason why the algorithm is missing here. May throw an AeadError
   * `not-ready`; that is not remembered.
   */
  probe(params: AlgorithmParams): true | string
  /**
   * The mode the library is in, where what it can do depends on one, such as its FIPS mode: answers of `probe` and of
   * the self-test are remembered for each value. Asked before each answer, so it must be cheap. Absent: there is one.
   */
  mode?(): string | number | undefined
  /** Claims about an algorithm, evaluated with evidence where there is some. */
  claims(params: AlgorithmParams, evidence: Evidence | undefined): BackendClaims
  /** Whether it takes other nonce or tag lengths than the table's (`@aeadkit/core/unsafe`); absent: none. */
  takesVariant?(params: AlgorithmParams): boolean
  /** Random bytes from the library's own generator; absent: `crypto.getRandomValues`. */
  fillRandom?(out: Uint8Array): void
}

/** A synchronous backend, as its author writes it. */
export interface RawSyncBackend extends RawBackendBase {
  /**
   * Memory for a result of `bytes` bytes that owns its buffer; `seal` or `open` overwrites every byte before anyone
   * sees it, so it need not be zeroed. Absent: `new Uint8Array(bytes)`.
   */
  allocate?(bytes: number): Bytes
  /** Sets the key up, once. Must copy `key` if it keeps it. */
  create(params: AlgorithmParams, key: Uint8Array): RawSyncAead
}

/** An asynchronous backend, as its author writes it. */
export interface RawAsyncBackend extends RawBackendBase {
  /** Sets the key up, once. Must read `key` before the first await. */
  create(params: AlgorithmParams, key: Uint8Array): Promise<RawAsyncAead>
}

/** Why a backend cannot be used for an algorithm here. */
export interface Unavailable {
  readonly available: false
  /** `absent`: the presence check said no. `self-test`: it gave a wrong answer or accepted a forgery. */
  readonly stage: 'absent' | 'self-test'
  /** One line for people. */
  readonly reason: string
}

/** Whether a backend can be used for an algorithm here. */
export type Availability = { readonly available: true } | Unavailable

/** A backend ready for `createAead`, `createSealer` and `selectAead`. Made by {@link defineSyncBackend}. */
export interface SyncBackend {
  readonly sync: true
  readonly name: string
  readonly kind: BackendKind
  readonly algorithms: readonly AlgorithmId[]
  /** The author's part. Only `core` calls it. */
  readonly raw: RawSyncBackend
  /**
   * Facts of an algorithm it has.
   * @throws AeadError `invalid-argument` for anything that is not an id; `unsupported` may be thrown for one it lacks.
   */
  paramsOf(id: unknown): AlgorithmParams
  /**
   * Sets a key up. Only `core` calls it, after checking everything but the key. It comes with the backend, so that a
   * bundle without asynchronous backends carries nothing of theirs, and the other way round.
   * @param backend - this backend, or one made of it.
   */
  setUp(backend: SyncBackend, params: AlgorithmParams, key: BytesInput, options: AeadOptions): SyncAead
  /** Presence check, then self-test with a known answer and forgeries; cached per process. */
  probe(id: AlgorithmId): Promise<Availability>
  /** The same without a promise. @throws AeadError `not-ready` for a backend that has to finish loading first. */
  probeSync(id: AlgorithmId): Availability
  /** How keys are set up whose promise-returning calls have a half of their own. Only `core` calls it. */
  readonly hybrid?: HybridSetUp
}

/** Part of a backend made by `defineHybridBackend`. */
export interface HybridSetUp {
  /** As {@link SyncBackend.setUp}, after the self-test of both halves. */
  setUp(
    backend: SyncBackend,
    params: AlgorithmParams,
    key: BytesInput,
    options: AeadOptions,
  ): Promise<SyncAead>
  /** The key of a sealer; `key` is wiped. */
  cipher(backend: SyncBackend, params: AlgorithmParams, key: Bytes): HybridCipher
}

/** A backend that answers by promise. Made by {@link defineAsyncBackend}. */
export interface AsyncBackend {
  readonly sync: false
  readonly name: string
  readonly kind: BackendKind
  readonly algorithms: readonly AlgorithmId[]
  /** The author's part. Only `core` calls it. */
  readonly raw: RawAsyncBackend
  readonly hybrid?: undefined
  /** As {@link SyncBackend.paramsOf}. */
  paramsOf(id: unknown): AlgorithmParams
  /** Sets a key up, as {@link SyncBackend.setUp}. Only `core` calls it. */
  setUp(backend: AsyncBackend, params: AlgorithmParams, key: BytesInput, options: AeadOptions): Promise<Aead>
  /** Presence check, then self-test with a known answer and forgeries; cached per process. */
  probe(id: AlgorithmId): Promise<Availability>
}

/** Either kind of backend. */
export type Backend = SyncBackend | AsyncBackend
