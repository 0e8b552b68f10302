import type { Host, HostCrypto, Reading } from '../src/host.ts'

export interface FakeHost extends Partial<Omit<Host, 'readText' | 'env'>> {
  readonly files?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
  /** Variables at the start of the process; `null`: they do not show. Default: the same. */
  readonly started?: Readonly<Record<string, string>> | null
}

const absent: Reading = { state: 'absent' }
const text = (value: string | undefined): Reading =>
  value === undefined ? absent : { state: 'read', text: value }

/** A Linux x86-64 Node with nothing set, changed as asked. */
export function fakeHost({ files = {}, variables = {}, started = variables, ...rest }: FakeHost = {}): Host {
  return {
    runtime: 'node',
    runtimeVersion: '24.22.3',
    platform: 'linux',
    arch: 'x64',
    openssl: '3.5.8',
    boringssl: undefined,
    execArgv: [],
    clock: { now: () => performance.now() },
    crypto: fakeCrypto(),
    readText: (path) => text(files[path]),
    env: (name) => ({
      ...text(variables[name]),
      ...(started === null ? {} : { start: text(started[name]) }),
    }),
    cpuModel: () => absent,
    run: () => ({ state: 'unknown', reason: 'not allowed' }),
    ...rest,
  }
}

export function fakeCrypto(
  answers: { fips?: number; 'aes-128-gcm'?: boolean; 'chacha20-poly1305'?: boolean; md5?: boolean } = {},
): HostCrypto {
  const works = (name: string): true | string => {
    return (answers as Record<string, unknown>)[name] === false ? 'ERR_OSSL_EVP_UNSUPPORTED' : true
  }
  return { fips: () => answers.fips ?? 0, tryAead: works, tryDigest: works }
}
