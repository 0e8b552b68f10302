/// <reference lib="esnext.disposable" preserve="true" />
import { type AlgorithmId, type AlgorithmParams, isAlgorithmId } from './algorithms.ts'
import type { Backend, Bytes } from './backend.ts'
import { BOX_HEADER_BYTES, type BoxFormat, boundAad, boxHeader, checkBox } from './box.ts'
import { type BytesInput, copyOf, stable, toBytes, toOptionalBytes } from './bytes.ts'
import { AsyncCipher } from './cipher/async.ts'
import { guaranteesOf, noMemory } from './cipher/base.ts'
import { SyncCipher } from './cipher/sync.ts'
import { checkedBackend, paramsOf } from './define.ts'
import { AeadError, authFailed, isAeadError } from './errors.ts'
import type { Evidence } from './evidence.ts'
import type { Guarantees } from './guarantees.ts'
import { generateKey, type KeyRecord, secretOf, stateOf } from './keys.ts'
import { checkParams } from './limits/input.ts'
import { createMeter, type KeyMeter, type KeyUsage, type Meter } from './meter.ts'
import { kindOf, refuseUnknownOptions } from './names.ts'
import { type NonceMaker, type NonceOption, nonceMaker } from './nonces.ts'
import { fillRandom } from './random.ts'

/** Options of {@link createSealer}. */
export interface SealerOptions {
  /** Backends in order of preference; the first that has the algorithm and passes its self-test does the work. */
  readonly backends: readonly Backend[]
  /** Where nonces come from. Default `random`. */
  readonly nonces?: NonceOption | undefined
  /** Counts usage and refuses to pass a bound. Default: one of the record's own at the default target. */
  readonly meter?: Meter | undefined
  /** Layout of what `encrypt` returns. Default `box`. */
  readonly format?: BoxFormat | undefined
  /** What was observed about this runtime, for the guarantees. */
  readonly evidence?: Evidence | undefined
  /** `false` draws every random nonce when it is needed, where this process may be cloned. Default `true`. */
  readonly noncePool?: boolean | undefined
  /** Applies the FIPS cap of 2^32 random nonces per key (SP 800-38D §8.3). Default `false`. */
  readonly fips?: boolean | undefined
  /** A reason makes every `encrypt` throw `unsupported` with it; decrypting works. */
  readonly sealRefused?: string | undefined
}

const OPTION_NAMES = [
  'backends',
  'nonces',
  'meter',
  'format',
  'evidence',
  'noncePool',
  'fips',
  'sealRefused',
] as const

/** Encrypts without the caller handling nonces, counts usage per key, and refuses to pass a bound. */
export interface Sealer {
  /** The algorithm of the key, never taken from data. */
  readonly algorithm: AlgorithmId
  /** Id of the key: 16 hexadecimal digits. */
  readonly keyId: string
  /** Name of the backend that does the work. */
  readonly backendName: string
  /** What the cipher inside promises. */
  readonly guarantees: Guarantees
  /** What this key has been used for, and what is left. `nextCounter` is what a counter must start at next time. */
  readonly usage: KeyUsage & { readonly nextCounter?: bigint }
  /**
   * Encrypts and authenticates one message under a fresh nonce, which is burned even if this fails.
   * @param plaintext - 0 to `guarantees.maxBytes` bytes.
   * @param aad - authenticated, not encrypted, not part of the result.
   * @returns `version || key id || nonce || sealed`, or `nonce || sealed` in the bare format.
   * @throws AeadError `key-exhausted` before a bound would be passed, `invalid-argument`, `limit-exceeded`,
   *   `unsupported`, `destroyed`, `backend-failed`.
   */
  encrypt(plaintext: BytesInput, aad?: BytesInput): Promise<Bytes>
  /**
   * Verifies and decrypts what `encrypt` returned. A key that is exhausted for sealing still opens.
   * @throws AeadError `auth-failed`; `invalid-argument` (too short, another version, another key's box);
   *   `key-exhausted` when failed openings have used up the integrity bound; `destroyed`.
   */
  decrypt(box: BytesInput, aad?: BytesInput): Promise<Bytes>
  /** `encrypt` without a promise. @throws also `unsupported` where the backend or the leases answer by promise. */
  encryptSync(plaintext: BytesInput, aad?: BytesInput): Bytes
  /** `decrypt` without a promise. @throws also `unsupported` where the backend answers by promise. */
  decryptSync(box: BytesInput, aad?: BytesInput): Bytes
  /** Wipes the key and unused nonces where they can be reached; every later call throws `destroyed`. */
  destroy(): void
  /** The same as `destroy`, for `using`. */
  [Symbol.dispose](): void
}

