import { ALGORITHMS, readOptions } from '@aeadkit/core'
import { checkBoolean, checkOneOf, refuse } from '../checks.ts'
import { checkList, TLS_VERSIONS, type TlsVersion } from './options.ts'
import { type NameSpace, namesOf, type ProtocolAead } from './order.ts'
import { checkGroups, flatten, type Groups, pick } from './pick.ts'
import { findSuite, suiteOf } from './suites.ts'

/** TLS libraries whose rules are known. nginx, Apache, HAProxy and Node follow `openssl`. */
export type TlsLibrary = 'boringssl' | 'openssl' | 'go'

/** Algorithms in order of preference; an inner list is a group of equals. */
type AeadGroups = readonly (ProtocolAead | readonly ProtocolAead[])[]

/** How one library orders suites, as data. */
export interface LibraryRules {
  readonly library: TlsLibrary
  /** Order of a client that was not told another one, with AES hardware and without. */
  readonly client: { readonly hardware: AeadGroups; readonly none: AeadGroups }
  /** Order of a server that was not told another one. */
  readonly server: { readonly hardware: AeadGroups; readonly none: AeadGroups }
  /**
   * Who decides on a server: `groups`: the server's order, the client's inside a group of equals; `flags`: the client
   * unless the server preference is set; `both-ends`: AES leads when this side has hardware and the client shows it.
   */
  readonly decides: 'groups' | 'flags' | 'both-ends'
  /** The rule in one sentence. */
  readonly says: string
  /** What is different in TLS 1.2, or `null`. */
  readonly tls12: string | null
  readonly source: string
  readonly asOf: string
}

const AES_FIRST: AeadGroups = ['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305']
const CHACHA_FIRST: AeadGroups = ['chacha20-poly1305', 'aes-128-gcm', 'aes-256-gcm']
// OpenSSL's list is fixed: it does not look at the CPU.
const OPENSSL_ORDER: AeadGroups = ['aes-256-gcm', 'chacha20-poly1305', 'aes-128-gcm']
const AS_OF = '2026-11-30'

/** The rules of each library. */
export const TLS_LIBRARIES: Readonly<Record<TlsLibrary, LibraryRules>> = {
  boringssl: {
    library: 'boringssl',
    client: { hardware: AES_FIRST, none: CHACHA_FIRST },
    server: {
      hardware: [['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305']],
      none: ['chacha20-poly1305', ['aes-128-gcm', 'aes-256-gcm']],
    },
    decides: 'groups',
    says: "with AES hardware all three suites are equal and the client's order decides; without it ChaCha20-Poly1305 comes first and the AES suites are equal",
    tls12:
      'the list is reordered by hardware, but without groups of equals unless it is written with them: [A|B|C]',
    source: 'BoringSSL ssl/ssl_cipher.cc and ssl/handshake_server.cc',
    asOf: AS_OF,
  },
  openssl: {
    library: 'openssl',
    client: { hardware: OPENSSL_ORDER, none: OPENSSL_ORDER },
    server: { hardware: OPENSSL_ORDER, none: OPENSSL_ORDER },
    decides: 'flags',
    says: "the client's order decides unless SSL_OP_CIPHER_SERVER_PREFERENCE is set; with SSL_OP_PRIORITIZE_CHACHA as well, ChaCha20-Poly1305 moves to the top when the client lists it first",
    tls12: null,
    source: 'OpenSSL ssl/s3_lib.c, ssl3_choose_cipher',
    asOf: AS_OF,
  },
  go: {
    library: 'go',
    client: { hardware: AES_FIRST, none: CHACHA_FIRST },
    server: { hardware: AES_FIRST, none: CHACHA_FIRST },
    decides: 'both-ends',
    says: "AES leads when this side has hardware and the first suite of the client's list that Go knows is AES-GCM; else ChaCha20-Poly1305 leads",
    tls12: null,
    source: 'Go crypto/tls/cipher_suites.go, aesgcmPreferred',
    asOf: AS_OF,
  },
}

/** What decides on a server besides its library. */
export interface ServerSide {
  /** Whether this machine has AES and carry-less multiplication. OpenSSL does not ask. */
  readonly hardware: boolean
  /** The client's list, as its hello has it: IANA or OpenSSL names; unknown ones are passed over. */
  readonly hello: readonly string[]
  /** Default: `TLSv1.3`. */
  readonly version?: TlsVersion | undefined
  /** The list this server was configured with, `[A, B]` inside standing for equals. Default: the library's own. */
  readonly order?: Groups | undefined
  /** SSL_OP_CIPHER_SERVER_PREFERENCE (OpenSSL; BoringSSL for TLS 1.2). Default: false. */
  readonly serverPreference?: boolean | undefined
  /** SSL_OP_PRIORITIZE_CHACHA (OpenSSL). Default: false. */
  readonly prioritizeChaCha?: boolean | undefined
  /**
   * Only what is on the list of FIPS 140-3, whosever list it is: AES-GCM, and AES-CCM where `order` has it; no library
   * has CCM in its own. Default: false.
   */
  readonly fips?: boolean | undefined
}

/** What a server takes. */
export interface ServerChoice {
  /** IANA name, or `null`: nothing is shared and the handshake fails. */
  readonly chosen: string | null
  /** Order the choice was made by, after the client's list was read; inner lists are equals. */
  readonly order: Groups
  readonly rule: string
}

const SPACE: Readonly<Record<TlsVersion, NameSpace>> = { 'TLSv1.3': 'tls1.3', 'TLSv1.2': 'tls1.2' }

