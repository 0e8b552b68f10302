import { execFileSync } from 'node:child_process'
import * as crypto from 'node:crypto'
import { X509Certificate } from 'node:crypto'
import * as net from 'node:net'
import * as tls from 'node:tls'
import { build } from 'esbuild'
import { afterEach, describe, expect, it } from 'vitest'
import { throwawayCertificate } from '../src/protocols/certificate.ts'
import { clientHelloOf, readClientSuites, readServerAnswer } from '../src/protocols/hello.ts'
import { type ProbeOptions, probeTls, type TlsProbe, tlsOptions } from '../src/protocols/index.ts'
import { type TlsModules, tlsModules } from '../src/protocols/modules.ts'
import { suiteOf } from '../src/protocols/suites.ts'
import { createClock, Session } from '../src/protocols/wire.ts'

const A13 = 'TLS_AES_128_GCM_SHA256'
const C13 = 'TLS_CHACHA20_POLY1305_SHA256'
const A12 = 'ECDHE-ECDSA-AES128-GCM-SHA256'
const C12 = 'ECDHE-ECDSA-CHACHA20-POLY1305'

const done = async (options: ProbeOptions): Promise<Extract<TlsProbe, { state: 'done' }>> => {
  const seen = await probeTls(options)
  if (seen.state !== 'done') throw new Error(seen.reason)
  return seen
}
const taken = (seen: Extract<TlsProbe, { state: 'done' }>): (string | null)[][] =>
  seen.orders.map(({ handshake, server }) => [server.chosen, handshake.chosen])

describe('the probe on this Node', () => {
  it('R37: server [ChaCha20, AES-128], client [AES-128, ChaCha20] gives ChaCha20 in both versions', async () => {
    const seen = await done({
      server: { ciphers: [C13, A13, C12, A12].join(':'), honorCipherOrder: true },
      clients: [
        [A13, C13],
        [A12, C12],
      ],
    })
    const iana12 = suiteOf(C12).name
    expect(taken(seen)).toEqual([
      [C13, C13],
      [iana12, iana12],
    ])
    expect(seen.effects).toEqual({
      'TLSv1.3': { serverCiphers: 'yes', honorCipherOrder: 'yes', clientCiphers: 'yes' },
      'TLSv1.2': { serverCiphers: 'yes', honorCipherOrder: 'yes', clientCiphers: 'yes' },
    })
    expect(seen.ignored).toEqual([])
  })

  it('the client decides where the server says so', async () => {
    const server = { ciphers: `${C13}:${A13}`, honorCipherOrder: false, minVersion: 'TLSv1.3' }
    const seen = await done({
      server,
      clients: [
        [A13, C13],
        [C13, A13],
      ],
    })
    expect(taken(seen)).toEqual([
      [A13, A13],
      [C13, C13],
    ])
  })

  it('a server of ours follows clients by their hardware', async () => {
    const seen = await done({ server: tlsOptions({ runtime: 'node' }).options })
    expect(seen.orders).toHaveLength(6)
    for (const { handshake, order, server } of seen.orders) {
      const [first = ''] = order
      const expected = first.includes('CHACHA') ? first : order.find((name) => name.includes('AES_128'))
      expect(server.chosen).toBe(expected)
      expect(handshake.chosen).toBe(expected)
    }
  })

  it('a server of RSA suites gets a certificate that fits, and one of its own is used', async () => {
    const rsa = await done({
      server: { ciphers: 'ECDHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' },
    })
    expect(rsa.orders.every(({ server }) => server.chosen === 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256')).toBe(
      true,
    )
    const pair = throwawayCertificate(tlsModulesHere().crypto, 'ecdsa')
    const own = await done({ server: { ciphers: A13, ...pair }, clients: [[A13]] })
    expect(own.orders[0]?.handshake.chosen).toBe(A13)
  })

  it('says what fails, and that orders cannot tell', async () => {
    const seen = await done({ server: { ciphers: A13, minVersion: 'TLSv1.3' }, clients: [[C13], [A12]] })
    expect(seen.orders[0]?.server).toEqual({ chosen: null, error: 'alert 40' })
    expect(seen.orders[1]?.server).toEqual({ chosen: null, error: 'alert 70' })
    expect(seen.orders[0]?.handshake.error).toMatch(/ALERT|HANDSHAKE/)
    const one = await done({ server: { ciphers: A13 }, clients: [[A13]] })
    expect(one.effects['TLSv1.3']).toMatchObject({ honorCipherOrder: 'unknown', serverCiphers: 'yes' })
  })

  it('a server without the version does not count as one that keeps its list', async () => {
    const seen = await done({
      server: { ciphers: `${A13}:${A12}`, maxVersion: 'TLSv1.2' },
      clients: [[A13], [A12]],
    })
    expect(seen.orders[0]?.server.error).toBe('alert 70')
    expect(seen.effects['TLSv1.3']?.serverCiphers).toBe('unknown')
    expect(seen.effects['TLSv1.2']?.serverCiphers).toBe('yes')
  })

  it('a client that sends no hello is not one that lists others', async () => {
    const seen = await done({ server: { ciphers: A12 }, clients: [['PSK-AES128-GCM-SHA256']] })
    expect(seen.orders[0]?.hello).toBeNull()
    expect(seen.effects['TLSv1.2']?.clientCiphers).toBe('unknown')
    expect(seen.ignored).toEqual([])
  })

  it('ends in time', async () => {
    const start = performance.now()
    const seen = await probeTls({ server: { ciphers: A13 }, timeoutMs: 1 })
    expect(performance.now() - start).toBeLessThan(8000)
    if (seen.state === 'done') {
      expect(seen.orders.some(({ server }) => server.error === 'out of time')).toBe(true)
    } else expect(seen.reason).toMatch(/in time/)
  })

  it('says why a server cannot be made', async () => {
    const seen = await probeTls({ server: { ciphers: A13, minVersion: 'TLSv9' } })
    expect(seen).toMatchObject({
      state: 'unavailable',
      runtime: 'node',
      reason: expect.stringMatching(/^no server: ERR_TLS/),
    })
  })

  it('leaves nothing open: the process ends by itself', () => {
    const built = new URL('../dist/protocols/index.js', import.meta.url).href
    const program = `const { probeTls } = await import(${JSON.stringify(built)}); const seen = await probeTls({ server: {} }); console.log(seen.state, seen.orders.length)`
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 120_000,
    })
    expect(out.trim()).toBe('done 6')
  })

  it.each<[string, ProbeOptions]>([
    ['no server', {} as never],
    ['a slip', { server: {}, client: [] } as never],
    ['an unknown suite', { server: { ciphers: 'TLS_AES_128_GCM_SHA265' } }],
    ['orders of two versions', { server: {}, clients: [[A13, A12]] }],
    ['an empty order', { server: {}, clients: [[]] }],
    ['ciphers of SSH', { server: {}, clients: [['aes128-gcm@openssh.com']] }],
    ['a key alone', { server: { key: 'x' } }],
    ['no time', { server: {}, timeoutMs: 0 }],
    ['an order that names a suite twice', { server: {}, clients: [[A12, suiteOf(A12).name]] }],
    ['a flag that is none', { server: { honorCipherOrder: 'no' } } as never],
    ['flags that are none', { server: { secureOptions: 'evil' } } as never],
  ])('refuses %s', async (_, options) => {
    await expect(probeTls(options)).rejects.toMatchObject({ code: 'invalid-argument' })
  })
})

