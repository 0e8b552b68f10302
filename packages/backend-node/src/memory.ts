import type { Bytes } from '@aeadkit/core'

interface Runtime {
  readonly Buffer?: { allocUnsafeSlow?(bytes: number): Uint8Array }
  readonly Bun?: { allocUnsafe?(bytes: number): Bytes }
}

// From which length on it pays not to zero memory that is overwritten at once, in bytes. A Buffer has to be looked at
// through another view, which costs as much as zeroing some 30 KiB; Bun makes a plain array.
const UNZEROED_BUFFER_BYTES = 32_768
const UNZEROED_PLAIN_BYTES = 512

/** Most bytes that a library might allocate behind each result: a block. */
export const MAX_SPARE_BYTES = 16

/** Whether Bun makes plain arrays that own exactly their bytes; found out once. */
let plain: boolean | undefined

/** Memory that owns exactly its bytes, with arbitrary content when it is long. */
export function allocate(bytes: number): Bytes {
  const { Buffer, Bun } = globalThis as Runtime
  if (bytes >= UNZEROED_PLAIN_BYTES && Bun?.allocUnsafe !== undefined) {
    // Both sides of the 4 KiB and 8 KiB below which runtimes cut from a pool, if they do.
    plain ??= [UNZEROED_PLAIN_BYTES, 16_384].every((some) => {
      const made = Bun.allocUnsafe!(some)
      return made.constructor === Uint8Array && made.length === some && wholeMemory(made, some)
    })
    if (plain) return Bun.allocUnsafe(bytes)
  }
  const made =
    bytes >= UNZEROED_BUFFER_BYTES ? wholeMemory(Buffer?.allocUnsafeSlow?.(bytes), bytes) : undefined
  return made ?? new Uint8Array(bytes)
}

/**
 * All memory of a result of the library as a plain array, if it is exactly `bytes` long and begins with the result:
 * libraries may cut results from a pool, and Bun makes each one byte too long.
 */
export function wholeMemory(result: Uint8Array | undefined, bytes: number): Bytes | undefined {
  const buffer = result?.buffer
  return buffer instanceof ArrayBuffer && buffer.byteLength === bytes && result?.byteOffset === 0
    ? new Uint8Array(buffer)
    : undefined
}
