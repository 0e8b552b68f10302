import type { AlgorithmParams, ConstantTimeClaim, Evidence } from '@aeadkit/core'
import { ALGORITHMS, advantagesOf, limitsOf, readOptions } from '@aeadkit/core'
import {
  ageDays,
  algorithmFacts,
  describeAlgorithm,
  FACT_FIELDS,
  FACT_NAMES,
  isOld,
  restsOn,
  ruleFacts,
} from '@aeadkit/core/catalog'
import { refuse } from './checks.ts'
import { choiceText } from './choice-text.ts'
import { askClaims } from './policy/ask.ts'
import { limitOptionsOf } from './policy/facts.ts'
import { countText, log2Of } from './policy/family.ts'
import { perKeyOf } from './policy/per-key.ts'
import { RULES } from './policy/rule-texts.ts'
import type { AnySelection, Selection } from './selection.ts'

/** Options of {@link explain}. */
export interface ExplainOptions {
  /** The clock that ages facts. Default: now. */
  readonly today?: Date | undefined
}

/** A selection told to a person, by section. */
export interface Explanation {
  /** What was chosen. */
  readonly chosen: readonly string[]
  /** Why: the reasons, each rule by its title and source. */
  readonly why: readonly string[]
  /** What was passed over, one line per algorithm, and each backend of which nothing works here with the reason. */
  readonly passedOver: readonly string[]
  /** Duties, and the limits with what the volume spends of them. */
  readonly watch: readonly string[]
  /** Facts used, each with the day it was last checked. */
  readonly facts: readonly string[]
  /** Facts used that were last checked more than a year ago, each with where to look again. */
  readonly notices: readonly string[]
}

/** log2 of a sum of powers of two given by their log2. */
function log2Sum(exponents: readonly number[]): number | null {
  if (exponents.length === 0) return null
  const top = Math.max(...exponents)
  return top + Math.log2(exponents.reduce((sum, exponent) => sum + 2 ** (exponent - top), 0))
}

function power(exponent: number | null): string {
  return exponent === null ? 'nothing' : `2^${exponent.toFixed(1)}`
}

/**
 * What the volume spends, one line each: confidentiality, integrity and nonce collision against the target, their sum,
 * and the sum times the number of keys when the volume is split.
 */
export function explainLimits(selection: Selection): readonly string[] {
  const { inputs, limits, params } = selection
  const { volume } = inputs
  const perKey = limits.rekeyAfterMessages ?? volume.messages
  const keys = (volume.messages + perKey - 1n) / (perKey === 0n ? 1n : perKey)
  const options = limitOptionsOf(inputs)
  const failedOpens =
    inputs.rekey === 'possible'
      ? perKeyOf(params, limitsOf(params, options), volume, options).failedOpens
      : volume.failedOpens
  const spent = advantagesOf(params, { ...volume, messages: perKey, failedOpens }, options)
  const lines = [
    line('confidentiality', spent.confidentiality, inputs.target),
    line('integrity', spent.integrity, inputs.target),
    line('nonce collision', spent.nonceCollision, inputs.nonceTarget),
  ]
  const parts = [spent.confidentiality, spent.integrity, spent.nonceCollision].filter((one) => one !== null)
  const sum = log2Sum(parts)
  lines.push(`sum of the three for one key: ${power(sum)}`)
  if (keys > 1n) {
    const all = sum === null ? null : sum + log2Of(keys)
    lines.push(`times ${countText(keys)} keys of ${countText(perKey)} messages: ${power(all)}`)
  }
  if (!limits.targetShown)
    lines.push('target-not-shown: not every limit of this algorithm is shown at the target')
  return lines
}

function line(what: string, spent: number | null, target: number): string {
  return `${what}: the volume spends ${power(spent)} of 2^${target}`
}

/**
 * Tells a person what was chosen, why, what was passed over and why, what to watch, and the day of each fact used.
 * @param selection - what `selectAead` or `restoreSelection` returned.
 * @param options - see {@link ExplainOptions}.
 * @throws AeadError `invalid-argument`: a clock that tells no day.
 */
