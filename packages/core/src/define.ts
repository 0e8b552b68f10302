import { ALGORITHMS, type AlgorithmId, type AlgorithmParams, isAlgorithmId } from './algorithms.ts'
import type { AsyncBackend, Availability, RawAsyncBackend, RawSyncBackend, SyncBackend } from './backend.ts'
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
  const shown = typeof id === 'string' ? `"${id.slice(0, 64)}"${didYouMean(id, known)}` : kindOf(id)
  throw new AeadError('invalid-argument', `unknown algorithm ${shown}`, { details: { known } })
}

/**
 * Turns what a backend's author wrote into a backend for `createAead`, `createSealer` and `selectAead`.
 * Nothing runs until the backend is probed or used.
 */
export function defineSyncBackend(raw: RawSyncBackend): SyncBackend {
  const known = new Map<AlgorithmId, Availability>()
  const probeSync = (id: AlgorithmId): Availability => {
    const params = paramsOf(id)
    let answer = known.get(id)
    if (answer === undefined) {
      answer = selfTestSync(raw, params)
      known.set(id, answer)
    }
    return answer
  }
  return {
    sync: true,
    name: raw.name,
    kind: raw.kind,
    algorithms: raw.algorithms,
    raw,
    probeSync,
    probe: async (id) => {
      try {
        return probeSync(id)
      } catch (error) {
        if (!isAeadError(error, 'not-ready')) throw error
        return { available: false, stage: 'absent', reason: error.message }
      }
    },
  }
}

/** The same for a backend that answers by promise. */
export function defineAsyncBackend(raw: RawAsyncBackend): AsyncBackend {
  const known = new Map<AlgorithmId, Promise<Availability>>()
  return {
    sync: false,
    name: raw.name,
    kind: raw.kind,
    algorithms: raw.algorithms,
    raw,
    probe: async (id) => {
      const params = paramsOf(id)
      let answer = known.get(id)
      if (answer === undefined) {
        answer = selfTest(raw, params)
        known.set(id, answer)
      }
      return answer
    },
  }
}
