/** What builds for pages take in place of the readers of a machine says what those say where nothing can be seen. */
import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { createHost } from '../src/create-host.ts'
import * as full from '../src/evidence/machine.ts'
import * as web from '../src/evidence/machine.web.ts'
import type { HostGlobals, HostSystem } from '../src/host.ts'
import { fakeCrypto, fakeHost } from './fake-host.ts'

const workerd = {
  WebSocketPair: class {},
  process: { versions: { node: '22.0.0', openssl: '' }, platform: 'linux', arch: 'x64' },
} as unknown as HostGlobals

describe.each<[string, HostGlobals, string]>([
  ['a page', { document: {}, performance }, 'browser'],
  ['a worker of a page', { WorkerGlobalScope: class {}, performance }, 'browser'],
  ['a bundler that gives pages a process', { document: {}, process: { env: {} } }, 'browser'],
  ['workerd', workerd, 'workerd'],
])('%s', (_, globals, runtime) => {
  const host = createHost(globals)

  it('is what it is taken for', () => expect(host.runtime).toBe(runtime))

  it('no flags, no masks, the class open', () => {
    const [a, b] = [full.collectPlatform(host, false), web.collectPlatform(host, false)]
    const { aes, clmul, gcmHardware } = a.effective
    expect({ aes, clmul, gcmHardware, items: [] }).toEqual(b.effective)
    expect([a.flags, a.masks, a.cpuModel]).toEqual([b.flags, b.masks, b.cpuModel])
    const names = a.items.filter(({ name }) => !name.startsWith('env.')).map(({ name }) => name)
    expect(b.items.map(({ name }) => name)).toEqual(names)
    for (const { certainty, value } of b.items) expect([value, certainty]).toEqual(['unknown', 'unknown'])
  })

  it('no file, no variable, no program', () => {
    const [a, b] = [full.systemOf(globals), web.systemOf(globals)]
    const texts = (system: HostSystem) => [
      system.readText('/proc/cpuinfo'),
      system.cpuModel(),
      system.run('sysctl', ['-a']),
    ]
    for (const read of [...texts(a), ...texts(b)]) expect(read.state).toBe('unknown')
    // A variable of a page's `process` is nothing that a library of the system reads.
    expect(b.env('OPENSSL_ia32cap').state).toBe('unknown')
    expect(a.crypto?.fips()).toBe(b.crypto?.fips())
  })

  it('no state of a module', () => {
    const [a, b] = [full.collectFips(host, 'as stated'), web.collectFips(host, 'as stated')]
    expect(b.fips).toEqual(a.fips)
    expect(b.fips).toMatchObject({ state: 'unknown', certificate: 'as stated' })
  })
})

it('a process of Node with such a build that asks for FIPS gets no fallback', () => {
  const host = fakeHost({ crypto: fakeCrypto({ fips: 1 }) })
  expect(web.collectFips(host).fips.state).toBe('requested-unusable')
  expect(web.collectFips(fakeHost()).fips.state).toBe('unknown')
})

it('whether FIPS is asked for shows in such a build, and nothing of the module does', () => {
  const asking = (flag: unknown): HostGlobals => ({
    process: { getBuiltinModule: () => ({ getFips: () => flag }) },
  })
  expect([0, 1, false, true].map((flag) => web.systemOf(asking(flag)).crypto?.fips())).toEqual([0, 1, 0, 1])
  const { crypto } = web.systemOf(asking(1))
  expect(crypto?.tryAead('aes-128-gcm', 16)).not.toBe(true)
  expect(crypto?.tryDigest('md5')).not.toBe(true)
  const refusing = { process: { getBuiltinModule: () => ({ getFips: () => assert.fail('refused') }) } }
  expect(web.systemOf(refusing).crypto?.fips()).toBeUndefined()
})
