import { type Bytes, isAeadError } from '@aeadkit/core'
import { createLegacyOpener } from '@aeadkit/core/unsafe'
import { check, equalBytes, flipped, fromHex, joined, refused } from '../check.ts'
import { formsOf } from '../forms.ts'
import { FIXED_ANSWERS } from '../known-answers/fixed.ts'
import type { Subject } from '../suite.ts'
import { bytesOf, type VectorBytes } from './answers.ts'

const FILLER = 0xee
const LATE_AAD = 'hdr:v2'

function ascii(text: string): Bytes {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/** The fixed input of the algorithm with its published result. */
function fixedBytes(subject: Subject): VectorBytes | undefined {
  const answer = FIXED_ANSWERS.find((item) => item.algorithm === subject.id && item.id === 'fixed value')
  return answer === undefined ? undefined : bytesOf({ ...answer, result: 'valid', flags: [], comment: '' })
}

/** Kinds of fault that users of such libraries reported, each with one fixed input. */
export function reportCases(subject: Subject): void {
  const fixed = fixedBytes(subject)
  if (fixed === undefined) return
  const { key, nonce, aad, plaintext, sealed, tagBytes, tagFirst } = fixed
  const at = tagFirst ? tagBytes : 0
  const ciphertext = sealed.subarray(at, at + plaintext.length)
  const tag = tagFirst ? sealed.subarray(0, tagBytes) : sealed.subarray(plaintext.length)

  subject.test('R01: a tag cut to 4, 8, 12 or 15 bytes is refused', async () => {
    const aead = await subject.create(key)
    for (const form of formsOf(aead)) {
      for (const length of [4, 8, 12, 15].filter((cut) => cut < tagBytes)) {
        const cut = tag.subarray(0, length)
        const input = tagFirst ? joined(cut, ciphertext) : joined(ciphertext, cut)
        await refused(
          () => form.open(nonce, input, aad),
          ['auth-failed', 'invalid-argument'],
          `${form.name}, tag of ${length} bytes`,
        )
        await refused(
          () => form.open(nonce, cut, aad),
          'invalid-argument',
          `${form.name}, nothing but ${length} bytes of tag`,
        )
      }
    }
    aead.destroy()
  })

  subject.test('R02: what is public has its own code, authentication failure has exactly one', async () => {
    const aead = await subject.create(key)
    for (const form of formsOf(aead)) {
      const short = await refused(
        () => form.open(nonce, sealed.subarray(0, tagBytes - 1), aad),
        'invalid-argument',
        `${form.name}, too short`,
      )
      check(
        /short/i.test(short.message),
        `${form.name}: the message does not say too short: ${short.message}`,
      )
      await refused(() => form.open(nonce, sealed, ascii(LATE_AAD)), 'auth-failed', `${form.name}, other AAD`)
      await refused(
        () => form.open(nonce.subarray(1), sealed, aad),
        'invalid-argument',
        `${form.name}, short nonce`,
      )
    }
    await refused(() => subject.create(key.subarray(1)), 'invalid-argument', 'short key')
    aead.destroy()
  })

  subject.test(
    'R04: one layout: ciphertext and tag as published, in two parts of the right lengths',
    async () => {
      const aead = await subject.create(key)
      for (const form of formsOf(aead))
        equalBytes(await form.seal(nonce, plaintext, aad), sealed, `${form.name} seal`)
      check(ciphertext.length === plaintext.length && tag.length === tagBytes, 'the parts have other lengths')
      const rejoined = tagFirst ? joined(tag, ciphertext) : joined(ciphertext, tag)
      equalBytes(await aead.open(nonce, rejoined, aad), plaintext, 'parts put together again')
      aead.destroy()
    },
  )

  subject.test('R05: AAD put together from parts gives the published result', async () => {
    const aead = await subject.create(key)
    for (const form of formsOf(aead)) {
      equalBytes(
        await form.seal(nonce, plaintext, joined(ascii('hdr:'), ascii('v1'))),
        sealed,
        `${form.name} seal`,
      )
    }
    aead.destroy()
  })

  subject.test('R06: empty plaintext and empty AAD work, and open to a zero-length array', async () => {
    const aead = await subject.create(key)
    const published = FIXED_ANSWERS.filter(
      (item) => item.algorithm === subject.id && item.id.includes('empty'),
    )
    for (const answer of published) {
      const expected = bytesOf({ ...answer, result: 'valid', flags: [], comment: '' })
      equalBytes(await aead.seal(nonce, expected.plaintext, expected.aad), expected.sealed, answer.id)
    }
    for (const form of formsOf(aead)) {
      for (const header of [aad, new Uint8Array(0), undefined]) {
        const box = await form.seal(nonce, new Uint8Array(0), header)
        check(box.length === tagBytes, `${form.name}: an empty message sealed to ${box.length} bytes`)
        equalBytes(await form.open(nonce, box, header), new Uint8Array(0), `${form.name} open`)
      }
    }
    aead.destroy()
  })

  subject.test('R19: a message inside a larger buffer opens', async () => {
    const aead = await subject.create(key)
    const large = new Uint8Array(512).fill(FILLER)
    large.set(sealed, 100)
    for (const form of formsOf(aead)) {
      equalBytes(
        await form.open(nonce, large.subarray(100, 100 + sealed.length), aad),
        plaintext,
        `${form.name} open`,
      )
    }
    aead.destroy()
  })

  subject.test('R20: a Uint16Array and a DataView are their bytes', async () => {
    const aead = await subject.create(key)
    const bytes = ascii('aabbcc')
    const expected = await aead.seal(nonce, bytes, aad)
    const shifted = joined(new Uint8Array(5), bytes)
    for (const form of formsOf(aead)) {
      equalBytes(
        await form.seal(nonce, new Uint16Array([0x6161, 0x6262, 0x6363]), aad),
        expected,
        `${form.name}, Uint16Array`,
      )
      equalBytes(
        await form.seal(nonce, new DataView(shifted.buffer, 5, 6), aad),
        expected,
        `${form.name}, DataView`,
      )
    }
    aead.destroy()
  })

  subject.test('R21: a view of shared memory gives the published result', async () => {
    if (typeof SharedArrayBuffer === 'undefined') {
      subject.suite.report.missingInputs.add('a view of shared memory')
      return
    }
    const aead = await subject.create(key)
    const view = new Uint8Array(new SharedArrayBuffer(plaintext.length))
    view.set(plaintext)
    for (const form of formsOf(aead))
      equalBytes(await form.seal(nonce, view, aad), sealed, `${form.name} seal`)
    aead.destroy()
  })

  subject.test('R22: the published message with its last bit flipped fails and stays as it was', async () => {
    const aead = await subject.create(key)
    const forged = flipped(sealed, -1)
    const before = forged.slice()
    for (const form of formsOf(aead)) {
      await refused(() => form.open(nonce, forged, aad), 'auth-failed', `${form.name} open`)
      equalBytes(forged, before, `${form.name}: the message after a failed open`)
    }
    aead.destroy()
  })

  for (const foreign of subject.suite.options.foreignBytes ?? []) {
    subject.test(
      `R18: key, nonce, plaintext and AAD of ${foreign.name} give the published result`,
      async () => {
        const aead = await subject.create(foreign.make(key.slice()))
        const made = [nonce, plaintext, aad, sealed].map((bytes) => foreign.make(bytes.slice()))
        for (const form of formsOf(aead)) {
          equalBytes(await form.seal(made[0]!, made[1]!, made[2]), sealed, `${form.name} seal`)
          equalBytes(await form.open(made[0]!, made[3]!, made[2]), plaintext, `${form.name} open`)
        }
        aead.destroy()
      },
    )
  }

  legacyCase(subject, fixed)
}

/** GCM with a 16-byte nonce: refused for sealing, opened only through the unsafe entry. */
function legacyCase(subject: Subject, fixed: VectorBytes): void {
  if (subject.id !== 'aes-256-gcm') return
  subject.test(
    'R03: a 16-byte nonce is refused, except for opening old data through the unsafe entry',
    async () => {
      const { key, plaintext, aad } = fixed
      const nonce = fromHex('a0a1a2a3a4a5a6a7a8a9aaabacadaeaf')
      const sealed = fromHex('69bc95beaeaed550f2e8ec232a93c2c7b8d6b7f0eae6420525eaca91a7d870bd3558188778d9')
      const aead = await subject.create(key)
      for (const form of formsOf(aead)) {
        await refused(() => form.seal(nonce, plaintext, aad), 'invalid-argument', `${form.name} seal`)
        await refused(() => form.open(nonce, sealed, aad), 'invalid-argument', `${form.name} open`)
      }
      aead.destroy()
      try {
        const opener = await createLegacyOpener(subject.suite.backend, subject.id, key, { nonceBytes: 16 })
        equalBytes(await opener.open(nonce, sealed, aad), plaintext, 'legacy open')
        check(!('seal' in opener), 'a legacy opener must not seal')
        opener.destroy()
      } catch (error) {
        if (!isAeadError(error, 'unsupported')) throw error
      }
    },
  )
}
