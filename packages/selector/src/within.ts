/** Waiting for code of others, which may never answer. */

/** What is needed of an AbortSignal; declared here for consumers without DOM or Node types. */
export interface Abort {
  /** Throws the reason once aborted. */
  throwIfAborted(): void
}

/** Milliseconds an operation or a key may take while it is timed: long messages on slow machines need seconds. */
export const ANSWER_MS = 5000

/** No answer in time. */
export class LateError extends Error {}

/** An answer that is there already arrives within these turns of the queue: each async function takes one to three. */
const TURNS = 8

/**
 * What a promise gives, if it gives it in time.
 * @param ms - milliseconds to wait.
 * @param value - the promise, or a value that is there already.
 * @throws LateError when the time is over; what the promise rejects with.
 */
export async function within<T>(ms: number, value: Promise<T> | T): Promise<T> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  const answer = Promise.resolve(value)
  answer.then(note, note)
  // Hundreds of questions are answered from memory: a timer for each costs more than the answers.
  for (let turn = 0; turn < TURNS && !settled; turn++) await undefined
  if (settled) return answer
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Whoever waits looks at its signal this often, in milliseconds. */
const LOOK_MS = 25

/**
 * What a promise gives, unless the signal is aborted before.
 * @throws the reason of the signal; what the promise rejects with.
 */
export async function unlessAborted<T>(answer: Promise<T>, signal: Abort | undefined): Promise<T> {
  let settled = signal === undefined
  const note = (): void => {
    settled = true
  }
  // Heard here as well: when somebody gives up, a failure to come must not end the process.
  const heard = answer.then(note, note)
  while (!settled) {
    signal?.throwIfAborted()
    await within(LOOK_MS, heard).catch(() => undefined)
  }
  const value = await answer
  signal?.throwIfAborted()
  return value
}
