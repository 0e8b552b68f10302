import type { Bytes } from './backend.ts'
import { AeadError } from './errors.ts'
import { kindOf } from './names.ts'

/** What is taken as bytes: any view or buffer, of any realm, shared or resizable too. */
export type BytesInput = ArrayBufferView | ArrayBufferLike

/** No bytes. */
export const NO_BYTES: Bytes = /* @__PURE__ */ new Uint8Array(0)

type Getter<T> = (this: unknown) => T

function getterOf<T>(prototype: object, name: PropertyKey): Getter<T> {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get as Getter<T>
}

/** The engine's own accessors: they read the internal slots, of any realm, whatever a subclass or a property says. */
interface Slots {
  readonly buffer: Getter<ArrayBufferLike>
  readonly byteOffset: Getter<number>
  readonly byteLength: Getter<number>
}

function slotsOf(prototype: object): Slots {
  return {
    buffer: getterOf(prototype, 'buffer'),
    byteOffset: getterOf(prototype, 'byteOffset'),
    byteLength: getterOf(prototype, 'byteLength'),
  }
}

function typedPrototype(): object {
  return Object.getPrototypeOf(Uint8Array.prototype) as object
}

// Without arguments, so that bundlers can drop them.
const TYPED_ARRAY: Slots = /* @__PURE__ */ (() => slotsOf(typedPrototype()))()
const DATA_VIEW: Slots = /* @__PURE__ */ (() => slotsOf(DataView.prototype))()
const typedByteOffset: Getter<number> = /* @__PURE__ */ (() =>
  getterOf<number>(typedPrototype(), 'byteOffset'))()
/** Name of the element type; `undefined` for everything that is no typed array. */
const typedName: Getter<string | undefined> = /* @__PURE__ */ (() =>
  getterOf<string | undefined>(typedPrototype(), Symbol.toStringTag))()
const plainBytes: Getter<number> = /* @__PURE__ */ (() =>
  getterOf<number>(ArrayBuffer.prototype, 'byteLength'))()

/** Of Node's Buffer, the one subclass whose methods are known; looked up when first needed. */
let bufferPrototype: unknown

function isBufferPrototype(prototype: unknown): boolean {
  bufferPrototype ??= (globalThis as { Buffer?: { prototype?: unknown } }).Buffer?.prototype
  return prototype === bufferPrototype && bufferPrototype !== undefined
}

/**
 * A byte view of exactly what the caller passed; the memory is the caller's. What comes back is a Uint8Array or Buffer
 * of this realm whose `length` is true: other subclasses may say anything and are looked at through their slots.
 * @param value - any ArrayBufferView at any offset, or a whole ArrayBuffer or SharedArrayBuffer.
 * @param name - what to call it in the message.
 * @throws AeadError `invalid-argument` for anything else, strings and memory that is gone included.
 */
export function toBytes(value: unknown, name: string): Uint8Array {
  // instanceof alone would refuse other realms and take forged prototypes; isView reads the internal slot.
  return ArrayBuffer.isView(value) && isPlain(value) ? value : otherBytes(value, name)
}

/**
 * A non-empty Uint8Array or Buffer of this realm that tells the truth about its length. Engines inline the accessor
 * when it is called like this, and a look at the prototype is cheaper than one at `constructor`. The length comes
 * first: V8 has then checked which kind of object this is, and knows its prototype without a call. Elements of more
 * than one byte, given this prototype, have another length in bytes.
 */
function isPlain(view: ArrayBufferView): view is Uint8Array {
  let length: number
  try {
    length = (view as Uint8Array).length
  } catch {
    // Of somebody's subclass.
    return false
  }
  const prototype: unknown = Object.getPrototypeOf(view)
  if (prototype !== Uint8Array.prototype && !isBufferPrototype(prototype)) return false
  return length > 0 && TYPED_ARRAY.byteLength.call(view) === length
}

/** Everything else; apart, so that the check above is small enough to be inlined. */
function otherBytes(value: unknown, name: string): Uint8Array {
  if (ArrayBuffer.isView(value)) return viewOf(value, name)
  const whole = wholeBuffer(value, name)
  if (whole !== undefined) return whole
  throw new AeadError(
    'invalid-argument',
    `${name} must be bytes (a Uint8Array, another ArrayBufferView or an ArrayBuffer), got ${kindOf(value)}`,
  )
}

/**
 * A view of our own over the memory of another one. A view of memory that was transferred or cut off reports length 0:
 * sealing that as an empty message would lose data silently.
 */