function tlsModulesHere(): TlsModules {
  const modules = tlsModules()
  if (typeof modules === 'string') throw new Error(modules)
  return modules
}

describe('where TLS cannot be had', () => {
  const none = { versions: {} }
  it.each<[string, Parameters<typeof tlsModules>[0], RegExp]>([
    ['a page', {}, /no node:tls/],
    ['no module', { process: { ...none, getBuiltinModule: () => undefined } }, /no node:tls/],
    [
      'modules without servers',
      { process: { ...none, getBuiltinModule: () => ({}) } },
      /this runtime has no tls\.createServer/,
    ],
    [
      'Deno without permission',
      {
        process: { ...none, getBuiltinModule: () => tls },
        Deno: { permissions: { querySync: () => ({ state: 'prompt' }) } },
      },
      /the network is closed \(permission prompt\)/,
    ],
  ])('%s', (_, globals, reason) => expect(tlsModules(globals)).toMatch(reason))
})

describe('a peer that does not answer', () => {
  const open: { close(): unknown }[] = []
  afterEach(() => {
    for (const one of open.splice(0)) one.close()
  })
  const mute = (onSocket: (socket: net.Socket) => void): Promise<number> =>
    new Promise((resolve) => {
      const server = net.createServer((socket) => {
        open.push({ close: () => socket.destroy() })
        socket.on('error', () => undefined)
        onSocket(socket)
      })
      open.push(server)
      server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port))
    })
  const modules: TlsModules = { tls, net, crypto } as never

  it.each<[string, (socket: net.Socket) => void, string]>([
    ['says nothing', () => undefined, 'out of time'],
    ['says half a record', (socket) => void socket.write(Uint8Array.of(22, 3, 3, 0, 80, 2)), 'out of time'],
    ['hangs up', (socket) => void socket.end(), 'closed'],
    ['speaks another protocol', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'no TLS'],
    ['sends empty records', (socket) => void socket.write(Uint8Array.of(22, 3, 3, 0, 0)), 'no TLS'],
    [
      'sends a session id that is too long',
      (socket) =>
        void socket.write(Uint8Array.from([22, 3, 3, 0, 80, 2, 0, 0, 76, ...new Array(76).fill(255)])),
      'no TLS',
    ],
  ])('%s', async (_, act, error) => {
    const port = await mute(act)
    // Who answers is heard however late it is; only the silent are given up.
    const session = new Session(modules, { left: () => (error === 'out of time' ? 300 : 30_000) })
    const answer = await session.hello({ state: 'listening', port }, 'TLSv1.3', [suiteOf(A13)])
    expect(answer).toEqual({ chosen: null, error })
    const handshake = await session.handshake({ state: 'listening', port }, 'TLSv1.3', [suiteOf(A13)])
    expect(handshake.chosen).toBeNull()
    session.close()
  })
})

