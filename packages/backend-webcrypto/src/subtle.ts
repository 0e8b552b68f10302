import type { AesNeeds, AlgorithmId, AlgorithmParams } from '@aeadkit/core'

/** A key as WebCrypto holds it. */
export type SubtleKey = object

/** Parameters of one call. */
export interface SubtleParams {
  readonly name: string
  readonly iv: Uint8Array
  readonly additionalData?: Uint8Array
  readonly tagLength: number
}

/** The part of `SubtleCrypto` that is used here. */
export interface Subtle {
  importKey(
    format: string,
    key: Uint8Array,
    algorithm: { readonly name: string },
    extractable: boolean,
    usages: readonly string[],
  ): Promise<SubtleKey>
  encrypt(params: SubtleParams, key: SubtleKey, data: Uint8Array): Promise<ArrayBuffer>
  decrypt(params: SubtleParams, key: SubtleKey, data: Uint8Array): Promise<ArrayBuffer>
}

/** How one algorithm is called; names are known only to this package. */
export interface SubtleMode {
  readonly name: string
  /**
   * Formats of a raw key, in the order to try: the newer algorithms have a format of their own (WICG Modern Algorithms
   * in the Web Cryptography API), which older runtimes do not know.
   */
  readonly formats: readonly string[]
  /** What the native code is made of, which decides whether it is free of secret-dependent table look-ups. */
  readonly needs: AesNeeds | 'none'
  /** Whether the algorithm is outside the Web Cryptography API Level 2 and experimental on Node. */
  readonly modern: boolean
}

const GCM: SubtleMode = { name: 'AES-GCM', formats: ['raw'], needs: 'gcm', modern: false }
const OCB: SubtleMode = { name: 'AES-OCB', formats: ['raw-secret', 'raw'], needs: 'aes', modern: true }

/** Every algorithm of this backend. Whether this runtime has it is for the probe to say. */
export const MODES: Readonly<Partial<Record<AlgorithmId, SubtleMode>>> = {
  'aes-128-gcm': GCM,
  'aes-256-gcm': GCM,
  'chacha20-poly1305': {
    name: 'ChaCha20-Poly1305',
    formats: ['raw-secret', 'raw'],
    needs: 'none',
    modern: true,
  },
  'aes-128-ocb': OCB,
  'aes-256-ocb': OCB,
}

/** Ids of {@link MODES}. */
export const WEBCRYPTO_ALGORITHMS: readonly AlgorithmId[] = [
  'aes-128-gcm',
  'aes-256-gcm',
  'chacha20-poly1305',
  'aes-128-ocb',
  'aes-256-ocb',
]

/** Every tag here has 16 bytes; said in each call, and checked by core before it. In bits. */
const TAG_BITS = 128

/** Parameters of one call. */
export function paramsOf(mode: SubtleMode, nonce: Uint8Array, aad: Uint8Array): SubtleParams {
  const params = { name: mode.name, iv: nonce, tagLength: TAG_BITS }
  return aad.length > 0 ? { ...params, additionalData: aad } : params
}

/** Imports a key, not extractable, in the first format this WebCrypto takes. `key` is read at once and wiped. */
export async function importKey(subtle: Subtle, mode: SubtleMode, key: Uint8Array): Promise<SubtleKey> {
  let refusal: unknown
  try {
    for (const format of mode.formats) {
      try {
        return await subtle.importKey(format, key, { name: mode.name }, false, ['encrypt', 'decrypt'])
      } catch (error) {
        refusal = error
      }
    }
  } finally {
    key.fill(0)
  }
  throw refusal
}

/** What an error is known by. */
export interface ErrorMark {
  readonly name: unknown
  readonly message: unknown
}

/** The mark of anything thrown. */
export function markOf(error: unknown): ErrorMark {
  const { name, message } = (error ?? {}) as Partial<ErrorMark>
  return { name, message }
}

/** What the specification has `decrypt` say for a bad tag. */
const BAD_TAG_NAME = 'OperationError'

/** Whether a bad tag is reported as the specification says. */
export function isStandardMark(mark: ErrorMark): boolean {
  return mark.name === BAD_TAG_NAME
}

/**
 * Whether `error`, thrown by `decrypt`, means a bad tag: an `OperationError`, or exactly what this WebCrypto said when
 * it was given a forgery.
 */
export function isBadTag(error: unknown, learned: ErrorMark): boolean {
  const { name, message } = markOf(error)
  return name === learned.name && (isStandardMark(learned) || message === learned.message)
}

/** Longest nonce taken through `@aeadkit/core/unsafe`, in bytes. */
const MAX_VARIANT_NONCE_BYTES = 128

/**
 * Whether other nonce lengths than the algorithm's own may be tried: only for AES-GCM. Which of them a runtime takes
 * differs; setting up a key proves it.
 */
export function takesVariant(params: AlgorithmParams): boolean {
  return (
    MODES[params.id] === GCM &&
    params.tagBytes * 8 === TAG_BITS &&
    params.nonceBytes >= 1 &&
    params.nonceBytes <= MAX_VARIANT_NONCE_BYTES
  )
}
