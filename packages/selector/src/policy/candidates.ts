import type {
  AlgorithmId,
  AlgorithmParams,
  Availability,
  Backend,
  BackendClaims,
  BackendKind,
  Evidence,
} from '@aeadkit/core'
import { ALGORITHMS } from '@aeadkit/core'
import { askClaims } from './ask.ts'

/** One backend that may run an algorithm here. */
export interface CandidateBackend {
  readonly name: string
  readonly kind: BackendKind
  readonly sync: boolean
  /** Largest plaintext of one call in bytes. */
  readonly maxBytes: number
  readonly claims: BackendClaims
}

/** One algorithm with the backends that have it. */
export interface Candidate {
  readonly params: AlgorithmParams
  readonly backends: readonly CandidateBackend[]
  /** Why other backends do not have it, one line each. */
  readonly missing: readonly string[]
}

/** Answers of backends already asked; key: backend name and algorithm. */
export type Probed = ReadonlyMap<string, Availability>

/** Key of {@link Probed}. */
export function probeKey(backend: string, algorithm: AlgorithmId): string {
  return `${backend}/${algorithm}`
}

/**
 * Every algorithm with the backends that list it and have not failed their self-test so far. Asking all of them would
 * run hundreds of self-tests for one choice, so the selection asks only those it is about to name.
 */
export function listCandidates(
  backends: readonly Backend[],
  evidence: Evidence,
  probed: Probed,
): readonly Candidate[] {
  return Object.values(ALGORITHMS).map((params) => {
    const having: CandidateBackend[] = []
    const missing: string[] = []
    for (const backend of backends) {
      if (!backend.algorithms.includes(params.id)) continue
      const answer = probed.get(probeKey(backend.name, params.id))
      if (answer?.available === false) {
        missing.push(`${backend.name}: ${answer.reason}`)
        continue
      }
      const claims = askClaims(backend, params, evidence)
      if (typeof claims === 'string') {
        missing.push(`${backend.name}: ${claims}`)
        continue
      }
      having.push({
        name: backend.name,
        kind: backend.kind,
        sync: backend.sync,
        maxBytes: backend.raw.maxBytes,
        claims,
      })
    }
    return { params, backends: having, missing }
  })
}
