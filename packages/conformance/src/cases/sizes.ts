import { equalBytes, pattern, refused } from '../check.ts'
import { formsOf } from '../forms.ts'
import type { Subject } from '../suite.ts'

/** Lengths around every block size in use, a packet, and a page. */
export const SIZES: readonly number[] = [0, 1, 15, 16, 17, 63, 64, 65, 1350, 8193]

/** Largest limit that is worth one allocation to see it enforced. */
const TRIABLE_BYTES = 67_108_864

/** Every pair of lengths, and the longest message. */
export function sizeCases(subject: Subject): void {
  const { params } = subject

  subject.test(
    'every pair of plaintext and AAD sizes opens to what was sealed, the same in every form',
    async () => {
      const aead = await subject.create()
      let number = 0
      for (const plaintextBytes of SIZES) {
        for (const aadBytes of SIZES) {
          const what = `${plaintextBytes} bytes of plaintext, ${aadBytes} of AAD`
          const nonce = subject.nonce(number++)
          const plaintext = pattern(plaintextBytes, 3)
          const aad = pattern(aadBytes, 5)
          if (!subject.takes(plaintextBytes, aadBytes)) {
            await refused(() => aead.seal(nonce, plaintext, aad), 'invalid-argument', what)
            continue
          }
          const sealed = await aead.seal(nonce, plaintext, aad)
          for (const form of formsOf(aead)) {
            equalBytes(await form.seal(nonce, plaintext, aad), sealed, `${form.name} seal, ${what}`)
            equalBytes(await form.open(nonce, sealed, aad), plaintext, `${form.name} open, ${what}`)
          }
        }
      }
      aead.destroy()
    },
  )

  subject.test('the sealed message is exactly one tag longer than the plaintext', async () => {
    const aead = await subject.create()
    for (const bytes of SIZES) {
      const sealed = await aead.seal(subject.nonce(bytes), pattern(bytes, 3), pattern(5, 4))
      equalBytes(
        Uint8Array.of(sealed.length - bytes),
        Uint8Array.of(params.tagBytes),
        `tag length at ${bytes} bytes`,
      )
    }
    aead.destroy()
  })

  subject.test('a message longer than maxBytes is refused with limit-exceeded', async () => {
    const aead = await subject.create()
    const { maxBytes } = aead.guarantees
    if (maxBytes < TRIABLE_BYTES) {
      for (const form of formsOf(aead)) {
        const tooLong = new Uint8Array(maxBytes + 1)
        await refused(() => form.seal(subject.nonce(), tooLong), 'limit-exceeded', `${form.name} seal`)
        const sealed = new Uint8Array(maxBytes + 1 + params.tagBytes)
        await refused(() => form.open(subject.nonce(), sealed), 'limit-exceeded', `${form.name} open`)
      }
    }
    aead.destroy()
  })

  subject.test('an empty plaintext opens to a zero-length array', async () => {
    const aead = await subject.create()
    const aad = pattern(3, 4)
    const sealed = await aead.seal(subject.nonce(), new Uint8Array(0), aad)
    for (const form of formsOf(aead)) {
      equalBytes(await form.open(subject.nonce(), sealed, aad), new Uint8Array(0), `${form.name} open`)
    }
    aead.destroy()
  })

  subject.test('missing, undefined and empty AAD are the same', async () => {
    const aead = await subject.create()
    const plaintext = pattern(20, 3)
    for (const form of formsOf(aead)) {
      const sealed = await form.seal(subject.nonce(), plaintext, new Uint8Array(0))
      equalBytes(await form.seal(subject.nonce(), plaintext), sealed, `${form.name} without AAD`)
      equalBytes(
        await form.seal(subject.nonce(), plaintext, undefined),
        sealed,
        `${form.name} with undefined`,
      )
      equalBytes(await form.open(subject.nonce(), sealed), plaintext, `${form.name} open without AAD`)
      equalBytes(
        await form.open(subject.nonce(), sealed, undefined),
        plaintext,
        `${form.name} open with undefined`,
      )
    }
    aead.destroy()
  })
}
