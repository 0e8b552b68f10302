import { ALGORITHMS, type Evidence } from '@aeadkit/core'
import { type AgingFact, ageDays, agingFacts, FACT_NAMES, isOld } from '@aeadkit/core/catalog'
import { RUNTIME_TLS } from '@aeadkit/selector/protocols'
import type { LoadedBackends } from '../load.ts'
import { field, heading, item } from './output.ts'

/** A fact with its age on the day of the clock. */
export interface DatedFact extends AgingFact {
  readonly ageDays: number
  /** Older than a year. */
  readonly old: boolean
}

/** Every fact used here, oldest first: of the rules, the algorithms, and the claims of the backends loaded. */
export function datedFacts(
  today: Date,
  evidence: Evidence,
  { backends }: LoadedBackends,
): readonly DatedFact[] {
  const claims = backends.flatMap((backend): AgingFact[] =>
    backend.algorithms.map((id) => {
      const { asOf, basis, level } = backend.raw.claims(ALGORITHMS[id], evidence).constantTime
      return {
        id: `${backend.name}.${id}.constantTime`,
        text: `Constant time: ${level}; ${basis}.`,
        asOf,
        staleWhen: [`another version of the library than ${backend.raw.version()} is used`],
        recheck: 'the source of the library',
        rules: [],
        algorithms: [id],
      }
    }),
  )
  return [...agingFacts(), ...tlsFacts(), ...claims]
    .map((fact) => ({ ...fact, ageDays: ageDays(fact.asOf, today), old: isOld(fact.asOf, today) }))
    .sort((a, b) => b.ageDays - a.ageDays)
}

/** What was seen of each runtime's TLS, by the table that advice reads. */
function tlsFacts(): readonly AgingFact[] {
  return RUNTIME_TLS.map(({ asOf, library, runtime, versions }) => ({
    id: `tls-options-${runtime}`,
    text: `Which tls options ${runtime} (${library}) obeys, seen in handshakes of ${versions.join(', ')}.`,
    asOf,
    staleWhen: [`another version of ${runtime} is released`],
    recheck: 'npx aeadkit advise tls --probe',
    rules: ['V6'],
    algorithms: [],
  }))
}

/** The list for a person: by age; facts about algorithms by their names alone, and why they go stale at the end. */
export function factsText(facts: readonly DatedFact[]): string {
  const old = facts.filter((fact) => fact.old).length
  const days = [...new Set(facts.map(({ asOf }) => asOf))]
  return [
    `${facts.length} facts; ${old === 0 ? 'none was' : `${old} were`} last checked more than a year ago\n`,
    ...days.map((asOf) => dayText(facts.filter((fact) => fact.asOf === asOf))),
    heading('Facts about algorithms go stale when'),
    ...[...grouped(facts.filter(isDescription), ({ staleWhen }) => staleWhen)].map(([event, ids]) =>
      item(`${event}: ${ids.join(', ')}`),
    ),
  ].join('')
}

const isDescription = ({ id }: DatedFact): boolean => id.split('.').length === 2
const isClaim = ({ id }: DatedFact): boolean => id.split('.').length === 3

/** `repeated nonce` for `aes-128-gcm.nonceReuse`. */
function nameOf(id: string): string {
  const name = id.slice(id.indexOf('.') + 1)
  return Object.entries(FACT_NAMES).find(([field]) => field === name)?.[1] ?? name
}

/** Algorithms by what their facts share. */
function grouped(
  facts: readonly DatedFact[],
  keysOf: (fact: DatedFact) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>()
  for (const fact of facts) {
    for (const key of keysOf(fact)) {
      const ids = groups.get(key) ?? new Set()
      groups.set(key, ids.add(fact.algorithms[0]!))
    }
  }
  return new Map([...groups].map(([key, ids]) => [key, [...ids]]))
}

function dayText(facts: readonly DatedFact[]): string {
  const [first] = facts
  if (first === undefined) return ''
  const single = facts.filter((fact) => !isDescription(fact) && !isClaim(fact))
  const described = grouped(facts.filter(isDescription), ({ id }) => [nameOf(id)])
  const claims = grouped(facts.filter(isClaim), ({ id }) => [id.slice(0, id.indexOf('.'))])
  const all = Object.keys(ALGORITHMS).length
  const names = (ids: readonly string[]): string => (ids.length === all ? 'every algorithm' : ids.join(', '))
  return [
    heading(`Checked ${first.asOf}, ${first.ageDays} days ago${first.old ? ': OLD' : ''}`),
    ...single.map(({ id, recheck, staleWhen, text }) =>
      field(id, `${text}\nstale when ${staleWhen.join('; ')}; look again: ${recheck}`, COLUMN),
    ),
    ...[...described].map(([name, ids]) => field(name, `of ${names(ids)}`, COLUMN)),
    ...[...claims].map(([name, ids]) => {
      const { staleWhen } = facts.find(({ id }) => id.startsWith(`${name}.`) && id.split('.').length === 3)!
      return field(
        `claims of ${name}`,
        `constant time of ${ids.length} algorithms; stale when ${staleWhen.join('; ')}`,
        COLUMN,
      )
    }),
  ].join('')
}

/** Where the second column of the list begins. */
const COLUMN = 26
