import { openAsyncAead, openSyncAead } from './aead/objects.ts'
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
  const { raw, probe, setUp } = backend
  if (raw && typeof probe === 'function' && typeof setUp === 'function') return given as Backend
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
  const { name, kind, algorithms } = raw
  const probeSync = (id: AlgorithmId): Availability => {
    const params = paramsOf(id)
    return known.get(id) ?? selfTestSync(raw, params, known)
  }
  // Frozen, as the answers are: what a self-test said must not be overwritten by accident.
  return Object.freeze({
    sync: true,
    name,
    kind,
    algorithms,
    raw,
    setUp: openSyncAead,
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
  const { name, kind, algorithms } = raw
  return Object.freeze({
    sync: false,
    name,
    kind,
    algorithms,
    raw,
    setUp: openAsyncAead,
    probe: async (id: AlgorithmId) => {
      const params = paramsOf(id)
      let answer = known.get(id)
      if (answer === undefined) {
        answer = selfTest(raw, params, () => known.delete(id))
        known.set(id, answer)
      }
      return answer
    },
  } as const)
}
