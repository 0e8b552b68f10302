/** Questions to backends, which are code of others: one that fails is left out and never stops the rest. */
import type {
  AlgorithmId,
  AlgorithmParams,
  Availability,
  Backend,
  BackendClaims,
  ConstantTimeLevel,
  Evidence,
  SyncBackend,
  Unavailable,
} from '@aeadkit/core'
import { ALGORITHMS } from '@aeadkit/core'
import { LateError, within } from '../within.ts'

/** Milliseconds a self-test may take: slow script on a slow machine needs seconds, a promise that hangs has no end. */
export const PROBE_MS = 10_000

/** Backends that let a question time out: they are not waited for again. */
const silent: WeakSet<Backend> = /* @__PURE__ */ new WeakSet()

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 200)

/**
 * Whether a backend can do the algorithm, by its own self-test. A probe that throws, answers nonsense or does not
 * answer counts as a failed one.
 * @param ms - milliseconds to wait.
 */
export async function askProbe(
  backend: Backend,
  id: AlgorithmId,
  ms: number = PROBE_MS,
): Promise<Availability> {
  if (silent.has(backend)) return { available: false, stage: 'self-test', reason: 'it did not answer before' }
  try {
    const answer: unknown = await within(ms, backend.probe(id))
    const available = (answer as Availability | undefined)?.available
    if (available === true || available === false) return answer as Availability
    return { available: false, stage: 'self-test', reason: 'its probe gave no answer' }
  } catch (error) {
    if (error instanceof LateError) silent.add(backend)
    return { available: false, stage: 'self-test', reason: `its probe failed (${reasonOf(error)})` }
  }
}

/** Answers of presence checks, by backend; those of one by algorithm and mode of its library. */
const present: WeakMap<Backend, Map<string, Unavailable | undefined>> = /* @__PURE__ */ new WeakMap()

/**
 * What the presence check of a backend says, asked once per process and mode of its library, as its self-test asks
 * it. Whatever is no clear refusal is for the self-test to judge.
 * @returns why the algorithm is missing, or `undefined`.
 */
export function askPresence(backend: SyncBackend, id: AlgorithmId): Unavailable | undefined {
  const known = present.get(backend) ?? new Map<string, Unavailable | undefined>()
  present.set(backend, known)
  try {
    const key = id + backend.raw.mode?.()
    if (!known.has(key)) {
      const said: unknown = backend.raw.probe(ALGORITHMS[id])
      known.set(
        key,
        typeof said === 'string' ? { available: false, stage: 'absent', reason: said } : undefined,
      )
    }
    return known.get(key)
  } catch {
    // It may be ready, or have the memory, the next time.
    return undefined
  }
}

const LEVELS: ReadonlySet<string> = /* @__PURE__ */ new Set<ConstantTimeLevel>([
  'structural',
  'bitsliced',
  'hardware',
  'platform',
  'none',
  'unknown',
])

/** What a backend claims for an algorithm, or why its claims cannot be used. */
export function askClaims(
  backend: Backend,
  params: AlgorithmParams,
  evidence: Evidence,
): BackendClaims | string {
  try {
    const claims: BackendClaims | undefined = backend.raw.claims(params, evidence)
    return LEVELS.has(claims?.constantTime?.level ?? '')
      ? claims!
      : 'its claims name no known constant-time level'
  } catch (error) {
    return `its claims failed (${reasonOf(error)})`
  }
}
