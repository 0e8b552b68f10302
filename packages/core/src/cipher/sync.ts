import type { AlgorithmParams } from '../algorithms.ts'
import type { Bytes, RawSyncAead, SyncBackend } from '../backend.ts'
import { byteOffsetOf, copyOf, overlaps, stable, startsTogether } from '../bytes.ts'
import { AeadError, authFailed } from '../errors.ts'
import type { Guarantees } from '../guarantees.ts'
import { CipherBase, changedLength, noMemory } from './base.ts'

/**
 * One key on a synchronous backend: argument rules, tag placement, limits, snapshots and error mapping in one place.
 * `SyncAead` and the sealer are thin shells over it.
 */
export class SyncCipher extends CipherBase {
  protected readonly raw: RawSyncAead
  readonly #backend: SyncBackend

  /** `key` is wiped here; `params` may be a variant the backend takes. */
  constructor(backend: SyncBackend, params: AlgorithmParams, key: Bytes) {
    super(backend, params)
    this.#backend = backend
    try {
      this.raw = backend.raw.create(params, key)
    } catch (error) {
      throw this.failure(error, 'set up a key')
    } finally {
      key.fill(0)
    }
  }

  get allocates(): Guarantees['allocates'] {
    return this.raw.atomic && this.raw.allocates !== true ? 'nothing' : 'message'
  }

  /** Whether inputs may be handed over that another thread can write to. */
  get readsOnce(): boolean {
    return this.raw.readsOnce
  }

  /** Memory for a result; its content is arbitrary until `seal` or `open` has succeeded. */
  allocate(bytes: number): Bytes {
    try {
      return this.#backend.raw.allocate?.(bytes) ?? new Uint8Array(bytes)
    } catch (error) {
      throw noMemory(bytes, error)
    }
  }

  destroy(): void {
    this.destroyOnce(this.raw)
  }