function viewOf(view: ArrayBufferView, name: string): Uint8Array {
  const typed = typedName.call(view) !== undefined
  const slots = typed ? TYPED_ARRAY : DATA_VIEW
  try {
    const bytes = slots.byteLength.call(view)
    // Throws where the memory is gone; the accessors of a DataView have thrown already.
    if (bytes === 0 && typed) Uint8Array.prototype.at.call(view as Uint8Array, 0)
    return bytes === 0
      ? NO_BYTES
      : new Uint8Array(slots.buffer.call(view), slots.byteOffset.call(view), bytes)
  } catch {
    throw gone(name)
  }
}

/** All of an ArrayBuffer or SharedArrayBuffer; `undefined` for what only claims to be one. */
function wholeBuffer(value: unknown, name: string): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || !isArrayBuffer(value)) return undefined
  try {
    return new Uint8Array(value)
  } catch {
    throw gone(name)
  }
}

/** Whether `value` is an ArrayBuffer or a SharedArrayBuffer, by its internal slot; not every runtime has both. */
function isArrayBuffer(value: object): value is ArrayBufferLike {
  return (
    succeeds(() => plainBytes.call(value)) ||
    succeeds(() => getterOf(SharedArrayBuffer.prototype, 'byteLength').call(value))
  )
}

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Like {@link toBytes}; a missing value is empty. */
export function toOptionalBytes(value: unknown, name: string): Uint8Array {
  return value === undefined ? NO_BYTES : toBytes(value, name)
}

function gone(name: string): AeadError {
  return new AeadError(
    'invalid-argument',
    `${name} is detached or out of bounds: its memory was transferred or cut off`,
  )
}

/**
 * The same bytes in memory that neither another thread nor a resize can change during the call: a copy when needed,
 * else the argument itself.
 */
export function stable(bytes: Uint8Array): Uint8Array {
  // The most common AAD: asking any view for its buffer is a slow call into the engine.
  if (bytes === NO_BYTES) return bytes
  const buffer = bytes.buffer as ArrayBuffer & { readonly resizable?: boolean }
  return isFixed(buffer) ? bytes : copyOf(bytes)
}

function isFixed(buffer: ArrayBuffer & { readonly resizable?: boolean }): boolean {
  try {
    // The accessor first: it refuses shared memory whose prototype was changed.
    return (buffer instanceof ArrayBuffer || plainBytes.call(buffer) >= 0) && buffer.resizable !== true
  } catch {
    return false
  }
}

/** Whether it is a plain array that owns exactly its memory, of `length` bytes: a caller may transfer it. */
export function ownsExactly(bytes: Uint8Array, length: number): bytes is Bytes {
  const { buffer } = bytes
  return (
    bytes.constructor === Uint8Array &&
    bytes.length === length &&
    buffer instanceof ArrayBuffer &&
    buffer.byteLength === length
  )
}

/** A copy that owns exactly its bytes. */
export function copyOf(bytes: Uint8Array): Bytes {
  return new Uint8Array(bytes)
}

/** Where a view begins in its buffer; Node 20 inlines the accessor only when it is called like this. */
export function byteOffsetOf(bytes: Uint8Array): number {
  return typedByteOffset.call(bytes)
}

/**
 * Whether the first `aBytes` bytes of `a`, which lie at `aAt` of its buffer, and all of `b` share at least one byte.
 * `a` is written to, and restored: asking a view for its buffer, and on older engines for its offset, is a slow call
 * into the engine, so a changed byte that shows on the other side comes first.
 */
export function overlaps(a: Uint8Array, aAt: number, aBytes: number, b: Uint8Array): boolean {
  if (b.length === 0) return false
  const bAt = byteOffsetOf(b)
  const first = aAt > bAt ? aAt : bAt
  return first < aAt + aBytes && first < bAt + b.length && sameMemory(a, first - aAt, b, first - bAt)
}

/** Whether two views, neither of them empty, begin at the same byte. */
export function startsTogether(a: Uint8Array, b: Uint8Array): boolean {
  return (
    a === b || (byteOffsetOf(a) === byteOffsetOf(b) && a.length > 0 && b.length > 0 && sameMemory(a, 0, b, 0))
  )
}

function sameMemory(a: Uint8Array, i: number, b: Uint8Array, j: number): boolean {
  if (!shows(a, i, b, j)) return false
  if (a.buffer === b.buffer) return true
  // Two objects may stand for the same memory: a structured clone of a SharedArrayBuffer, or the buffers of a shared
  // WebAssembly.Memory before and after it grew. Or another thread happened to write: not three times in a row.
  return shows(a, i, b, j) && shows(a, i, b, j)
}

/** Whether a change of one byte of `a` is seen in `b`. */
function shows(a: Uint8Array, i: number, b: Uint8Array, j: number): boolean {
  const kept = a[i]!
  const before = b[j]
  a[i] = kept ^ 0xff
  const shown = b[j] !== before
  a[i] = kept
  return shown
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
