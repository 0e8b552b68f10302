import { readOptions } from '@aeadkit/core'
import { checkBoolean, checkWhole, refuse } from '../checks.ts'
import { detectRuntime, type HostGlobals } from '../host.ts'
import { type KeyAndCertificate, throwawayCertificate } from './certificate.ts'
import { serverChoice } from './libraries.ts'
import { tlsModules } from './modules.ts'
import { checkList, TLS_VERSIONS, type TlsVersion } from './options.ts'
import { namesOf } from './order.ts'
import { type ProbedServer, serverOf } from './probed-server.ts'
import { type Suite, suiteOf } from './suites.ts'
import { PRIORITIZE_CHACHA } from './texts.ts'
import { type Answer, createClock, type Listening, Session } from './wire.ts'

export type { ProbedServer }

/** What {@link probeTls} takes. */
export interface ProbeOptions {
  /** Options of the server, for example `tlsOptions().options`. */
  readonly server: ProbedServer | (ProbedServer & Readonly<Record<string, unknown>>)
  /**
   * Orders to ask in, each a list of names of one version. Default, per version the server offers: AES-128 first,
   * ChaCha20 first, AES-256 first.
   */
  readonly clients?: readonly (readonly string[])[] | undefined
  /** Most milliseconds for everything. Default: 10000. */
  readonly timeoutMs?: number | undefined
}

/** One client order and what became of it. */
export interface ProbedOrder {
  readonly version: TlsVersion
  /** The order asked in, IANA names. */
  readonly order: readonly string[]
  /** What the server took from a hello with exactly this order, whoever sends it. */
  readonly server: Answer
  /** A whole handshake with this runtime's own client that was given this order. */
  readonly handshake: Answer
  /** The suites the runtime's client really listed, as far as the table knows them; `null`: not seen. */
  readonly hello: readonly string[] | null
}

/** Whether something had an effect; `unknown`: these orders cannot tell. */
export type Effect = 'yes' | 'no' | 'unknown'

/** What the options did, for one version. */
export interface ProbedEffects {
  /** Whether the server refuses suites its `ciphers` leaves out. */
  readonly serverCiphers: Effect
  /** Whether `honorCipherOrder` changes what is chosen. */
  readonly honorCipherOrder: Effect
  /** Whether the client's hello follows its `ciphers`. */
  readonly clientCiphers: Effect
}

/** What {@link probeTls} saw. Plain data. */
export type TlsProbe =
  | { readonly state: 'unavailable'; readonly runtime: string; readonly reason: string }
  | {
      readonly state: 'done'
      readonly runtime: string
      readonly runtimeVersion: string
      readonly orders: readonly ProbedOrder[]
      readonly effects: Readonly<Partial<Record<TlsVersion, ProbedEffects>>>
      /** One line for each option without effect. */
      readonly ignored: readonly string[]
    }

const SERVER_PREFERENCE = 0x400000
const PROTOCOLS = { 'TLSv1.3': 'tls1.3', 'TLSv1.2': 'tls1.2' } as const
const AES128 = 'aes-128-gcm'
const AES256 = 'aes-256-gcm'
const CHACHA = 'chacha20-poly1305'

/**
 * Makes real handshakes over loopback to see what this runtime does with TLS options: for each client order what the
 * server takes from a hello with that order, what a handshake with the runtime's own client gives, and what that client
 * really listed. Takes the network of this machine only, and ends in time.
 * @throws AeadError `invalid-argument`: an option, an unknown name, an order with names of two versions, or a key
 *   without its certificate.
 */
