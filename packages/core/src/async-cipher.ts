import type { AlgorithmParams } from './algorithms.ts'
import type { AsyncBackend, Bytes, RawAsyncAead } from './backend.ts'
import { copyOf, stable } from './bytes.ts'
import { CipherBase } from './cipher.ts'
import { AeadError, authFailed, isAeadError } from './errors.ts'
import { rotate } from './self-test.ts'

/** One key on an asynchronous backend; the counterpart of `SyncCipher`. */
export class AsyncCipher extends CipherBase {
  readonly #raw: RawAsyncAead

  private constructor(backend: AsyncBackend, params: AlgorithmParams, raw: RawAsyncAead) {
    super(backend, params)
    this.#raw = raw
  }

  /** `key` is wiped here. */
  static async create(backend: AsyncBackend, params: AlgorithmParams, key: Bytes): Promise<AsyncCipher> {
    try {
      return new AsyncCipher(backend, params, await backend.raw.create(params, key))
    } catch (error) {
      if (isAeadError(error)) throw error
      throw new AeadError(
        'backend-failed',
        `backend ${backend.name} could not set up a key with ${params.id}`,
        {
          cause: error,
        },
      )
    } finally {
      key.fill(0)
    }
  }

  destroy(): void {
    if (this.markDestroyed()) this.#raw.destroy()
  }

  async seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Promise<Bytes> {
    let sealed: Uint8Array
    try {
      sealed = await this.#raw.seal(nonce, stable(plaintext), stable(aad))
    } catch (error) {
      throw this.failure(error, 'seal')
    }
    return this.sizes.tagFirst ? rotate(sealed, plaintext.length) : owned(sealed)
  }

  async open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Promise<Bytes> {
    const { tagFirst, tagBytes } = this.sizes
    let opened: Uint8Array | undefined
    try {
      opened = await this.#raw.open(nonce, tagFirst ? rotate(sealed, tagBytes) : stable(sealed), stable(aad))
    } catch (error) {
      throw this.failure(error, 'open')
    }
    if (opened === undefined) throw authFailed()
    return owned(opened)
  }
}

/** The array itself when it owns exactly its plain memory, else a copy: a caller may transfer it. */
export function owned(bytes: Uint8Array): Bytes {
  const exact = bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length
  return exact && bytes.buffer instanceof ArrayBuffer && bytes.constructor === Uint8Array
    ? (bytes as Bytes)
    : copyOf(bytes)
}
