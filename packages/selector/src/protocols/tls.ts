import { AeadError } from '@aeadkit/core'
import { checkOneOf } from '../checks.ts'
import { detectRuntime, type HostGlobals, type RuntimeName } from '../host.ts'
import { type AdviceFacts, tlsOrder } from '../policy/advice.ts'
import { baseOf, moduleNotes, type ProtocolAdvice } from './advice.ts'
import { type AdviceOptions, resolveAdvice, TLS_VERSIONS, type TlsVersion } from './options.ts'
import { type Ignored, ignoredOptions, runtimeTls } from './runtimes.ts'
import { speedNotes } from './speed.ts'
import {
  type Directive,
  nginxDirectives,
  nginxText,
  nodeText,
  type Role,
  TLS_NOTES,
  type TlsOrder,
  type TlsSuiteOptions,
  tlsSuiteOptions,
} from './texts.ts'

/** Runtimes with Node's `tls`. */
export type TlsRuntime = Extract<RuntimeName, 'node' | 'electron' | 'bun' | 'deno'>

const RUNTIMES: readonly TlsRuntime[] = ['node', 'electron', 'bun', 'deno']
const CONTEXTS = { server: 'tls-server', client: 'tls-client' } as const

/** What {@link tlsOptions} and {@link nginxSnippet} take. */
export interface TlsAdviceOptions extends AdviceOptions {
  /** Oldest version offered. Default: `TLSv1.2`; GOST has suites of TLS 1.3 only. */
  readonly minVersion?: TlsVersion | undefined
}

/** What {@link tlsOptions} takes. */
export interface TlsOptionsOptions extends TlsAdviceOptions {
  /** Runtime the options are for. Default: this one, or Node where this one has no `tls`. */
  readonly runtime?: TlsRuntime | undefined
}

/** Ready options for Node's `tls`. */
export interface TlsAdvice extends ProtocolAdvice {
  readonly program: 'node'
  /** To be spread into the options of `tls.createServer` or `tls.connect`. */
  readonly options: TlsSuiteOptions
  /** The same suites by version: TLS 1.3 by IANA's names, TLS 1.2 by OpenSSL's. */
  readonly suites: Readonly<Record<TlsVersion, readonly string[]>>
  readonly runtime: TlsRuntime
}

/** Ready directives for nginx. */
export interface NginxAdvice extends ProtocolAdvice {
  readonly program: 'nginx'
  readonly directives: readonly Directive[]
  readonly suites: Readonly<Record<TlsVersion, readonly string[]>>
}

function orderFor(options: TlsAdviceOptions, facts: AdviceFacts): TlsOrder {
  checkOneOf('minVersion', options.minVersion, TLS_VERSIONS)
  const order = tlsOrder(facts)
  return options.minVersion === 'TLSv1.3' ? { ...order, tls12: [] } : order
}

const suitesOf = ({ tls12, tls13 }: TlsOrder): TlsAdvice['suites'] => ({
  'TLSv1.3': tls13,
  'TLSv1.2': tls12,
})

/**
 * Options of Node's `tls` for a server that follows its clients' hardware, or for a client that states its own. Nothing
 * is executed; `probeTls` shows what a runtime makes of them.
 * @param given - options, with the evidence or class of this machine; a server's order does not depend on it.
 * @throws AeadError `invalid-argument`; `no-candidate`: a list from outside has no suite here (GOST: no runtime has
 *   its suites).
 * @see RFC 9846 §9.1; OpenSSL SSL_CTX_set_options(3)
 */
