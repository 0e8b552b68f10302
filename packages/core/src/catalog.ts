/**
 * Long texts about every algorithm, each with its source: standards, dates, damage, commitment, FIPS, timing.
 * Apart from the main entry, so that a bundle with one algorithm does not carry them.
 * @module
 */
import { ALGORITHMS, type AlgorithmId, isAlgorithmId } from './algorithms.ts'
import {
  describeCcm,
  describeGcm,
  describeGcmSiv,
  describeOcb,
  describeSiv,
  describeXaes,
} from './catalog/aes.ts'
import { type AgingFact, ruleFacts } from './catalog/decay.ts'
import {
  describeAegis,
  describeAscon,
  describeChacha,
  describeMgm,
  describeXchacha,
} from './catalog/other.ts'
import type { AlgorithmDescription, CatalogFact, CatalogSource, FamilyDescription } from './catalog/types.ts'
import { AeadError } from './errors.ts'
import { didYouMean } from './names.ts'

export {
  type AgingFact,
  ageDays,
  isOld,
  restsOn,
  ruleFacts,
  STALE_AFTER_DAYS,
} from './catalog/decay.ts'
export type {
  AlgorithmDescription,
  CatalogFact,
  CatalogSource,
  Certainty,
  FamilyDescription,
  StandardStatus,
} from './catalog/types.ts'

function familyOf(id: AlgorithmId): FamilyDescription {
  switch (ALGORITHMS[id].bound) {
    case 'gcm':
      return describeGcm(id)
    case 'ccm':
      return describeCcm(id)
    case 'gcm-siv':
      return describeGcmSiv(id)
    case 'siv':
      return describeSiv(id)
    case 'xaes':
      return describeXaes()
    case 'ocb':
      return describeOcb(id)
    case 'poly1305':
      return id === 'chacha20-poly1305' ? describeChacha() : describeXchacha()
    case 'aegis':
      return describeAegis(id)
    case 'ascon':
      return describeAscon()
    case 'mgm-128':
    case 'mgm-64':
      return describeMgm(id)
  }
}

/** The fields of a description that are facts with a source. */
export const FACT_FIELDS: readonly (
  | 'standard'
  | 'iana'
  | 'nonceReuse'
  | 'commitment'
  | 'fips'
  | 'constantTime'
  | 'hardware'
)[] = ['standard', 'iana', 'nonceReuse', 'commitment', 'fips', 'constantTime', 'hardware']

/** What each of them is called in a text. */
export const FACT_NAMES: Readonly<Record<(typeof FACT_FIELDS)[number], string>> = {
  standard: 'standard',
  iana: 'IANA',
  nonceReuse: 'repeated nonce',
  commitment: 'commitment',
  fips: 'FIPS and other lists',
  constantTime: 'constant time',
  hardware: 'hardware',
}

/**
 * What is known about an algorithm, in words and with sources. Sizes are in `ALGORITHMS`, limits in `limitsOf`.
 * @param id - an algorithm id.
 * @throws AeadError `invalid-argument` for an unknown id.
 */
export function describeAlgorithm(id: AlgorithmId): AlgorithmDescription {
  if (!isAlgorithmId(id)) {
    const given: unknown = id
    const hint = typeof given === 'string' ? didYouMean(given, Object.keys(ALGORITHMS)) : ''
    throw new AeadError('invalid-argument', `describeAlgorithm: unknown algorithm id${hint}`)
  }
  const family = familyOf(id)
  const facts: CatalogFact[] = FACT_FIELDS.map((field) => family[field])
  const sources = new Map<string, CatalogSource>()
  for (const item of facts) {
    for (const source of item.sources) sources.set(`${source.document} ${source.section}`, source)
  }
  const asOf = facts.map((item) => item.asOf).sort()[0]!
  return { id, ...family, asOf, sources: [...sources.values()] }
}

/**
 * The facts of an algorithm's description in the form of the facts that age.
 * @param id - an algorithm id.
 * @throws AeadError `invalid-argument` for an unknown id.
 */
export function algorithmFacts(id: AlgorithmId): readonly AgingFact[] {
  const description = describeAlgorithm(id)
  return FACT_FIELDS.map((field) => {
    const { asOf, sources, text } = description[field]
    return {
      id: `${id}.${field}`,
      text,
      asOf,
      staleWhen: description.staleWhen,
      recheck: sources.map(({ document, section }) => `${document}, ${section}`).join('; '),
      rules: [],
      algorithms: [id],
    }
  })
}

/** Every fact that ages, oldest first: those behind the rules, and those of every algorithm. */
export function agingFacts(): readonly AgingFact[] {
  const ids = Object.keys(ALGORITHMS) as AlgorithmId[]
  return [...ruleFacts(), ...ids.flatMap(algorithmFacts)].sort((a, b) =>
    a.asOf < b.asOf ? -1 : a.asOf > b.asOf ? 1 : 0,
  )
}
