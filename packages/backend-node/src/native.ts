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
 * How a message is cut for `update`. The library allocates a new buffer per call and the result must be copied once more
 * because the tag has to follow it. Up to 256 KiB pieces of 64 KiB stay below what malloc maps apart and in the cache:
 * on Node and Bun pieces of 16 KiB cost 4 to 20 % more. Above, few large pieces cost least (0.80 to 0.90 of the speed of
 * one bare update at 1 MiB), while one piece as long as a 16 MiB message falls to 0.3 to 0.8. Figures:
 * `bench/large.mjs`.
 */
export const PIECES: {
  /** Longest message opened in one piece into memory of the library's own. */
  readonly wholeUpToBytes: number
  /**
   * Shortest message opened in two pieces where the library allocates a little more than a result needs (Bun): the
   * second one fills what the first left, and the memory is handed on. Shorter ones are copied.
   */
  readonly filledFromBytes: number
  /** Longest message cut into short pieces. */
  readonly shortUpToBytes: number
  readonly shortPieceBytes: number
  readonly longPieceBytes: number
} = {
  wholeUpToBytes: 8_388_608,
  filledFromBytes: 2048,
  shortUpToBytes: 262_144,
  shortPieceBytes: 65_536,
  longPieceBytes: 524_288,
}

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
  const bytes = input.length
  if (bytes <= PIECES.shortPieceBytes) {
    return bytes === 0 ? at : take(cipher.update(input), out, at, wipe)
  }
  const piece = bytes <= PIECES.shortUpToBytes ? PIECES.shortPieceBytes : PIECES.longPieceBytes
  let written = at
  for (let start = 0; start < bytes; start += piece) {
    written = take(cipher.update(input.subarray(start, start + piece)), out, written, wipe)
  }
  return written
}

/** Copies one result of the library to `out` at `at` and returns where the next one goes. */
export function take(result: Uint8Array, out: Uint8Array, at: number, wipe: boolean): number {
  if (result.length === 0) return at
  out.set(result, at)
  if (wipe) result.fill(0)
  return at + result.length
}
