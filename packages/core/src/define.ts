import { ALGORITHMS, type AlgorithmId, type AlgorithmParams, isAlgorithmId } from './algorithms.ts'
import type {
  AsyncBackend,
  Availability,
  Backend,
  RawAsyncBackend,
  RawSyncBackend,
  SyncBackend,
} from './backend.ts'
import { AeadError, isAeadError } from './errors.ts'
import { didYouMean, kindOf } from './names.ts'
import { selfTest, selfTestSync } from './self-test.ts'

/**
 * Facts of the algorithm a caller named.
 * @throws AeadError `invalid-argument` for anything that is not an id, naming the nearest one.
 */
export function paramsOf(id: unknown): AlgorithmParams {
  if (isAlgorithmId(id)) return ALGORITHMS[id]
  const known = Object.keys(ALGORITHMS)
  throw new AeadError('invalid-argument', `unknown algorithm ${shownId(id, known)}`, { details: { known } })
}

/** Only a slip of a known name is repeated: a key or key text may have been given in the wrong place. */
function shownId(id: unknown, known: readonly string[]): string {
  const list = `; known are ${known.join(', ')}`
  if (typeof id !== 'string') return kindOf(id) + list
  const hint = didYouMean(id, known)
  if (hint !== '') return `"${id}"${hint}`
  const text = id.startsWith('aeadkit-key:') ? '; this looks like a key text, which decodeKey reads' : ''
  return `(a string of ${id.length} characters)${text}${list}`
}

/**
 * The backend a caller gave.
 * @throws AeadError `invalid-argument` for anything that defineSyncBackend or defineAsyncBackend cannot have made.
 */
export function checkedBackend(given: unknown): Backend {
  const backend = (typeof given === 'object' && given !== null ? given : {}) as Partial<SyncBackend>
  const { raw, probe, probeSync } = backend
  if (typeof raw === 'object' && raw !== null && typeof probe === 'function') {
    if ((backend.sync as boolean) === false || typeof probeSync === 'function') return given as Backend
  }
  throw new AeadError(
    'invalid-argument',
    `expected a backend (from defineSyncBackend or defineAsyncBackend), got ${kindOf(given)}`,
  )
}

/**
 * Turns what a backend's author wrote into a backend for `createAead`, `createSealer` and `selectAead`.
 * Nothing runs until the backend is probed or used. Each algorithm is tested once per process; only a test that ended
 * with an exception, which may pass (no memory, not loaded yet), is run again by the next probe.
 */
export function defineSyncBackend(raw: RawSyncBackend): SyncBackend {
  const known = new Map<AlgorithmId, Availability>()
  const probeSync = (id: AlgorithmId): Availability => {
    const params = paramsOf(id)
    const before = known.get(id)
    if (before !== undefined) return before
    const { answer, lasting } = selfTestSync(raw, params)
    if (lasting) known.set(id, answer)
    return answer
  }
  // Frozen, as the answers are: what a self-test said must not be overwritten by accident.
  return Object.freeze({
    sync: true,
    name: raw.name,
    kind: raw.kind,
    algorithms: raw.algorithms,
    raw,
    probeSync,
    probe: async (id: AlgorithmId): Promise<Availability> => {
      try {
        return probeSync(id)
      } catch (error) {
        if (!isAeadError(error, 'not-ready')) throw error
        return { available: false, stage: 'absent', reason: error.message }
      }
    },
  } as const)
}

/** The same for a backend that answers by promise. */
export function defineAsyncBackend(raw: RawAsyncBackend): AsyncBackend {
  const known = new Map<AlgorithmId, Promise<Availability>>()
  const test = async (params: AlgorithmParams): Promise<Availability> => {
    const { answer, lasting } = await selfTest(raw, params)
    if (!lasting) known.delete(params.id)
    return answer
  }
  return Object.freeze({
    sync: false,
    name: raw.name,
    kind: raw.kind,
    algorithms: raw.algorithms,
    raw,
    probe: async (id: AlgorithmId) => {
      const params = paramsOf(id)
      let answer = known.get(id)
      if (answer === undefined) {
        answer = test(params)
        known.set(id, answer)
      }
      return answer
    },
  } as const)
}
