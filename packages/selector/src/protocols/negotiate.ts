import { AeadError, type HardwareClass, readOptions } from '@aeadkit/core'
import { startsWithAesGcm } from './libraries.ts'
import { checkHardware, checkList } from './options.ts'
import { namesOf } from './order.ts'
import { checkGroups, flatten, type Groups, pick } from './pick.ts'
import { findSuite, type SuiteProtocol, suiteOf } from './suites.ts'

/** What this side brings to a negotiation. */
export interface LocalSide {
  /** Hardware class of this machine; `unknown` counts as none. */
  readonly hardware: HardwareClass
  /**
   * What this side accepts, in its own order; an inner list is a group of equals, among which the peer's order
   * decides. Names of one protocol, IANA's or OpenSSL's. Default: the three suites of TLS 1.3, all equal.
   */
  readonly suites?: Groups | undefined
}

/** Outcome of {@link negotiate}. */
export interface Negotiated {
  /** Name in the spelling of the local list, or `null`: nothing is shared. */
  readonly chosen: string | null
  /** Whether both sides show AES hardware: this one by its class, the peer by its first known name. */
  readonly bothShowAes: boolean
  /** Order the choice was made by; inner lists are equals. */
  readonly order: Groups
  readonly reason: string
}

/** All equal: the peer's order is the signal (BoringSSL's groups). */
function equals(): Groups {
  return [namesOf('tls1.3', ['aes-128-gcm', 'aes-256-gcm', 'chacha20-poly1305'])]
}

/**
 * Chooses one suite for two machines: AES only if both sides show it. This side shows it by its hardware class, the
 * peer by listing AES-GCM first; otherwise ChaCha20-Poly1305 leads. A list without one of the two keeps its order.
 * Names of the peer that the table does not have are passed over.
 * @param side - hardware and accepted suites of this side.
 * @param peerList - the peer's names in its order.
 * @throws AeadError `invalid-argument`: an unknown local name (the nearest is named), or names of two protocols.
 */
export function negotiate(side: LocalSide, peerList: readonly string[]): Negotiated {
  const local = readOptions<LocalSide>(side ?? null, ['hardware', 'suites'], 'negotiate')
  checkHardware(local.hardware ?? 'missing')
  checkList('peerList', peerList)
  const suites = local.suites === undefined ? equals() : local.suites
  checkGroups('suites', suites)
  const protocol = protocolOf(flatten(suites))
  const peer = peerList.flatMap((name) => spelled(suites, name, protocol))
  const shown = startsWithAesGcm(peerList.filter((name) => findSuite(name, protocol) !== undefined))
  const bothShowAes = local.hardware === 'hardware' && shown
  const order = lead(suites, bothShowAes)
  const chosen = pick(order, peer) ?? null
  return { chosen, bothShowAes, order, reason: reasonOf(local.hardware, shown, chosen) }
}

function protocolOf(names: readonly string[]): SuiteProtocol {
  const protocols = new Set(names.map((name) => suiteOf(name).protocol))
  const [protocol] = protocols
  if (protocol === undefined || protocols.size > 1) {
    throw new AeadError('invalid-argument', `suites must be names of one protocol, got ${protocols.size}`)
  }
  return protocol
}

/** The local spelling of a peer's name, if this side has it. */
function spelled(suites: Groups, name: string, protocol: SuiteProtocol): readonly string[] {
  const suite = findSuite(name, protocol)
  const own = flatten(suites).find((text) => suite !== undefined && suiteOf(text) === suite)
  return own === undefined ? [] : [own]
}

/** Puts ChaCha20-Poly1305 in front of everything, or behind every AES suite; groups keep their shape otherwise. */
function lead(suites: Groups, aesFirst: boolean): Groups {
  const is = (name: string): boolean => suiteOf(name).algorithm === 'chacha20-poly1305'
  const chacha = flatten(suites).filter(is)
  const others = suites
    .map((group): string | readonly string[] =>
      typeof group === 'string' ? group : group.filter((name) => !is(name)),
    )
    .filter((group) => (typeof group === 'string' ? !is(group) : group.length > 0))
  if (chacha.length === 0) return others
  return aesFirst ? [...others, chacha] : [chacha, ...others]
}

function reasonOf(hardware: HardwareClass, shown: boolean, chosen: string | null): string {
  if (chosen === null) return 'the two lists share no suite'
  const here =
    hardware === 'hardware' ? 'this side has AES hardware' : `this side shows no AES hardware (${hardware})`
  const there = shown ? 'the peer lists AES-GCM first' : 'the peer does not list AES-GCM first'
  return `${here}; ${there}: ${hardware === 'hardware' && shown ? 'AES leads' : 'ChaCha20-Poly1305 leads'}`
}
