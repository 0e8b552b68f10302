import type { HardwareClass } from '@aeadkit/core'
import { type Advice, type AdviceFacts, adviceFor } from '../policy/advice.ts'
import { PROTOCOL, PROTOCOL_RULE } from '../policy/protocol.ts'
import type { VerdictRuleId } from '../policy/rule.ts'
import type { ResolvedAdvice } from './options.ts'
import type { Ignored } from './runtimes.ts'
import { type MeasuredSpeed, measuredSpeed } from './speed.ts'
import type { Role } from './texts.ts'

/** Day the facts behind the advice were last checked. */
export const ADVICE_AS_OF = '2026-11-30'

/** What every kind of advice says. Plain data: it can be printed as JSON. */
export interface ProtocolAdvice {
  /** Program the setting is for. */
  readonly program: 'node' | 'nginx' | 'ssh_config' | 'sshd_config' | 'openvpn'
  readonly role: Role
  /** Names in the protocol's spelling, best first. */
  readonly order: readonly string[]
  /** The setting as it is written there. */
  readonly text: string
  /** Why this order. */
  readonly reasons: readonly string[]
  /** What to know and to look at, the measured ratio and the flags of virtual machines among it. */
  readonly notes: readonly string[]
  /** Options that the runtime does not obey. */
  readonly ignored: readonly Ignored[]
  /** Speeds measured on this machine, or `null`. */
  readonly measured: MeasuredSpeed | null
  /** What the order was decided from. */
  readonly hardware: { readonly class: HardwareClass | 'partial'; readonly why: string }
  /** Rule of the verdict table. */
  readonly rule: VerdictRuleId
  readonly source: string
  /** Day the facts were last checked, `YYYY-MM-DD`. */
  readonly asOf: string
}

/** Everything but the program, its text and what goes with it. */
export type AdviceBase = Omit<ProtocolAdvice, 'program' | 'text'>

/**
 * The advice of the rule table, with its reasons.
 * @throws AeadError `no-candidate`: a list from outside has no cipher of the protocol.
 */
export function baseOf({ facts, role }: ResolvedAdvice): AdviceBase {
  const context = facts.options.context as Parameters<typeof adviceFor>[0]
  const advice = adviceFor(context, facts)
  const id = PROTOCOL_RULE[context]!
  const rule = PROTOCOL.find((row) => row.id === id)!
  return {
    role,
    order: advice.order,
    reasons: [rule.title, ...reasonsOf(facts, advice)],
    notes: advice.notes,
    ignored: [],
    measured: measuredSpeed(facts.evidence) ?? null,
    hardware: hardwareOf(facts),
    rule: id,
    source: rule.source,
    asOf: ADVICE_AS_OF,
  }
}

/** A TLS order states one machine; SSH and OpenVPN are about both ends. */
function hardwareOf({ ends, evidence, options }: AdviceFacts): ProtocolAdvice['hardware'] {
  if (!options.context.startsWith('tls')) return { class: ends.class, why: ends.why }
  const decided = evidence.items.find(({ name }) => name === 'hardware.class')?.source
  const flags = `AES ${evidence.aes}, carry-less multiply ${evidence.clmul} (${evidence.source})`
  return { class: evidence.hardwareClass, why: decided ?? flags }
}

function reasonsOf(facts: AdviceFacts, { order }: Advice): readonly string[] {
  const lists = [
    ...(facts.fips ? ['FIPS 140-3 binds: only AES-GCM is on its list'] : []),
    ...(facts.cnsa ? ['CNSA binds: AES with 256-bit keys only'] : []),
    ...(facts.gost ? ['GOST binds: only the Kuznyechik suites of RFC 9367'] : []),
    ...(facts.options.keyBits === 256 && !facts.cnsa
      ? ['keys of 256 bits are demanded: AES-128 is left out']
      : []),
  ]
  const free = order.some((name) => /chacha/i.test(name))
  if (!free) return lists
  const context = facts.options.context
  if (context === 'tls-server') {
    return [
      ...lists,
      'AES-GCM leads, and ChaCha20-Poly1305 is taken from every client that lists it first: such a client has no AES hardware',
    ]
  }
  const { class: known, why } = hardwareOf(facts)
  const own = context === 'tls-client'
  const halves = own
    ? 'this machine has AES and carry-less multiply'
    : 'every end has AES and carry-less multiply'
  const missing = own ? 'this machine lacks' : 'some end lacks'
  return [
    ...lists,
    known === 'hardware'
      ? `AES-GCM leads: ${halves} (${why})`
      : known === 'unknown'
        ? `ChaCha20-Poly1305 leads: it is not known that ${halves} (${why})`
        : `ChaCha20-Poly1305 leads: ${missing} AES or carry-less multiply that is used (${why})`,
  ]
}
