import type { Bytes, SyncAead } from '@aeadkit/core'
import { check, equalBytes, flipped, pattern, refused } from '../check.ts'
import { asSync } from '../forms.ts'
import type { Subject } from '../suite.ts'

const FILLER = 0xcc
const FRONT = 32
const LENGTHS: readonly number[] = [0, 1, 15, 16, 17, 64, 65, 1350]

/** A large array full of one value; `part` is a view of it. */
function arena(length: number): Bytes {
  return new Uint8Array(length).fill(FILLER)
}

function onlyChanged(memory: Bytes, from: number, to: number, what: string): void {
  const outside = memory.findIndex((byte, i) => byte !== FILLER && (i < from || i >= to))
  check(outside === -1, `${what}: wrote at byte ${outside}, outside ${from} to ${to}`)
}

interface Fixture {
  readonly aead: SyncAead
  readonly nonce: Bytes
  readonly aad: Bytes
  readonly tagBytes: number
  plaintext(length: number): Bytes
  sealed(length: number): Bytes
}

async function fixture(subject: Subject): Promise<Fixture> {
  const aead = asSync(await subject.create())
  const nonce = subject.nonce()
  const aad = pattern(13, 5)
  const plaintext = (length: number): Bytes => pattern(length, 3)
  return {
    aead,
    nonce,
    aad,
    tagBytes: subject.params.tagBytes,
    plaintext,
    sealed: (length) => aead.sealSync(nonce, plaintext(length), aad),
  }
}

/** Runs `call` on memory that must be the same afterwards, and expects `invalid-argument`. */
async function refusedUntouched(memory: Bytes, call: () => unknown, what: string): Promise<Error> {
  const before = memory.slice()
  const error = await refused(call, 'invalid-argument', what)
  equalBytes(memory, before, `memory after the refusal of ${what}`)
  return error
}

