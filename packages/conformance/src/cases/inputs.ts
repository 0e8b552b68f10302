import type { Bytes, BytesInput } from '@aeadkit/core'
import { equalBytes, pattern, refused } from '../check.ts'
import { formsOf } from '../forms.ts'
import type { ForeignBytes, Subject, Suite } from '../suite.ts'

const FILLER = 0xee

/** The bytes at `offset` of a larger buffer full of another value. */
function within(bytes: Bytes, offset: number): Bytes {
  const large = new Uint8Array(offset + bytes.length + 64).fill(FILLER)
  large.set(bytes, offset)
  return large.subarray(offset, offset + bytes.length)
}

type BufferWithMax = new (length: number, options: { maxByteLength: number }) => ArrayBufferLike

/** A buffer that can grow; `undefined` on runtimes that ignore the option. */
function growing(Maker: BufferWithMax | undefined, bytes: Bytes): ArrayBufferLike | undefined {
  if (Maker === undefined) return undefined
  const buffer = new Maker(bytes.length, { maxByteLength: bytes.length + 64 })
  const { resizable, growable } = buffer as { resizable?: boolean; growable?: boolean }
  if (resizable !== true && growable !== true) return undefined
  new Uint8Array(buffer).set(bytes)
  return buffer
}

function shared(bytes: Bytes, offset: number): Uint8Array | undefined {
  if (typeof SharedArrayBuffer === 'undefined') return undefined
  const buffer = new SharedArrayBuffer(offset + bytes.length + 9)
  new Uint8Array(buffer).fill(FILLER)
  const view = new Uint8Array(buffer, offset, bytes.length)
  view.set(bytes)
  return view
}

/** How a kind of input is made; `undefined`: this runtime lacks it. */
interface Kind {
  readonly name: string
  make(bytes: Bytes): BytesInput | undefined
  /** A disguise of such an input, which must change nothing. */
  disguise?(input: BytesInput): BytesInput
}

const KINDS: readonly Kind[] = [
  { name: 'a view inside a larger buffer', make: (bytes) => within(bytes, 100) },
  {
    name: 'a DataView at an odd offset',
    make: (bytes) => {
      const view = within(bytes, 5)
      return new DataView(view.buffer, view.byteOffset, view.byteLength)
    },
  },
  {
    name: 'a Uint16Array',
    make: (bytes) => {
      const view = within(bytes, 6)
      return new Uint16Array(view.buffer, 6, bytes.length / 2)
    },
    // It then has the methods of bytes, and counts and reads elements.
    disguise: (input) => Object.setPrototypeOf(input, Uint8Array.prototype) as BytesInput,
  },
  {
    name: 'an Int8Array',
    make: (bytes) => {
      const view = within(bytes, 3)
      return new Int8Array(view.buffer, 3, bytes.length)
    },
  },
  {
    name: 'a Uint8ClampedArray',
    make: (bytes) => {
      const view = within(bytes, 1)
      return new Uint8ClampedArray(view.buffer, 1, bytes.length)
    },
  },
  { name: 'an ArrayBuffer', make: (bytes) => bytes.slice().buffer },
  { name: 'a view of shared memory', make: (bytes) => shared(bytes, 3) },
  { name: 'a SharedArrayBuffer', make: (bytes) => sharedWhole(bytes) },
  {
    name: 'a view of a resizable buffer',
    make: (bytes) => {
      const buffer = growing(ArrayBuffer as unknown as BufferWithMax, bytes)
      return buffer === undefined ? undefined : new Uint8Array(buffer)
    },
  },
  { name: 'a resizable buffer', make: (bytes) => growing(ArrayBuffer as unknown as BufferWithMax, bytes) },
  {
    name: 'a view of growable shared memory',
    make: (bytes) => {
      const Maker = typeof SharedArrayBuffer === 'undefined' ? undefined : SharedArrayBuffer
      const buffer = growing(Maker as unknown as BufferWithMax | undefined, bytes)
      return buffer === undefined ? undefined : new Uint8Array(buffer)
    },
  },
]

function sharedWhole(bytes: Bytes): ArrayBufferLike | undefined {
  if (typeof SharedArrayBuffer === 'undefined') return undefined
  const buffer = new SharedArrayBuffer(bytes.length)
  new Uint8Array(buffer).set(bytes)
  return buffer
}

const fits = (kind: Kind, bytes: Bytes): boolean => kind.name !== 'a Uint16Array' || bytes.length % 2 === 0

/** Runs every position of every call with inputs of one kind; all lengths used are even. */
async function takesKind(subject: Subject, kind: Kind): Promise<void> {
  const key = subject.key()
  const nonce = subject.nonce()
  const plaintext = pattern(22, 3)
  const aad = pattern(6, 5)
  const reference = await subject.create(key)
  const sealed = await reference.seal(nonce, plaintext, aad)
  reference.destroy()
  const made: BytesInput[] = []
  for (const bytes of [key, nonce, plaintext, aad, sealed]) {
    const input = fits(kind, bytes) ? kind.make(bytes) : bytes
    if (input === undefined) {
      subject.suite.report.missingInputs.add(kind.name)
      return
    }
    made.push(input)
  }
  await takesInputs(subject, kind.name, { nonce, plaintext, aad, sealed }, made)
  const { disguise } = kind
  if (disguise === undefined) return
  const disguised = made.map((input, at) =>
    fits(kind, [key, nonce, plaintext, aad, sealed][at]!) ? disguise(input) : input,
  )
  await takesInputs(subject, `${kind.name} in disguise`, { nonce, plaintext, aad, sealed }, disguised)
}

interface Plain {
  readonly nonce: Bytes
  readonly plaintext: Bytes
  readonly aad: Bytes
  readonly sealed: Bytes
}