export function explain(selection: AnySelection, options?: ExplainOptions): Explanation {
  const { today = new Date() } = readOptions(options, ['today'], 'explain')
  if (typeof today?.getTime !== 'function' || Number.isNaN(today.getTime())) {
    refuse('today', 'a Date that tells a day', today)
  }
  return {
    chosen: chosenLines(selection),
    why: whyLines(selection),
    passedOver: [...passedOverLines(selection), ...unavailableLines(selection.evidence)],
    watch: [...selection.duties, ...(selection.algorithm === null ? [] : explainLimits(selection))],
    facts: factLines(selection),
    notices: noticeLines(selection, today),
  }
}

/** What the chosen backend, or the weaker of two, claims of its timing; `undefined` where the protocol chooses. */
function timeClaim(selection: AnySelection): ConstantTimeClaim | undefined {
  const [backend] = selection.backends
  if (selection.algorithm === null || backend === undefined) return undefined
  const claims = askClaims(backend, selection.params, selection.evidence)
  return typeof claims === 'string' ? undefined : claims.constantTime
}

/** The reasons, those of a rule with its source; a rule that gives none is told by its title. */
function whyLines({ verdict }: AnySelection): readonly string[] {
  const lines = [...verdict.reasons]
  for (const { id, source, title } of RULES.filter((rule) => verdict.rules.includes(rule.id))) {
    const own = lines.findIndex((reason) => reason.startsWith(`${id}: `))
    const bare = lines.indexOf(title)
    if (own >= 0) lines[own] = `${lines[own]} (${source})`
    else if (bare >= 0) lines[bare] = `${id}: ${title} (${source})`
    else lines.push(`${id}: ${title} (${source})`)
  }
  return lines
}

/** What is old of all that the selection rests on; the facts of one description share a line for each day. */
function noticeLines(selection: AnySelection, today: Date): readonly string[] {
  const { algorithm, verdict } = selection
  const old = (asOf: string, rest: string): readonly string[] =>
    isOld(asOf, today) ? [`last checked ${asOf}, ${ageDays(asOf, today)} days ago: ${rest}`] : []
  const described = algorithm === null ? [] : algorithmFacts(algorithm)
  const days = [...new Set(described.map(({ asOf }) => asOf))]
  const claim = timeClaim(selection)
  return [
    ...old(verdict.asOf, 'the rule table; a newer version of this package may decide otherwise'),
    ...ruleFacts()
      .filter((fact) => restsOn(fact, verdict.rules, algorithm))
      .flatMap(({ asOf, id, recheck, staleWhen }) =>
        old(asOf, `${id}; stale when ${staleWhen.join('; ')}; look again: ${recheck}`),
      ),
    ...(claim === undefined
      ? []
      : old(
          claim.asOf,
          `what is claimed of the timing of ${nameOf(selection.backend)}: ${claim.level}; look again: the source of the library`,
        )),
    ...days.flatMap((asOf) => {
      const fields = FACT_FIELDS.filter((field) =>
        described.some((fact) => fact.asOf === asOf && fact.id === `${algorithm}.${field}`),
      )
      const names = fields.map((field) => FACT_NAMES[field]).join(', ')
      return old(asOf, `${algorithm}: ${names}; stale when ${described[0]!.staleWhen.join('; ')}`)
    }),
  ]
}

function chosenLines(selection: AnySelection): readonly string[] {
  const { verdict } = selection
  if (selection.algorithm === null) {
    const { order, settings } = selection.advice
    return [
      `no single cipher for ${selection.inputs.context}: ${
        verdict.rules.includes('V9') ? 'no AEAD fits a sector' : 'the protocol decides'
      } (class ${verdict.class})`,
      `order: ${order.join(', ')}`,
      ...settings.map(({ program, text }) => `${program}: ${text}`),
    ]
  }
  const { backend, params } = selection
  const claim = timeClaim(selection)
  return [
    `${params.id} on backend ${choiceText(backend)} (class ${verdict.class}; ${verdict.rules.length === 0 ? 'asked for by name' : `rules ${verdict.rules.join(', ')}`})`,
    sizes(params),
    ...(claim === undefined
      ? []
      : [
          `constant time: ${claim.level}${typeof backend === 'string' ? '' : ', the weaker of the two'}: ${claim.basis} (checked ${claim.asOf})`,
        ]),
  ]
}

