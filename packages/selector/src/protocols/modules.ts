import type { HostGlobals } from '../host.ts'
import { platformModule } from '../host-system.ts'

/** What the probe of TLS needs of Node's modules, as far as it is used. */
export interface TlsModules {
  readonly tls: {
    createServer(options: object, onSecure: (socket: TlsSocket) => void): TlsServer
    connect(options: object, onSecure: () => void): TlsSocket
  }
  readonly net: {
    createServer(onConnection: (socket: TlsSocket) => void): TlsServer
    connect(options: object, onConnect: () => void): TlsSocket
  }
  readonly crypto: {
    generateKeyPairSync(
      kind: string,
      options: object,
    ): { readonly publicKey: Uint8Array; readonly privateKey: string }
    sign(digest: string, data: Uint8Array, key: string): Uint8Array
  }
}

/** A socket of either module. */
export interface TlsSocket {
  on(event: string, listener: (value: never) => void): unknown
  write(data: Uint8Array): unknown
  destroy(): unknown
  end?(): unknown
  getCipher?(): { readonly name?: string; readonly standardName?: string } | undefined
  getProtocol?(): string | null
}

/** A server of either module. */
export interface TlsServer {
  on(event: string, listener: (value: never) => void): unknown
  listen(port: number, host: string, onListening: () => void): unknown
  address(): { readonly port: number } | string | null
  close(): unknown
}

/** Deno asks for the address before it opens a socket, even on loopback. */
const LOOPBACK = { name: 'net', host: '127.0.0.1' }

/** A refusal of Deno names the permission's state only. */
function reasonOf(reason: string): string {
  return reason.startsWith('permission') ? `the network is closed (${reason})` : reason
}

/** Node's modules for TLS over loopback, or why there are none. */
export function tlsModules(globals: HostGlobals = globalThis as HostGlobals): TlsModules | string {
  const tls = platformModule<TlsModules['tls']>('node:tls', LOOPBACK, globals)
  const net = platformModule<TlsModules['net']>('node:net', LOOPBACK, globals)
  const crypto = platformModule<TlsModules['crypto']>('node:crypto', undefined, globals)
  for (const one of [tls, net]) if ('reason' in one) return reasonOf(one.reason)
  if ('reason' in crypto) return crypto.reason
  const modules = { tls, net, crypto } as Readonly<Record<keyof TlsModules, { readonly module: never }>>
  const found: TlsModules = {
    tls: modules.tls.module,
    net: modules.net.module,
    crypto: modules.crypto.module,
  }
  const missing = [
    [found.tls.createServer, 'tls.createServer'],
    [found.net.createServer, 'net.createServer'],
    [found.crypto.generateKeyPairSync, 'crypto.generateKeyPairSync'],
  ].find(([call]) => typeof call !== 'function')
  return missing === undefined ? found : `this runtime has no ${missing[1]}`
}