/** What the constructor needs, all checked. */
interface Parts {
  readonly cipher: SyncCipher | AsyncCipher
  readonly guarantees: Guarantees
  readonly keyId: string
  readonly nonces: NonceMaker
  readonly meter: KeyMeter
  /** Whether `meter` continues the counts of the record's first sealer. */
  readonly counted: boolean
  readonly header: Uint8Array
  readonly sealRefused: string | undefined
  readonly ownRecord: KeyRecord | undefined
}

class SealerObject implements Sealer {
  readonly algorithm: AlgorithmId
  readonly keyId: string
  readonly backendName: string
  readonly guarantees: Guarantees
  readonly #parts: Parts
  readonly #params: AlgorithmParams
  /** The nonce in use by a synchronous call. */
  readonly #nonce: Uint8Array

  constructor(parts: Parts) {
    this.#parts = parts
    this.#params = parts.cipher.params
    this.algorithm = this.#params.id
    this.keyId = parts.keyId
    this.backendName = parts.cipher.backendName
    this.guarantees = parts.guarantees
    this.#nonce = new Uint8Array(this.#params.nonceBytes)
  }

  get usage(): KeyUsage & { readonly nextCounter?: bigint } {
    const { meter, nonces } = this.#parts
    const usage = meter.usage()
    return nonces.nextCounter === undefined ? usage : { ...usage, nextCounter: nonces.nextCounter() }
  }

  encryptSync(plaintext: BytesInput, aad?: BytesInput): Bytes {
    const { cipher, header, nonces } = this.#parts
    // Before the message is counted: nothing will be sealed.
    if (!(cipher instanceof SyncCipher)) throw this.#needsPromise('encrypt')
    const input = this.#admit(plaintext, aad)
    nonces.take(this.#nonce)
    return this.#sealSync(cipher, this.#nonce, input.plaintext, boundAad(header, input.aad))
  }

  async encrypt(plaintext: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const { cipher, header, nonces } = this.#parts
    if (cipher instanceof SyncCipher && nonces.takeAsync === undefined)
      return this.encryptSync(plaintext, aad)
    const input = this.#admit(plaintext, aad)
    const bound = boundAad(header, input.aad)
    const nonce = new Uint8Array(this.#params.nonceBytes)
    if (nonces.takeAsync === undefined) {
      nonces.take(nonce)
      return this.#sealAsync(cipher, nonce, input.plaintext, bound)
    }
    // The lease is awaited, so the inputs must not change meanwhile.
    const kept = new Uint8Array(input.plaintext)
    const keptAad = new Uint8Array(bound)
    await nonces.takeAsync(nonce)
    return this.#sealAsync(cipher, nonce, kept, keptAad)
  }

  /** Everything that can refuse before a nonce is taken. Counts the message. */
  #admit(plaintext: BytesInput, aad: BytesInput | undefined): { plaintext: Uint8Array; aad: Uint8Array } {
    const { cipher, counted, meter, header, sealRefused } = this.#parts
    cipher.checkAlive()
    if (sealRefused !== undefined) throw new AeadError('unsupported', sealRefused)
    const input = toBytes(plaintext, 'plaintext')
    const aadBytes = toOptionalBytes(aad, 'aad')
    const boundBytes = header.length + aadBytes.length
    cipher.checkLengths(input.length, boundBytes)
    if (!counted) throw this.#countedElsewhere()
    meter.reserve(input.length, boundBytes)
    return { plaintext: input, aad: aadBytes }
  }

  #sealSync(cipher: SyncCipher, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes {
    const { header } = this.#parts
    const start = header.length + nonce.length
    const box = zeros(start + plaintext.length + this.#params.tagBytes)
    // Byte by byte: for so few a call to `set` costs more.
    let at = 0
    for (let i = 0; i < header.length; i++) box[at++] = header[i]!
    for (let i = 0; i < nonce.length; i++) box[at++] = nonce[i]!
    cipher.seal(nonce, plaintext, aad, box, start)
    return box
  }

  async #sealAsync(
    cipher: SyncCipher | AsyncCipher,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
  ): Promise<Bytes> {
    if (cipher instanceof SyncCipher) return this.#sealSync(cipher, nonce, plaintext, aad)
    const { header } = this.#parts
    const sealed = await cipher.seal(nonce, plaintext, aad)
    const box = zeros(header.length + nonce.length + sealed.length)
    box.set(header)
    box.set(nonce, header.length)
    box.set(sealed, header.length + nonce.length)
    return box
  }

