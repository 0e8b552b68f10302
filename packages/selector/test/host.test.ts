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
    expect(host.env('AEADKIT_NO_SUCH_VARIABLE')).toMatchObject({ state: 'absent' })
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

describe('the environment at the start', () => {
  const start = (text: string | undefined, now: Record<string, string>, more: Partial<HostGlobals> = {}) => {
    const paths: string[] = []
    const readFileSync = (path: string): string => {
      paths.push(path)
      if (text === undefined) throw Object.assign(new Error('no'), { code: 'EACCES' })
      return text
    }
    const globals: HostGlobals = {
      process: { ...node, platform: 'linux', env: now, getBuiltinModule: () => ({ readFileSync }) },
      ...more,
    }
    return { host: createHost(globals), paths }
  }
  const read = (text: string) => ({ state: 'read', text })

  it.each([
    ['unchanged', 'A=1\0B=2\0', { A: '1' }, { ...read('1'), start: read('1') }],
    ['taken away since', 'A=1\0', {}, { state: 'absent', start: read('1') }],
    ['set since', 'B=2\0', { A: '1' }, { ...read('1'), start: { state: 'absent' } }],
    ['twice: getenv() takes the first', 'A=1\0A=2\0', { A: '2' }, { ...read('2'), start: read('1') }],
    ['with a sign of its own in it', 'A=b=c\0', {}, { state: 'absent', start: read('b=c') }],
    ['empty', 'A=\0', {}, { state: 'absent', start: read('') }],
    ['part of another name', 'AA=1\0', {}, { state: 'absent', start: { state: 'absent' } }],
    [
      'between bytes that are no text',
      '\ufffd=\ufffd\0A=1\0\ufffd',
      {},
      { state: 'absent', start: read('1') },
    ],
    // Nothing to read may be an empty environment, and may be one that was written over.
    ['with nothing to read', '', { A: '1' }, read('1')],
    ['with nothing but an overwritten title', 'title\0\0\0', { A: '1' }, read('1')],
    ['behind a file that is closed', undefined, { A: '1' }, read('1')],
  ] as const)('%s', (_, text, now, expected) => {
    expect(start(text, now).host.env('A')).toEqual(expected)
  })
  it('is looked for once, and on Linux only', () => {
    const { host, paths } = start('A=1\0', {})
    for (let times = 0; times < 3; times++) host.env('A')
    expect(paths).toEqual(['/proc/self/environ'])
    const mac = start('A=1\0', {}, { process: { ...node, platform: 'darwin', env: { A: '2' } } })
    expect(mac.host.env('A')).toEqual(read('2'))
  })
  it.each([
    [['env', 'read'], true],
    // Some releases would ask for all of the environment where a file of it is opened.
    [['read'], false],
    [['env'], false],
  ])('Deno with %j looks: %s', (granted, looks) => {
    const querySync = ({ name, variable }: { name?: string; variable?: string }) => {
      return { state: granted.includes(name ?? '') || variable === 'A' ? 'granted' : 'prompt' }
    }
    const Deno = { version: { deno: '2.9.6' }, build: { os: 'linux' }, permissions: { querySync } }
    const { host, paths } = start('A=1\0', { A: '2' }, { Deno })
    expect(host.env('A')).toEqual(looks ? { ...read('2'), start: read('1') } : read('2'))
    expect(paths).toHaveLength(looks ? 1 : 0)
  })
})
