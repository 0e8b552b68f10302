import { adviceFor } from '../policy/advice.ts'
import type { EndsHardware } from '../policy/facts.ts'
import { orderHardware, orderReasons } from '../policy/order-reasons.ts'
import { PROTOCOL_RULE, PROTOCOL_TITLES } from '../policy/protocol.ts'
import type { VerdictRuleId } from '../policy/rule.ts'
import { RULE_TEXTS } from '../policy/rule-texts.ts'
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
  readonly hardware: { readonly class: EndsHardware['class']; readonly why: string }
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
export function baseOf(resolved: ResolvedAdvice): AdviceBase {
  const { facts, role } = resolved
  const context = facts.options.context as Parameters<typeof adviceFor>[0]
  const advice = adviceFor(context, facts)
  const id = PROTOCOL_RULE[context]!
  const hardware = orderHardware(facts)
  return {
    role,
    order: advice.order,
    reasons: [PROTOCOL_TITLES[id], ...orderReasons(facts, advice.order)],
    notes: [...moduleNotes(resolved), ...advice.notes],
    ignored: [],
    measured: measuredSpeed(facts.evidence) ?? null,
    hardware: { class: hardware.class, why: hardware.why },
    rule: id,
    source: RULE_TEXTS[id].source,
    asOf: ADVICE_AS_OF,
  }
}

/** A setting cannot put a module in force, so whoever asks for one is told what it does not do. */
export function moduleNotes({ facts, module }: ResolvedAdvice): readonly string[] {
  if (!module) return []
  const { state } = facts.evidence.fips
  const here =
    state === 'enforcing'
      ? 'a FIPS module is in force in this process'
      : `no FIPS module is known to be in force in this process (state ${state})`
  return [
    `this keeps to the list of FIPS 140-3, and puts no module in force: ${here}; the module of another program is not looked at`,
  ]
}
