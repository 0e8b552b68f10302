import type { AlgorithmId } from '@aeadkit/core'
import { AeadError } from '@aeadkit/core'
import { isProtocolContext, type ProtocolContext } from '../options.ts'
import { admit } from './admission.ts'
import { type Advice, adviceFor } from './advice.ts'
import type { Candidate } from './candidates.ts'
import type { Facts } from './facts.ts'
import { caseOf, isRegulated } from './family.ts'
import { orderReasons } from './order-reasons.ts'
import { PROTOCOL_RULE, PROTOCOL_TITLES } from './protocol.ts'
import { type Reckoner, reckonerOf } from './reckon.ts'
import type { Assessed, Field, Preference, Rejection, RuleId, RuleRow, VerdictClass } from './rule.ts'
import { RULE_ROWS } from './rules.ts'

/** What both kinds of decision say. */
interface DecisionBase {
  readonly class: VerdictClass
  /** Ids of the rules that decided. */
  readonly rules: readonly RuleId[]
  readonly reasons: readonly string[]
  readonly rejected: readonly Rejection[]
}

/** One algorithm. */
export interface CipherDecision extends DecisionBase {
  readonly kind: 'cipher'
  readonly chosen: Assessed
}

/** A protocol that chooses itself. */
export interface ProtocolDecision extends DecisionBase {
  readonly kind: 'protocol'
  readonly context: ProtocolContext
  readonly advice: Advice
}

/** Outcome of the rule table. */
export type Decision = CipherDecision | ProtocolDecision

/** A candidate after the first pass. */
interface Filtered {
  readonly assessed: Assessed
  readonly rejections: readonly Rejection[]
}

/** Told of every candidate that the decision rests on: that its permitted backends can do it is no guess any more. */
export type RestsOn = (candidate: Assessed) => void

/**
 * Applies the rule table: conflicts, protocol contexts, every filter to every candidate, then the first matching
 * preference among the survivors. Pure: the same facts give the same decision.
 * @param restsOn - see {@link RestsOn}; what the rules never asked about may fail without changing anything.
 * @throws AeadError `no-candidate` with the ids of the rules in `details.rules`.
 */
export function decide(facts: Facts, restsOn: RestsOn = () => undefined): Decision {
  for (const rule of RULE_ROWS) {
    const conflict = rule.conflict?.(facts)
    if (conflict === undefined) continue
    throw new AeadError('no-candidate', `${conflict.rules.join(' and ')}: ${conflict.message}`, {
      details: { rules: conflict.rules, profiles: conflict.profiles },
    })
  }
  const { algorithm, context } = facts.options
  if (isProtocolContext(context)) return protocolDecision(facts, context)
  const filtered = new Map<AlgorithmId, Filtered>()
  const reckon = reckonerOf(facts.limits, facts.options.volume)
  for (const candidate of facts.candidates)
    filtered.set(candidate.params.id, filter(candidate, facts, reckon))
  if (algorithm === undefined) return rank(facts, filtered, restsOn)
  const decision = given(facts, filtered, algorithm)
  restsOn(decision.chosen)
  return decision
}

function protocolDecision(facts: Facts, context: ProtocolContext): ProtocolDecision {
  const { algorithm } = facts.options
  const rule = PROTOCOL_RULE[context]!
  const title = PROTOCOL_TITLES[rule]
  const advice = adviceFor(context, facts)
  if (algorithm !== undefined && !(advice.order.length === 1 && advice.order[0] === algorithm)) {
    throw new AeadError(
      'no-candidate',
      `${rule}: ${context} does not take one chosen cipher (${algorithm}): ${title}`,
      { details: { rules: [rule], order: advice.order } },
    )
  }
  return {
    kind: 'protocol',
    context,
    class: 'protocol',
    rules: [rule],
    // WireGuard and disk sectors leave no order to explain.
    reasons: [title, ...(['V5', 'V9'].includes(rule) ? [] : orderReasons(facts, advice.order))],
    rejected: [],
    advice,
  }
}

