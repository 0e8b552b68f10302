/** Waiting for code of others, which may never answer. */

/** Milliseconds an operation or a key may take while it is timed: long messages on slow machines need seconds. */
export const ANSWER_MS = 5000

/** No answer in time. */
export class LateError extends Error {}

/**
 * What a promise gives, if it gives it in time.
 * @param ms - milliseconds to wait.
 * @param value - the promise, or a value that is there already.
 * @throws LateError when the time is over; what the promise rejects with.
 */
export async function within<T>(ms: number, value: Promise<T> | T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}
