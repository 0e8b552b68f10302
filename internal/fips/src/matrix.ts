/**
 * The FIPS matrix: what a selection must give in each state of a process, for each value of `fips`. Pure data and
 * pure checks, without `node:*`, so that every runtime can import it.
 */

/** What was done to the process before anything was selected. */
export type ProcessState =
  | 'no provider'
  | 'setFips without provider'
  /** `getFips()` is 1 and ChaCha20-Poly1305 is compiled out: nothing else is refused. */
  | 'flag without ChaCha20-Poly1305'
  /** `getFips()` is 1 and MD5 is compiled out: nothing else is refused. */
  | 'flag without MD5'
  | 'real provider'

/** Value of the option `fips`. */
export type FipsOption = 'auto' | 'off' | 'approved-algorithms' | 'module'

/** What one selection gave: an algorithm with its backend, or the code of the error. */
export interface FipsOutcome {
  readonly fips: FipsOption
  /** Algorithm, or error code. */
  readonly outcome: string
  /** `inputs.fips` after `auto` was resolved. */
  readonly takes?: string
  readonly backends?: readonly string[]
  /** Level of the weakest constant-time claim of what was selected. */
  readonly constantTime?: string
  /** Ids of the duties. */
  readonly duties?: readonly string[]
  /** `sealed and opened`, or the code of the error. */
  readonly sealing?: string
  /** Text of the error, where there was no selection. */
  readonly said?: string
}

/** What a process saw of itself and what it got. */
export interface FipsReport {
  readonly runtime: string
  readonly version: string
  /** What `setFips(1)` did, where it was called. */
  readonly setFips?: string
  /** State in the evidence. */
  readonly observed: string
  /** Why it is that state. */
  readonly reason: string
  readonly certificate: string | null
  readonly rows: readonly FipsOutcome[]
  /** Further checks by name: `true`, or what was seen instead. */
  readonly checks: Readonly<Record<string, true | string>>
  /** Whether any text claims more than was observed. */
  readonly claims: readonly string[]
}

/** One row: what is expected of one state and option. */
export interface FipsRow {
  readonly state: ProcessState
  readonly fips: FipsOption
  readonly outcome: string
  readonly takes?: string
  /** The one backend, or one that is not: `!node`. */
  readonly backend?: string
  readonly duties?: readonly string[]
  /** Duties that must not be there. */
  readonly without?: readonly string[]
}

const PORTABLE = { outcome: 'xchacha20-poly1305', takes: 'off', without: ['ivSource', 'no-module'] } as const
const APPROVED = {
  outcome: 'aes-128-gcm',
  takes: 'approved-algorithms',
  duties: ['ivSource', 'no-module'],
  without: ['module-certificate', 'constant-time-not-met'],
} as const
const MODULE = {
  outcome: 'aes-128-gcm',
  takes: 'module',
  backend: 'node',
  duties: ['ivSource', 'module-certificate'],
  without: ['no-module'],
} as const
const REFUSED = { outcome: 'fips-unavailable' } as const

/** Node with OpenSSL. Elsewhere the rows of `no provider` hold whatever `setFips` does. */
export const FIPS_MATRIX: readonly FipsRow[] = [
  { state: 'no provider', fips: 'auto', ...PORTABLE },
  { state: 'no provider', fips: 'off', ...PORTABLE },
  { state: 'no provider', fips: 'approved-algorithms', ...APPROVED },
  { state: 'no provider', fips: 'module', ...REFUSED },
  // The process asks for FIPS and cannot have it: `auto` must not go on as if it had not asked.
  { state: 'setFips without provider', fips: 'auto', ...REFUSED },
  { state: 'setFips without provider', fips: 'off', ...PORTABLE, backend: '!node' },
  { state: 'setFips without provider', fips: 'approved-algorithms', ...APPROVED, backend: '!node' },
  { state: 'setFips without provider', fips: 'module', ...REFUSED },
  // What is refused has to be all of what a property query refuses: a library may merely lack one of the two.
  { state: 'flag without ChaCha20-Poly1305', fips: 'auto', ...REFUSED },
  { state: 'flag without ChaCha20-Poly1305', fips: 'off', ...PORTABLE, backend: '!node' },
  { state: 'flag without ChaCha20-Poly1305', fips: 'approved-algorithms', ...APPROVED },
  { state: 'flag without ChaCha20-Poly1305', fips: 'module', ...REFUSED },
  { state: 'flag without MD5', fips: 'auto', ...REFUSED },
  { state: 'flag without MD5', fips: 'off', ...PORTABLE },
  { state: 'flag without MD5', fips: 'approved-algorithms', ...APPROVED },
  { state: 'flag without MD5', fips: 'module', ...REFUSED },
  { state: 'real provider', fips: 'auto', ...MODULE },
  { state: 'real provider', fips: 'off', ...PORTABLE, backend: '!node' },
  { state: 'real provider', fips: 'approved-algorithms', ...APPROVED },
  { state: 'real provider', fips: 'module', ...MODULE },
]

const leaking = (row: FipsRow): FipsRow => ({
  ...row,
  duties: [...(row.duties ?? []), 'constant-time-not-met'],
  without: (row.without ?? []).filter((id) => id !== 'constant-time-not-met'),
})

