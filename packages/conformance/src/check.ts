import { type AeadErrorCode, type Bytes, isAeadError } from '@aeadkit/core'

/** What a failed check throws; test runners show its message. */
export class ConformanceError extends Error {
  override readonly name: string = 'ConformanceError'
}

/** @throws ConformanceError with `message` unless `condition` holds. */
export function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ConformanceError(message)
}

/** Bytes of an even number of hexadecimal digits. */
export function fromHex(text: string): Bytes {
  check(/^([0-9a-fA-F]{2})*$/.test(text), `not hexadecimal: ${text.slice(0, 40)}`)
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

/** Lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/** Whether both hold the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

/** @throws ConformanceError naming the first difference. */
export function equalBytes(actual: Uint8Array, expected: Uint8Array, what: string): void {
  check(ArrayBuffer.isView(actual), `${what}: expected bytes, got ${typeof actual}`)
  check(actual.length === expected.length, `${what}: expected ${expected.length} bytes, got ${actual.length}`)
  const at = expected.findIndex((byte, i) => byte !== actual[i])
  if (at === -1) return
  const near = (bytes: Uint8Array): string => toHex(bytes.subarray(at, at + 8))
  throw new ConformanceError(`${what}: byte ${at} differs: expected ${near(expected)}…, got ${near(actual)}…`)
}

/** `length` bytes that look different from one another and from other seeds. */
export function pattern(length: number, seed: number): Bytes {
  return Uint8Array.from({ length }, (_, i) => (i * 167 + seed * 61 + (i >> 8) * 13 + 29) & 0xff)
}

/** A copy with the bits of `mask` changed in the byte at `at`; negative counts from the end. */
export function flipped(bytes: Uint8Array, at: number, mask: number = 1): Bytes {
  const copy = new Uint8Array(bytes)
  const index = at < 0 ? copy.length + at : at
  copy[index] = copy[index]! ^ mask
  return copy
}

/** One array after the other. */
export function joined(...parts: readonly Uint8Array[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** What a call threw or rejected with. @throws ConformanceError when it succeeded. */
export async function errorOf(call: () => unknown, what: string): Promise<unknown> {
  let result: unknown
  try {
    result = await call()
  } catch (error) {
    return error
  }
  const shown = ArrayBuffer.isView(result) ? `${result.byteLength} bytes` : typeof result
  throw new ConformanceError(`${what}: expected a refusal, got ${shown}`)
}

/**
 * The call must fail with an AeadError of one of `codes`.
 * @returns the error.
 * @throws ConformanceError otherwise.
 */
export async function refused(
  call: () => unknown,
  codes: AeadErrorCode | readonly AeadErrorCode[],
  what: string,
): Promise<Error & { readonly code: AeadErrorCode }> {
  const allowed = typeof codes === 'string' ? [codes] : codes
  const error = await errorOf(call, what)
  if (!isAeadError(error)) {
    const shown = error instanceof Error ? `${error.name}: ${error.message}` : typeof error
    throw new ConformanceError(`${what}: expected an AeadError ${allowed.join(' or ')}, got ${shown}`)
  }
  check(
    allowed.includes(error.code),
    `${what}: expected code ${allowed.join(' or ')}, got ${error.code}: ${error.message}`,
  )
  return error
}
