import { AeadError, type AlgorithmId, type AlgorithmParams } from '@aeadkit/core'

/**
 * libsodium-wrappers or libsodium-wrappers-sumo: the object itself, or a module that holds it as `default`, once or
 * twice. Its releases have had each of these shapes.
 */
export type SodiumModule = object

/** `encrypt` or `decrypt` of one algorithm, in the five-argument form that all of them share. */
type NativeCall = (
  first: Uint8Array | null,
  second: Uint8Array | null,
  third: Uint8Array | null,
  nonce: Uint8Array,
  key: Uint8Array,
) => Uint8Array

/** The two calls of one algorithm. */
export interface SodiumCipher {
  /** Returns ciphertext, then tag. */
  seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array, key: Uint8Array): Uint8Array
  /** Returns the plaintext, or throws. */
  open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array, key: Uint8Array): Uint8Array
}

/** Prefix of libsodium's names for each algorithm; known only to this package. */
const NATIVE: Readonly<Partial<Record<AlgorithmId, string>>> = {
  'chacha20-poly1305': 'crypto_aead_chacha20poly1305_ietf',
  'xchacha20-poly1305': 'crypto_aead_xchacha20poly1305_ietf',
  'aegis-128l': 'crypto_aead_aegis128l',
  'aegis-256': 'crypto_aead_aegis256',
}

/** Ids of {@link NATIVE}. No AES-GCM: the WebAssembly build has none, nor a function that says so. */
export const SODIUM_ALGORITHMS: readonly AlgorithmId[] = [
  'chacha20-poly1305',
  'xchacha20-poly1305',
  'aegis-128l',
  'aegis-256',
]

/** Sizes that libsodium was compiled with, beside the row of our table that each must equal. */
const SIZES: readonly (readonly [suffix: string, size: 'keyBytes' | 'nonceBytes' | 'tagBytes'])[] = [
  ['KEYBYTES', 'keyBytes'],
  ['NPUBBYTES', 'nonceBytes'],
  ['ABYTES', 'tagBytes'],
]

/** libsodium after it became ready. */
export type Sodium = Readonly<Record<string, unknown>>

/** Every object of a module that may be libsodium, the outermost last: only one of them gets the functions. */
function candidates(module: SodiumModule): readonly Sodium[] {
  const found: Sodium[] = []
  let next: unknown = module
  while (typeof next === 'object' && next !== null && found.length < 3) {
    found.unshift(next as Sodium)
    next = (next as Sodium).default
  }
  return found
}

/** Waits until a module's libsodium is ready. @throws AeadError `unsupported` when it is no libsodium. */
export async function readySodium(module: SodiumModule): Promise<Sodium> {
  const found = candidates(module)
  // The functions appear only after `ready`, and `ready` may be exported where they never appear.
  for (const candidate of found) await candidate.ready
  const sodium = found.find((candidate) =>
    SODIUM_ALGORITHMS.some((id) => typeof candidate[`${NATIVE[id]}_encrypt`] === 'function'),
  )
  if (sodium === undefined) {
    throw new AeadError('unsupported', 'the module has no AEAD function of libsodium after it became ready')
  }
  return sodium
}

/** Name and version of the library that does the work. */
export function versionOf(sodium: Sodium): string {
  const version = sodium.SODIUM_VERSION_STRING
  return typeof version === 'string' ? `libsodium ${version}` : 'libsodium of unknown version'
}

/** The two calls of an algorithm, or the reason why this libsodium does not have it. */
export function cipherOf(sodium: Sodium, params: AlgorithmParams): SodiumCipher | string {
  const prefix = NATIVE[params.id]
  if (prefix === undefined) return `${versionOf(sodium)} has no ${params.id}`
  const encrypt = sodium[`${prefix}_encrypt`]
  const decrypt = sodium[`${prefix}_decrypt`]
  if (typeof encrypt !== 'function' || typeof decrypt !== 'function') {
    return `${versionOf(sodium)} has no ${prefix}`
  }
  for (const [suffix, size] of SIZES) {
    const native = sodium[`${prefix}_${suffix}`]
    if (native !== params[size]) {
      return `${versionOf(sodium)} has ${prefix}_${suffix} = ${native}, ${params.id} needs ${params[size]}`
    }
  }
  const seal = encrypt as NativeCall
  const open = decrypt as NativeCall
  return {
    seal: (nonce, plaintext, aad, key) => seal(plaintext, some(aad), null, nonce, key),
    open: (nonce, sealed, aad, key) => open(null, sealed, some(aad), nonce, key),
  }
}

function some(aad: Uint8Array): Uint8Array | null {
  return aad.length > 0 ? aad : null
}

/** What an error is known by: libsodium-wrappers throws plain objects as well as errors. */
export interface ErrorMark {
  readonly name: unknown
  readonly message: unknown
}

/** The mark of anything thrown. */
export function markOf(error: unknown): ErrorMark {
  const { name, message } = (error ?? {}) as Partial<ErrorMark>
  return { name, message }
}

/**
 * How this libsodium says "bad tag", learned from a forgery: it throws one generic `Error` for that, and others for
 * memory that could not be had, whose texts no release promises to keep.
 * @returns `undefined` when it accepted the forgery.
 */
export function badTagMark(cipher: SodiumCipher, params: AlgorithmParams): ErrorMark | undefined {
  const none = new Uint8Array(0)
  try {
    cipher.open(
      new Uint8Array(params.nonceBytes),
      new Uint8Array(params.tagBytes),
      none,
      new Uint8Array(params.keyBytes),
    )
  } catch (error) {
    return markOf(error)
  }
  return undefined
}
