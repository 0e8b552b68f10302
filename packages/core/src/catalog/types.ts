import type { AlgorithmId } from '../algorithms.ts'

/**
 * How a fact was learnt.
 * - `primary`: read in the document or source code it is about.
 * - `secondary`: read in a text that quotes it.
 * - `general-knowledge`: long known, not read again for this table; check it before you build a refusal on it.
 */
export type Certainty = 'primary' | 'secondary' | 'general-knowledge'

/** A document and the place in it. */
export interface CatalogSource {
  readonly document: string
  readonly section: string
}

/** One statement with where it comes from. */
export interface CatalogFact {
  readonly text: string
  readonly certainty: Certainty
  readonly sources: readonly CatalogSource[]
  /** Day it was last checked, `YYYY-MM-DD`. */
  readonly asOf: string
}

/** Standing of the document that defines an algorithm. */
export type StandardStatus = 'standard' | 'informational' | 'expired-draft' | 'community'

/** What a family of algorithms says about itself; the sources are gathered by `describeAlgorithm`. */
export interface FamilyDescription {
  /** The algorithm's name as its document writes it. */
  readonly name: string
  /** Defining documents. */
  readonly standard: CatalogFact
  readonly status: StandardStatus
  /** Date of the defining document: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; `null` when it carries none. */
  readonly standardDate: string | null
  /** Number in the IANA AEAD registry, or `null`. */
  readonly ianaAeadId: number | null
  /** What the registry says. */
  readonly iana: CatalogFact
  /** What a repeated nonce costs. */
  readonly nonceReuse: CatalogFact
  /** Whether one sealed message can be made to open under two keys. */
  readonly commitment: CatalogFact
  /** Standing under FIPS 140-3 and other regulation. */
  readonly fips: CatalogFact
  /** What keeps its timing from depending on secrets. */
  readonly constantTime: CatalogFact
  /** What it wants from the CPU, and what that means for speed. */
  readonly hardware: CatalogFact
  /** Events after which this entry must be read again. */
  readonly staleWhen: readonly string[]
}

/** Everything known about one algorithm, in words. */
export interface AlgorithmDescription extends FamilyDescription {
  readonly id: AlgorithmId
  /** Day of the oldest check among the facts, `YYYY-MM-DD`. */
  readonly asOf: string
  /** All documents the facts come from, each once. */
  readonly sources: readonly CatalogSource[]
}
