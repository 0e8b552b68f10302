/** The limits arithmetic, which is the same for every selection with the same question: kept for the latest ones. */
import type { AlgorithmLimits, AlgorithmParams, LimitOptions, LimitViolation } from '@aeadkit/core'
import { checkVolume, limitsOf } from '@aeadkit/core'
import type { Volume } from '../options.ts'

/** Limits of one algorithm, and which of them the volume exceeds. Frozen: later selections get the same objects. */
export interface Reckoned {
  readonly limits: AlgorithmLimits
  readonly violations: readonly LimitViolation[]
}

/** Answers for one question: targets, nonces and volume. */
export type Reckoner = (params: AlgorithmParams) => Reckoned

/** Questions remembered. A process asks one or two over and over; a server may get theirs from outside. */
export const MOST_QUESTIONS = 16

/** By question, the latest last. Holds counts, sizes and texts of the limits, nothing of any key. */
let latest: Map<string, Reckoner> | undefined

/** How many questions are remembered. */
export function rememberedQuestions(): number {
  return latest?.size ?? 0
}

/**
 * Limits for one way of use; each algorithm is worked out when it is first asked for.
 * @throws what `limitsOf` and `checkVolume` throw, when asked for an algorithm.
 */
export function reckonerOf(options: LimitOptions, volume: Volume): Reckoner {
  latest ??= new Map()
  const question = keyOf(options, volume)
  const reckoner = latest.get(question) ?? newReckoner(options, volume)
  // Set anew, so that the one that was not asked for longest goes first.
  latest.delete(question)
  latest.set(question, reckoner)
  const [oldest] = latest.keys()
  if (latest.size > MOST_QUESTIONS && oldest !== undefined) latest.delete(oldest)
  return reckoner
}

function keyOf(options: LimitOptions, volume: Volume): string {
  const { aadBytes, fips, messageBytes, nonce, nonceTarget, repeatsPerNonce, target } = options
  const { failedOpens, messages } = volume
  return [
    ...[nonce, target, nonceTarget, repeatsPerNonce, fips, messageBytes, aadBytes],
    ...[messages, failedOpens, volume.messageBytes, volume.aadBytes],
  ].join(' ')
}

function newReckoner(options: LimitOptions, volume: Volume): Reckoner {
  // By the object, not its id: facts about an algorithm can be the caller's own.
  const known = new WeakMap<AlgorithmParams, Reckoned>()
  return (params) => {
    let reckoned = known.get(params)
    if (reckoned === undefined) {
      reckoned = frozen({
        limits: limitsOf(params, options),
        violations: checkVolume(params, volume, options),
      })
      known.set(params, reckoned)
    }
    return reckoned
  }
}

/** Plain data, frozen with all its parts. */
function frozen<T extends object>(data: T): T {
  for (const part of Object.values(data)) {
    if (typeof part === 'object' && part !== null) frozen(part as object)
  }
  return Object.freeze(data)
}
