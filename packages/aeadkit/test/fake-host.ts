import type { Host, Reading } from '@aeadkit/selector'

/** What a test wants of the platform. */
export interface FakeHost extends Partial<Omit<Host, 'readText' | 'env' | 'cpuModel'>> {
  readonly files?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
  /** Variables at the start of the process; `null`: they do not show. Default: the same. */
  readonly started?: Readonly<Record<string, string>> | null
  /** Makes every file and variable unknown with this reason. */
  readonly denied?: string
  /** Ciphers and digests that the library refuses. */
  readonly refuses?: readonly string[]
  readonly fips?: number
}

/** Flags of an x86-64 machine as /proc/cpuinfo lists them. */
export function cpuinfo(flags: string): Readonly<Record<string, string>> {
  return { '/proc/cpuinfo': `processor\t: 0\nmodel name\t: test CPU\nflags\t\t: ${flags}\n` }
}

export const BOTH: Readonly<Record<string, string>> = cpuinfo('sse2 ssse3 pclmulqdq aes avx2')

/** A Linux x86-64 Node with AES and carry-less multiply, changed as asked. Its clock must not be read. */
export function fakeHost({
  denied,
  files = BOTH,
  fips = 0,
  refuses = [],
  variables = {},
  started = variables,
  ...rest
}: FakeHost = {}): Host {
  const reading = (value: string | undefined): Reading => {
    if (denied !== undefined) return { state: 'unknown', reason: denied }
    return value === undefined ? { state: 'absent' } : { state: 'read', text: value }
  }
  const attempt = (name: string): true | string => !refuses.includes(name) || 'ERR_OSSL_EVP_UNSUPPORTED'
  return {
    runtime: 'node',
    runtimeVersion: '24.22.3',
    platform: 'linux',
    arch: 'x64',
    openssl: '3.5.8',
    boringssl: undefined,
    execArgv: [],
    clock: {
      now() {
        throw new Error('the clock was read')
      },
    },
    crypto: { fips: () => fips, tryAead: attempt, tryDigest: attempt },
    readText: (path) => reading(files[path]),
    env: (name) => ({
      ...reading(variables[name]),
      ...(started === null || denied !== undefined ? {} : { start: reading(started[name]) }),
    }),
    cpuModel: () => reading(undefined),
    run: () => ({ state: 'unknown', reason: 'not expected' }),
    ...rest,
  }
}