  /**
   * Seals into `out` from `start` on, in the algorithm's own layout. Lengths are checked; `nonce` is private; `out` has
   * room for `bytes` bytes of plaintext.
   */
  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
    start: number,
  ): void {
    // Here as well, where the key is used: between a caller's own check and this there may be a callback or an await,
    // and a wiped key would still encrypt, under zeros.
    this.checkAlive()
    const { tagFirst, tagBytes } = this.sizes
    const raw = this.raw
    try {
      const input = raw.readsOnce ? plaintext : stable(plaintext)
      // Shared memory may have grown, and what lies behind the room in `out` is somebody else's.
      if (input.length !== bytes) throw changedLength('plaintext')
      const ciphertextAt = tagFirst ? start + tagBytes : start
      const tagAt = tagFirst ? start : start + bytes
      if (raw.readsOnce) raw.seal(nonce, input, aad, out, ciphertextAt, tagAt)
      else raw.seal(nonce, input, stable(aad), out, ciphertextAt, tagAt)
    } catch (error) {
      throw this.failure(error, 'seal')
    }
  }

  /**
   * Seals into new memory: `front` as it is, then the algorithm's own layout. Lengths are checked; `front` and `nonce`
   * are private, and short.
   */
  sealNew(front: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Bytes {
    this.checkAlive()
    const raw = this.raw
    if (raw.sealNew !== undefined && raw.readsOnce && !this.sizes.tagFirst) {
      let sealed: Bytes | undefined
      try {
        sealed = raw.sealNew(front, nonce, plaintext, aad)
      } catch (error) {
        throw this.failure(error, 'seal')
      }
      if (sealed !== undefined) return sealed
    }
    const start = front.length
    const bytes = plaintext.length
    const out = this.allocate(start + bytes + this.sizes.tagBytes)
    // Byte by byte: for so few a call to `set` costs more.
    for (let i = 0; i < start; i++) out[i] = front[i]!
    this.seal(nonce, plaintext, bytes, aad, out, start)
    return out
  }

  /**
   * Opens the sealed form of `bytes` bytes that lies in `input` from `start` on, into `out` at 0.
   * @returns `false` for a bad tag; then `out` holds nothing of the plaintext.
   */
  open(
    nonce: Uint8Array,
    input: Uint8Array,
    start: number,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
  ): boolean {
    this.checkAlive()
    const { tagFirst, tagBytes } = this.sizes
    const ciphertextAt = tagFirst ? start + tagBytes : start
    const tagAt = tagFirst ? start : start + bytes
    const raw = this.raw
    try {
      if (raw.readsOnce) return raw.open(nonce, input, ciphertextAt, tagAt, bytes, aad, out)
      return raw.open(stable(nonce), stable(input), ciphertextAt, tagAt, bytes, stable(aad), out)
    } catch (error) {
      if (!raw.atomic) out.fill(0, 0, bytes)
      throw this.failure(error, 'open')
    }
  }

  /**
   * Opens the sealed form of `bytes` bytes that lies in `input` from `start` on, into new memory.
   * @returns `undefined` for a bad tag.
   */
  openNew(
    nonce: Uint8Array,
    input: Uint8Array,
    start: number,
    bytes: number,
    aad: Uint8Array,
  ): Bytes | undefined {
    this.checkAlive()
    const raw = this.raw
    if (raw.openNew !== undefined) {
      const { tagFirst, tagBytes } = this.sizes
      const at = tagFirst ? start + tagBytes : start
      const tagAt = tagFirst ? start : start + bytes
      let opened: Bytes | false | undefined
      try {
        opened = raw.readsOnce
          ? raw.openNew(nonce, input, at, tagAt, bytes, aad)
          : raw.openNew(stable(nonce), stable(input), at, tagAt, bytes, stable(aad))
      } catch (error) {
        throw this.failure(error, 'open')
      }
      if (opened !== undefined) return opened === false ? undefined : opened
    }
    const out = this.allocate(bytes)
    return this.open(nonce, input, start, bytes, aad, out) ? out : undefined
  }

  /**
   * Seals into the caller's array: nothing is written unless everything succeeded. `nonce` is a private copy of
   * `callersNonce`, which only matters for overlap.
   */
  sealInto(
    out: Uint8Array,
    nonce: Uint8Array,
    callersNonce: Uint8Array,
    plaintext: Uint8Array,
    aad: Uint8Array,
  ): number {
    const bytes = plaintext.length
    const sealedBytes = bytes + this.sizes.tagBytes
    this.#checkOut(out, sealedBytes, plaintext, callersNonce, aad)
    if (!this.raw.atomic) {
      const sealed = new Uint8Array(sealedBytes)
      this.seal(nonce, plaintext, bytes, aad, sealed, 0)
      out.set(sealed)
      return sealedBytes
    }
    // A tag in front moves the ciphertext away from where the plaintext starts: the in-place case needs a copy.
    const source = this.sizes.tagFirst && startsTogether(out, plaintext) ? copyOf(plaintext) : plaintext
    this.seal(nonce, source, bytes, aad, out, 0)
    return sealedBytes
  }

  /** Opens into the caller's array: nothing is written unless the tag is right. */
  openInto(out: Uint8Array, nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): number {
    const bytes = sealed.length - this.sizes.tagBytes
    this.#checkOut(out, bytes, sealed, nonce, aad)
    const direct = this.raw.atomic
    const target = direct ? out : new Uint8Array(bytes)
    const source = this.sizes.tagFirst && direct && startsTogether(out, sealed) ? copyOf(sealed) : sealed
    if (!this.open(nonce, source, 0, bytes, aad, target)) throw authFailed()
    if (!direct) {
      out.set(target)
      target.fill(0)
    }
    return bytes
  }

  #checkOut(out: Uint8Array, bytes: number, input: Uint8Array, nonce: Uint8Array, aad: Uint8Array): void {
    if (out.length < bytes) throw tooSmall(bytes, out.length)
    const at = byteOffsetOf(out)
    if (overlaps(out, at, bytes, input) && !startsTogether(out, input)) {
      throw badOverlap('the input, unless both start at the same byte')
    }
    if (overlaps(out, at, bytes, nonce)) throw badOverlap('the nonce')
    if (overlaps(out, at, bytes, aad)) throw badOverlap('the AAD')
  }
}

function tooSmall(minBytes: number, actualBytes: number): AeadError {
  return new AeadError(
    'invalid-argument',
    `out is too small: ${minBytes} bytes are needed, got ${actualBytes}`,
    { details: { minBytes, actualBytes } },
  )
}

function badOverlap(what: string): AeadError {
  return new AeadError('invalid-argument', `out must not overlap ${what}`)
}
