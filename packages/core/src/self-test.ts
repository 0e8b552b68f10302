import type { AlgorithmId, AlgorithmParams } from './algorithms.ts'
import type {
  Availability,
  Bytes,
  RawAsyncAead,
  RawAsyncBackend,
  RawBackendBase,
  RawSyncAead,
  RawSyncBackend,
  Unavailable,
} from './backend.ts'
import { copyOf, NO_BYTES, ownsExactly, sameBytes, toHex } from './bytes.ts'
import { isAeadError } from './errors.ts'

/** A text of characters below 256, one byte each. */
const bytesOf = (text: string): Bytes => Uint8Array.from(text, (char) => char.charCodeAt(0))

/** Bytes counted up by `step` from `start`. */
const counted = (length: number, start: number, step: number): Bytes =>
  Uint8Array.from({ length }, (_, i) => start + step * i)

/** In UTF-8: cipher-select probe é. */
const PLAINTEXT = 'cipher-select probe \xc3\xa9'
const AAD = 'hdr:v1'

/**
 * Plaintext and AAD of each round. Empty messages are where a tag gets forgotten: the CCM of Node 20 and 22 accepts
 * any tag of one.
 */
const ROUNDS = [
  [PLAINTEXT, AAD],
  ['', AAD],
  ['', ''],
] as const

/** One call of the Aead under test: seals, or opens. Sealed text is in the algorithm's own layout. */
type Call = readonly [opens: boolean, input: Uint8Array, aad: Uint8Array]

/** The byte at `at` with one bit flipped, in a copy. */
function flipped(bytes: Uint8Array, at: number): Bytes {
  const copy = copyOf(bytes)
  copy[at]! ^= 1
  return copy
}

/**
 * Known answer and must-fail cases: yields the calls to make and takes their results, `undefined` for a refusal.
 * @param answer - the first sealed message, in hexadecimal digits.
 * @returns what is wrong, if anything.
 */
function* faultOf(
  params: AlgorithmParams,
  answer: string | undefined,
): Generator<Call, string | undefined, Uint8Array | undefined> {
  const { id, tagBytes } = params
  if (answer === undefined) return `${id} has no known answer in this version of @aeadkit/core`
  for (const [text, header] of ROUNDS) {
    const what = text === '' ? `an empty message of ${id}` : id
    const plaintext = bytesOf(text)
    const aad = bytesOf(header)
    const sealed = (yield [false, plaintext, aad])!
    const { length } = sealed
    if (length !== text.length + tagBytes || (text !== '' && toHex(sealed) !== answer)) {
      return `it returned a wrong known answer for ${id}`
    }
    const opened = yield [true, sealed, aad]
    if (opened === undefined || !sameBytes(opened, plaintext))
      return `it did not open what it sealed: ${what}`
    // First and last byte of ciphertext and tag, whichever comes first.
    for (const at of [0, text.length, tagBytes - 1, tagBytes, length - 1]) {
      if (at < length && (yield [true, flipped(sealed, at), aad]) !== undefined) {
        return `it opened ${what} with byte ${at} changed`
      }
    }
    if (header !== '' && (yield [true, sealed, flipped(aad, 0)]) !== undefined) {
      return `it opened ${what} with the AAD changed`
    }
  }
  return undefined
}

/** Bytes of the fixed key and nonce. */
const keyOf = ({ keyBytes }: AlgorithmParams): Bytes => counted(keyBytes, 3, 7)
const nonceOf = ({ nonceBytes }: AlgorithmParams): Bytes =>
  counted(nonceBytes, nonceBytes === 24 ? 0x40 : nonceBytes === 32 ? 0x60 : 0xa0, 1)

/** A no of the presence check or of the self-test. */
export function refusal(stage: Unavailable['stage'], reason: string): Unavailable {
  return Object.freeze({ available: false, stage, reason })
}

/** What is said of an algorithm a backend does not have. */
export const lacking = (id: AlgorithmId): Unavailable => refusal('absent', `it does not have ${id}`)

/** What is not remembered: a wrong answer is a broken backend, an exception may have been the moment's. */
function threw(error: unknown): Availability {
  return refusal(
    'self-test',
    `its self-test ended with ${error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown error'}`,
  )
}

const verdict = (fault: string | undefined): Availability =>
  fault === undefined ? Object.freeze({ available: true }) : refusal('self-test', fault)

/** Destroys what a self-test made. A key that cannot be wiped is no reason against the backend. */
function wiped(aead: { destroy(): void } | undefined): void {
  try {
    aead?.destroy()
  } catch {
    // Only the fixed test key was in it.
  }
}

/** The presence check; `undefined` when the self-test should go on. */
function absence(raw: RawBackendBase, params: AlgorithmParams): Unavailable | undefined {
  if (!raw.algorithms.includes(params.id)) return lacking(params.id)
  const present = raw.probe(params)
  return present === true ? undefined : refusal('absent', present)
}