  decryptSync(box: BytesInput, aad?: BytesInput): Bytes {
    const { cipher } = this.#parts
    if (!(cipher instanceof SyncCipher)) throw this.#needsPromise('decrypt')
    const { input, bound, start, bytes } = this.#accept(box, aad)
    const out = zeros(bytes)
    if (!cipher.open(input.subarray(start - this.#params.nonceBytes, start), input, start, bound, out)) {
      this.#parts.meter.openFailed(bytes, bound.length)
      throw authFailed()
    }
    return out
  }

  async decrypt(box: BytesInput, aad?: BytesInput): Promise<Bytes> {
    const { cipher, meter } = this.#parts
    if (cipher instanceof SyncCipher) return this.decryptSync(box, aad)
    const { input, bound, start, bytes } = this.#accept(box, aad)
    try {
      return await cipher.open(
        copyOf(input.subarray(start - this.#params.nonceBytes, start)),
        input.subarray(start),
        bound,
      )
    } catch (error) {
      if (isAeadError(error, 'auth-failed')) meter.openFailed(bytes, bound.length)
      throw error
    }
  }

  /** Everything public about a box, checked on memory that cannot change before it is opened. */
  #accept(
    box: BytesInput,
    aad: BytesInput | undefined,
  ): { input: Uint8Array; bound: Uint8Array; start: number; bytes: number } {
    const { cipher, header, meter } = this.#parts
    cipher.checkAlive()
    const input = stable(toBytes(box, 'box'))
    const bound = boundAad(header, toOptionalBytes(aad, 'aad'))
    checkBox(input, header, this.#params, this.keyId)
    const start = header.length + this.#params.nonceBytes
    const bytes = input.length - start - this.#params.tagBytes
    cipher.checkLengths(bytes, bound.length)
    meter.checkOpen(bytes, bound.length)
    return { input, bound, start, bytes }
  }

  /** Of two meters that know the key apart, neither knows the sum. */
  #countedElsewhere(): AeadError {
    return new AeadError(
      'invalid-argument',
      `key ${this.keyId} is counted by another meter already: give every sealer of a key the same meter`,
    )
  }

  #needsPromise(instead: string): AeadError {
    return new AeadError('unsupported', `backend ${this.backendName} only answers by promise: use ${instead}`)
  }

  destroy(): void {
    const { cipher, nonces, ownRecord } = this.#parts
    cipher.destroy()
    nonces.destroy()
    this.#nonce.fill(0)
    ownRecord?.destroy()
  }

  [Symbol.dispose](): void {
    this.destroy()
  }
}

/**
 * Makes a sealer for a key.
 * @param key - a key record, or an algorithm id to make a key that can never leave this sealer.
 * @param options - see {@link SealerOptions}; unknown names are refused.
 * @throws AeadError `invalid-argument`, `unsupported` (no backend has the algorithm, with each reason),
 *   `nonce-reused` (a counter start already passed), `destroyed` (the record), `backend-failed`.
 */
export async function createSealer(key: KeyRecord | AlgorithmId, options: SealerOptions): Promise<Sealer> {
  if (options === undefined) throw new AeadError('invalid-argument', 'createSealer needs { backends: [...] }')
  refuseUnknownOptions(options, OPTION_NAMES, 'createSealer')
  const ownRecord =
    typeof key === 'string' ? generateKey(isAlgorithmId(key) ? key : paramsOf(key).id) : undefined
  const record = ownRecord ?? (key as KeyRecord)
  const state = stateOf(record)
  checkedMeter(options.meter)
  const params = paramsOf(record.algorithm)
  const header = formatHeader(options.format ?? 'box', record)
  const backend = await firstAvailable(options.backends, params)
  const nonces = nonceMaker(options.nonces ?? 'random', params, state, ownRecord !== undefined, {
    fillRandom: backend.raw.fillRandom?.bind(backend.raw) ?? fillRandom,
    pooled: options.noncePool ?? true,
  })
  state.meter ??= options.meter ?? createMeter()
  const source = options.meter ?? state.meter
  const meter = source.forKey(record.keyId, params, nonces.regime, options.fips ?? false, state.counted)
  state.counted ??= meter
  const secret = secretOf(record)
  const cipher = backend.sync
    ? new SyncCipher(backend, params, secret)
    : await AsyncCipher.create(backend, params, secret)
  const allocates = cipher instanceof SyncCipher ? cipher.allocates : 'message'
  return new SealerObject({
    cipher,
    guarantees: guaranteesOf(backend, params, options.evidence, allocates),
    keyId: record.keyId,
    nonces,
    meter,
    counted: meter.sharesCounts(state.counted),
    header,
    sealRefused: options.sealRefused,
    ownRecord,
  })
}

function zeros(bytes: number): Bytes {
  try {
    return new Uint8Array(bytes)
  } catch (error) {
    throw noMemory(bytes, error)
  }
}

function checkedMeter(meter: unknown): void {
  if (meter === undefined) return
  if (typeof (meter as Partial<Meter> | null)?.forKey === 'function') return
  throw new AeadError('invalid-argument', `meter must be a meter (from createMeter), got ${kindOf(meter)}`)
}

function formatHeader(format: unknown, record: KeyRecord): Uint8Array {
  if (format === 'box') return boxHeader(record)
  if (format === 'bare') return new Uint8Array(0)
  throw new AeadError('invalid-argument', `format must be "box" or "bare", got ${kindOf(format)}`)
}

/** Falls through only to the next backend of the caller's own list, and only when one lacks the algorithm. */
async function firstAvailable(backends: unknown, params: AlgorithmParams): Promise<Backend> {
  if (!Array.isArray(backends) || backends.length === 0) {
    throw new AeadError('invalid-argument', 'backends must be a non-empty array of backends')
  }
  const reasons: string[] = []
  for (const backend of backends.map(checkedBackend)) {
    const answer = await backend.probe(params.id)
    if (answer.available) return backend
    reasons.push(`${backend.name}: ${answer.reason}`)
  }
  throw new AeadError('unsupported', `no given backend has ${params.id} (${reasons.join('; ')})`, {
    details: { reasons },
  })
}

/** How many bytes a sealer adds to a message: header, nonce and tag. */
export function overheadBytes(params: AlgorithmParams, format: BoxFormat = 'box'): number {
  checkParams(params, 'overheadBytes')
  return (format === 'box' ? BOX_HEADER_BYTES : 0) + params.nonceBytes + params.tagBytes
}
