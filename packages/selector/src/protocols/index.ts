/**
 * Where a protocol negotiates: orders and rules of TLS libraries as data and functions, ready settings for Node's `tls`,
 * nginx, OpenSSH and OpenVPN, and a probe that shows what a runtime makes of them.
 * @module
 */

export type { EndsHardware } from '../policy/facts.ts'
export { ADVICE_AS_OF, type ProtocolAdvice } from './advice.ts'
export {
  clientHello,
  type LibraryRules,
  type ServerChoice,
  type ServerSide,
  serverChoice,
  TLS_LIBRARIES,
  type TlsLibrary,
} from './libraries.ts'
export { type LocalSide, type Negotiated, negotiate } from './negotiate.ts'
export { type OpenvpnAdvice, openvpnSettings } from './openvpn.ts'
export type { AdviceOptions, TlsVersion } from './options.ts'
export { cipherOrder, type OutsideLists, type ProtocolAead } from './order.ts'
export { type Groups, pick } from './pick.ts'
export {
  type Effect,
  type ProbedEffects,
  type ProbedOrder,
  type ProbedServer,
  type ProbeOptions,
  probeTls,
  type TlsProbe,
} from './probe.ts'
export { type ByVersion, type Ignored, RUNTIME_TLS, type RuntimeTls, runtimeTls } from './runtimes.ts'
export type { MeasuredSpeed } from './speed.ts'
export { type SshAdvice, type SshAdviceOptions, sshClientConfig } from './ssh.ts'
export {
  findSuite,
  type KeyExchange,
  SUITES,
  type Suite,
  type SuiteProtocol,
  suiteOf,
  suiteOfCode,
  toIanaName,
  toOpensslName,
} from './suites.ts'
export type { Directive, Role, TlsSuiteOptions } from './texts.ts'
export {
  type NginxAdvice,
  nginxSnippet,
  type TlsAdvice,
  type TlsAdviceOptions,
  type TlsOptionsOptions,
  type TlsRuntime,
  tlsOptions,
} from './tls.ts'
export type { Answer } from './wire.ts'
