import { createCipheriv } from 'node:crypto'
import { HEX as AES } from '../src/generated/aes-gcm.ts'
import { HEX as COLUMNS } from '../src/generated/chacha20-poly1305.columns.ts'
import { HEX as ROWS } from '../src/generated/chacha20-poly1305.rows.ts'
import { bytesOfHex } from '../src/hex.ts'
import { KernelInstance } from '../src/instance.ts'
import { type LongKey, openLong, sealLong } from '../src/windows.ts'

/** A module under test and what node:crypto calls its algorithm. */
export interface KernelUnderTest {
  readonly name: string
  readonly hex: string
  readonly keyBytes: number
  readonly native: 'chacha20-poly1305' | 'aes-128-gcm' | 'aes-256-gcm'
}

export const KERNELS: readonly KernelUnderTest[] = [
  { name: 'chacha20-poly1305 columns', hex: COLUMNS, keyBytes: 32, native: 'chacha20-poly1305' },
  { name: 'chacha20-poly1305 rows', hex: ROWS, keyBytes: 32, native: 'chacha20-poly1305' },
  { name: 'aes-gcm, 16-byte keys', hex: AES, keyBytes: 16, native: 'aes-128-gcm' },
  { name: 'aes-gcm, 32-byte keys', hex: AES, keyBytes: 32, native: 'aes-256-gcm' },
]

/** What OpenSSL makes of the same. */
export function reference(
  native: KernelUnderTest['native'],
  key: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  aad: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const cipher = createCipheriv(native as 'aes-256-gcm', key, nonce, { authTagLength: 16 })
  cipher.setAAD(aad)
  return new Uint8Array(Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]))
}

/** One instance with one key, its exports called as the backend calls them, by both paths at every length. */
export class Driver {
  readonly instance: KernelInstance
  readonly slot: number
  readonly #key: LongKey

  constructor(kernel: string, key: Uint8Array, instance: KernelInstance = instanceOf(kernel)) {
    this.instance = instance
    this.slot = instance.takeSlot(key)
    this.#key = { instance, slot: this.slot, begin: instance.exports.begin }
  }

  /** The call for messages of one window. */
  seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Uint8Array {
    const { exports, memory, aad: staged, dataAt } = this.instance
    this.instance.nonce.set(nonce)
    staged.set(aad)
    memory.set(plaintext, dataAt)
    exports.seal(this.slot, aad.length, plaintext.length)
    return memory.slice(dataAt, dataAt + plaintext.length + 16)
  }

  open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Uint8Array | undefined {
    const { exports, memory, aad: staged, dataAt } = this.instance
    const bytes = sealed.length - 16
    this.instance.nonce.set(nonce)
    staged.set(aad)
    memory.set(sealed, dataAt)
    if (exports.open(this.slot, aad.length, bytes) === 0) return undefined
    const plaintext = memory.slice(dataAt, dataAt + bytes)
    exports.wipeData(bytes)
    return plaintext
  }

  /** The calls for longer ones, at any length. */
  sealLong(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Uint8Array {
    const out = new Uint8Array(plaintext.length + 16)
    sealLong(this.#key, nonce, plaintext, plaintext.length, aad, out, 0)
    return out
  }

  openLong(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Uint8Array | undefined {
    const bytes = sealed.length - 16
    const out = new Uint8Array(bytes)
    return openLong(this.#key, nonce, sealed, 0, bytes, aad, out) ? out : undefined
  }
}

export function instanceOf(kernelHex: string): KernelInstance {
  return new KernelInstance(new WebAssembly.Module(bytesOfHex(kernelHex)))
}
