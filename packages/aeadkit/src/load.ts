import { AeadError, type Backend } from '@aeadkit/core'
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
}

/**
 * Loads every backend this package knows. One that is broken or missing never stops the others.
 * @param sources - which ones; default: all of this build.
 * @throws AeadError `unsupported` when none loads, with each reason.
 */
export async function loadBackends(
  sources: readonly BackendSource[] = BACKEND_SOURCES,
): Promise<LoadedBackends> {
  const backends: Backend[] = []
  const unavailable: UnavailableBackend[] = []
  for (const { name, load } of sources) {
    try {
      backends.push(await load())
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
      unavailable.push({ name, reason })
    }
  }
  if (backends.length > 0) return { backends, unavailable }
  const reasons = unavailable.map(({ name, reason }) => `${name}: ${reason}`)
  throw new AeadError('unsupported', `no backend could be loaded (${reasons.join('; ')})`, {
    details: { reasons },
  })
}
