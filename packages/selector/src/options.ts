import type { AlgorithmId, Backend, Evidence, HardwareReport } from '@aeadkit/core'
import type { MeasurementCache } from './evidence/cache.ts'
import type { Host } from './host.ts'
import type { Abort } from './within.ts'

/** Where the cipher runs. The first nine want protocol settings, not one cipher. */
export type Context =
  | 'tls-server'
  | 'tls-client'
  | 'quic'
  | 'dtls'
  | 'ssh-client'
  | 'ssh-server'
  | 'openvpn'
  | 'wireguard'
  | 'disk-sector'
  | 'own-protocol'
  | 'file-format'
  | 'envelope'
  | 'message-queue'

/** Contexts where the protocol has already chosen or negotiates: the answer is advice (rules V5 to V9). */
export type ProtocolContext =
  | 'tls-server'
  | 'tls-client'
  | 'quic'
  | 'dtls'
  | 'ssh-client'
  | 'ssh-server'
  | 'openvpn'
  | 'wireguard'
  | 'disk-sector'

/** Contexts that want one cipher. */
export type CipherContext = Exclude<Context, ProtocolContext>

/** How nonces stay unique. */
export type NonceRegime = 'random' | 'counter' | 'leased' | 'many-writers' | 'snapshot-risk'

/** How FIPS 140-3 binds; `auto` is `module` when the process requests FIPS, else `off`. */
export type FipsChoice = 'auto' | 'off' | 'approved-algorithms' | 'module'

/** What one key will carry. Counts are per key; each takes a number or a bigint. */
export interface SelectVolume {
  /** Messages sealed under one key. Default: 2^20. */
  readonly messages?: number | bigint | undefined
  /** Longest message in bytes, AAD apart. Default: 16384. */
  readonly messageBytes?: number | bigint | undefined
  /** Longest AAD in bytes. Default: 0. */
  readonly aadBytes?: number | bigint | undefined
  /** Failed openings the reader tolerates. Default: 2^20. */
  readonly failedOpens?: number | bigint | undefined
}

/** Permissions that are never assumed. */
export interface OptIn {
  /** AEGIS may be returned, for known hardware at every end and a negotiated lifetime. Default: false. */
  readonly aegis?: boolean | undefined
  /** XAES-256-GCM, a composition of approved functions, is acceptable under FIPS. Default: false. */
  readonly approvedComposition?: boolean | undefined
}

