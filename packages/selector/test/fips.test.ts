import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setUpFips, whyNoFips } from '@aeadkit-internal/fips'
import { describe, expect, it } from 'vitest'
import { createHost } from '../src/create-host.ts'
import {
  collectFips,
  type FipsProbe,
  type FipsResult,
  fipsState,
  parseOpensslConfig,
} from '../src/evidence/fips.ts'
import { skipped } from './facts.ts'
import { fakeCrypto, fakeHost } from './fake-host.ts'

const refused = 'ERR_OSSL_EVP_UNSUPPORTED'
const enforcing: FipsProbe = {
  runtime: 'node',
  boringssl: undefined,
  flag: 1,
  aesGcm: () => true,
  chacha: () => refused,
  md5: () => refused,
}

describe('fipsState', () => {
  it.each<[string, Partial<FipsProbe>, string, RegExp]>([
    ['all conditions hold', {}, 'enforcing', /not a certificate/],
    ['flag 0', { flag: 0 }, 'off', /is 0/],
    ['AES-GCM fails', { aesGcm: () => refused }, 'requested-unusable', /no FIPS provider/],
    ['ChaCha20 still works', { chacha: () => true }, 'requested-unusable', /ChaCha20-Poly1305 still works/],
    ['ChaCha20 merely compiled out, MD5 works', { md5: () => true }, 'requested-unusable', /MD5 still works/],
    ['both work', { chacha: () => true, md5: () => true }, 'requested-unusable', /ChaCha20-Poly1305 and MD5/],
    ['BoringSSL', { boringssl: true }, 'unknown', /BoringSSL/],
    ['no getFips', { flag: undefined }, 'unknown', /getFips/],
    ...['electron', 'bun', 'deno', 'workerd', 'browser', 'unknown'].map(
      (runtime): [string, Partial<FipsProbe>, string, RegExp] => [
        runtime,
        { runtime },
        'unknown',
        /does not show/,
      ],
    ),
  ])('%s', (_, change, state, reason) => {
    const found = fipsState({ ...enforcing, ...change })
    expect(found.state).toBe(state)
    expect(found.reason).toMatch(reason)
    expect(found.reason).not.toMatch(/validated|proven/i)
  })
  it('asks nothing of the library when the flag is 0', () => {
    const never = (): never => {
      throw new Error('asked')
    }
    expect(fipsState({ ...enforcing, flag: 0, aesGcm: never, chacha: never, md5: never }).state).toBe('off')
  })
})

describe('collectFips', () => {
  it('is off on stock Node', () => {
    expect(collectFips(createHost()).fips).toMatchObject({ state: 'off', certificate: null })
  })
  it('passes the certificate through and never makes one up', () => {
    expect(collectFips(fakeHost(), 'CMVP #4985').fips.certificate).toBe('CMVP #4985')
    expect(collectFips(fakeHost()).fips.certificate).toBeNull()
  })
  it('a build without ChaCha20 is not enforcing while MD5 works', () => {
    const crypto = fakeCrypto({ fips: 1, 'chacha20-poly1305': false })
    expect(collectFips(fakeHost({ crypto })).fips.state).toBe('requested-unusable')
  })
  it('is enforcing when both are refused, never on another runtime', () => {
    const crypto = fakeCrypto({ fips: 1, 'chacha20-poly1305': false, md5: false })
    expect(collectFips(fakeHost({ crypto })).fips.state).toBe('enforcing')
    expect(collectFips(fakeHost({ crypto, runtime: 'bun', boringssl: true })).fips.state).toBe('unknown')
    expect(collectFips(fakeHost({ crypto, runtime: 'deno' })).fips.state).toBe('unknown')
  })
  it('survives a host without crypto', () => {
    expect(collectFips(fakeHost({ crypto: undefined })).fips.state).toBe('unknown')
  })
})

const CONFIG = `# comment
nodejs_conf = nodejs_init
openssl_conf = other
.include /etc/fipsmodule.cnf
[nodejs_init]
providers = provider_sect
alg_section = algorithm_sect
[ provider_sect ]
default = default_sect
fips = fips_sect   # from the included file
base = base_sect
legacy = \\
  legacy_sect
[default_sect]
activate = 0
[base_sect]
activate = yes
[algorithm_sect]
default_properties = "fips=yes"
`
const MODULE = '[fips_sect]\nactivate = 1\nmodule-mac = 00:11\n'

