import { type BeginFunction, FRONT_BYTES, type KernelInstance, TAG_BYTES } from './instance.ts'

// Messages or AAD longer than one window.

/** A key in its slot, and how its messages begin. */
export interface LongKey {
  readonly instance: KernelInstance
  readonly slot: number
  readonly begin: BeginFunction
}

/** `bytes` is the length of `plaintext` that `out` was made for: shared memory may have grown since. */
export function sealLong(
  key: LongKey,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  bytes: number,
  aad: Uint8Array,
  out: Uint8Array,
  ciphertextAt: number,
): void {
  const { instance } = key
  const { exports } = instance
  start(key, nonce, aad)
  // `plaintext` may be the very bytes of `out`: each window is read before it is written.
  eachWindow(instance, plaintext, 0, bytes, (count, at) => {
    exports.sealUpdate(count)
    out.set(instance.view(0, count), ciphertextAt + at)
  })
  exports.finish()
  out.set(instance.view(0, TAG_BYTES), ciphertextAt + bytes)
}

/** Two passes: authenticate all, then decrypt. Nothing is decrypted when the tag is wrong. */
export function openLong(
  key: LongKey,
  nonce: Uint8Array,
  given: Uint8Array,
  ciphertextAt: number,
  bytes: number,
  aad: Uint8Array,
  out: Uint8Array,
): boolean {
  const { instance } = key
  const { exports } = instance
  const input = unchanging(given)
  start(key, nonce, aad)
  eachWindow(instance, input, ciphertextAt, bytes, (count) => exports.authUpdate(count))
  eachWindow(instance, input, ciphertextAt + bytes, TAG_BYTES, () => {})
  if (exports.verify() === 0) {
    exports.end()
    return false
  }
  exports.decryptBegin()
  eachWindow(instance, input, ciphertextAt, bytes, (count, at) => {
    exports.decryptUpdate(count)
    out.set(instance.view(0, count), at)
  })
  exports.end()
  exports.wipeData(Math.min(bytes, instance.windowBytes))
  return true
}

/** Nonce and AAD of a new message. */
function start({ instance, slot, begin }: LongKey, nonce: Uint8Array, aad: Uint8Array): void {
  const { exports, aad: staged } = instance
  instance.nonce.set(nonce)
  begin(slot)
  // Once: shared memory may grow meanwhile, and a part that is not the last must be full.
  const total = aad.length
  for (let at = 0; at < total; at += staged.length) {
    const part = aad.subarray(at, Math.min(at + staged.length, total))
    staged.set(part)
    exports.aadUpdate(part.length)
  }
}

/** Copies `bytes` bytes of `input` from `start` on into the window, one full window after the other. */
function eachWindow(
  { data, windowBytes }: KernelInstance,
  input: Uint8Array,
  start: number,
  bytes: number,
  use: (count: number, at: number) => void,
): void {
  for (let at = 0; at < bytes; at += windowBytes) {
    const count = Math.min(windowBytes, bytes - at)
    data.set(input.subarray(start + at, start + at + count), FRONT_BYTES)
    use(count, at)
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