/** First pass: every filter, each with its reason. */
function filter(candidate: Candidate, facts: Facts, reckon: Reckoner): Filtered {
  const { params } = candidate
  const { options } = facts
  const admission = admit(candidate, options, isRegulated(facts))
  const assessed: Assessed = {
    ...candidate,
    ...reckon(params),
    permitted: admission.permitted,
    constantTimeMet: admission.constantTimeMet,
  }
  const rejections: Rejection[] = []
  for (const rule of RULE_ROWS) {
    const reason = rule.reject?.(assessed, facts)
    if (reason !== undefined) rejections.push({ algorithm: params.id, rule: rule.id, reason })
  }
  if (admission.rejected !== undefined && !needless(admission.rejected, candidate, rejections, facts))
    rejections.push({ algorithm: params.id, ...admission.rejected })
  return { assessed, rejections }
}

/**
 * What nobody opted in to, no caller need have given a backend for: that none has it is then no finding. Asked for by
 * name it is one.
 */
function needless(
  { rule }: { readonly rule: RuleId },
  { missing, params }: Candidate,
  rejections: readonly Rejection[],
  { options }: Facts,
): boolean {
  // What no backend could take in any case is not also too long for each of them.
  if (rule === 'message-size') return rejections.some((one) => one.rule === rule)
  if (rule !== 'availability' || missing.length > 0 || options.algorithm !== undefined) return false
  return params.bound === 'aegis' && rejections.length > 0
}

function given(
  facts: Facts,
  filtered: ReadonlyMap<AlgorithmId, Filtered>,
  algorithm: AlgorithmId,
): CipherDecision {
  const { assessed, rejections } = filtered.get(algorithm)!
  if (rejections.length > 0) throw refusal([algorithm], filtered, true)
  const binding = (['V2', 'V3', 'V4'] as const).filter(
    (rule) => ({ V2: facts.fips, V3: facts.gost, V4: facts.cnsa })[rule],
  )
  const regulated: VerdictClass | undefined = facts.fips
    ? 'fips'
    : facts.gost
      ? 'gost'
      : facts.cnsa
        ? 'cnsa'
        : undefined
  return {
    kind: 'cipher',
    chosen: assessed,
    class: regulated ?? (facts.options.constrained ? 'constrained' : caseOf(facts)),
    rules: binding,
    reasons: [`the caller named ${algorithm}: nothing was ranked, and every filter lets it pass`],
    rejected: [],
  }
}

/** Second pass: the first matching preference; shown and constant-time candidates go before the others. */
function rank(facts: Facts, filtered: ReadonlyMap<AlgorithmId, Filtered>, restsOn: RestsOn): CipherDecision {
  const field: Field = {
    survivor: (id) => {
      const entry = filtered.get(id)
      if (entry === undefined || entry.rejections.length > 0) return undefined
      restsOn(entry.assessed)
      return entry.assessed
    },
    exceeded: (id) => {
      const entry = filtered.get(id)
      const rejections = entry?.rejections ?? []
      const alone = rejections.length > 0 && rejections.every(({ rule }) => rule === 'limits')
      if (alone) restsOn(entry!.assessed)
      return alone
    },
  }
  const wishes: { readonly rule: RuleRow; readonly wish: Preference }[] = []
  const rules = RULE_ROWS.values()
  /** What the next rule that names anything names; a rule is asked when those before it have left the choice open. */
  const wishAt = (at: number): (typeof wishes)[number] | undefined => {
    while (wishes.length <= at) {
      const { value: rule } = rules.next()
      if (rule === undefined) return undefined
      const wish = rule.prefer?.(facts, field)
      if (wish !== undefined && wish.algorithms.length > 0) wishes.push({ rule, wish })
    }
    return wishes[at]
  }
  for (const tier of TIERS) {
    for (let at = 0, wished = wishAt(0); wished !== undefined; wished = wishAt(++at)) {
      const { rule, wish } = wished
      for (const id of wish.algorithms) {
        const candidate = field.survivor(id)
        if (candidate === undefined || !tier(candidate, wish)) continue
        return {
          kind: 'cipher',
          chosen: candidate,
          class: wish.class,
          rules: [rule.id, ...(wish.also ?? [])],
          reasons: [
            ...wish.reasons.map((reason, at) => (at === 0 ? `${rule.id}: ${reason}` : reason)),
            ...missed(wish, id, filtered),
          ],
          rejected: rejectedBy(filtered, id, rule, wish),
        }
      }
    }
  }
  // What binds is worth explaining; what would have come after it is not.
  const binding = wishes.filter(({ wish }, at) => at === 0 || wish.regardless !== undefined)
  throw refusal([...new Set(binding.flatMap(({ wish }) => wish.algorithms))], filtered, false)
}

