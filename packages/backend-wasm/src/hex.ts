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
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (digitAt(text.charCodeAt(2 * i)) << 4) | digitAt(text.charCodeAt(2 * i + 1))
  }
  return bytes
}

/** Digits are 0x30 to 0x39, letters 0x61 to 0x66. */
function digitAt(code: number): number {
  return (code & 15) + (code >> 6) * 9
}
