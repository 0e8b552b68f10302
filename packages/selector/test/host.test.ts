import { describe, expect, it } from 'vitest'
import { createHost } from '../src/create-host.ts'
import { detectRuntime, type HostGlobals } from '../src/host.ts'

const node = { versions: { node: '24.22.3', openssl: '3.5.8' }, platform: 'linux', arch: 'x64' }

describe('detectRuntime goes by facts', () => {
  it.each<[string, HostGlobals, string, string]>([
    ['Node', { process: node }, 'node', '24.22.3'],
    [
      'Bun states a Node version',
      { process: { versions: { ...node.versions, bun: '1.4.5' } } },
      'bun',
      '1.4.5',
    ],
    ['Deno states a Node version', { process: node, Deno: { version: { deno: '2.9.6' } } }, 'deno', '2.9.6'],
    ['Electron', { process: { versions: { ...node.versions, electron: '40.0.0' } } }, 'electron', '40.0.0'],
    ['workerd states a Node version', { process: node, WebSocketPair: class {} }, 'workerd', 'unknown'],
    ['a page', { document: {} }, 'browser', 'unknown'],
    ['a page with a bundled process', { document: {}, process: { versions: {} } }, 'browser', 'unknown'],
    ['a web worker', { WorkerGlobalScope: class {} }, 'browser', 'unknown'],
    ['anything else', {}, 'unknown', 'unknown'],
  ])('%s', (_, globals, runtime, version) => expect(detectRuntime(globals)).toEqual({ runtime, version }))
})

describe('the library', () => {
  const boring = { versions: node.versions, features: { openssl_is_boringssl: true } }
  it.each<[string, HostGlobals, boolean | undefined]>([
    ['Node with OpenSSL before the feature existed', { process: node }, undefined],
    ['Node with BoringSSL', { process: boring }, true],
    ['Bun', { process: { versions: { ...node.versions, bun: '1.4.5' } } }, true],
    [
      'Deno says so for compatibility only',
      { process: boring, Deno: { version: { deno: '2.9.6' } } },
      undefined,
    ],
  ])('%s', (_, globals, boringssl) => expect(createHost(globals).boringssl).toBe(boringssl))
})

describe('createHost', () => {
  it('reads this machine', () => {
    const host = createHost()
    expect(host).toMatchObject({ runtime: 'node', platform: process.platform, arch: process.arch })
    expect(host.openssl).toBe(process.versions.openssl)
    expect(host.readText('/no/such/file')).toEqual({ state: 'absent' })
    expect(host.env('AEADKIT_NO_SUCH_VARIABLE')).toEqual({ state: 'absent' })
    expect(host.cpuModel().state).toBe('read')
    expect(host.crypto?.tryAead('aes-128-gcm', 16)).toBe(true)
    expect(host.crypto?.tryAead('no-such-cipher', 16)).toMatch(/^ERR_/)
    expect(host.crypto?.tryDigest('sha256')).toBe(true)
    expect(host.run('true', [])).toEqual({ state: 'read', text: '' })
    const start = host.clock.now()
    expect(host.clock.now()).toBeGreaterThanOrEqual(start)
  })

  it('sees nothing and throws nothing where there is nothing', () => {
    const host = createHost({})
    expect(host).toMatchObject({
      runtime: 'unknown',
      platform: 'unknown',
      arch: 'unknown',
      crypto: undefined,
    })
    for (const reading of [
      host.readText('/proc/cpuinfo'),
      host.env('PATH'),
      host.cpuModel(),
      host.run('true', []),
    ]) {
      expect(reading.state).toBe('unknown')
    }
  })

  it('survives getters and calls that throw', () => {
    const process = {
      ...node,
      getBuiltinModule(): unknown {
        throw new Error('no')
      },
      get env(): Record<string, string> {
        throw Object.assign(new Error('no'), { name: 'NotCapable' })
      },
    }
    const host = createHost({ process })
    expect(host.crypto).toBeUndefined()
    expect(host.readText('/proc/cpuinfo').state).toBe('unknown')
    expect(host.env('PATH')).toEqual({ state: 'unknown', reason: 'NotCapable' })
  })
})

describe('Deno', () => {
  const deno = (state: string, asked: object[] = []): HostGlobals => {
    const never = (): never => {
      throw new Error('was read without permission')
    }
    return {
      Deno: {
        version: { deno: '2.9.6' },
        build: { os: 'windows', arch: 'aarch64' },
        permissions: {
          querySync(descriptor) {
            asked.push(descriptor)
            return { state }
          },
        },
      },
      process: {
        versions: node.versions,
        env: new Proxy({}, { get: state === 'granted' ? () => 'value' : never }),
        getBuiltinModule: (name) =>
          name === 'node:crypto'
            ? undefined
            : new Proxy({}, { get: state === 'granted' ? () => () => 'text' : never }),
      },
    }
  }
  it.each(['prompt', 'denied'])('%s means unknown, and nothing is touched', (state) => {
    const asked: object[] = []
    const host = createHost(deno(state, asked))
    for (const reading of [
      host.readText('/proc/cpuinfo'),
      host.env('OPENSSL_CONF'),
      host.cpuModel(),
      host.run('a', []),
    ]) {
      expect(reading).toEqual({ state: 'unknown', reason: `permission ${state}` })
    }
    expect(asked).toEqual([
      { name: 'read', path: '/proc/cpuinfo' },
      { name: 'env', variable: 'OPENSSL_CONF' },
      { name: 'sys', kind: 'cpus' },
      { name: 'run', command: 'a' },
    ])
  })
  it('granted is used; names are translated to those of Node', () => {
    const host = createHost(deno('granted'))
    expect(host).toMatchObject({ runtime: 'deno', platform: 'win32', arch: 'arm64' })
    expect(host.readText('/proc/cpuinfo')).toEqual({ state: 'read', text: 'text' })
    expect(host.env('OPENSSL_CONF')).toEqual({ state: 'read', text: 'value' })
  })
})
