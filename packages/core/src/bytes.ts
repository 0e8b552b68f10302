import type { Bytes } from './backend.ts'
import { AeadError } from './errors.ts'
import { kindOf } from './names.ts'

/** What is taken as bytes: any view or buffer, of any realm, shared or resizable too. */
export type BytesInput = ArrayBufferView | ArrayBufferLike

const EMPTY: Bytes = /* @__PURE__ */ new Uint8Array(0)

/** The internal type of an object, the same across realms. */
function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value)
}

/**
 * A byte view of exactly what the caller passed; the memory is the caller's.
 * @param value - any ArrayBufferView at any offset, or a whole ArrayBuffer or SharedArrayBuffer.
 * @param name - what to call it in the message.
 * @throws AeadError `invalid-argument` for anything else, strings and detached memory included.
 */
export function toBytes(value: unknown, name: string): Uint8Array {
  // instanceof alone would refuse other realms and take forged prototypes; isView reads the internal slot.
  return value instanceof Uint8Array && ArrayBuffer.isView(value) && value.length > 0
    ? value
    : otherBytes(value, name)
}

/** All but plain non-empty byte arrays; apart, so that the check above is small enough to be inlined. */
function otherBytes(value: unknown, name: string): Uint8Array {
  if (ArrayBuffer.isView(value)) {
    if (value.byteLength === 0) return emptyOrDetached(value, name)
    return value instanceof Uint8Array
      ? value
      : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  }
  const tag = tagOf(value)
  if (tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]') {
    try {
      return new Uint8Array(value as ArrayBufferLike)
    } catch {
      throw detached(name)
    }
  }
  throw new AeadError(
    'invalid-argument',
    `${name} must be bytes (a Uint8Array, another ArrayBufferView or an ArrayBuffer), got ${kindOf(value)}`,
  )
}

/** Like {@link toBytes}; a missing value is empty. */
export function toOptionalBytes(value: unknown, name: string): Uint8Array {
  return value === undefined ? EMPTY : toBytes(value, name)
}

function detached(name: string): AeadError {
  return new AeadError('invalid-argument', `${name} is detached: its memory was transferred elsewhere`)
}

/** A view of transferred memory reports length 0: sealing that as an empty message would lose data silently. */
function emptyOrDetached(view: ArrayBufferView, name: string): Uint8Array {
  try {
    new Uint8Array(view.buffer)
  } catch {
    throw detached(name)
  }
  return EMPTY
}

/**
 * The same bytes in memory that neither another thread nor a resize can change during the call: a copy when needed,
 * else the argument itself.
 */
export function stable(bytes: Uint8Array): Uint8Array {
  const buffer = bytes.buffer as ArrayBuffer & { readonly resizable?: boolean }
  if (buffer instanceof ArrayBuffer && buffer.resizable !== true) return bytes
  if (tagOf(buffer) === '[object ArrayBuffer]' && buffer.resizable !== true) return bytes
  return copyOf(bytes)
}

/** A copy that owns exactly its bytes. */
export function copyOf(bytes: Uint8Array): Bytes {
  return new Uint8Array(bytes)
}

/**
 * Whether the first `aBytes` bytes of `a`, which lie at `aAt` of its buffer, and all of `b` share at least one byte.
 * `a` is written to, and restored: asking a view for its buffer, and on older engines for its offset, is a slow call
 * into the engine, so a changed byte that shows on the other side comes first.
 */
export function overlaps(a: Uint8Array, aAt: number, aBytes: number, b: Uint8Array): boolean {
  if (b.length === 0) return false
  const bAt = b.byteOffset
  const first = aAt > bAt ? aAt : bAt
  return first < aAt + aBytes && first < bAt + b.length && sameMemory(a, first - aAt, b, first - bAt)
}

/** Whether two views, neither of them empty, begin at the same byte. */
export function startsTogether(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.byteOffset === b.byteOffset && a.length > 0 && b.length > 0 && sameMemory(a, 0, b, 0))
}

function sameMemory(a: Uint8Array, i: number, b: Uint8Array, j: number): boolean {
  const kept = a[i]!
  const before = b[j]
  a[i] = kept ^ 0xff
  const shown = b[j] !== before
  a[i] = kept
  // Another thread may have written to shared memory in between: the buffers have the last word.
  return shown && a.buffer === b.buffer
}

/** Lower-case hexadecimal digits, two a byte. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/** Bytes of an even number of hexadecimal digits; the caller has checked them. */
export function fromHex(text: string): Bytes {
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

/** Whether two arrays hold the same bytes; for public values only, it stops at the first difference. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
