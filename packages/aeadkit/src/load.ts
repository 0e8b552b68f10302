import {
  AeadError,
  ALGORITHMS,
  type AlgorithmId,
  type Backend,
  defineSyncBackend,
  isAlgorithmId,
} from '@aeadkit/core'
import type { SelectionJson, SelectOptions } from '@aeadkit/selector'
import { BACKEND_SOURCES } from '#backends'
import type { BackendSource } from './backends.ts'

/** A backend that could not be loaded, and why. */
export interface UnavailableBackend {
  readonly name: string
  /** One line: the error's name and message. */
  readonly reason: string
}

/** What {@link loadBackends} found. */
export interface LoadedBackends {
  /** Backends that loaded, in order of preference. What each can do here is for its probe to say. */
  readonly backends: readonly Backend[]
  readonly unavailable: readonly UnavailableBackend[]
  /**
   * `backends`, and one for each that did not load, which has nothing and says why: given to a selection, refusals and
   * explanations name the failure.
   */
  readonly candidates: readonly Backend[]
}

/** What has loaded, so that self-tests and set-up happen once per process. A failure is tried again. */
const LOADED: WeakMap<BackendSource, Promise<Backend>> = /* @__PURE__ */ new WeakMap()

function loadOnce(source: BackendSource): Promise<Backend> {
  let loading = LOADED.get(source)
  if (loading === undefined) {
    loading = source.load()
    LOADED.set(source, loading)
    loading.catch(() => LOADED.delete(source))
  }
  return loading
}

/** Algorithms that a selection may give and that some backends are loaded for only then. */
export function algorithmsAsked({ algorithm, optIn }: SelectOptions): readonly AlgorithmId[] {
  if (algorithm !== undefined) return [algorithm]
  if (optIn?.aegis !== true) return []
  return Object.values(ALGORITHMS).flatMap(({ id, bound }) => (bound === 'aegis' ? [id] : []))
}

/** The same for a stored selection; what it cannot be read from is for the selector to refuse. */
export function algorithmsStored(json: SelectionJson | string): readonly AlgorithmId[] {
  try {
    const { algorithm } = (typeof json === 'string' ? JSON.parse(json) : json) as Partial<SelectionJson>
    return isAlgorithmId(algorithm) ? [algorithm] : []
  } catch {
    return []
  }
}

/**
 * Loads the backends this package knows. One that is broken or missing never stops the others.
 * @param sources - which ones; default: all of this build.
 * @param asked - algorithms in question, none for whatever wins: backends of no use for them are left out. Default:
 *   `all`, which loads every one.
 * @throws AeadError `unsupported` when none loads, with each reason.
 */
export async function loadBackends(
  sources: readonly BackendSource[] = BACKEND_SOURCES,
  asked: readonly AlgorithmId[] | 'all' = 'all',
): Promise<LoadedBackends> {
  const backends: Backend[] = []
  const unavailable: UnavailableBackend[] = []
  for (const source of sources) {
    const { name } = source
    if (asked !== 'all' && source.needed?.(asked) === false) continue
    try {
      backends.push(await loadOnce(source))
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      unavailable.push({ name, reason })
    }
  }
  if (backends.length > 0) {
    return { backends, unavailable, candidates: [...backends, ...unavailable.map(lostBackend)] }
  }
  const reasons = unavailable.map(({ name, reason }) => `${name}: ${reason}`)
  throw new AeadError('unsupported', `no backend could be loaded (${reasons.join('; ')})`, {
    details: { reasons },
  })
}

function lostBackend({ name, reason }: UnavailableBackend): Backend {
  const text = `could not be loaded: ${reason}`
  return defineSyncBackend({
    name,
    kind: 'js',
    // What it would have had is not known without it.
    algorithms: Object.values(ALGORITHMS).map(({ id }) => id),
    maxBytes: 0,
    version: () => 'unknown',
    probe: () => text,
    claims: () => ({
      constantTime: { level: 'unknown', basis: text, asOf: '2026-11-30' },
      oneShot: true,
      fipsModule: 'unknown',
    }),
    create: () => {
      throw new AeadError('unsupported', `backend ${name} ${text}`)
    },
  })
}