export function tlsOptions(given: TlsOptionsOptions = {}): TlsAdvice {
  const asked = resolveAdvice('tlsOptions', given, CONTEXTS, 'server', ['minVersion', 'runtime'])
  const { options } = asked
  checkOneOf('runtime', options.runtime, RUNTIMES)
  if (asked.facts.gost) {
    throw new AeadError('no-candidate', 'no runtime with tls options has suites of GOST (V6, V3)', {
      details: { rules: ['V6', 'V3'] },
    })
  }
  const here = detectRuntime(globalThis as HostGlobals).runtime
  const found = RUNTIMES.find((name) => name === (options.runtime ?? here))
  const runtime = found ?? 'node'
  const resolved = { ...asked, facts: { ...asked.facts, runtime } }
  const { facts, role } = resolved
  const order = orderFor(options, facts)
  const ready = tlsSuiteOptions(role, order, runtime === 'node')
  const base = baseOf(resolved)
  const row = runtimeTls(runtime)
  const ignored = row === undefined ? [] : ignoredOptions(row, role, ready)
  return {
    ...base,
    program: 'node',
    runtime,
    order: [...order.tls13, ...order.tls12],
    options: ready,
    suites: suitesOf(order),
    text: nodeText(role, ready),
    ignored,
    notes: [
      ...(found === undefined ? [`this runtime (${here}) has no tls options; these are for Node`] : []),
      ...(row === undefined ? [`what ${runtime} obeys was not observed: probeTls shows it`] : []),
      ...moduleNotes(resolved),
      ...unmet(facts.fips || facts.cnsa, ignored),
      ...notesOf(role, order, ready),
      ...(typeof row?.withoutHardware === 'string'
        ? [`without AES hardware ${row.library} decides otherwise: ${row.withoutHardware}`]
        : []),
      ...speedNotes(facts.evidence),
    ],
  }
}

/** The note with the name that the option has in the one place it is set. */
const prioritizeNote = (name: string): string => TLS_NOTES.prioritize.replace(/^.*\)/, name)

/** Not among the notes that a selection carries: it has settings of OpenSSL alone. */
const NO_PRIORITIZE =
  'honorCipherOrder: false lets the client decide altogether: this library has no option that follows only ChaCha20-Poly1305'

function notesOf(role: Role, order: TlsOrder, ready: TlsSuiteOptions): readonly string[] {
  if (role === 'client') return [TLS_NOTES.clientStates]
  if (!order.followChaCha) return [TLS_NOTES.onlyThese]
  if (ready.secureOptions === undefined) return [TLS_NOTES.clientDecides, NO_PRIORITIZE]
  return [TLS_NOTES.clientDecides, prioritizeNote('SSL_OP_PRIORITIZE_CHACHA'), TLS_NOTES.nodeOff]
}

/** A list from outside that the runtime does not keep is no detail. */
function unmet(bound: boolean, ignored: readonly Ignored[]): readonly string[] {
  const suites = ignored.find(({ option }) => option === 'ciphers')
  if (!bound || suites === undefined) return []
  return [
    `the list from outside is not met on ${suites.runtime}: suites it leaves out can still be negotiated; use another runtime, or end TLS in a program that keeps the list`,
  ]
}

/**
 * Directives of nginx (1.19.4 and later, OpenSSL): for a server, or as a client of an upstream server (`proxy_ssl_`).
 * @throws AeadError `invalid-argument`; `no-candidate`: duties that exclude each other.
 * @see nginx ngx_http_ssl_module, ngx_http_proxy_module
 */
export function nginxSnippet(given: TlsAdviceOptions = {}): NginxAdvice {
  const asked = resolveAdvice('nginxSnippet', given, CONTEXTS, 'server', ['minVersion'])
  const resolved = { ...asked, facts: { ...asked.facts, runtime: 'nginx' } }
  const { facts, options, role } = resolved
  const order = orderFor(options, facts)
  const directives = nginxDirectives(role, order)
  const base = baseOf(resolved)
  return {
    ...base,
    program: 'nginx',
    order: [...order.tls13, ...order.tls12],
    directives,
    suites: suitesOf(order),
    text: nginxText(directives),
    notes: [
      ...base.notes
        .filter((note) => note !== TLS_NOTES.nodeOff)
        .map((note) => (note === TLS_NOTES.prioritize ? prioritizeNote('PrioritizeChaCha') : note)),
      ...(facts.gost ? ['OpenSSL has these suites only with an engine or provider for GOST'] : []),
    ],
  }
}