type Tier = (candidate: Assessed, wish: Preference) => boolean

const isShown: Tier = ({ limits }, { regardless }) => limits.targetShown || regardless !== undefined
const isSafe: Tier = ({ constantTimeMet }, { regardless }) => constantTimeMet || regardless === 'all'
const TIERS: readonly Tier[] = [
  (candidate, wish) => isShown(candidate, wish) && isSafe(candidate, wish),
  isSafe,
  isShown,
  () => true,
]

/** Why what the rule names before the chosen one was not taken. */
function missed(wish: Preference, id: AlgorithmId, filtered: ReadonlyMap<AlgorithmId, Filtered>): string[] {
  return wish.algorithms.slice(0, wish.algorithms.indexOf(id)).map((before) => {
    const entry = filtered.get(before)!
    const [first] = entry.rejections
    if (first !== undefined) return `${before} comes before it but is out (${first.rule}: ${first.reason})`
    return entry.assessed.constantTimeMet
      ? `${before} comes before it, but its limits are not shown at the target`
      : `${before} comes before it, but no backend runs it in constant time`
  })
}

/** Every other candidate: the filters that dropped it, or the rule that named another first. */
function rejectedBy(
  filtered: ReadonlyMap<AlgorithmId, Filtered>,
  chosen: AlgorithmId,
  rule: RuleRow,
  wish: Preference,
): readonly Rejection[] {
  const all: Rejection[] = []
  for (const [algorithm, { rejections }] of filtered) {
    if (algorithm === chosen) continue
    if (rejections.length > 0) all.push(...rejections)
    else {
      // The rule's general reason is about what it does not name.
      const reason = wish.algorithms.includes(algorithm) ? undefined : wish.against
      all.push({ algorithm, rule: rule.id, reason: reason ?? `${chosen} comes first` })
    }
  }
  return all
}

/** The error when nothing is left: why each algorithm the rules would have named is out. */
function refusal(
  wanted: readonly AlgorithmId[],
  filtered: ReadonlyMap<AlgorithmId, Filtered>,
  pinned: boolean,
): AeadError {
  const everything = [...filtered.values()].flatMap(({ rejections }) => rejections)
  const missing = new Set(
    [...filtered].filter(([, { assessed }]) => assessed.backends.length === 0).map(([id]) => id),
  )
  // When nobody has what the rules name, what the backends do have counts: why each of those is out.
  const present = pinned ? [] : [...filtered.keys()].filter((id) => !missing.has(id))
  const told = new Set(wanted.every((id) => missing.has(id)) ? [...wanted, ...present] : wanted)
  const named = everything.filter(({ algorithm }) => told.has(algorithm))
  const telling = named.length > 0 ? named : everything
  const lines = telling.map(({ algorithm, reason, rule }) => `${algorithm}: ${rule}: ${reason}`)
  const unnamed = present.filter((id) => filtered.get(id)!.rejections.length === 0)
  if (unnamed.length > 0) {
    lines.push(
      `${unnamed.join(', ')}: no rule names it for these options; the option algorithm takes it all the same`,
    )
  }
  return new AeadError('no-candidate', `no algorithm and backend satisfy every rule; ${lines.join('; ')}`, {
    details: {
      rules: [...new Set(telling.map(({ rule }) => rule))],
      rejected: everything,
      considered: [...new Set([...told, ...unnamed])],
    },
  })
}
