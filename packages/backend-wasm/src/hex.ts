import type { Bytes } from '@aeadkit/core'

/** Ways of the platform; decoding in JavaScript takes several times as long as compiling the result. */
interface Platform {
  readonly Uint8Array: { fromHex?(text: string): Bytes }
  readonly Buffer?: { from(text: string, encoding: 'hex'): Uint8Array }
}

/** Bytes of an even number of lower-case hexadecimal digits. */
export function bytesOfHex(text: string): Bytes {
  const { Uint8Array: native, Buffer } = globalThis as unknown as Platform
  if (native.fromHex) return native.fromHex(text)
  if (Buffer) return new Uint8Array(Buffer.from(text, 'hex'))
  return Uint8Array.from(text.match(/../g)!, (digits) => Number.parseInt(digits, 16))
}
