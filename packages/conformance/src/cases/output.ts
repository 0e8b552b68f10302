import type { Bytes } from '@aeadkit/core'
import { check, equalBytes, pattern } from '../check.ts'
import { type CallForm, formsOf } from '../forms.ts'
import type { Subject } from '../suite.ts'

const SOME_LARGER: readonly number[] = [511, 512, 1024, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8192]

/** Every length up to 300 bytes, where pooled memory shows, and some up to a page and more. */
function lengths(): readonly number[] {
  return [...Array.from({ length: 301 }, (_, i) => i), ...SOME_LARGER]
}

function ownsItsBytes(out: Bytes, expectedBytes: number, what: string): void {
  check(out.length === expectedBytes, `${what}: expected ${expectedBytes} bytes, got ${out.length}`)
  check(out.byteOffset === 0, `${what}: starts at byte ${out.byteOffset} of its buffer`)
  check(
    out.buffer.byteLength === out.length,
    `${what}: its buffer has ${out.buffer.byteLength} bytes for ${out.length}`,
  )
  check(
    Object.prototype.toString.call(out.buffer) === '[object ArrayBuffer]',
    `${what}: its memory is shared`,
  )
  check(Object.getPrototypeOf(out) === Uint8Array.prototype, `${what}: not a plain Uint8Array`)
}

function transfers(out: Bytes, what: string): void {
  if (typeof structuredClone !== 'function') return
  const before = out.slice()
  const moved = structuredClone(out, { transfer: [out.buffer] })
  equalBytes(moved, before, `${what}, after a transfer`)
}

/** Forms that return a new array. */
function returning(forms: readonly CallForm[]): readonly CallForm[] {
  return forms.filter((form) => form.name !== 'into')
}

/** Results own exactly their bytes. */
export function outputCases(subject: Subject): void {
  const { tagBytes } = subject.params

  subject.test('R39: results own exactly their bytes and can be transferred', async () => {
    const aead = await subject.create()
    const aad = pattern(3, 4)
    for (const form of returning(formsOf(aead))) {
      for (const length of lengths()) {
        const nonce = subject.nonce(length)
        const sealed = await form.seal(nonce, pattern(length, 3), aad)
        ownsItsBytes(sealed, length + tagBytes, `${form.name} seal of ${length} bytes`)
        const opened = await form.open(nonce, sealed, aad)
        ownsItsBytes(opened, length, `${form.name} open of ${length} bytes`)
        if (length % 50 !== 0) continue
        transfers(sealed, `${form.name} seal of ${length} bytes`)
        transfers(opened, `${form.name} open of ${length} bytes`)
      }
    }
    aead.destroy()
  })

  subject.test('a result does not change when the Aead is used again, wiped or destroyed', async () => {
    const aead = await subject.create()
    const aad = pattern(3, 4)
    for (const form of returning(formsOf(aead))) {
      const plaintext = pattern(100, 3)
      const sealed = await form.seal(subject.nonce(1), plaintext, aad)
      const opened = await form.open(subject.nonce(1), sealed, aad)
      const before = { sealed: sealed.slice(), opened: opened.slice() }
      plaintext.fill(0)
      await form.seal(subject.nonce(2), pattern(100, 9), aad)
      await form.open(subject.nonce(1), sealed, aad)
      equalBytes(sealed, before.sealed, `sealed message after another ${form.name} call`)
      equalBytes(opened, before.opened, `plaintext after another ${form.name} call`)
      sealed.fill(0)
      equalBytes(opened, before.opened, `plaintext after its ${form.name} input was wiped`)
    }
    const kept = await aead.seal(subject.nonce(3), pattern(100, 3), aad)
    const copy = kept.slice()
    aead.destroy()
    equalBytes(kept, copy, 'sealed message after destroy')
  })
}