async function takesInputs(
  subject: Subject,
  name: string,
  { nonce, plaintext, aad, sealed }: Plain,
  made: readonly BytesInput[],
): Promise<void> {
  const [keyInput, nonceInput, plaintextInput, aadInput, sealedInput] = made as [
    BytesInput,
    BytesInput,
    BytesInput,
    BytesInput,
    BytesInput,
  ]
  const aead = await subject.create(keyInput)
  for (const form of formsOf(aead)) {
    const what = `${form.name} with ${name}`
    equalBytes(await form.seal(nonceInput, plaintextInput, aadInput), sealed, `seal, ${what}`)
    equalBytes(await form.open(nonceInput, sealedInput, aadInput), plaintext, `open, ${what}`)
    equalBytes(await form.seal(nonceInput, plaintext, aad), sealed, `nonce, ${what}`)
    equalBytes(await form.seal(nonce, plaintextInput, aad), sealed, `plaintext, ${what}`)
    equalBytes(await form.seal(nonce, plaintext, aadInput), sealed, `AAD, ${what}`)
    equalBytes(await form.open(nonce, sealedInput, aad), plaintext, `sealed, ${what}`)
  }
  aead.destroy()
}

/** Kinds the caller's runtime makes. */
function foreignKinds(suite: Suite): readonly Kind[] {
  return (suite.options.foreignBytes ?? []).map((foreign: ForeignBytes) => ({
    name: foreign.name,
    make: (bytes: Bytes) => foreign.make(bytes.slice()),
  }))
}

const NOT_BYTES: readonly (readonly [name: string, value: unknown])[] = [
  ['a string', 'secret text'],
  ['a number', 12],
  ['an array of numbers', [1, 2, 3]],
  ['null', null],
  ['a plain object', { length: 12, byteLength: 12 }],
  ['a boolean', true],
  ['a bigint', 12n],
]

/** Kinds of input, and values that are not bytes. */
export function inputCases(subject: Subject): void {
  for (const kind of [...KINDS, ...foreignKinds(subject.suite)]) {
    subject.test(`takes ${kind.name} as key, nonce, plaintext, AAD and sealed message`, () =>
      takesKind(subject, kind),
    )
  }

  subject.test('values that are not bytes are refused with invalid-argument in every position', async () => {
    const aead = await subject.create()
    const nonce = subject.nonce()
    const good = pattern(22, 3)
    for (const [name, value] of [...NOT_BYTES, ['undefined', undefined] as const]) {
      const bad = value as BytesInput
      await refused(() => subject.suite.create(subject.id, bad), 'invalid-argument', `${name} as key`)
      for (const form of formsOf(aead)) {
        const refuse = (call: () => unknown, position: string): Promise<unknown> =>
          refused(call, 'invalid-argument', `${form.name}, ${name} as ${position}`)
        await refuse(() => form.seal(bad, good, good), 'nonce of seal')
        await refuse(() => form.open(bad, good, good), 'nonce of open')
        await refuse(() => form.seal(nonce, bad, good), 'plaintext')
        await refuse(() => form.open(nonce, bad, good), 'sealed message')
        if (value === undefined) continue
        await refuse(() => form.seal(nonce, good, bad), 'AAD of seal')
        await refuse(() => form.open(nonce, good, bad), 'AAD of open')
      }
    }
    aead.destroy()
  })

  subject.test('inputs are unchanged after success and after failure', async () => {
    const aead = await subject.create()
    const original = { nonce: subject.nonce(), plaintext: pattern(65, 3), aad: pattern(17, 5) }
    const sealedOriginal = await aead.seal(
      original.nonce.slice(),
      original.plaintext.slice(),
      original.aad.slice(),
    )
    for (const form of formsOf(aead)) {
      const nonce = original.nonce.slice()
      const plaintext = original.plaintext.slice()
      const aad = original.aad.slice()
      const sealed = sealedOriginal.slice()
      const forged = sealed.slice()
      forged[3] = forged[3]! ^ 1
      const forgedOriginal = forged.slice()
      await form.seal(nonce, plaintext, aad)
      await form.open(nonce, sealed, aad)
      await refused(() => form.open(nonce, forged, aad), 'auth-failed', `${form.name} open`)
      equalBytes(nonce, original.nonce, `nonce after ${form.name}`)
      equalBytes(plaintext, original.plaintext, `plaintext after ${form.name}`)
      equalBytes(aad, original.aad, `AAD after ${form.name}`)
      equalBytes(sealed, sealedOriginal, `sealed message after ${form.name}`)
      equalBytes(forged, forgedOriginal, `forged message after ${form.name}`)
    }
    aead.destroy()
  })

  subject.test('changing the inputs right after a call does not change its result', async () => {
    const key = subject.key()
    const made = subject.create(key)
    key.fill(0)
    const aead = await made
    const wipe = (...inputs: readonly Bytes[]): void => {
      for (const input of inputs) input.fill(0xff)
    }
    const reference = await subject.create()
    const expected = await reference.seal(subject.nonce(), pattern(1350, 3), pattern(17, 5))
    reference.destroy()
    const sealing = { nonce: subject.nonce(), plaintext: pattern(1350, 3), aad: pattern(17, 5) }
    const sealed = aead.seal(sealing.nonce, sealing.plaintext, sealing.aad)
    wipe(sealing.nonce, sealing.plaintext, sealing.aad)
    equalBytes(await sealed, expected, 'seal')
    const opening = { nonce: subject.nonce(), sealed: expected.slice(), aad: pattern(17, 5) }
    const opened = aead.open(opening.nonce, opening.sealed, opening.aad)
    wipe(opening.nonce, opening.sealed, opening.aad)
    equalBytes(await opened, pattern(1350, 3), 'open')
    aead.destroy()
  })
}
