import type { NativeLibrary } from '@aeadkit/core'

interface HostGlobals {
  readonly process?: {
    readonly versions?: Readonly<Record<string, string | undefined>>
    readonly features?: Readonly<Record<string, unknown>>
    getBuiltinModule?(name: string): unknown
  }
  readonly navigator?: { readonly userAgent?: string }
}

const host = (): HostGlobals => globalThis as unknown as HostGlobals

function versions(): Readonly<Record<string, string | undefined>> {
  return host().process?.versions ?? {}
}

/** Workers have a `process` for compatibility, which states a Node version; their own version they do not tell. */
const isWorkerd = (): boolean => 'WebSocketPair' in globalThis

/** Which library answers the platform's WebCrypto. Browsers do not say. */
export function libraryOf(): NativeLibrary {
  const { bun, deno, openssl } = versions()
  // Deno states an OpenSSL version, and that it is BoringSSL, for compatibility, but runs other code.
  if (deno !== undefined) return 'other'
  if (isWorkerd()) return 'boringssl'
  if (host().process?.features?.openssl_is_boringssl === true || bun !== undefined) return 'boringssl'
  return openssl !== undefined ? 'openssl' : 'other'
}

/** Whether this is Node itself: there the newer algorithms are experimental, and each prints a warning when used. */
export function isNode(): boolean {
  const { bun, deno, node } = versions()
  return node !== undefined && bun === undefined && deno === undefined && !isWorkerd()
}

/** Runtime and library, for example `WebCrypto of node 24.22.3, OpenSSL 3.5.4`. */
export function versionText(): string {
  if (isWorkerd()) return 'WebCrypto of workerd, BoringSSL'
  const known = versions()
  const runtime = (['bun', 'deno', 'electron', 'node'] as const).find((name) => known[name] !== undefined)
  if (runtime === undefined) return `WebCrypto of ${host().navigator?.userAgent ?? 'an unknown runtime'}`
  const library = { openssl: `, OpenSSL ${known.openssl}`, boringssl: ', BoringSSL', other: '' }[libraryOf()]
  return `WebCrypto of ${runtime} ${known[runtime]}${library}`
}

/** Value of Node's `getFips()`, on which depends what its WebCrypto can do; `undefined` where there is none. */
export function fipsFlag(): number | undefined {
  if (!isNode()) return undefined
  try {
    const crypto = host().process?.getBuiltinModule?.('crypto') as { getFips?(): number } | undefined
    return crypto?.getFips?.()
  } catch {
    return undefined
  }
}