export async function probeTls(given: ProbeOptions): Promise<TlsProbe> {
  const read = readOptions<ProbeOptions>(given ?? null, ['server', 'clients', 'timeoutMs'], 'probeTls')
  const options = { ...read, server: serverOf(read.server) }
  checkWhole('timeoutMs', options.timeoutMs, 1, 600_000)
  const plan = planOf(options)
  const { runtime, version } = detectRuntime(globalThis as HostGlobals)
  const modules = tlsModules()
  if (typeof modules === 'string') return { state: 'unavailable', runtime, reason: modules }
  const { cert, key } = options.server
  let pair: KeyAndCertificate
  try {
    pair =
      key === undefined || cert === undefined
        ? throwawayCertificate(modules.crypto, plan.auth)
        : { key, cert }
  } catch (error) {
    return { state: 'unavailable', runtime, reason: `no certificate could be made: ${textOf(error)}` }
  }
  const session = new Session(modules, createClock(options.timeoutMs ?? 10_000))
  try {
    const given = await session.serve({ ...options.server, ...pair })
    if (given.state === 'failed') return { state: 'unavailable', runtime, reason: given.reason }
    const seen = await ask(session, given, plan, { ...flipped(options.server), ...pair })
    return { state: 'done', runtime, runtimeVersion: version, ...seen, ignored: ignoredOf(seen.effects) }
  } finally {
    session.close()
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'failed'
}

interface Plan {
  readonly orders: readonly { readonly version: TlsVersion; readonly suites: readonly Suite[] }[]
  /** Suites of the server by version; `undefined` when it was given no list. */
  readonly own: Readonly<Record<TlsVersion, readonly Suite[]>> | undefined
  readonly auth: 'ecdsa' | 'rsa'
  readonly server: ProbedServer
}

function planOf({ clients, server }: ProbeOptions): Plan {
  if ((server.key === undefined) !== (server.cert === undefined)) {
    refuse('server', 'a key with its certificate, or neither', server)
  }
  checkBoolean('server.honorCipherOrder', server.honorCipherOrder)
  const flags: unknown = server.secureOptions
  if (flags !== undefined && !Number.isSafeInteger(flags))
    refuse('server.secureOptions', 'whole flags', flags)
  const { ciphers } = server
  if (ciphers !== undefined && typeof ciphers !== 'string')
    refuse('server.ciphers', 'names with colons', ciphers)
  const listed = ciphers?.split(':').map((name) => suiteOf(name))
  const own = listed && {
    'TLSv1.3': listed.filter(({ protocol }) => protocol === 'tls1.3'),
    'TLSv1.2': listed.filter(({ protocol }) => protocol === 'tls1.2'),
  }
  const kinds = own?.['TLSv1.2'].map(({ keyExchange }) => keyExchange) ?? []
  const auth = kinds.length > 0 && !kinds.includes('ECDHE-ECDSA') ? 'rsa' : 'ecdsa'
  if (clients !== undefined && !Array.isArray(clients)) refuse('clients', 'a list of orders', clients)
  const orders = clients?.map(orderOf) ?? defaultOrders(server, own, auth)
  return { orders, own, auth, server }
}

function orderOf(order: readonly string[]): Plan['orders'][number] {
  checkList('clients', order)
  const suites = order.map((name) => suiteOf(name))
  const version = TLS_VERSIONS.find((one) => suites.every(({ protocol }) => protocol === PROTOCOLS[one]))
  if (new Set(suites).size < suites.length) refuse('clients', 'orders that name each suite once', order)
  if (version === undefined || suites.length === 0) {
    refuse('clients', 'orders of suites of one TLS version each', order)
  }
  return { version, suites }
}

function defaultOrders(server: ProbedServer, own: Plan['own'], auth: Plan['auth']): Plan['orders'] {
  const orders = [
    [AES128, CHACHA, AES256],
    [CHACHA, AES128, AES256],
    [AES256, CHACHA, AES128],
  ] as const
  return TLS_VERSIONS.filter(
    (version) => (version === 'TLSv1.3' || server.minVersion !== 'TLSv1.3') && own?.[version].length !== 0,
  ).flatMap((version) => orders.map((ids) => ({ version, suites: suitesFor(version, ids, auth) })))
}

/** Suites of the algorithms, for the certificate at hand. */
function suitesFor(
  version: TlsVersion,
  ids: Parameters<typeof namesOf>[1],
  auth: Plan['auth'],
): readonly Suite[] {
  const wanted = auth === 'rsa' ? 'ECDHE-RSA' : 'ECDHE-ECDSA'
  return namesOf(PROTOCOLS[version], ids)
    .map((name) => suiteOf(name))
    .filter(({ keyExchange }) => keyExchange === null || keyExchange === wanted)
}

const honors = (server: ProbedServer): boolean => server.honorCipherOrder ?? true

/** The same server with the other value of honorCipherOrder. */
function flipped(server: ProbedServer): ProbedServer {
  const flags = server.secureOptions
  return {
    ...server,
    honorCipherOrder: !honors(server),
    ...(flags === undefined ? {} : { secureOptions: flags & ~SERVER_PREFERENCE }),
  }
}

async function ask(
  session: Session,
  given: Listening,
  plan: Plan,
  other: ProbedServer,
): Promise<{ orders: readonly ProbedOrder[]; effects: Partial<Record<TlsVersion, ProbedEffects>> }> {
  const orders: ProbedOrder[] = []
  for (const { suites, version } of plan.orders) {
    const server = await session.hello(given, version, suites)
    const handshake = await session.handshake(given, version, suites)
    const hello = await session.clientHello(version, suites)
    orders.push({ version, order: suites.map(({ name }) => name), server, handshake, hello })
  }
  const effects: Partial<Record<TlsVersion, ProbedEffects>> = {}
  const second = await session.serve(other)
  for (const version of TLS_VERSIONS) {
    const mine = orders.filter((order) => order.version === version)
    if (mine.length === 0) continue
    const others: Answer[] = []
    for (const { order } of mine) {
      if (second.state === 'listening') {
        others.push(
          await session.hello(
            second,
            version,
            order.map((name) => suiteOf(name)),
          ),
        )
      }
    }
    effects[version] = {
      serverCiphers: await restricts(session, given, plan, version),
      honorCipherOrder: orderEffect(plan, version, mine, others),
      clientCiphers: clientEffect(mine),
    }
  }
  return { orders, effects }
}

/** Alerts that say that no suite suits: handshake_failure, insufficient_security (RFC 9846 §6.2). */
const REFUSALS: readonly string[] = ['alert 40', 'alert 71']

/** Offers nothing but what the server's list leaves out. */
async function restricts(
  session: Session,
  given: Listening,
  { auth, own }: Plan,
  version: TlsVersion,
): Promise<Effect> {
  if (own === undefined) return 'unknown'
  const outside = suitesFor(version, [AES128, AES256, CHACHA], auth).filter(
    (suite) => !own[version].includes(suite),
  )
  if (outside.length === 0) return 'unknown'
  const { chosen, error } = await session.hello(given, version, outside)
  if (chosen !== null) return 'no'
  return error !== undefined && REFUSALS.includes(error) ? 'yes' : 'unknown'
}

function orderEffect(
  { own, server }: Plan,
  version: TlsVersion,
  mine: readonly ProbedOrder[],
  others: readonly Answer[],
): Effect {
  const answers = mine.map((order) => order.server)
  if (others.length === 0 || [...answers, ...others].some(({ chosen }) => chosen === null)) return 'unknown'
  if (answers.some(({ chosen }, at) => chosen !== others[at]!.chosen)) return 'yes'
  const list = own?.[version].map(({ name }) => name)
  if (list === undefined) return 'unknown'
  // Where the rule gives the same with and without the flag, the same says nothing.
  const expected = (serverPreference: boolean, hello: readonly string[]): string | null =>
    serverChoice('openssl', {
      hardware: false,
      hello,
      version,
      order: list,
      serverPreference,
      prioritizeChaCha: ((server.secureOptions ?? 0) & PRIORITIZE_CHACHA) !== 0,
    }).chosen
  const tells = mine.some(({ order }) => expected(true, order) !== expected(false, order))
  return tells ? 'no' : 'unknown'
}

function clientEffect(mine: readonly ProbedOrder[]): Effect {
  if (mine.some(({ hello, order }) => hello !== null && hello.join() !== order.join())) return 'no'
  return mine.every(({ hello }) => hello !== null) ? 'yes' : 'unknown'
}

const MEANS: Readonly<Record<keyof ProbedEffects, string>> = {
  serverCiphers: 'ciphers of the server leave nothing out: a client gets suites that are not in the list',
  honorCipherOrder: 'honorCipherOrder changes nothing',
  clientCiphers: 'ciphers of the client change nothing: its hello lists others, or in another order',
}

function ignoredOf(effects: Readonly<Partial<Record<TlsVersion, ProbedEffects>>>): readonly string[] {
  return TLS_VERSIONS.flatMap((version) =>
    (Object.keys(MEANS) as (keyof ProbedEffects)[])
      .filter((name) => effects[version]?.[name] === 'no')
      .map((name) => `${version}: ${MEANS[name]}`),
  )
}
