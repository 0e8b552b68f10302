/** The part of a cipher object of `node:crypto` that is used here; both directions. */
export interface NativeCipher {
  setAAD(aad: Uint8Array, options?: { plaintextLength: number }): unknown
  setAuthTag(tag: Uint8Array): unknown
  getAuthTag(): Uint8Array
  setAutoPadding(on: boolean): unknown
  update(data: Uint8Array): Uint8Array
  final(): Uint8Array
}

/** Options of the two constructors; lengths in bytes. */
export interface NativeOptions {
  readonly authTagLength?: number
}

/** Key bytes, or a KeyObject made from them. */
export type NativeKey = Uint8Array | { readonly type?: unknown }

/**
 * The part of `node:crypto` that is used here, so that a test or a runtime with a crypto module of its own can hand
 * in another one.
 */
export interface NodeCrypto {
  createCipheriv(
    name: string,
    key: NativeKey,
    nonce: Uint8Array | null,
    options?: NativeOptions,
  ): NativeCipher
  createDecipheriv(
    name: string,
    key: NativeKey,
    nonce: Uint8Array | null,
    options?: NativeOptions,
  ): NativeCipher
  /** Takes a copy of the key into the library's own memory; absent where a runtime has no such objects. */
  createSecretKey?(key: Uint8Array): NativeKey
  randomFillSync(out: Uint8Array): unknown
  /** 1 when a FIPS provider was asked for; absent or throwing on runtimes without OpenSSL. */
  getFips?(): number
}

/**
 * How a message is cut for `update`, in bytes. The library allocates a new buffer per call and the result must be copied
 * once more because the tag has to follow it. On Node and Bun, 16 KiB to 1 MiB, pieces of 128 KiB cost least or nearly
 * so: 10 to 20 % less than such of 16 KiB; one piece as long as a message of 16 MiB costs up to 20 % more. Figures:
 * `bench/large.mjs`.
 */
export const PIECE_BYTES = 131_072

/** Longest message opened in one piece into memory of the library's own, in bytes. */
export const WHOLE_UP_TO_BYTES = 8_388_608

/**
 * Shortest message, in bytes, opened in two pieces where the library allocates a little more than a result needs (Bun):
 * the second one fills what the first left, and the memory is handed on. Shorter ones are copied.
 */
export const FILLED_FROM_BYTES = 2048

/**
 * Feeds `input` to `cipher` in pieces and copies what comes out to `out` at `at`. `input` may be the same memory as
 * the target: a piece is read in full before its output is written, and output never runs ahead of input.
 * @param wipe - whether the library's buffers hold plaintext and are to be zeroed after the copy.
 */
export function updateInPieces(
  cipher: NativeCipher,
  input: Uint8Array,
  out: Uint8Array,
  at: number,
  wipe: boolean,
): number {
  let written = at
  for (let start = 0; start < input.length; start += PIECE_BYTES) {
    const part = input.length <= PIECE_BYTES ? input : input.subarray(start, start + PIECE_BYTES)
    written = take(cipher.update(part), out, written, wipe)
  }
  return written
}

/** Fills a few bytes with what lies in `input` from `at` on: one by one, a view would cost more. */
export function fillFrom(few: Uint8Array, input: Uint8Array, at: number): void {
  if (at + few.length > input.length) throw new Error('another length')
  for (let i = 0; i < few.length; i++) few[i] = input[at + i]!
}

/** What the library has kept back, or `undefined` for a bad tag. */
export function finalOf(decipher: NativeCipher): Uint8Array | undefined {
  try {
    return decipher.final()
  } catch {
    return undefined
  }
}

/** Copies one result of the library to `out` at `at` and returns where the next one goes. */
export function take(result: Uint8Array, out: Uint8Array, at: number, wipe: boolean): number {
  if (result.length === 0) return at
  out.set(result, at)
  if (wipe) result.fill(0)
  return at + result.length
}