const NOT_OWN = 'it returned memory that is not its own, or of another length'

/** Makes one call of a synchronous Aead; a string is what is wrong with how it answered. */
function answerSync(
  raw: RawSyncBackend,
  aead: RawSyncAead,
  { id, tagBytes, tagPosition }: AlgorithmParams,
  nonce: Uint8Array,
  [opens, input, aad]: Call,
): Uint8Array | string | undefined {
  const bytes = input.length + (opens ? -tagBytes : tagBytes)
  const tagFirst = tagPosition === 'start'
  // Behind a front, as in a sealer's box: any few bytes do.
  const start = aad.length
  const ciphertextAt = tagFirst ? start + tagBytes : start
  const outBytes = opens ? bytes : start + bytes
  const out = raw.allocate?.(outBytes) ?? new Uint8Array(outBytes)
  if (!ownsExactly(out, outBytes)) return NOT_OWN
  out.fill(0)
  if (!opens) {
    out.set(aad)
    aead.seal(nonce, input, aad, out, ciphertextAt, tagFirst ? start : start + input.length)
    const whole = tagFirst ? undefined : aead.sealNew?.(aad, nonce, input, aad)
    if (whole === undefined) return out.subarray(start)
    // Both ways must agree: no answer has no bytes.
    if (!sameBytes(whole, out)) return NO_BYTES
    return ownsExactly(whole, outBytes) ? out.subarray(start) : NOT_OWN
  }
  const tagAt = tagFirst ? start : start + bytes
  const box = Uint8Array.of(...aad, ...input)
  const opened = aead.open(nonce, box, ciphertextAt, tagAt, bytes, aad, out)
  const fresh = aead.openNew?.(nonce, box, ciphertextAt, tagAt, bytes, aad)
  if (!sameBytes(box.subarray(start), input)) return 'it wrote to the sealed text it was given'
  // Both ways must agree.
  if (fresh !== undefined && (opened ? fresh === false || !sameBytes(fresh, out) : fresh !== false)) {
    return `it opened ${id} differently into new memory`
  }
  if (fresh && !ownsExactly(fresh, bytes)) return NOT_OWN
  if (opened) return out
  return out.some(Boolean) ? `it left output behind after refusing ${id}` : undefined
}

/**
 * Presence check and self-test of one algorithm of a synchronous backend.
 * @param expected - the known answer, in hexadecimal digits.
 * @param known - takes the answer under `key`, if it can be relied on to stay so.
 * @throws AeadError `not-ready`, when the backend says so.
 */
export function selfTestSync(
  raw: RawSyncBackend,
  params: AlgorithmParams,
  expected: string | undefined,
  known: Map<string, Availability>,
  key: string,
): Availability {
  let aead: RawSyncAead | undefined
  try {
    let answer: Availability | undefined = absence(raw, params)
    if (answer === undefined) {
      aead = raw.create(params, keyOf(params))
      const course = faultOf(params, expected)
      let step = course.next()
      while (step.done !== true) {
        const result = answerSync(raw, aead, params, nonceOf(params), step.value)
        step = typeof result === 'string' ? course.return(result) : course.next(result)
      }
      answer = verdict(step.value)
    }
    known.set(key, answer)
    return answer
  } catch (error) {
    // Not an answer: it may be ready the next time.
    if (isAeadError(error, 'not-ready')) throw error
    return threw(error)
  } finally {
    wiped(aead)
  }
}

/**
 * The same for an asynchronous backend.
 * @param forget - called when the answer may be another the next time.
 */
export async function selfTest(
  raw: RawAsyncBackend,
  params: AlgorithmParams,
  expected: string | undefined,
  forget: () => void,
): Promise<Availability> {
  let aead: RawAsyncAead | undefined
  try {
    const absent = absence(raw, params)
    if (absent !== undefined) return absent
    aead = await raw.create(params, keyOf(params))
    const nonce = nonceOf(params)
    const course = faultOf(params, expected)
    const tagFirst = params.tagPosition === 'start'
    let step = course.next()
    while (step.done !== true) {
      const [opens, input, aad] = step.value
      if (opens) {
        step = course.next(await aead.open(nonce, tagFirst ? rotate(input, params.tagBytes) : input, aad))
      } else {
        const sealed = await aead.seal(nonce, input, aad)
        step = course.next(tagFirst ? rotate(sealed, input.length) : sealed)
      }
    }
    return verdict(step.value)
  } catch (error) {
    // `create` may throw before the caller has remembered this promise.
    await undefined
    forget()
    return threw(error)
  } finally {
    wiped(aead)
  }
}

/** Moves the first `count` bytes to the end, in a copy: between tag-first and tag-last layouts. */
export function rotate(bytes: Uint8Array, count: number): Bytes {
  const out = new Uint8Array(bytes.length)
  out.set(bytes.subarray(count))
  out.set(bytes.subarray(0, count), bytes.length - count)
  return out
}
