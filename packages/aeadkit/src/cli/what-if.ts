import { type Evidence, isAeadError } from '@aeadkit/core'
import {
  type AnySelection,
  choiceText,
  type Explanation,
  explain,
  resolveOptions,
  type SelectionJson,
  type SelectOptions,
} from '@aeadkit/selector'
import { selectAead } from '../index.ts'
import { algorithmsAsked } from '../load.ts'
import { type Assumption, type Inputs, inOrder, KEYS } from './assumptions.ts'
import type { CliContext } from './context.ts'
import { instructionNames } from './mask-findings.ts'
import { withoutModules } from './modules.ts'
import { countText } from './numbers.ts'
import { parseOption } from './select-options.ts'

/** What a selection gave, or why there is none. */
export interface Outcome {
  readonly selection: AnySelection | null
  readonly explanation: Explanation | null
  readonly error: { readonly code: string; readonly message: string; readonly details: unknown } | null
}

/** Before and after, with what differs. Nothing was timed for it. */
export interface WhatIf {
  readonly assumptions: readonly Assumption[]
  readonly before: Outcome
  readonly after: Outcome
  readonly changes: readonly { readonly what: string; readonly before: string; readonly after: string }[]
  readonly duties: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    readonly changed: readonly { readonly before: string; readonly after: string }[]
  }
  /** What the answer leaves out or takes for granted. */
  readonly assumed: readonly string[]
}

/**
 * Selects twice, as things are and as assumed. Timings come from the cache alone.
 * @param base - the options that both have.
 * @param assumptions - in any order.
 * @throws AeadError `invalid-argument` for an assumption that says nothing; a refusal of a selection is an outcome.
 */
export async function whatIf(
  context: CliContext,
  base: SelectOptions,
  assumptions: readonly Assumption[],
): Promise<WhatIf> {
  const ordered = inOrder(assumptions)
  const backends = await context.backendsFor(algorithmsAsked(base))
  const observe = { backends, budgetMs: 0, certificate: base.certificate } as const
  const evidence = await context.observe(observe)
  const natives = backends.flatMap(({ kind, name }) => (kind === 'native' ? [name] : []))
  const names = backends.map(({ name }) => name)
  const inputs: Inputs = {
    options: base,
    host: context.host,
    given: {},
    timings: undefined,
    without: [],
    assumed: [],
  }
  for (const { key, value } of ordered) {
    const row = KEYS[key]
    if (row !== undefined) row.apply(inputs, value, { evidence, names, natives })
    else inputs.options = { ...inputs.options, ...parseOption(key, value, inputs.options) }
  }
  const { assumed, given, host, options, timings, without } = inputs
  const left = (await context.backendsFor(algorithmsAsked(options))).filter(
    ({ name }) => !without.includes(name),
  )
  const changed = await context.observe({
    ...observe,
    backends: left,
    certificate: options.certificate,
    host,
    given,
    ...(timings === undefined ? {} : { measure: 'never' }),
  })
  assumed.push(...maskNotes(changed, ordered))
  const before = await outcomeOf(context, () => context.select({ ...base, evidence }))
  const after = await outcomeOf(context, async () => {
    const asked = {
      ...options,
      backends: left,
      host,
      evidence: timings === undefined ? changed : { ...changed, measurements: timings },
    }
    resolveOptions(asked)
    return selectAead(asked)
  })
  if (after.error?.code === 'fips-unavailable' && given.fips === undefined && !withoutModules(evidence))
    assumed.push('the FIPS state of this process; fips=on assumes a module that is enforcing')
  return {
    assumptions,
    before,
    after,
    changes: changesOf(before, after),
    duties: dutiesOf(before, after),
    assumed: [...new Set(assumed)],
  }
}

/** What a mask that is assumed does not do, or does otherwise than it looks. */
function maskNotes({ items }: Evidence, assumptions: readonly Assumption[]): readonly string[] {
  if (assumptions.every(({ key }) => key !== 'mask')) return []
  return items.flatMap(({ name, value }) => {
    if (name === 'openssl.mask.claims-missing')
      return [`the mask claims ${instructionNames(value, ', ')}, which this CPU does not show`]
    const told = name.startsWith('openssl.mask.') && /effect unknown|not read/.test(value)
    return told || name === 'openssl.mask.no-number' ? [`the mask: ${value}`] : []
  })
}

async function outcomeOf(context: CliContext, select: () => Promise<AnySelection>): Promise<Outcome> {
  try {
    const selection = await select()
    return { selection, explanation: explain(selection, { today: context.today() }), error: null }
  } catch (error) {
    // A slip in an assumption is the caller's; that nothing may be chosen is an answer.
    if (!isAeadError(error) || error.code === 'invalid-argument') throw error
    const { code, details = {}, message } = error
    return { selection: null, explanation: null, error: { code, message, details } }
  }
}

type Json = SelectionJson

/** What is compared, in the order of the table. */
const COMPARED: readonly (readonly [what: string, of: (json: Json) => string])[] = [
  ['algorithm', ({ algorithm, inputs }) => algorithm ?? `no single cipher for ${String(inputs.context)}`],
  ['backend', ({ backend }) => backendText(backend)],
  ['class', ({ verdict }) => verdict.class],
  ['rules', ({ verdict }) => verdict.rules.join(', ') || 'none'],
  ['hardware', ({ evidence }) => `${evidence.hardwareClass} (${evidence.source})`],
  ['FIPS', ({ evidence, inputs }) => `${String(inputs.fips)}, state ${evidence.fips.state}`],
  ['messages per key', ({ limits }) => countText(countIn(limits?.messages))],
  ['failed openings per key', ({ limits }) => countText(countIn(limits?.failedOpens))],
  ['binding bound', ({ limits }) => limits?.bindingBound ?? 'none'],
  [
    'rekey after messages',
    ({ limits }) => {
      const after = countIn(limits?.rekeyAfterMessages)
      return after === null ? 'never' : countText(after)
    },
  ],
  ['limits shown at the target', ({ limits }) => (limits?.targetShown === false ? 'no' : 'yes')],
]

function countIn(digits: string | null | undefined): bigint | null {
  return digits == null ? null : BigInt(digits)
}

function backendText(backend: Json['backend']): string {
  return backend === null ? 'none' : choiceText(backend)
}

function changesOf(before: Outcome, after: Outcome): WhatIf['changes'] {
  const [a, b] = [before, after].map(({ selection }) => selection?.toJSON())
  if (a === undefined || b === undefined) {
    const said = (json: Json | undefined, { error }: Outcome): string =>
      json === undefined ? `none: ${error!.code}` : COMPARED[0]![1](json)
    return [{ what: 'algorithm', before: said(a, before), after: said(b, after) }]
  }
  return COMPARED.map(([what, of]) => ({ what, before: of(a), after: of(b) })).filter(
    (row) => row.what === 'algorithm' || row.before !== row.after,
  )
}

function dutiesOf(before: Outcome, after: Outcome): WhatIf['duties'] {
  const idOf = (duty: string): string => duty.slice(0, duty.indexOf(':'))
  const [a, b] = [before, after].map(({ selection }) => selection?.duties ?? []) as [
    readonly string[],
    readonly string[],
  ]
  const twin = (duty: string, others: readonly string[]): string | undefined =>
    others.find((other) => idOf(other) === idOf(duty))
  return {
    added: b.filter((duty) => twin(duty, a) === undefined),
    removed: a.filter((duty) => twin(duty, b) === undefined),
    changed: a.flatMap((duty) => {
      const now = twin(duty, b)
      return now === undefined || now === duty ? [] : [{ before: duty, after: now }]
    }),
  }
}