/** What `selectAead` takes. Unknown names and values are refused, with the nearest known one. */
export interface SelectOptions {
  /** Given: ranking is skipped; every filter still runs and a violation throws `no-candidate` with the rule id. */
  readonly algorithm?: AlgorithmId | undefined
  /** Default: `own-protocol`. */
  readonly context?: Context | undefined
  /** Who must be able to open it: this machine, any machine, or known ones. Default: `anywhere`. */
  readonly readers?: 'here' | 'anywhere' | readonly HardwareReport[] | undefined
  /** Whether the choice can be taken back later. Default: `frozen` when readers is `anywhere`, else `negotiated`. */
  readonly lifetime?: 'frozen' | 'negotiated' | undefined
  /** Default: `random`. */
  readonly nonce?: NonceRegime | undefined
  /** What one key carries. */
  readonly volume?: SelectVolume | undefined
  /** Whether a key can be replaced before its limit. Default: `impossible`. */
  readonly rekey?: 'possible' | 'impossible' | undefined
  /** log2 of the largest advantage allowed, apart for confidentiality and integrity, per key. Default: -57. */
  readonly target?: number | undefined
  /** The same for a nonce collision. Default: `target`; under FIPS -32, with at most 2^32 messages. */
  readonly nonceTarget?: number | undefined
  /**
   * Default: `auto`, which holds: where it found no request for FIPS and the process makes one later, `createAead` and
   * `createSealer` refuse. `off` is the caller's decision, and stays so whatever the process requests.
   */
  readonly fips?: FipsChoice | undefined
  /** Other duties from outside. Default: none. */
  readonly regulation?: readonly ('gost' | 'cnsa')[] | undefined
  /** Least key strength in bits, when someone outside demands one. Default: none. */
  readonly keyBits?: 128 | 256 | undefined
  /** What speed means. Default: `throughput`. */
  readonly profile?: 'throughput' | 'latency' | 'small-messages' | undefined
  /** Whether a message fits in memory. Default: true. */
  readonly wholeMessage?: boolean | undefined
  /** Whether an observer may learn that two messages are equal. Default: false. */
  readonly duplicatesVisible?: boolean | undefined
  /** What a sealed message must commit to. Default: `none`. */
  readonly commitment?: 'none' | 'key' | 'key-and-context' | undefined
  /** Microcontroller class. Default: false. */
  readonly constrained?: boolean | undefined
  /** Permissions that are never assumed. */
  readonly optIn?: OptIn | undefined
  /** The caller promises one external lease per seal; `createSealer` enforces it. Default: none. */
  readonly lease?: 'per-seal' | undefined
  /** Whether an implementation without a constant-time claim is refused. Default: `required`; under FIPS `preferred`. */
  readonly constantTime?: 'required' | 'preferred' | undefined
  /** Whether seal and open must answer without a promise. Default: false. */
  readonly sync?: boolean | undefined
  /** Backends to choose from, in the caller's order. At least one; nothing outside this list is ever used. */
  readonly backends?: readonly Backend[] | undefined
  /**
   * Evidence collected earlier or elsewhere; given: nothing is collected, but `fips: 'auto'` is `module` all the same
   * when this process requests FIPS.
   */
  readonly evidence?: Evidence | undefined
  /** Whether to measure: use a cached measurement when there is one, always measure, or never. Default: `cached`. */
  readonly measure?: 'cached' | 'always' | 'never' | undefined
  /**
   * Time all measuring of one selection may take, in milliseconds; 0: only what a cache knows. Default: 120. It ends
   * with the call under way, at most one of 1 MiB. A budget that is too small is overdrawn for what must be seen: four
   * rounds of the pair that decides the hardware class, and each length of the placement once.
   */
  readonly measureBudgetMs?: number | undefined
  /** Aborting rejects with the signal's reason; looked at while measuring. */
  readonly signal?: Abort | undefined
  /** Store for measurements. Default: this process only. */
  readonly measurementCache?: MeasurementCache | undefined
  /** FIPS certificate as the operator states it; passed through, never checked, never invented. */
  readonly certificate?: string | undefined
  /** Whether programs may be run to ask the system (`sysctl` on macOS). Default: false. */
  readonly allowSpawn?: boolean | undefined
  /** The platform to look at, for simulations. Default: the one this code runs on. */
  readonly host?: Host | undefined
}

/** {@link SelectVolume} with defaults filled in, as exact integers. */
export interface Volume {
  readonly messages: bigint
  readonly messageBytes: bigint
  readonly aadBytes: bigint
  readonly failedOpens: bigint
}

/** {@link SelectOptions} with defaults filled in. `fips` is never `auto`. */
export interface ResolvedOptions {
  readonly algorithm: AlgorithmId | undefined
  readonly context: Context
  readonly readers: 'here' | 'anywhere' | readonly HardwareReport[]
  readonly lifetime: 'frozen' | 'negotiated'
  readonly nonce: NonceRegime
  readonly volume: Volume
  /** Whether the caller gave a message length: a default says nothing of the messages that speed is about. */
  readonly sized: boolean
  readonly rekey: 'possible' | 'impossible'
  readonly target: number
  readonly nonceTarget: number
  readonly fips: Exclude<FipsChoice, 'auto'>
  /** What `fips` was before `auto` was resolved. */
  readonly fipsAsked: FipsChoice
  readonly regulation: readonly ('gost' | 'cnsa')[]
  readonly keyBits: 128 | 256 | undefined
  readonly profile: 'throughput' | 'latency' | 'small-messages'
  readonly wholeMessage: boolean
  readonly duplicatesVisible: boolean
  readonly commitment: 'none' | 'key' | 'key-and-context'
  readonly constrained: boolean
  readonly optIn: { readonly aegis: boolean; readonly approvedComposition: boolean }
  readonly lease: 'per-seal' | undefined
  readonly constantTime: 'required' | 'preferred'
  readonly sync: boolean
}

