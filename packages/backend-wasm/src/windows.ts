import { type BeginFunction, type KernelInstance, TAG_BYTES } from './instance.ts'

/** Messages or AAD longer than one window, with one key. */
export class LongMessages {
  readonly #instance: KernelInstance
  readonly #slot: number
  readonly #begin: BeginFunction

  constructor(instance: KernelInstance, slot: number, begin: BeginFunction) {
    this.#instance = instance
    this.#slot = slot
    this.#begin = begin
  }

  /** `bytes` is the length of `plaintext` that `out` was made for: shared memory may have grown since. */
  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
  ): void {
    const { exports, memory, dataAt } = this.#instance
    this.#start(nonce, aad)
    // `plaintext` may be the very bytes of `out`: each window is read before it is written.
    this.#eachWindow(plaintext, 0, bytes, (count, at) => {
      exports.sealUpdate(count)
      out.set(memory.subarray(dataAt, dataAt + count), ciphertextAt + at)
    })
    exports.finish()
    out.set(memory.subarray(dataAt, dataAt + TAG_BYTES), tagAt)
  }

  /** Two passes: authenticate all, then decrypt. Nothing is decrypted when the tag is wrong. */
  open(
    nonce: Uint8Array,
    given: Uint8Array,
    ciphertextAt: number,
    tagAt: number,
    bytes: number,
    aad: Uint8Array,
    out: Uint8Array,
  ): boolean {
    const { exports, memory, dataAt, windowBytes } = this.#instance
    const input = unchanging(given)
    this.#start(nonce, aad)
    this.#eachWindow(input, ciphertextAt, bytes, (count) => exports.authUpdate(count))
    memory.set(input.subarray(tagAt, tagAt + TAG_BYTES), dataAt)
    if (exports.verify() === 0) {
      exports.end()
      return false
    }
    exports.decryptBegin()
    this.#eachWindow(input, ciphertextAt, bytes, (count, at) => {
      exports.decryptUpdate(count)
      out.set(memory.subarray(dataAt, dataAt + count), at)
    })
    exports.end()
    exports.wipeData(Math.min(bytes, windowBytes))
    return true
  }

  /** Nonce and AAD of a new message. */
  #start(nonce: Uint8Array, aad: Uint8Array): void {
    const { exports, memory, nonce: nonceArea, aadAt, aadBytes } = this.#instance
    nonceArea.set(nonce)
    this.#begin(this.#slot)
    const total = aad.length
    for (let at = 0; at < total; at += aadBytes) {
      const part = aad.subarray(at, Math.min(at + aadBytes, total))
      memory.set(part, aadAt)
      exports.aadUpdate(part.length)
    }
  }

  /** Copies `bytes` bytes of `input` from `start` on into DATA, window by window. */
  #eachWindow(
    input: Uint8Array,
    start: number,
    bytes: number,
    use: (count: number, at: number) => void,
  ): void {
    const { memory, dataAt, windowBytes } = this.#instance
    for (let at = 0; at < bytes; at += windowBytes) {
      const count = Math.min(windowBytes, bytes - at)
      memory.set(input.subarray(start + at, start + at + count), dataAt)
      use(count, at)
    }
  }
}

/** The engine's own accessor: it refuses shared memory, whatever its class and its tag say. */
const plainBytes: (this: unknown) => number = /* @__PURE__ */ (() =>
  Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')!.get!)()

/**
 * The argument, or a copy when another thread can write to its memory: between the two passes what was authenticated
 * must not change.
 */
function unchanging(bytes: Uint8Array): Uint8Array {
  try {
    plainBytes.call(bytes.buffer)
    return bytes
  } catch {
    return new Uint8Array(bytes)
  }
}
