import type { AlgorithmParams } from '../algorithms.ts'
import type { AsyncBackend, Backend, Bytes, RawAsyncAead } from '../backend.ts'
import { copyOf, ownsExactly, stable } from '../bytes.ts'
import { authFailed, isAeadError } from '../errors.ts'
import { rotate } from '../self-test.ts'
import { backendFailed, CipherBase } from './base.ts'

/** One key on an asynchronous backend; the counterpart of `SyncCipher`. */
export class AsyncCipher extends CipherBase {
  readonly #raw: RawAsyncAead

  private constructor(backend: Backend, params: AlgorithmParams, raw: RawAsyncAead) {
    super(backend, params)
    this.#raw = raw
  }

  /** A key that is set up already, as part of one of `backend`. */
  static of(backend: Backend, params: AlgorithmParams, raw: RawAsyncAead): AsyncCipher {
    return new AsyncCipher(backend, params, raw)
  }

  /** `key` is wiped here. */
  static async create(backend: AsyncBackend, params: AlgorithmParams, key: Bytes): Promise<AsyncCipher> {
    try {
      return new AsyncCipher(backend, params, await backend.raw.create(params, key))
    } catch (error) {
      throw isAeadError(error) ? error : backendFailed(backend.name, 'set up a key', params.id, error)
    } finally {
      key.fill(0)
    }
  }

  destroy(): void {
    this.destroyOnce(this.#raw)
  }

  async seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Promise<Bytes> {
    this.checkAlive()
    const { tagFirst, tagBytes } = this.sizes
    // Kept: the caller may resize or transfer the memory before the answer comes.
    let bytes = plaintext.length
    let sealed: Uint8Array
    try {
      const input = stable(plaintext)
      bytes = input.length
      sealed = await this.#raw.seal(nonce, input, stable(aad))
    } catch (error) {
      throw this.failure(error, 'seal')
    }
    this.#checkResult(sealed, bytes + tagBytes, 'seal')
    return tagFirst ? rotate(sealed, bytes) : owned(sealed)
  }

  /** A backend that answers with anything but that many bytes is broken. */
  #checkResult(result: unknown, bytes: number, operation: string): void {
    if (result instanceof Uint8Array && result.length === bytes) return
    throw this.failure(new TypeError(`it did not return ${bytes} bytes`), operation)
  }

  async open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Promise<Bytes> {
    this.checkAlive()
    const { tagFirst, tagBytes } = this.sizes
    let bytes = sealed.length
    let opened: Uint8Array | undefined
    try {
      const input = tagFirst ? rotate(sealed, tagBytes) : stable(sealed)
      bytes = input.length
      opened = await this.#raw.open(nonce, input, stable(aad))
    } catch (error) {
      throw this.failure(error, 'open')
    }
    if (opened === undefined) throw authFailed()
    this.#checkResult(opened, bytes - tagBytes, 'open')
    return owned(opened)
  }
}

/** The array itself when it owns exactly its plain memory, else a copy: a caller may transfer it. */
export function owned(bytes: Uint8Array): Bytes {
  return ownsExactly(bytes, bytes.length) ? bytes : copyOf(bytes)
}