/** Options that take one of a few values. */
type NamedOption =
  | 'context'
  | 'lifetime'
  | 'nonce'
  | 'rekey'
  | 'fips'
  | 'keyBits'
  | 'profile'
  | 'commitment'
  | 'lease'
  | 'constantTime'
  | 'measure'

/** Every value an option of names takes; checks, the command line and its help read it. */
export const OPTION_VALUES: {
  readonly [Name in NamedOption]: readonly NonNullable<SelectOptions[Name]>[]
} & {
  readonly readers: readonly ('here' | 'anywhere')[]
  readonly regulation: readonly ('gost' | 'cnsa')[]
} = {
  context: [
    'tls-server',
    'tls-client',
    'quic',
    'dtls',
    'ssh-client',
    'ssh-server',
    'openvpn',
    'wireguard',
    'disk-sector',
    'own-protocol',
    'file-format',
    'envelope',
    'message-queue',
  ],
  readers: ['here', 'anywhere'],
  lifetime: ['frozen', 'negotiated'],
  nonce: ['random', 'counter', 'leased', 'many-writers', 'snapshot-risk'],
  rekey: ['possible', 'impossible'],
  fips: ['auto', 'off', 'approved-algorithms', 'module'],
  regulation: ['gost', 'cnsa'],
  keyBits: [128, 256],
  profile: ['throughput', 'latency', 'small-messages'],
  commitment: ['none', 'key', 'key-and-context'],
  lease: ['per-seal'],
  constantTime: ['required', 'preferred'],
  measure: ['cached', 'always', 'never'],
}

/** Longest list of readers: the weakest counts, so that one report of each kind says as much. */
export const MOST_READERS = 10_000

/** Most timings in evidence: several times what all backends and algorithms of this project have. */
export const MOST_TIMINGS = 10_000

/** Longest time for measuring that may be asked for, in milliseconds. */
export const MOST_BUDGET_MS = 60_000

/** Names of every permission in `optIn`. */
export const OPT_IN_NAMES: readonly (keyof OptIn)[] = ['aegis', 'approvedComposition']

/** Every option `selectAead` takes. */
export const OPTION_NAMES: readonly (keyof SelectOptions)[] = [
  'algorithm',
  'context',
  'readers',
  'lifetime',
  'nonce',
  'volume',
  'rekey',
  'target',
  'nonceTarget',
  'fips',
  'regulation',
  'keyBits',
  'profile',
  'wholeMessage',
  'duplicatesVisible',
  'commitment',
  'constrained',
  'optIn',
  'lease',
  'constantTime',
  'sync',
  'backends',
  'evidence',
  'measure',
  'measureBudgetMs',
  'signal',
  'measurementCache',
  'certificate',
  'allowSpawn',
  'host',
]

/** Default volume of one key (design: 2^20 messages of 16 KiB, 2^20 failed openings). */
export const DEFAULT_VOLUME: Volume = {
  messages: 1_048_576n,
  messageBytes: 16_384n,
  aadBytes: 0n,
  failedOpens: 1_048_576n,
}

/** Default targets, as log2. The FIPS one is SP 800-38D §8: any repeat at most at 2^-32. */
export const DEFAULT_TARGET: { readonly target: number; readonly fipsNonceTarget: number } = {
  target: -57,
  fipsNonceTarget: -32,
}

const PROTOCOL_CONTEXTS: readonly Context[] = [
  'tls-server',
  'tls-client',
  'quic',
  'dtls',
  'ssh-client',
  'ssh-server',
  'openvpn',
  'wireguard',
  'disk-sector',
]

/** Whether the context is answered with advice instead of one cipher. */
export function isProtocolContext(context: Context): context is ProtocolContext {
  return PROTOCOL_CONTEXTS.includes(context)
}
