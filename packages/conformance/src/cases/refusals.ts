import { type Aead, type AeadErrorCode, type AlgorithmId, type Bytes, createAead } from '@aeadkit/core'
import { check, errorOf, flipped, pattern, refused, toHex } from '../check.ts'
import { formsOf } from '../forms.ts'
import type { Subject } from '../suite.ts'

/** The message must state what was expected and what came. */
function namesSizes(error: Error, expected: number, actual: number, what: string): void {
  for (const size of [expected, actual]) {
    check(
      new RegExp(`\\b${size}\\b`).test(error.message),
      `${what}: the message does not state ${size}: ${error.message}`,
    )
  }
}

/** Lengths just beside the right one, and none at all. */
function wrongLengths(right: number): readonly number[] {
  return [0, right - 1, right + 1, 2 * right]
}

/** Ways a secret could be printed. */
function spellings(secret: Bytes): readonly string[] {
  const start = secret.subarray(0, 6)
  const decimal = [...start].map(String)
  return [
    toHex(start),
    toHex(start).toUpperCase(),
    decimal.join(','),
    decimal.join(', '),
    decimal.join(' '),
    btoa(String.fromCharCode(...start)),
  ]
}

/** Everything an error shows when it is printed or logged, its causes included. */
function shownBy(error: unknown): string {
  const texts: string[] = []
  let current: unknown = error
  for (let depth = 0; depth < 4 && current !== undefined && current !== null; depth++) {
    const { message, stack, cause } = current as Partial<Error>
    texts.push(String(message), String(stack), String(JSON.stringify(current)))
    current = cause
  }
  return texts.join('\n')
}

/** One failing call with the code it must have. The list is the same for every backend. */
export interface FailingCall {
  readonly name: string
  readonly code: AeadErrorCode
  call(aead: Aead): unknown
}

/** Calls that fail; equal codes are expected from every backend. */
export function failingCalls(subject: Subject, sealed: Bytes): readonly FailingCall[] {
  const nonce = subject.nonce()
  const plaintext = pattern(40, 3)
  const aad = pattern(9, 5)
  const { nonceBytes, tagBytes } = subject.params
  const text = 'text' as unknown as Bytes
  return [
    { name: 'forged tag', code: 'auth-failed', call: (aead) => aead.open(nonce, flipped(sealed, 0), aad) },
    { name: 'other AAD', code: 'auth-failed', call: (aead) => aead.open(nonce, sealed, flipped(aad, 0)) },
    { name: 'other nonce', code: 'auth-failed', call: (aead) => aead.open(subject.nonce(99), sealed, aad) },
    { name: 'cut short', code: 'auth-failed', call: (aead) => aead.open(nonce, sealed.subarray(0, -1), aad) },
    {
      name: 'shorter than a tag',
      code: 'invalid-argument',
      call: (aead) => aead.open(nonce, sealed.subarray(0, tagBytes - 1), aad),
    },
    {
      name: 'empty sealed message',
      code: 'invalid-argument',
      call: (aead) => aead.open(nonce, new Uint8Array(0), aad),
    },
    {
      name: 'short nonce',
      code: 'invalid-argument',
      call: (aead) => aead.seal(nonce.subarray(1), plaintext, aad),
    },
    {
      name: 'long nonce',
      code: 'invalid-argument',
      call: (aead) => aead.open(pattern(nonceBytes + 1, 1), sealed, aad),
    },
    { name: 'text as plaintext', code: 'invalid-argument', call: (aead) => aead.seal(nonce, text, aad) },
    { name: 'text as AAD', code: 'invalid-argument', call: (aead) => aead.seal(nonce, plaintext, text) },
  ]
}

/** The sealed message that {@link failingCalls} changes. */
export function sealedForFailing(subject: Subject, aead: Aead): Promise<Bytes> {
  return aead.seal(subject.nonce(), pattern(40, 3), pattern(9, 5))
}

