import type { AlgorithmParams } from '@aeadkit/core'
import { isConstantTime } from '@aeadkit/core'
import type { ResolvedOptions } from '../options.ts'
import type { Candidate, CandidateBackend } from './candidates.ts'
import type { FilterId } from './rule.ts'

/** Backends of one algorithm that pass every filter on backends, or the filter that left none. */
export interface Admission {
  readonly permitted: readonly CandidateBackend[]
  /** Whether they have an admitted constant-time claim. */
  readonly constantTimeMet: boolean
  readonly rejected: { readonly rule: FilterId; readonly reason: string } | undefined
}

function named(backends: readonly CandidateBackend[]): string {
  return backends.map(({ name }) => name).join(', ')
}

function claims(backends: readonly CandidateBackend[]): string {
  return backends
    .map(({ name, claims }) => `${name}: ${claims.constantTime.level}, ${claims.constantTime.basis}`)
    .join('; ')
}

/**
 * Narrows the backends of one algorithm: present, inside the FIPS module, long enough, synchronous, constant time. One
 * backend must pass all of them, so each step narrows what the step before left.
 * @param regulated - a list from outside binds; it outranks `constantTime`, and the selection stands with a duty.
 */
export function admit(candidate: Candidate, options: ResolvedOptions, regulated: boolean): Admission {
  let left = candidate.backends
  const out = (rule: FilterId, reason: string): Admission => ({
    permitted: [],
    constantTimeMet: false,
    rejected: { rule, reason },
  })
  if (left.length === 0) {
    const reasons = candidate.missing.length === 0 ? 'none lists it' : candidate.missing.join('; ')
    return out('availability', `no backend given has it (${reasons})`)
  }
  for (const [rule, passes, reason] of NARROWING) {
    const next = left.filter((backend) => passes(backend, options, candidate.params))
    if (next.length === 0) return out(rule, reason(left, options))
    left = next
  }
  const safe = left.filter(({ claims }) => isConstantTime(claims.constantTime.level))
  if (safe.length > 0) return { permitted: safe, constantTimeMet: true, rejected: undefined }
  if (options.constantTime === 'required' && !regulated) {
    return out('constant-time', `no permitted backend has a constant-time claim for it (${claims(left)})`)
  }
  return { permitted: left, constantTimeMet: false, rejected: undefined }
}

type Narrowing = readonly [
  rule: FilterId,
  passes: (backend: CandidateBackend, options: ResolvedOptions, params: AlgorithmParams) => boolean,
  reason: (left: readonly CandidateBackend[], options: ResolvedOptions) => string,
]

const NARROWING: readonly Narrowing[] = [
  [
    // Only code inside the module counts: script and other libraries are outside whatever the process says.
    'fips-module',
    ({ claims, kind }, { fips }) =>
      fips !== 'module' || (kind === 'native' && claims.fipsModule === 'enforcing'),
    (left) => `no backend that has it runs inside an enforcing FIPS module (${named(left)})`,
  ],
  [
    'message-size',
    ({ maxBytes }, { volume, wholeMessage }) => !wholeMessage || volume.messageBytes <= BigInt(maxBytes),
    (left, { volume }) =>
      `messages of ${volume.messageBytes} B are longer than one call takes (${left.map(({ maxBytes, name }) => `${name}: ${maxBytes}`).join(', ')})`,
  ],
  [
    'sync',
    ({ sync }, options) => sync || !options.sync,
    (left) => `only backends that answer by promise have it (${named(left)})`,
  ],
]