/** `node`, `wasm and node`. */
function nameOf(backend: AnySelection['backend']): string {
  if (backend === null || typeof backend === 'string') return backend ?? 'none'
  return `${backend.small} and ${backend.large}`
}

function sizes({ keyBytes, nonceBytes, tagBytes }: AlgorithmParams): string {
  return `key ${keyBytes} B, nonce ${nonceBytes} B, tag ${tagBytes} B`
}

function passedOverLines({ verdict }: AnySelection): readonly string[] {
  const byAlgorithm = new Map<string, string[]>()
  for (const { algorithm, reason, rule } of verdict.rejected) {
    byAlgorithm.set(algorithm, [...(byAlgorithm.get(algorithm) ?? []), `${rule}: ${reason}`])
  }
  return [...byAlgorithm].map(([algorithm, reasons]) => `${algorithm}: ${reasons.join('; ')}`)
}

/** Reasons named for one backend; the others of the same backend seldom say more. */
const REASONS = 2

/** Backends whose every algorithm failed presence check or self-test: broken packages, refused WebAssembly. */
function unavailableLines({ items }: Evidence): readonly string[] {
  const ids = Object.keys(ALGORITHMS)
  const answers = new Map<string, string[]>()
  for (const { name, value, certainty } of items) {
    const id = ids.find((one) => name.startsWith('backend.') && name.endsWith(`.${one}`))
    if (id === undefined) continue
    const backend = name.slice('backend.'.length, -id.length - 1)
    // What is there and was never asked for is no failure.
    const said = certainty === 'unknown' ? 'passed' : value
    answers.set(backend, [...(answers.get(backend) ?? []), said])
  }
  return [...answers].flatMap(([backend, values]) => {
    if (values.includes('passed')) return []
    const reasons = [...new Set(values.map((value) => value.replace(/^[\w-]+: /, '')))]
    return [`backend ${backend}: unavailable: ${reasons.slice(0, REASONS).join('; ')}`]
  })
}

/** What the class rests on; timings can be of an earlier process. */
function sourceText({ items, source }: Evidence): string {
  const timings = items.find(({ name }) => name === 'measure.timings')?.source
  return source === 'measured' && timings !== undefined ? `${source}, ${timings}` : source
}

function factLines(selection: AnySelection): readonly string[] {
  const { evidence, verdict } = selection
  const lines = [
    `rule table: checked ${verdict.asOf}`,
    `evidence of this selection: AES ${evidence.aes}, carry-less multiply ${evidence.clmul}, class ${evidence.hardwareClass} (${sourceText(evidence)})`,
  ]
  if (selection.inputs.fips !== 'off')
    lines.push(`evidence of this selection: FIPS state ${evidence.fips.state} (${evidence.fips.reason})`)
  for (const fact of ruleFacts()) {
    if (!restsOn(fact, verdict.rules, selection.algorithm)) continue
    lines.push(`${fact.id}: ${fact.text} (checked ${fact.asOf}; stale when ${fact.staleWhen.join('; ')})`)
  }
  if (selection.algorithm !== null) {
    const described = describeAlgorithm(selection.algorithm)
    for (const field of FACT_FIELDS) {
      const { asOf, text } = described[field]
      lines.push(`${FACT_NAMES[field]}: ${text} (checked ${asOf})`)
    }
    lines.push(`to be read again when: ${described.staleWhen.join('; ')}`)
    for (const { kind, provenAt, source } of selection.limits.all) {
      lines.push(
        `limit on ${kind}: ${source}${provenAt === null ? '' : `, at 2^${provenAt}`} (checked ${verdict.asOf})`,
      )
    }
  }
  return lines
}