/** Wrong sizes, codes, and what errors may say. */
export function refusalCases(subject: Subject): void {
  const { params, id, suite } = subject

  subject.test('a key of another length is refused with both sizes in the message', async () => {
    for (const length of wrongLengths(params.keyBytes)) {
      const error = await refused(
        () => subject.create(pattern(length, 1)),
        'invalid-argument',
        `a key of ${length} bytes`,
      )
      namesSizes(error, params.keyBytes, length, `a key of ${length} bytes`)
    }
  })

  subject.test('a nonce of another length is refused with both sizes in the message', async () => {
    const aead = await subject.create()
    const good = pattern(40, 3)
    for (const form of formsOf(aead)) {
      for (const length of wrongLengths(params.nonceBytes)) {
        const what = `${form.name}, a nonce of ${length} bytes`
        namesSizes(
          await refused(() => form.seal(pattern(length, 1), good), 'invalid-argument', what),
          params.nonceBytes,
          length,
          what,
        )
        namesSizes(
          await refused(() => form.open(pattern(length, 1), good), 'invalid-argument', what),
          params.nonceBytes,
          length,
          what,
        )
      }
    }
    aead.destroy()
  })

  subject.test('a sealed message shorter than a tag is refused with both sizes in the message', async () => {
    const aead = await subject.create()
    for (const form of formsOf(aead)) {
      for (const length of [0, 1, params.tagBytes - 1]) {
        const what = `${form.name}, ${length} sealed bytes`
        const error = await refused(
          () => form.open(subject.nonce(), pattern(length, 1)),
          'invalid-argument',
          what,
        )
        namesSizes(error, params.tagBytes, length, what)
      }
    }
    aead.destroy()
  })

  subject.test(
    'an unknown algorithm is refused with invalid-argument, one the backend lacks with unsupported',
    async () => {
      for (const name of ['bf-cbc', 'rc4', 'des-ede3-cbc', id.toUpperCase(), '']) {
        await refused(
          () => createAead(suite.backend, name as AlgorithmId, subject.key()),
          'invalid-argument',
          `algorithm "${name}"`,
        )
      }
    },
  )

  subject.test('the fixed list of failing calls has the fixed codes', async () => {
    const aead = await subject.create()
    const sealed = await sealedForFailing(subject, aead)
    for (const { name, code, call } of failingCalls(subject, sealed))
      await refused(() => call(aead), code, name)
    aead.destroy()
  })

  subject.test('authentication failures have one text and no cause', async () => {
    const aead = await subject.create()
    const sealed = await sealedForFailing(subject, aead)
    const texts = new Set<string>()
    for (const { name, code, call } of failingCalls(subject, sealed)) {
      if (code !== 'auth-failed') continue
      const error = await refused(() => call(aead), code, name)
      check(error.cause === undefined, `${name}: an authentication failure must carry no cause`)
      texts.add(error.message)
    }
    check(texts.size === 1, `authentication failures differ in text: ${[...texts].join(' | ')}`)
    aead.destroy()
  })

  subject.test('no error shows a byte of key, nonce, plaintext or AAD', async () => {
    const key = subject.key()
    const aead = await subject.create(key)
    const sealed = await sealedForFailing(subject, aead)
    const secrets = [key, subject.nonce(), subject.nonce(99), pattern(40, 3), pattern(9, 5), sealed]
    const calls: (() => unknown)[] = failingCalls(subject, sealed).map(
      ({ call }) =>
        () =>
          call(aead),
    )
    calls.push(() => subject.create(key.subarray(1)))
    for (const form of formsOf(aead)) {
      calls.push(() => form.open(subject.nonce(), flipped(sealed, -1), pattern(9, 5)))
      calls.push(() => form.seal(subject.nonce().subarray(1), pattern(40, 3), pattern(9, 5)))
    }
    for (const call of calls) {
      const shown = shownBy(await errorOf(call, 'a failing call'))
      for (const secret of secrets) {
        const leak = spellings(secret).find((text) => shown.includes(text))
        check(leak === undefined, 'an error shows bytes of a secret in its message, JSON, stack or cause')
      }
    }
    aead.destroy()
  })
}