function namesIn(version: TlsVersion, groups: AeadGroups): Groups {
  const names = (ids: readonly ProtocolAead[]): readonly string[] =>
    namesOf(SPACE[version], ids).map((name) => suiteOf(name).name)
  return groups.map((group) => names(typeof group === 'string' ? [group] : group))
}

/** The rules of a library. @throws AeadError `invalid-argument`: no such library. */
function rulesOf(library: TlsLibrary): LibraryRules {
  checkOneOf('library', library ?? 'missing', Object.keys(TLS_LIBRARIES))
  return TLS_LIBRARIES[library]
}

/**
 * The order a client of this library offers when nobody told it another, in IANA names.
 * @param hardware - whether the client's machine has AES and carry-less multiplication.
 * @throws AeadError `invalid-argument`: no such library or version.
 */
export function clientHello(
  library: TlsLibrary,
  hardware: boolean,
  version: TlsVersion = 'TLSv1.3',
): readonly string[] {
  if (typeof hardware !== 'boolean') refuse('hardware', 'true or false', hardware)
  checkOneOf('version', version, TLS_VERSIONS)
  return flatten(namesIn(version, rulesOf(library).client[hardware ? 'hardware' : 'none']))
}

const NAMES: readonly (keyof ServerSide)[] = [
  'hardware',
  'hello',
  'version',
  'order',
  'serverPreference',
  'prioritizeChaCha',
  'fips',
]

/**
 * What a server of this library takes from a client's list.
 * @throws AeadError `invalid-argument`: no such library or option, or an unknown name in `order`.
 */
export function serverChoice(library: TlsLibrary, asked: ServerSide): ServerChoice {
  const rules = rulesOf(library)
  const side = readOptions<ServerSide>(asked ?? null, NAMES, 'serverChoice')
  if (typeof side.hardware !== 'boolean') refuse('hardware', 'true or false', side.hardware)
  for (const flag of ['serverPreference', 'prioritizeChaCha', 'fips'] as const) checkBoolean(flag, side[flag])
  checkOneOf('version', side.version, TLS_VERSIONS)
  checkList('hello', side.hello)
  if (side.order !== undefined) checkGroups('order', side.order)
  const version = side.version ?? 'TLSv1.3'
  const hello = helloNames(side.hello, version)
  const list =
    side.order === undefined ? ownOrder(rules, side, hello, version) : ownNames(side.order, version)
  const fips = side.fips === true
  const order = decided(rules, side, fips ? onlyApproved(list) : list, hello, version)
  const says = fips ? `${rules.says}; FIPS 140-3 leaves AES-GCM and AES-CCM of the list` : rules.says
  return { chosen: pick(order, hello) ?? null, order, rule: says }
}

/** IANA names of what is known of a client's list; a hello has suites of other kinds, which are passed over. */
function helloNames(hello: readonly string[], version: TlsVersion): readonly string[] {
  return hello.flatMap((name) => findSuite(name, SPACE[version] as 'tls1.3' | 'tls1.2')?.name ?? [])
}

function ownNames(groups: Groups, version: TlsVersion): Groups {
  const name = (text: string): string => suiteOf(text, SPACE[version] as 'tls1.3' | 'tls1.2').name
  return groups.map((group) => (typeof group === 'string' ? name(group) : group.map(name)))
}

function ownOrder(
  rules: LibraryRules,
  side: ServerSide,
  hello: readonly string[],
  version: TlsVersion,
): Groups {
  const aes = rules.decides === 'both-ends' ? side.hardware && startsWithAesGcm(hello) : side.hardware
  return namesIn(version, rules.server[aes ? 'hardware' : 'none'])
}

/** The suites of AES-GCM and AES-CCM; those of CCM with short tags have no algorithm in our table. */
function onlyApproved(groups: Groups): Groups {
  const approved = (name: string): boolean => {
    const { algorithm } = suiteOf(name)
    return algorithm === null || ALGORITHMS[algorithm].fips === 'approved'
  }
  return groups
    .map((group) => (typeof group === 'string' ? group : group.filter(approved)))
    .filter((group) => (typeof group === 'string' ? approved(group) : group.length > 0))
}

/** Whether the first suite that is known is AES-GCM: the sign of a client with AES hardware. */
export function startsWithAesGcm(names: readonly string[]): boolean {
  const first = names.map((name) => findSuite(name)).find((suite) => suite !== undefined)
  return first?.algorithm === 'aes-128-gcm' || first?.algorithm === 'aes-256-gcm'
}

const isChaCha = (name: string): boolean => findSuite(name)?.algorithm === 'chacha20-poly1305'

/** Who decides: turns the server's order into the groups that are then asked. */
function decided(
  { decides }: LibraryRules,
  side: ServerSide,
  groups: Groups,
  hello: readonly string[],
  version: TlsVersion,
): Groups {
  const all = flatten(groups)
  const grouped = decides === 'groups' && (version === 'TLSv1.3' || side.order !== undefined)
  const obeysFlag = decides === 'flags' || (decides === 'groups' && version === 'TLSv1.2')
  if (obeysFlag && side.serverPreference !== true) return [all]
  if (decides !== 'flags') return grouped ? groups : all
  // Only the very first entry of the client's list counts, and every ChaCha20 suite moves up then.
  if (side.prioritizeChaCha !== true || hello[0] === undefined || !isChaCha(hello[0])) return all
  return [...all.filter(isChaCha), ...all.filter((name) => !isChaCha(name))]
}