/** Every state, in the order of the rows. */
export const PROCESS_STATES: readonly ProcessState[] = [...new Set(FIPS_MATRIX.map(({ state }) => state))]

/** State in the evidence of Node with OpenSSL, and what its reason has to name. */
const OBSERVED: Readonly<Record<ProcessState, readonly [state: string, reason: string]>> = {
  'no provider': ['off', 'crypto.getFips() is 0'],
  'setFips without provider': ['requested-unusable', 'but AES-GCM fails'],
  'flag without ChaCha20-Poly1305': ['requested-unusable', 'but MD5 still works'],
  'flag without MD5': ['requested-unusable', 'but ChaCha20-Poly1305 still works'],
  'real provider': ['enforcing', 'ChaCha20-Poly1305 and MD5 are refused'],
}

/** Checks that a process under the real provider makes besides the rows. */
export const MODULE_CHECKS: readonly string[] = [
  'a nonce of the caller seals nothing, and opens',
  'random nonces: 2^32 messages and not one more',
  'counter nonces: fixed field, then invocation field',
  'leased nonces: fixed field, then invocation field',
  'many writers: no random nonces, a fixed field each',
  'the certificate is what the operator states',
  'XAES-256-GCM only with optIn.approvedComposition',
  'after setFips(0) createAead and createSealer refuse',
  'evidence of before vouches for no module of now',
  'what auto chose without FIPS makes nothing once it is asked for',
  'evidence that FIPS is off loosens nothing',
]

/** Sealing without a random generator: Node 26 has none after `setFips(1)` without a provider. */
const NO_RANDOM = 'backend-failed'

/**
 * Everything in a report that is not as the table says, as lines.
 * @param options.leaks - no backend at hand has a constant-time claim for AES-GCM, so the duty must be there.
 */
export function judgeFips(
  state: ProcessState,
  report: FipsReport,
  { leaks = false }: { readonly leaks?: boolean } = {},
): readonly string[] {
  const node = report.runtime === 'node'
  const problems: string[] = []
  const expect = (what: string, seen: unknown, wanted: unknown): void => {
    if (seen !== wanted) problems.push(`${what}: expected ${String(wanted)}, got ${String(seen)}`)
  }
  if (node) {
    const [observed, reason] = OBSERVED[state]
    expect('observed state', report.observed, observed)
    if (!report.reason.includes(reason)) problems.push(`reason: "${report.reason}" lacks "${reason}"`)
  } else if (!['off', 'unknown'].includes(report.observed)) {
    problems.push(`observed state: ${report.observed} on ${report.runtime}, which shows no module`)
  }
  expect('certificate nobody stated', report.certificate, null)
  const rows = FIPS_MATRIX.filter((row) => row.state === (node ? state : 'no provider'))
  expect('rows', report.rows.length, rows.length)
  for (const listed of rows) {
    const row = leaks && listed.takes === 'approved-algorithms' ? leaking(listed) : listed
    const seen = report.rows.find(({ fips }) => fips === row.fips)
    const what = `fips '${row.fips}'`
    if (seen === undefined) {
      problems.push(`${what}: no outcome`)
      continue
    }
    problems.push(...rowProblems(what, row, seen, node && state === 'setFips without provider'))
    if (row.outcome === REFUSED.outcome && seen.said?.includes(report.reason) !== true)
      problems.push(`${what}: the refusal does not give the reason`)
  }
  const checks = Object.entries(report.checks)
  if (node && state === 'real provider') expect('checks', checks.length, MODULE_CHECKS.length)
  for (const [name, result] of checks) if (result !== true) problems.push(`${name}: ${result}`)
  for (const text of report.claims) problems.push(`a text claims too much: ${text}`)
  return problems
}

function rowProblems(what: string, row: FipsRow, seen: FipsOutcome, unusable: boolean): string[] {
  const problems: string[] = []
  if (seen.outcome !== row.outcome) return [`${what}: expected ${row.outcome}, got ${seen.outcome}`]
  if (row.takes === undefined) return problems
  if (seen.takes !== row.takes)
    problems.push(`${what}: resolved to ${String(seen.takes)} instead of ${row.takes}`)
  const backends = seen.backends ?? []
  if (row.backend?.startsWith('!') === true) {
    if (backends.includes(row.backend.slice(1))) problems.push(`${what}: runs on ${backends.join(', ')}`)
  } else if (row.backend !== undefined && backends.join() !== row.backend) {
    problems.push(`${what}: runs on ${backends.join(', ')} instead of ${row.backend}`)
  }
  for (const id of row.duties ?? [])
    if (seen.duties?.includes(id) !== true) problems.push(`${what}: lacks the duty ${id}`)
  for (const id of row.without ?? [])
    if (seen.duties?.includes(id) === true) problems.push(`${what}: has the duty ${id}`)
  const sealing = seen.sealing ?? 'nothing'
  if (sealing !== 'sealed and opened' && !(unusable && sealing === NO_RANDOM))
    problems.push(`${what}: sealing: ${sealing}`)
  return problems
}

/** `fips 'auto': aes-128-gcm on node`, for a run that shows what it saw. */
export function rowText({ backends = [], fips, outcome }: FipsOutcome): string {
  return `${fips}: ${outcome}${backends.length === 0 ? '' : ` on ${backends.join('+')}`}`
}
