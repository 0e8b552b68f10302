import type { CatalogFact, CatalogSource, Certainty } from './types.ts'

/** Day the dossier behind these texts was checked. */
export const CHECKED = '2026-11-30'
/** Day of the article, which read the list of approved functions and took the speeds. */
export const ARTICLE_CHECKED = '2026-09-13'

/** A source. */
export function at(document: string, section: string): CatalogSource {
  return { document, section }
}

/** A fact. */
export function fact(
  certainty: Certainty,
  sources: readonly CatalogSource[],
  text: string,
  asOf: string = CHECKED,
): CatalogFact {
  return { text, certainty, sources, asOf }
}

/** The comparison this table takes its wording about structure and hardware from. */
export const ARTICLE: CatalogSource = {
  document: 'Article "AES-GCM against ChaCha20-Poly1305"',
  section: 'Constant time; Nonce and limits; Regulatory contour',
}

const CMVP: CatalogSource = {
  document: 'CMVP list of approved security functions (SP 800-140C)',
  section: '§6.2.2 and §6.2.6',
}

/** Standing under FIPS 140-3. The list was read by the article, not anew: hence secondary. */
export function fipsFact(text: string, ...more: readonly CatalogSource[]): CatalogFact {
  return fact('secondary', [CMVP, ARTICLE, ...more], text, ARTICLE_CHECKED)
}

/** A number of the IANA registry, or its absence. */
export function ianaFact(id: number | null, certainty: Certainty = 'secondary'): CatalogFact {
  return fact(
    certainty,
    [at('IANA AEAD Algorithms registry', 'table of 7 July 2026')],
    id === null
      ? 'No number in the IANA AEAD registry was found.'
      : `Number ${id} in the IANA AEAD registry.`,
  )
}

/** Commitment of the modes that have none. */
export function notCommitting(certainty: Certainty, ...sources: readonly CatalogSource[]): CatalogFact {
  return fact(
    certainty,
    sources,
    'Not committing: one sealed message can be made to open under two keys. Where that matters, derive the message key and a 32-byte commitment from the input key and compare the commitment before opening.',
  )
}

/** Shared by everything whose halves are the AES round and a carry-less multiply. */
export const AES_AND_CLMUL_TIME =
  'Hardware: constant time only where the AES round and the carry-less multiply instructions exist and are used. Without them OpenSSL keeps AES table-free on x86 with SSSE3 but runs GHASH from a 4-bit table indexed by secret values; BoringSSL has a constant-time fallback. Portable code is usually table-driven.'

/** What goes stale for every algorithm that is not approved. */
export const FIPS_STALE = 'the CMVP list of approved security functions changes (CMVP page §6.2.2, §6.2.6)'

/** What goes stale for every algorithm with a formula of the limits draft. */
export const LIMITS_STALE =
  'draft-irtf-cfrg-aead-limits is published as an RFC: revision -11 was read, -13 exists (datatracker)'

/** What goes stale for every speed remark. */
export const SPEED_STALE =
  'a new vector extension or library version changes the speed ratios: measure locally'

/** What goes stale about who offers it. */
export const RUNTIME_STALE = 'a runtime or library release adds or drops it'
