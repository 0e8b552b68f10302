import type { Bytes } from '@aeadkit/core'

/** Uint8Array or Buffer that the runtime does not zero. */
type Unzeroed = (bytes: number) => Uint8Array

interface Runtime {
  readonly Buffer?: { readonly allocUnsafeSlow?: Unzeroed }
  readonly Bun?: { readonly allocUnsafe?: Unzeroed }
}

/**
 * From which length on it pays not to zero memory that is overwritten at once, in bytes. A Buffer has to be looked at
 * through another view, which costs as much as zeroing some 30 KiB; Bun makes a plain array.
 */
const FROM_BYTES = { buffer: 32_768, plain: 512 } as const

/** Whether it is a plain array that owns exactly `bytes` bytes. */
function isOwn(array: Uint8Array | undefined, bytes: number): boolean {
  return (
    array !== undefined &&
    Object.getPrototypeOf(array) === Uint8Array.prototype &&
    array.length === bytes &&
    array.buffer instanceof ArrayBuffer &&
    array.buffer.byteLength === bytes
  )
}

/** Makes plain arrays without zeroing them, where the runtime can; `undefined` until it was asked. */
let plain: Unzeroed | false | undefined

function plainOf(): Unzeroed | false {
  const { Bun } = globalThis as Runtime
  const make = (bytes: number): Uint8Array | undefined => Bun?.allocUnsafe?.(bytes)
  // Both sides of the 4 KiB and 8 KiB below which runtimes cut from a pool, if they do.
  const owns = [FROM_BYTES.plain, 4095, 16_384].every((bytes) => isOwn(make(bytes), bytes))
  return owns && (make as Unzeroed)
}

/** Memory that owns exactly its bytes, with arbitrary content when it is long. */
export function allocate(bytes: number): Bytes {
  if (bytes >= FROM_BYTES.plain) {
    plain ??= plainOf()
    if (plain !== false) return plain(bytes) as Bytes
    if (bytes >= FROM_BYTES.buffer) {
      const buffer = (globalThis as Runtime).Buffer?.allocUnsafeSlow?.(bytes).buffer
      if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes) return new Uint8Array(buffer)
    }
  }
  return new Uint8Array(bytes)
}

/**
 * All memory of a result of the library as a plain array, if it is exactly `bytes` long and begins with the result:
 * libraries may cut results from a pool, and Bun makes each one byte too long.
 */
export function wholeMemory(result: Uint8Array, bytes: number): Bytes | undefined {
  const { buffer } = result
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes && result.byteOffset === 0
    ? new Uint8Array(buffer)
    : undefined
}

/** How many bytes the library allocated behind a result; 0 also when it seems to have cut it from something larger. */
export function spareBytes(result: Uint8Array): number {
  const spare = result.buffer.byteLength - result.length
  return result.byteOffset === 0 && spare < MAX_SPARE_BYTES ? spare : 0
}

/** The longest block a cipher might leave room for. */
const MAX_SPARE_BYTES = 17
