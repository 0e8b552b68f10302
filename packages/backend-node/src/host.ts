import type { Library } from './claims.ts'

interface HostProcess {
  readonly versions: Readonly<Record<string, string | undefined>>
  readonly features?: Readonly<Record<string, unknown>>
}

function host(): HostProcess {
  return (globalThis as unknown as { process?: HostProcess }).process ?? { versions: {} }
}

/** Which library answers `node:crypto` here. */
export function libraryOf(): Library {
  const { versions, features } = host()
  // Deno states an OpenSSL version, and that it is BoringSSL, for compatibility, but runs other code.
  if (versions.deno !== undefined) return 'other'
  if (features?.openssl_is_boringssl === true || versions.bun !== undefined) return 'boringssl'
  return versions.openssl === undefined ? 'other' : 'openssl'
}

const LIBRARY_NAMES: Readonly<Record<Library, (openssl: string | undefined) => string>> = {
  openssl: (version) => `OpenSSL ${version}`,
  boringssl: () => 'BoringSSL',
  other: () => 'its own cryptography library',
}

/** Runtime and library with their exact versions, for example `node 20.20.2, OpenSSL 3.0.19`. */
export function versionText(): string {
  const { versions } = host()
  const runtime = (['bun', 'deno', 'electron', 'node'] as const).find((name) => versions[name] !== undefined)
  const known = runtime === undefined ? 'unknown runtime' : `${runtime} ${versions[runtime]}`
  // It states a Node version for compatibility.
  const name = 'WebSocketPair' in globalThis ? 'workerd' : known
  return `${name}, ${LIBRARY_NAMES[libraryOf()](versions.openssl)}`
}
