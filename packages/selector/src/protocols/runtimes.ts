import type { RuntimeName } from '../host.ts'
import type { TlsVersion } from './options.ts'
import type { Role, TlsSuiteOptions } from './texts.ts'

/** Whether something works, by version. */
export type ByVersion = Readonly<Record<TlsVersion, boolean>>

/** What of Node's `tls` options one runtime obeys, as observed by handshakes. */
export interface RuntimeTls {
  readonly runtime: 'node' | 'bun' | 'deno'
  /** Versions it was observed on. */
  readonly versions: readonly string[]
  /** TLS library behind. */
  readonly library: string
  readonly asOf: string
  /** A server refuses suites that `ciphers` leaves out. */
  readonly serverCiphers: ByVersion
  /** With `honorCipherOrder: true` the order of the server's `ciphers` decides. */
  readonly serverOrder: ByVersion
  /** With `honorCipherOrder: false` the client's order decides. */
  readonly clientOrder: ByVersion
  /** `SSL_OP_PRIORITIZE_CHACHA` follows a client that leads with ChaCha20-Poly1305, on top of the server's order. */
  readonly prioritizeChaCha: ByVersion
  /** A client's hello has the suites of `ciphers`, in that order. */
  readonly clientCiphers: ByVersion
  /** `minVersion` is kept. */
  readonly minVersion: boolean
  /** What is different on a machine without AES hardware, or `null`: the library does not look. */
  readonly withoutHardware: string | null
  /**
   * Suite of a handshake of the runtime with itself, on a machine with AES hardware: server [ChaCha20, AES-128] with
   * `honorCipherOrder: true`, client [AES-128, ChaCha20].
   */
  readonly handshake: Readonly<Record<TlsVersion, string>>
}

const BOTH: ByVersion = { 'TLSv1.3': true, 'TLSv1.2': true }
const NEITHER: ByVersion = { 'TLSv1.3': false, 'TLSv1.2': false }
const ONLY_12: ByVersion = { 'TLSv1.3': false, 'TLSv1.2': true }

/** What was observed; a run of the runtimes compares it with what they do. */
export const RUNTIME_TLS: readonly RuntimeTls[] = [
  {
    runtime: 'node',
    versions: ['20.20.2', '22.23.5', '24.22.3', '26.12.1'],
    library: 'OpenSSL',
    asOf: '2026-11-30',
    serverCiphers: BOTH,
    serverOrder: BOTH,
    clientOrder: BOTH,
    prioritizeChaCha: BOTH,
    clientCiphers: BOTH,
    minVersion: true,
    withoutHardware: null,
    handshake: {
      'TLSv1.3': 'TLS_CHACHA20_POLY1305_SHA256',
      'TLSv1.2': 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
    },
  },
  {
    runtime: 'bun',
    versions: ['1.4.5'],
    library: 'BoringSSL',
    asOf: '2026-11-30',
    serverCiphers: ONLY_12,
    serverOrder: ONLY_12,
    clientOrder: BOTH,
    prioritizeChaCha: NEITHER,
    clientCiphers: ONLY_12,
    minVersion: true,
    withoutHardware:
      'in TLS 1.3 a server takes ChaCha20-Poly1305 from every client that lists it, and a client lists it first',
    handshake: {
      'TLSv1.3': 'TLS_AES_128_GCM_SHA256',
      'TLSv1.2': 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
    },
  },
  {
    runtime: 'deno',
    versions: ['2.9.6'],
    library: 'rustls',
    asOf: '2026-11-30',
    serverCiphers: NEITHER,
    serverOrder: NEITHER,
    clientOrder: BOTH,
    prioritizeChaCha: NEITHER,
    clientCiphers: NEITHER,
    minVersion: true,
    withoutHardware: null,
    handshake: {
      'TLSv1.3': 'TLS_AES_256_GCM_SHA384',
      'TLSv1.2': 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    },
  },
]

/** One option that a runtime does not obey. */
export interface Ignored {
  readonly option: keyof TlsSuiteOptions
  readonly version: TlsVersion
  readonly runtime: string
  /** What happens instead, and on which version that was seen. */
  readonly text: string
  readonly asOf: string
}

/** The row of a runtime, or `undefined` when nothing was observed there. */
export function runtimeTls(runtime: RuntimeName): RuntimeTls | undefined {
  return RUNTIME_TLS.find((row) => row.runtime === runtime)
}

/** Which of the options this runtime does not obey, with what that means. */
export function ignoredOptions(row: RuntimeTls, role: Role, options: TlsSuiteOptions): readonly Ignored[] {
  const on = `${row.runtime} ${row.versions.join(', ')}`
  const versions: readonly TlsVersion[] =
    options.minVersion === 'TLSv1.3' ? ['TLSv1.3'] : ['TLSv1.3', 'TLSv1.2']
  const found: Ignored[] = []
  const note = (option: Ignored['option'], version: TlsVersion, text: string): void => {
    found.push({ option, version, runtime: row.runtime, text: `${text} (seen on ${on})`, asOf: row.asOf })
  }
  for (const version of versions) {
    if (role === 'client') {
      if (!row.clientCiphers[version]) {
        note(
          'ciphers',
          version,
          `the hello has the suites and the order of ${row.library}, whatever is asked`,
        )
      }
      continue
    }
    if (!row.serverCiphers[version]) {
      note('ciphers', version, `a client may take any suite ${row.library} has: the list leaves none out`)
    }
    if (options.honorCipherOrder === true && !row.serverOrder[version]) {
      note('honorCipherOrder', version, "the client's order decides")
    }
    if (options.honorCipherOrder === false && !row.clientOrder[version]) {
      note('honorCipherOrder', version, "the server's order decides")
    }
    if (options.secureOptions !== undefined && !row.prioritizeChaCha[version]) {
      note('secureOptions', version, `${row.library} has no option that moves ChaCha20-Poly1305 up`)
    }
  }
  return found
}
