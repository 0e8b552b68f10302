import { HYBRID_SET_UP, openHybridAead } from './aead/hybrid.ts'
import { openAsyncAead, openSyncAead } from './aead/objects.ts'
import { ALGORITHMS, type AlgorithmId, type AlgorithmParams, isAlgorithmId, TABLE } from './algorithms.ts'
import type {
  AsyncBackend,
  Availability,
  Backend,
  RawAsyncBackend,
  RawSyncBackend,
  SyncBackend,
} from './backend.ts'
import { unavailable } from './cipher/base.ts'
import { AeadError, isAeadError } from './errors.ts'
import type { AlgorithmFamily } from './families.ts'
import { ALGORITHM_IDS } from './ids.ts'
import { didYouMean, kindOf } from './names.ts'
import { lacking, refusal, selfTest, selfTestSync } from './self-test.ts'
import { type AlgorithmTable, tableOf } from './table.ts'

/**
 * Facts of the algorithm a caller named.
 * @throws AeadError `invalid-argument` for anything that is not an id, naming the nearest one.
 */
export function paramsOf(id: unknown): AlgorithmParams {
  if (isAlgorithmId(id)) return ALGORITHMS[id]
  throw unknownAlgorithm(id, Object.keys(ALGORITHMS))
}

function unknownAlgorithm(id: unknown, known: readonly string[]): AeadError {
  return new AeadError('invalid-argument', `unknown algorithm ${shownId(id, known)}`, { details: { known } })
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
 * @throws AeadError `invalid-argument` for anything that the functions below cannot have made.
 */
export function checkedBackend(given: unknown): Backend {
  const { raw, probe, setUp, paramsOf } = (given ?? {}) as Partial<SyncBackend>
  if (raw && [probe, setUp, paramsOf].every((part) => typeof part === 'function')) return given as Backend
  throw new AeadError(
    'invalid-argument',
    `expected a backend (from defineSyncBackend or defineAsyncBackend), got ${kindOf(given)}`,
  )
}

/** A backend over a table; `paramsOf` gives `undefined` for an algorithm that only others have. */
function syncBackend(
  raw: RawSyncBackend,
  { answers }: AlgorithmTable,
  find: (id: unknown) => AlgorithmParams | undefined,
): SyncBackend {
  const { name, kind, algorithms } = raw
  const known = new Map<string, Availability>()
  const probeSync = (id: AlgorithmId): Availability => {
    const params = find(id)
    if (params === undefined) return lacking(id)
    // What a library can do may depend on its mode.
    const key = id + raw.mode?.()
    return known.get(key) ?? selfTestSync(raw, params, answers[id], known, key)
  }
  // Frozen, as the answers are: what a self-test said must not be overwritten by accident.
  return Object.freeze({
    sync: true,
    name,
    kind,
    algorithms,
    raw,
    paramsOf: (id: unknown) => find(id) ?? refuseLacking(name, id as AlgorithmId),
    setUp: openSyncAead,
    probeSync,
    probe: async (id: AlgorithmId): Promise<Availability> => {
      try {
        return probeSync(id)
      } catch (error) {
        if (!isAeadError(error, 'not-ready')) throw error
        return refusal('absent', error.message)
      }
    },
  } as const)
}

function refuseLacking(name: string, id: AlgorithmId): never {
  throw unavailable(name, id, lacking(id))
}

/**
 * Turns what a backend's author wrote into a backend for `createAead`, `createSealer` and `selectAead`.
 * Nothing runs until the backend is probed or used. Each algorithm is tested once per process and
 * mode of the library (`raw.mode`); only a test that ended with an exception, which may pass (no memory, not loaded
 * yet), is run again by the next probe.
 */
export function defineSyncBackend(raw: RawSyncBackend): SyncBackend {
  return syncBackend(raw, TABLE, paramsOf)
}

/**
 * The same for a backend of few algorithms: a bundle of it carries the facts of these families alone.
 * @param families - whose algorithms the backend has, all of them.
 */
export function defineNarrowBackend(
  families: readonly AlgorithmFamily[],
  raw: Omit<RawSyncBackend, 'algorithms'>,
): SyncBackend {
  const table = tableOf(families)
  const algorithms = Object.freeze(Object.keys(table.params) as AlgorithmId[])
  return syncBackend({ ...ownOf(raw), algorithms }, table, (id) => {
    if (algorithms.includes(id as AlgorithmId)) return table.params[id as AlgorithmId]
    if (!ALGORITHM_IDS.includes(id as AlgorithmId)) throw unknownAlgorithm(id, ALGORITHM_IDS)
    return undefined
  })
}

/**
 * A synchronous backend whose keys have a {@link LaterHalf}: promise-returning calls hand it their messages from a
 * length on, all others stay with the synchronous half. What stands above the cipher (nonces, counts, limits, checks)
 * is the same for both.
 * @param raw - the synchronous part; every key that `create` returns has `later`.
 * @param probeLater - whether the later half can be used, tested; asked before the first key and by `probe`. The later
 *   half of a key that was set up without a promise must see to it before its first message.
 */
export function defineHybridBackend(
  raw: RawSyncBackend,
  probeLater: (id: AlgorithmId) => Promise<Availability>,
): SyncBackend {
  const backend = defineSyncBackend(raw)
  return Object.freeze({
    ...backend,
    setUp: openHybridAead,
    hybrid: HYBRID_SET_UP,
    probe: async (id: AlgorithmId): Promise<Availability> => {
      const answer = await backend.probe(id)
      return answer.available ? probeLater(id) : answer
    },
  })
}

const METHODS = [
  'version',
  'probe',
  'mode',
  'claims',
  'takesVariant',
  'fillRandom',
  'allocate',
  'create',
] as const

/** All of an author's part as properties of one object: a class has its methods, and may have more, elsewhere. */
function ownOf<T extends Omit<RawSyncBackend, 'algorithms'>>(raw: T): T {
  const { name, kind, maxBytes } = raw
  const own: Record<string, unknown> = { ...raw, name, kind, maxBytes }
  for (const method of METHODS) {
    if (Object.hasOwn(raw, method)) continue
    const inherited: unknown = raw[method]
    own[method] = typeof inherited === 'function' ? inherited.bind(raw) : undefined
  }
  return own as unknown as T
}

/** {@link defineSyncBackend} for a backend that answers by promise. */
export function defineAsyncBackend(raw: RawAsyncBackend): AsyncBackend {
  const { name, kind, algorithms } = raw
  const known = new Map<string, Promise<Availability>>()
  return Object.freeze({
    sync: false,
    name,
    kind,
    algorithms,
    raw,
    paramsOf,
    setUp: openAsyncAead,
    probe: async (id: AlgorithmId) => {
      const params = paramsOf(id)
      // What a library can do may depend on its mode.
      const key = id + raw.mode?.()
      let answer = known.get(key)
      if (answer === undefined) {
        answer = selfTest(raw, params, TABLE.answers[id], () => known.delete(key))
        known.set(key, answer)
      }
      return answer
    },
  } as const)
}
