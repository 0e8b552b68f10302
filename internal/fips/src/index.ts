/** A real OpenSSL FIPS provider for tests: an uncertified build, good for behaviour, not for compliance. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProcessState } from './matrix.ts'

const PROVIDER: string = fileURLToPath(new URL('../../../../shared/fips/fips.so', import.meta.url))

/** How to start Node under the provider. */
export interface FipsSetup {
  /** Variables for the child process. */
  readonly env: Readonly<Record<string, string>>
  /** Arguments of Node. */
  readonly args: readonly string[]
  /** Removes the configuration. */
  dispose(): void
}

/** What is withheld from the process in the states that are simulated. */
const WITHHELD: Readonly<Partial<Record<ProcessState, string>>> = {
  'flag without ChaCha20-Poly1305': 'chacha20',
  'flag without MD5': 'md5',
}

/** How to start Node so that it is in one state of the matrix; `setFips(1)` is for the process itself to call. */
export function setUpState(state: ProcessState): FipsSetup {
  if (state === 'real provider') return setUpFips()
  const withheld = WITHHELD[state]
  const preload = new URL(`withhold.js?no=${withheld}`, import.meta.url).href
  return { env: {}, args: withheld === undefined ? [] : ['--import', preload], dispose: () => undefined }
}

/** Why there is no provider here, or `undefined` when there is one. */
export function whyNoFips(): string | undefined {
  if (!existsSync(PROVIDER)) return 'no FIPS provider at ../shared/fips'
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'the FIPS provider is built for x86-64 Linux'
  if (spawnSync('openssl', ['version']).status !== 0) return 'no openssl command to run its self-tests'
  return undefined
}

/** Runs the provider's self-tests and writes a configuration; `requested` false only loads it. */
export function setUpFips(requested = true): FipsSetup {
  const folder = mkdtempSync(join(tmpdir(), 'aeadkit-fips-'))
  const module = join(folder, 'fipsmodule.cnf')
  execFileSync('openssl', ['fipsinstall', '-out', module, '-module', PROVIDER], { stdio: 'ignore' })
  const config = join(folder, 'fips.cnf')
  const lines = [
    'nodejs_conf = nodejs_init',
    'openssl_conf = nodejs_init',
    `.include ${module}`,
    '[nodejs_init]',
    'providers = provider_sect',
    ...(requested ? ['alg_section = algorithm_sect'] : []),
    '[provider_sect]',
    'default = default_sect',
    'fips = fips_sect',
    'base = base_sect',
    '[default_sect]',
    'activate = 1',
    '[base_sect]',
    'activate = 1',
    ...(requested ? ['[algorithm_sect]', 'default_properties = fips=yes'] : []),
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  return {
    env: { OPENSSL_CONF: config, OPENSSL_MODULES: dirname(PROVIDER) },
    args: requested ? ['--enable-fips'] : [],
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}