/** The forms that write into the caller's memory; only synchronous backends have them. */
export function intoCases(subject: Subject): void {
  subject.test(
    'into-forms write at offset 0, return the count and leave the rest of out untouched',
    async () => {
      const { aead, nonce, aad, tagBytes, plaintext, sealed } = await fixture(subject)
      for (const length of LENGTHS) {
        const what = `${length} bytes`
        const memory = arena(FRONT + length + tagBytes + 50)
        const written = aead.sealIntoSync(memory.subarray(FRONT), nonce, plaintext(length), aad)
        check(written === length + tagBytes, `sealIntoSync of ${what} returned ${written}`)
        equalBytes(memory.subarray(FRONT, FRONT + written), sealed(length), `sealIntoSync of ${what}`)
        onlyChanged(memory, FRONT, FRONT + written, `sealIntoSync of ${what}`)
        const target = arena(FRONT + length + 50)
        const read = aead.openIntoSync(target.subarray(FRONT), nonce, sealed(length), aad)
        check(read === length, `openIntoSync of ${what} returned ${read}`)
        equalBytes(target.subarray(FRONT, FRONT + read), plaintext(length), `openIntoSync of ${what}`)
        onlyChanged(target, FRONT, FRONT + read, `openIntoSync of ${what}`)
      }
      aead.destroy()
    },
  )

  subject.test('out may start exactly where the input starts', async () => {
    const { aead, nonce, aad, tagBytes, plaintext, sealed } = await fixture(subject)
    for (const front of [0, FRONT]) {
      for (const length of LENGTHS) {
        const what = `in place at ${front}, ${length} bytes`
        const memory = arena(front + length + tagBytes + 50)
        memory.set(plaintext(length), front)
        aead.sealIntoSync(memory.subarray(front), nonce, memory.subarray(front, front + length), aad)
        equalBytes(memory.subarray(front, front + length + tagBytes), sealed(length), `seal ${what}`)
        onlyChanged(memory, front, front + length + tagBytes, `seal ${what}`)
        const input = memory.subarray(front, front + length + tagBytes)
        const out = length === 0 ? memory.subarray(front) : input
        aead.openIntoSync(out, nonce, input, aad)
        equalBytes(memory.subarray(front, front + length), plaintext(length), `open ${what}`)
      }
    }
    aead.destroy()
  })

  subject.test('every other overlap of out with an input is refused and changes nothing', async () => {
    const { aead, nonce, aad, tagBytes, plaintext, sealed } = await fixture(subject)
    const length = 40
    for (const shift of [-1, 1, -8, 16]) {
      const memory = arena(200)
      memory.set(plaintext(length), FRONT)
      const input = memory.subarray(FRONT, FRONT + length)
      const out = memory.subarray(FRONT + shift, FRONT + shift + length + tagBytes)
      await refusedUntouched(
        memory,
        () => aead.sealIntoSync(out, nonce, input, aad),
        `seal shifted by ${shift}`,
      )
      memory.set(sealed(length), FRONT)
      const box = memory.subarray(FRONT, FRONT + length + tagBytes)
      const target = memory.subarray(FRONT + shift, FRONT + shift + length)
      await refusedUntouched(
        memory,
        () => aead.openIntoSync(target, nonce, box, aad),
        `open shifted by ${shift}`,
      )
    }
    for (const name of ['nonce', 'aad'] as const) {
      const memory = arena(200)
      const part = name === 'nonce' ? nonce : aad
      memory.set(part, 20)
      const view = memory.subarray(20, 20 + part.length)
      const [nonceInput, aadInput] = name === 'nonce' ? [view, aad] : [nonce, view]
      const seal = (): unknown => aead.sealIntoSync(memory, nonceInput, plaintext(length), aadInput)
      await refusedUntouched(memory, seal, `seal over the ${name}`)
      const box = sealed(length)
      await refusedUntouched(
        memory,
        () => aead.openIntoSync(memory, nonceInput, box, aadInput),
        `open over the ${name}`,
      )
    }
    aead.destroy()
  })

  subject.test('out that is too small is refused with both sizes and stays untouched', async () => {
    const { aead, nonce, aad, tagBytes, plaintext, sealed } = await fixture(subject)
    const length = 40
    for (const [needed, call] of [
      [length + tagBytes, (out: Bytes) => aead.sealIntoSync(out, nonce, plaintext(length), aad)],
      [length, (out: Bytes) => aead.openIntoSync(out, nonce, sealed(length), aad)],
    ] as const) {
      const out = arena(needed - 1)
      const error = await refusedUntouched(out, () => call(out), `out of ${needed - 1} bytes`)
      const stated = [needed, needed - 1].every((size) => new RegExp(`\\b${size}\\b`).test(error.message))
      check(stated, `the message does not state ${needed} and ${needed - 1}: ${error.message}`)
    }
    aead.destroy()
  })

  subject.test('R22: a failed open leaves out and the input unchanged, in place too', async () => {
    const { aead, nonce, aad, sealed } = await fixture(subject)
    for (const length of [...LENGTHS, 8193]) {
      for (const at of [0, -1]) {
        const forged = flipped(sealed(length), at)
        const before = forged.slice()
        const out = arena(length + 20)
        await refused(
          () => aead.openIntoSync(out, nonce, forged, aad),
          'auth-failed',
          `open of ${length} bytes`,
        )
        onlyChanged(out, 0, 0, `failed open of ${length} bytes`)
        equalBytes(forged, before, `input of a failed open of ${length} bytes`)
        await refused(
          () => aead.openIntoSync(forged, nonce, forged, aad),
          'auth-failed',
          `open in place of ${length} bytes`,
        )
        equalBytes(forged, before, `input of a failed open in place of ${length} bytes`)
      }
    }
    aead.destroy()
  })

  subject.test('a refused seal leaves out unchanged', async () => {
    const { aead, nonce, aad, plaintext } = await fixture(subject)
    const out = arena(100)
    const text = 'text' as unknown as Bytes
    await refusedUntouched(
      out,
      () => aead.sealIntoSync(out, nonce.subarray(1), plaintext(20), aad),
      'a short nonce',
    )
    await refusedUntouched(out, () => aead.sealIntoSync(out, nonce, text, aad), 'text as plaintext')
    await refusedUntouched(out, () => aead.sealIntoSync(out, nonce, plaintext(20), text), 'text as AAD')
    aead.destroy()
  })

  subject.test('the raw open leaves nothing of the plaintext in out after a bad tag', async () => {
    const { backend, options } = subject.suite
    if (!backend.sync || options.createAead !== undefined) return
    const { aead, nonce, aad, tagBytes, sealed } = await fixture(subject)
    const raw = backend.raw.create(subject.params, subject.key())
    const tagFirst = subject.params.tagPosition === 'start'
    for (const length of [1, 16, 64, 1350, 8193]) {
      const box = flipped(sealed(length), tagFirst ? 0 : -1)
      const out = arena(length)
      const ok = raw.open(nonce, box, tagFirst ? tagBytes : 0, tagFirst ? 0 : length, length, aad, out)
      check(ok === false, `the raw open of ${length} bytes did not return false for a bad tag`)
      const allowed = raw.atomic ? [FILLER] : [FILLER, 0]
      check(
        out.every((byte) => allowed.includes(byte)),
        `the raw open of ${length} bytes left output behind after a bad tag, ${raw.atomic ? 'though it says atomic' : 'not wiped'}`,
      )
    }
    raw.destroy()
    aead.destroy()
  })
}
