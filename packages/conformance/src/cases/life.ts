import { type Aead, ALGORITHMS, type Bytes, isMisuseResistant } from '@aeadkit/core'
import { check, equalBytes, pattern, refused, sameBytes } from '../check.ts'
import { formsOf } from '../forms.ts'
import type { Subject } from '../suite.ts'

const LEVELS: readonly string[] = ['structural', 'bitsliced', 'hardware', 'platform', 'none', 'unknown']
const MODULE_STATES: readonly string[] = ['off', 'requested-unusable', 'enforcing', 'unknown']
const FIPS_WORDS: readonly string[] = ['approved', 'composition', 'not-approved']
const PARALLEL_CALLS = 32

function checkGuarantees(subject: Subject, aead: Aead): void {
  const { constantTime, fips, oneShot, maxBytes, allocates } = aead.guarantees
  const { level, basis, asOf } = constantTime
  check(LEVELS.includes(level), `constantTime.level is ${level}, not one of ${LEVELS.join(', ')}`)
  check(
    typeof basis === 'string' && basis.trim().length > 0 && !basis.includes('\n'),
    'constantTime.basis is not one line of text',
  )
  check(/^\d{4}-\d{2}-\d{2}$/.test(asOf), `constantTime.asOf is ${asOf}, not a day as YYYY-MM-DD`)
  check(
    FIPS_WORDS.includes(fips.algorithm) && fips.algorithm === subject.params.fips,
    `fips.algorithm is ${fips.algorithm}`,
  )
  check(
    MODULE_STATES.includes(fips.module),
    `fips.module is ${fips.module}, not one of ${MODULE_STATES.join(', ')}`,
  )
  check(typeof oneShot === 'boolean', 'oneShot is not a boolean')
  const most = Number(subject.params.maxPlaintextBytes)
  check(Number.isInteger(maxBytes) && maxBytes > 0 && maxBytes <= most, `maxBytes is ${maxBytes}`)
  check(allocates === 'nothing' || allocates === 'message', `allocates is ${String(allocates)}`)
}