describe('parseOpensslConfig', () => {
  const include = (path: string) =>
    path === '/etc/fipsmodule.cnf'
      ? ({ state: 'read', text: MODULE } as const)
      : ({ state: 'absent' } as const)
  it('follows sections and includes', () => {
    expect(parseOpensslConfig(CONFIG, include)).toEqual({
      providers: [
        { name: 'default', active: false },
        { name: 'fips', active: true },
        { name: 'base', active: true },
        { name: 'legacy', active: false },
      ],
      defaultProperties: 'fips=yes',
    })
  })
  it('does without the included file', () => {
    expect(parseOpensslConfig(CONFIG).providers[1]).toEqual({ name: 'fips', active: false })
  })
  it('reads openssl_conf where there is no nodejs_conf', () => {
    const text = 'openssl_conf=a\n[a]\nproviders=b\n[b]\nfips=c\n[c]\nactivate=1'
    expect(parseOpensslConfig(text).providers).toEqual([{ name: 'fips', active: true }])
  })
  it('ends on an include of itself', () => {
    expect(parseOpensslConfig('.include x', () => ({ state: 'read', text: '.include x' })).providers).toEqual(
      [],
    )
  })
  it('reads a bounded number of files, however they include each other', () => {
    let reads = 0
    const read = (path: string) => {
      reads++
      // Half of them end in a file that was not read before, so that remembering paths alone would not end it.
      const others = [0, 1, 2, 3, 4, 5].map((at) => `.include ${at % 2 === 0 ? path : `${path}${at}`}`)
      return { state: 'read', text: `${others.join('\n')}\n` } as const
    }
    const found = parseOpensslConfig(`.include x\nopenssl_conf = a\n[a]\nproviders=b\n[b]\nfips=c\n`, read)
    expect(reads).toBeLessThanOrEqual(100)
    expect(found.providers.map(({ name }) => name)).toEqual(['fips'])
  })
  it.each([
    ['comments', `${'#'.repeat(200_000)}\u2028`],
    ['spaces after .include', `.include${' '.repeat(200_000)}x\u2028y`],
    ['a header that never closes', `[${' '.repeat(200_000)}x`],
    ['the same closed by the wrong sign', `[${' ]'.repeat(100_000)}x]`],
  ])('is not kept busy by %s', (_, line) => {
    expect(parseOpensslConfig(`${line}\nopenssl_conf = a`).providers).toEqual([])
  })
  it.each(['', '[', '=', '[]\n=\n.include', 'openssl_conf = missing'])('%j has no providers', (text) => {
    expect(parseOpensslConfig(text)).toEqual({ providers: [], defaultProperties: undefined })
  })
  it('names the providers in the evidence; the option wins over the variable', () => {
    const files = { '/etc/a.cnf': CONFIG, '/etc/fipsmodule.cnf': MODULE, '/etc/b.cnf': '' }
    const host = fakeHost({ files, variables: { OPENSSL_CONF: '/etc/a.cnf' } })
    expect(collectFips(host).fips.provider).toBe('fips, base')
    const option = fakeHost({
      files,
      variables: { OPENSSL_CONF: '/etc/b.cnf' },
      execArgv: ['--openssl-config=/etc/a.cnf'],
    })
    expect(collectFips(option).fips.provider).toBe('fips, base')
    expect(collectFips(fakeHost()).fips.provider).toBe('unknown')
    expect(collectFips(fakeHost({ variables: { OPENSSL_CONF: '/gone' } })).fips.provider).toBe('unknown')
  })
})

const child = resolve(import.meta.dirname, 'fips-child.mjs')
const built = existsSync(resolve(import.meta.dirname, '../dist/index.js'))

function inChild(
  args: readonly string[],
  options: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): FipsResult {
  const out = execFileSync(process.execPath, [...options, child, ...args], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return JSON.parse(out) as FipsResult
}

describe.skipIf(!built && skipped(3, 'the package is not built'))('in processes of their own', () => {
  it('setFips(1) without a provider is requested-unusable', () => {
    const { fips, items } = inChild(['setFips'])
    expect(fips).toMatchObject({
      state: 'requested-unusable',
      provider: 'unknown',
      certificate: 'operator says #0000',
    })
    expect(fips.reason).toMatch(/AES-GCM fails \(ERR_\w+\): most likely no FIPS provider/)
    expect(items.find((item) => item.name === 'fips.flag')?.value).toBe('1')
  })

  const missing = whyNoFips()
  describe.skipIf(missing !== undefined && skipped(2, missing))('with a real provider', () => {
    const run = (requested: boolean): FipsResult => {
      const setup = setUpFips(requested)
      try {
        return inChild([], setup.args, setup.env)
      } finally {
        setup.dispose()
      }
    }

    it('is enforcing', () => {
      const { fips, items } = run(true)
      expect(fips).toMatchObject({
        state: 'enforcing',
        provider: 'default, fips, base',
        certificate: 'operator says #0000',
      })
      const value = (name: string): string | undefined => items.find((item) => item.name === name)?.value
      expect(value('fips.aes-gcm')).toBe('works')
      expect(value('fips.chacha20-poly1305')).toMatch(/^refused/)
      expect(value('fips.md5')).toMatch(/^refused/)
      expect(value('openssl.default-properties')).toBe('fips=yes')
    })

    it('is off when the provider is loaded but not requested', () => {
      expect(run(false).fips).toMatchObject({ state: 'off', provider: 'default, fips, base' })
    })
  })
})
