/**
 * What went wrong, as a stable word. Compare `code`, never `instanceof`: two copies of this package may be
 * loaded in one process.
 *
 * - `auth-failed`: the sealed bytes, nonce, AAD or key do not belong together. One fixed text, no cause.
 * - `invalid-argument`: a type, length, name or combination the call does not take.
 * - `limit-exceeded`: one message is longer than the algorithm or backend takes, or a volume is beyond a bound.
 * - `key-exhausted`: the key has been used as much as its target allows.
 * - `nonce-reused`: a nonce was about to be used a second time.
 * - `unsupported`: this backend, context or mode cannot do what was asked.
 * - `not-ready`: a backend was used before it finished loading.
 * - `fips-unavailable`: a FIPS module was required and none is enforcing.
 * - `no-candidate`: no algorithm and backend satisfy every rule.
 * - `destroyed`: the object was used after `destroy()`.
 * - `backend-failed`: the underlying library failed for a reason that is not a bad tag; see `cause`.
 */
export type AeadErrorCode =
  | 'auth-failed'
  | 'invalid-argument'
  | 'limit-exceeded'
  | 'key-exhausted'
  | 'nonce-reused'
  | 'unsupported'
  | 'not-ready'
  | 'fips-unavailable'
  | 'no-candidate'
  | 'destroyed'
  | 'backend-failed'

/** Facts about a failure that are safe to log: names, sizes, counts. Never key, nonce or message bytes. */
export type AeadErrorDetails = Readonly<Record<string, unknown>>

/** Options of {@link AeadError}. */
export interface AeadErrorOptions {
  /** The error of the underlying library; dropped for `auth-failed`. */
  readonly cause?: unknown
  /** Machine-readable facts. */
  readonly details?: AeadErrorDetails
}

/** The only error class of aeadkit. Messages state what was expected and sizes, never content. */
export class AeadError extends Error {
  override readonly name: string = 'AeadError'
  /** Stable word to branch on. */
  readonly code: AeadErrorCode
  /** Machine-readable facts, or `undefined`. */
  readonly details: AeadErrorDetails | undefined

  /**
   * @param code - stable word.
   * @param message - what was expected; sizes, never content.
   * @param options - cause and details.
   */
  constructor(code: AeadErrorCode, message: string, options: AeadErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
  }

  /** The shape the command line prints: `code`, `message`, `details`; counts as decimal strings. */
  toJSON(): { code: AeadErrorCode; message: string; details: unknown } {
    return { code: this.code, message: this.message, details: jsonSafe(this.details ?? {}) }
  }
}

const AUTH_FAILED_TEXT =
  'authentication failed: the sealed data, nonce, AAD and key do not belong together, or the data was altered'

/** The one authentication failure: same text for every backend, no cause, so that it tells an attacker nothing. */
export function authFailed(): AeadError {
  return new AeadError('auth-failed', AUTH_FAILED_TEXT)
}

/** Whether `error` is an {@link AeadError} of any loaded copy of this package, optionally with that code. */
export function isAeadError(error: unknown, code?: AeadErrorCode): error is AeadError {
  if (typeof error !== 'object' || error === null) return false
  const candidate = error as Partial<AeadError>
  return (
    candidate.name === 'AeadError' &&
    typeof candidate.code === 'string' &&
    (code === undefined || candidate.code === code)
  )
}

/** Replaces every bigint by its decimal string, so that counts survive `JSON.stringify` exactly. */
export function jsonSafe(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(jsonSafe)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonSafe(item)]))
  }
  return value
}