describe('a probe that is over', () => {
  it('closes a server that starts to listen afterwards', async () => {
    const modules = tlsModulesHere()
    let listening: (() => void) | undefined
    let closed = 0
    const slow = {
      on: () => undefined,
      listen(_port: number, _host: string, act: () => void) {
        listening = act
      },
      address: () => ({ port: 1 }),
      close: () => void closed++,
    }
    const session = new Session(
      { ...modules, tls: { ...modules.tls, createServer: () => slow } } as never,
      createClock(20),
    )
    expect(await session.serve({})).toMatchObject({ state: 'failed' })
    session.close()
    closed = 0
    listening?.()
    expect(closed).toBe(1)
  })
})

describe('hellos', () => {
  it('are read back as they were written', () => {
    for (const version of ['TLSv1.3', 'TLSv1.2'] as const) {
      expect(readClientSuites(clientHelloOf(version, [0x1303, 0x1301]))).toEqual([0x1303, 0x1301])
    }
  })
  it('wait for the rest, whatever the cut', () => {
    const whole = clientHelloOf('TLSv1.2', [0xc02b])
    for (let cut = 0; cut < whole.length; cut++)
      expect(readClientSuites(whole.subarray(0, cut))).toBeUndefined()
  })
  it('reads answers split over records, alerts and nonsense', () => {
    const message = [2, 0, 0, 40, 3, 3, ...new Array(32).fill(7), 0, 0x13, 0x03, 0, 0, 0]
    const record = (part: number[]): number[] => [22, 3, 3, 0, part.length, ...part]
    const whole = [...record(message.slice(0, 20)), ...record(message.slice(20))]
    expect(readServerAnswer(Uint8Array.from(whole))).toEqual({ code: 0x1303 })
    for (let cut = 0; cut < whole.length - 4; cut++) {
      const seen = readServerAnswer(Uint8Array.from(whole.slice(0, cut)))
      expect(seen === undefined || 'code' in seen).toBe(true)
    }
    expect(readServerAnswer(Uint8Array.of(21, 3, 3, 0, 2, 2, 40))).toEqual({ alert: 40 })
    expect(readServerAnswer(new TextEncoder().encode('HTTP/1.1 400'))).toEqual({ alert: -1 })
    expect(readServerAnswer(Uint8Array.from(record([4, 0, 0, 0])))).toEqual({ alert: -1 })
    expect(readClientSuites(Uint8Array.of(21, 3, 3, 0, 2, 2, 40))).toEqual([])
  })
})

describe('the throwaway certificate', () => {
  it.each(['ecdsa', 'rsa'] as const)('%s is a certificate to others', (auth) => {
    const { cert, key } = throwawayCertificate(tlsModulesHere().crypto, auth)
    const parsed = new X509Certificate(cert)
    expect(parsed.subject).toBe('CN=localhost')
    expect(parsed.verify(parsed.publicKey)).toBe(true)
    expect(parsed.checkPrivateKey(crypto.createPrivateKey(key))).toBe(true)
    expect(Date.parse(parsed.validTo) - Date.now()).toBeGreaterThan(3_600_000)
    expect(Date.parse(parsed.validFrom)).toBeLessThan(Date.now())
    const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: cert, encoding: 'utf8' })
    expect(text).toMatch(/Version: 3/)
  })
  it('is another one each time', () => {
    const [a, b] = [0, 1].map(() => throwawayCertificate(tlsModulesHere().crypto, 'ecdsa'))
    expect(a?.key).not.toBe(b?.key)
    expect(new X509Certificate(a!.cert).serialNumber).not.toBe(new X509Certificate(b!.cert).serialNumber)
  })
})

it('a bundle of the main entry has none of it but the orders, the texts and the measured ratio', async () => {
  const { metafile } = await build({
    stdin: {
      contents: "export * from './index.ts'",
      resolveDir: new URL('../src', import.meta.url).pathname,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    external: ['@aeadkit/core', '@aeadkit/core/*'],
  })
  const inside = Object.keys(metafile.inputs).flatMap((file) => /protocols\/(\w+)\.ts$/.exec(file)?.[1] ?? [])
  expect(inside.sort()).toEqual(['order', 'speed', 'texts'])
})
