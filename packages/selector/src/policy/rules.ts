import { FILTERS } from './filters.ts'
import { HARDWARE } from './hardware.ts'
import { NONCES } from './nonces.ts'
import { PROTOCOL } from './protocol.ts'
import { REGULATION } from './regulation.ts'
import type { RuleRow } from './rule.ts'
import { WHO } from './who.ts'

/**
 * The one rule table, by block: outside the technology, the protocol, who computes, nonces, hardware and life span, and
 * the conditions of caller and machine. Filters all apply; preferences are asked in this order. What each says in words
 * is in `rule-texts.ts`: a selection has reasons of its own.
 */
export const RULE_ROWS: readonly RuleRow[] = /* @__PURE__ */ REGULATION.concat(
  PROTOCOL,
  WHO,
  NONCES,
  HARDWARE,
  FILTERS,
)
