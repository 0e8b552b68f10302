/** The self-test of a pair with a half that answers by promise. */
import { ALGORITHMS, type AlgorithmId, type Availability, type Backend, isAeadError } from '@aeadkit/core'
import { type From, modeOf } from './claims.ts'
import { crossOpen } from './cross-open.ts'

async function test(small: Backend, large: Backend, id: AlgorithmId, from: From): Promise<Availability> {
  for (const half of [small, large]) {
    const answer = await half.probe(id)
    if (!answer.available) return { ...answer, reason: `${half.name}: ${answer.reason}` }
  }
  const refused = (reason: string): Availability => ({ available: false, stage: 'self-test', reason })
  try {
    const crossed = await crossOpen(small, large, ALGORITHMS[id], from)
    return crossed === true ? { available: true } : refused(crossed)
  } catch (error) {
    return refused(isAeadError(error) ? error.message : 'the halves could not be compared')
  }
}

/**
 * Asks both halves, then lets each open what the other sealed. What has passed is remembered; what has not may have been
 * the moment, and is tried again the next time.
 */
export function pairTest(
  small: Backend,
  large: Backend,
  from: From,
): (id: AlgorithmId) => Promise<Availability> {
  const known = new Map<string, Promise<Availability>>()
  return (id) => {
    const key = id + modeOf(small, large)
    const before = known.get(key)
    if (before !== undefined) return before
    const answer = test(small, large, id, from).then((one) => {
      if (!one.available) known.delete(key)
      return one
    })
    known.set(key, answer)
    answer.catch(() => known.delete(key))
    return answer
  }
}