/** Lifetime, concurrency, tripwire and what an Aead says of itself. */
export function lifeCases(subject: Subject): void {
  const { suite, id, params } = subject
  const plaintext = pattern(50, 3)
  const aad = pattern(7, 5)

  subject.test('guarantees are present and well formed, params are those of the table', async () => {
    const aead = await subject.create()
    checkGuarantees(subject, aead)
    check(aead.params === ALGORITHMS[id] || aead.params.id === id, `params are those of ${aead.params.id}`)
    for (const name of ['keyBytes', 'nonceBytes', 'tagBytes', 'tagPosition'] as const) {
      check(aead.params[name] === ALGORITHMS[id][name], `params.${name} is ${aead.params[name]}`)
    }
    check(typeof aead.backendName === 'string' && aead.backendName.length > 0, 'backendName is empty')
    aead.destroy()
  })

  subject.test(
    'every call after destroy is refused with destroyed; destroy may be called again',
    async () => {
      const aead = await subject.create()
      const sealed = await aead.seal(subject.nonce(), plaintext, aad)
      const survivor = await subject.create()
      const dispose: unknown = typeof Symbol.dispose === 'symbol' ? aead[Symbol.dispose] : undefined
      if (typeof dispose === 'function') dispose.call(aead)
      aead.destroy()
      aead.destroy()
      for (const form of formsOf(aead)) {
        await refused(() => form.seal(subject.nonce(1), plaintext, aad), 'destroyed', `${form.name} seal`)
        await refused(() => form.open(subject.nonce(), sealed, aad), 'destroyed', `${form.name} open`)
      }
      equalBytes(
        await survivor.open(subject.nonce(), sealed, aad),
        plaintext,
        'another Aead with the same key',
      )
      survivor.destroy()
    },
  )

  subject.test(`${PARALLEL_CALLS} calls at once on one Aead are all right`, async () => {
    const aead = await subject.create()
    const numbers = Array.from({ length: PARALLEL_CALLS }, (_, i) => i)
    const messageOf = (i: number): Bytes => pattern(1 + 53 * i, i)
    const sealed = await Promise.all(
      numbers.map((i) => aead.seal(subject.nonce(i), messageOf(i), pattern(i, 5))),
    )
    const alone = await subject.create()
    for (const i of numbers) {
      equalBytes(
        sealed[i]!,
        await alone.seal(subject.nonce(i), messageOf(i), pattern(i, 5)),
        `seal ${i} of many at once`,
      )
    }
    const opened = await Promise.all(
      numbers.map((i) => aead.open(subject.nonce(i), sealed[i]!, pattern(i, 5))),
    )
    for (const i of numbers) equalBytes(opened[i]!, messageOf(i), `open ${i} of many at once`)
    aead.destroy()
    alone.destroy()
  })

  subject.test('two Aeads with different keys do not disturb one another', async () => {
    const first = await subject.create(subject.key(1))
    const second = await subject.create(subject.key(2))
    const boxes: (readonly [Bytes, Bytes])[] = []
    for (let i = 0; i < 4; i++) {
      boxes.push([
        await first.seal(subject.nonce(i), plaintext, aad),
        await second.seal(subject.nonce(i), plaintext, aad),
      ])
    }
    for (const [i, [a, b]] of boxes.entries()) {
      check(!sameBytes(a, b), 'two keys gave the same sealed message')
      equalBytes(await second.open(subject.nonce(i), b, aad), plaintext, 'second key')
      equalBytes(await first.open(subject.nonce(i), a, aad), plaintext, 'first key')
      await refused(
        () => first.open(subject.nonce(i), b, aad),
        'auth-failed',
        'first key on a message of the second',
      )
      await refused(
        () => second.open(subject.nonce(i), a, aad),
        'auth-failed',
        'second key on a message of the first',
      )
    }
    first.destroy()
    second.destroy()
  })

  subject.test('a refused open does not disturb the next calls', async () => {
    const aead = await subject.create()
    for (const form of formsOf(aead)) {
      const sealed = await form.seal(subject.nonce(), plaintext, aad)
      await refused(() => form.open(subject.nonce(1), sealed, aad), 'auth-failed', `${form.name} open`)
      equalBytes(
        await form.open(subject.nonce(), sealed, aad),
        plaintext,
        `${form.name} open after a refusal`,
      )
      equalBytes(
        await form.seal(subject.nonce(), plaintext, aad),
        sealed,
        `${form.name} seal after a refusal`,
      )
    }
    aead.destroy()
  })

  subject.test(
    'R42: sealing twice with one nonce is refused with nonce-reused, except in modes that survive it',
    async () => {
      const aead = await suite.create(id, subject.key())
      let number = 0
      for (const form of formsOf(aead)) {
        const nonce = subject.nonce(++number)
        const sealed = await form.seal(nonce, plaintext, aad)
        if (isMisuseResistant(params)) {
          equalBytes(await form.seal(nonce, plaintext, aad), sealed, `${form.name} seal with the same nonce`)
        } else {
          await refused(
            () => form.seal(nonce, plaintext, aad),
            'nonce-reused',
            `${form.name} seal with the same nonce`,
          )
          await refused(
            () => form.seal(nonce.slice(), pattern(3, 8)),
            'nonce-reused',
            `${form.name} seal with an equal nonce`,
          )
        }
        equalBytes(await form.open(nonce, sealed, aad), plaintext, `${form.name} open with that nonce`)
        equalBytes(await form.open(nonce, sealed, aad), plaintext, `${form.name} open twice with that nonce`)
        await form.seal(subject.nonce(++number), plaintext, aad)
      }
      aead.destroy()
      const unchecked = await subject.create()
      const first = await unchecked.seal(subject.nonce(), plaintext, aad)
      equalBytes(await unchecked.seal(subject.nonce(), plaintext, aad), first, 'nonceCheck: false')
      unchecked.destroy()
    },
  )

  subject.test('the nonce of a failed seal may be used', async () => {
    const aead = await suite.create(id, subject.key())
    const text = 'text' as unknown as Bytes
    let number = 0
    for (const form of formsOf(aead)) {
      const nonce = subject.nonce(++number)
      await refused(() => form.seal(nonce, text, aad), 'invalid-argument', `${form.name} seal of text`)
      await refused(
        () => form.seal(nonce, plaintext, text),
        'invalid-argument',
        `${form.name} seal with text as AAD`,
      )
      const sealed = await form.seal(nonce, plaintext, aad)
      equalBytes(await form.open(nonce, sealed, aad), plaintext, `${form.name} open`)
    }
    aead.destroy()
  })

  subject.test('two calls at once cannot share a nonce', async () => {
    if (isMisuseResistant(params)) return
    const aead = await suite.create(id, subject.key())
    const calls = [
      aead.seal(subject.nonce(), plaintext, aad),
      aead.seal(subject.nonce(), pattern(50, 9), aad),
    ]
    const [first, second] = await Promise.allSettled(calls)
    check(first?.status === 'fulfilled', 'the first of two calls with one nonce failed')
    check(second?.status === 'rejected', 'two calls at once with one nonce both succeeded')
    await refused(() => Promise.reject(second.reason), 'nonce-reused', 'the second call with one nonce')
    aead.destroy()
  })
}
