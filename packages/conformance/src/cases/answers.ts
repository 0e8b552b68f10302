import { type Aead, ALGORITHMS, type AlgorithmId, type Bytes, isAeadError } from '@aeadkit/core'
import { createTestAead } from '@aeadkit/core/unsafe'
import { ConformanceError, check, equalBytes, flipped, fromHex, joined, refused } from '../check.ts'
import { formsOf, quickForm } from '../forms.ts'
import type { Suite } from '../suite.ts'
import type { VectorCase } from '../vectors.ts'

/** Reason used when a vector has sizes the backend does not take. */
export const OTHER_SIZES = 'backend takes no other nonce or tag length'

const SIZE_FLAGS: readonly string[] = [
  'InvalidNonceSize',
  'InvalidTagSize',
  'InvalidKeySize',
  'ZeroLengthIv',
  'InsecureTagSize',
]

/** The bytes of one vector, laid out as the algorithm lays them out. */
export interface VectorBytes {
  readonly key: Bytes
  readonly nonce: Bytes
  readonly aad: Bytes
  readonly plaintext: Bytes
  readonly sealed: Bytes
  readonly tagBytes: number
  readonly tagFirst: boolean
}

/** Decodes one vector. */
export function bytesOf(vector: VectorCase): VectorBytes {
  const tag = fromHex(vector.tag)
  const ciphertext = fromHex(vector.ciphertext)
  const tagFirst = ALGORITHMS[vector.algorithm].tagPosition === 'start'
  return {
    key: fromHex(vector.key),
    nonce: fromHex(vector.nonce),
    aad: fromHex(vector.aad),
    plaintext: fromHex(vector.plaintext),
    sealed: tagFirst ? joined(tag, ciphertext) : joined(ciphertext, tag),
    tagBytes: tag.length,
    tagFirst,
  }
}

function hasUsualSizes(id: AlgorithmId, bytes: VectorBytes): boolean {
  const { nonceBytes, tagBytes } = ALGORITHMS[id]
  return bytes.nonce.length === nonceBytes && bytes.tagBytes === tagBytes
}

/** An Aead for the sizes of a vector; `undefined` when the backend does not take them. */
export async function aeadFor(
  suite: Suite,
  id: AlgorithmId,
  bytes: VectorBytes,
  key: Bytes = bytes.key,
): Promise<Aead | undefined> {
  if (hasUsualSizes(id, bytes)) return suite.create(id, key, { nonceCheck: false })
  try {
    return await createTestAead(suite.backend, id, key, {
      nonceBytes: bytes.nonce.length,
      tagBytes: bytes.tagBytes,
    })
  } catch (error) {
    if (isAeadError(error, 'unsupported')) return undefined
    throw error
  }
}

/** Sealing gives exactly the sealed bytes, opening gives exactly the plaintext, in every form. */
async function bothWays(aead: Aead, bytes: VectorBytes, result: VectorCase['result']): Promise<void> {
  const { nonce, plaintext, aad, sealed } = bytes
  for (const form of formsOf(aead)) {
    if (result === 'valid') {
      equalBytes(await form.seal(nonce, plaintext, aad), sealed, `${form.name} seal`)
      equalBytes(await form.open(nonce, sealed, aad), plaintext, `${form.name} open`)
      continue
    }
    try {
      equalBytes(await form.open(nonce, sealed, aad), plaintext, `${form.name} open`)
    } catch (error) {
      if (!isAeadError(error, 'auth-failed') && !isAeadError(error, 'invalid-argument')) throw error
    }
  }
}

/** @returns whether the vector was executed. */
async function refuseInvalid(suite: Suite, vector: VectorCase): Promise<boolean> {
  const id = vector.algorithm
  const bytes = bytesOf(vector)
  const { nonce, sealed, aad, plaintext } = bytes
  const usual = hasUsualSizes(id, bytes)
  const codes = ['auth-failed', 'invalid-argument'] as const
  const plain = await suite.create(id, bytes.key, { nonceCheck: false })
  for (const form of formsOf(plain))
    await refused(() => form.open(nonce, sealed, aad), codes, `${form.name} open`)
  if (nonce.length !== ALGORITHMS[id].nonceBytes) {
    await refused(() => plain.seal(nonce, plaintext, aad), 'invalid-argument', 'seal with this nonce length')
  }
  plain.destroy()
  if (usual) return true
  const variant = await aeadFor(suite, id, bytes)
  if (variant === undefined) return vector.flags.some((flag) => SIZE_FLAGS.includes(flag))
  for (const form of formsOf(variant))
    await refused(() => form.open(nonce, sealed, aad), codes, `${form.name} open`)
  variant.destroy()
  return true
}

/** Runs one vector in its own way. @returns whether it was executed. */
export async function runVector(suite: Suite, vector: VectorCase): Promise<boolean> {
  if (vector.result === 'invalid') return refuseInvalid(suite, vector)
  const bytes = bytesOf(vector)
  const aead = await aeadFor(suite, vector.algorithm, bytes)
  if (aead === undefined) return false
  await bothWays(aead, bytes, vector.result)
  aead.destroy()
  return true
}

interface Mutation {
  readonly name: string
  readonly nonce?: Bytes
  readonly aad?: Bytes
  readonly sealed?: Bytes
}

const CUT_TAGS: readonly number[] = [0, 4, 8, 12, 15, 31]

/** Every change of a valid call that must be refused. The flip masks leave the top bit of the nonce alone (MGM). */
function mutationsOf(bytes: VectorBytes): readonly Mutation[] {
  const { nonce, aad, sealed, tagBytes, tagFirst } = bytes
  const ciphertextBytes = sealed.length - tagBytes
  const ciphertextAt = tagFirst ? tagBytes : 0
  const tagAt = tagFirst ? 0 : ciphertextBytes
  const tag = sealed.subarray(tagAt, tagAt + tagBytes)
  const ciphertext = sealed.subarray(ciphertextAt, ciphertextAt + ciphertextBytes)
  const mutations: Mutation[] = [
    { name: 'first tag byte flipped', sealed: flipped(sealed, tagAt) },
    { name: 'last tag byte flipped', sealed: flipped(sealed, tagAt + tagBytes - 1, 0x80) },
    { name: 'first nonce byte flipped', nonce: flipped(nonce, 0) },
    { name: 'last nonce byte flipped', nonce: flipped(nonce, -1, 0x10) },
    { name: 'one byte appended', sealed: joined(sealed, new Uint8Array(1)) },
    { name: 'one byte put in front', sealed: joined(new Uint8Array(1), sealed) },
    { name: 'empty input', sealed: new Uint8Array(0) },
    { name: 'AAD extended', aad: joined(aad, new Uint8Array(1)) },
  ]
  if (ciphertextBytes > 0) {
    mutations.push(
      { name: 'first ciphertext byte flipped', sealed: flipped(sealed, ciphertextAt) },
      {
        name: 'last ciphertext byte flipped',
        sealed: flipped(sealed, ciphertextAt + ciphertextBytes - 1, 0x80),
      },
    )
  }
  if (aad.length > 0) {
    mutations.push(
      { name: 'first AAD byte flipped', aad: flipped(aad, 0) },
      { name: 'last AAD byte flipped', aad: flipped(aad, -1, 0x80) },
      { name: 'AAD left out', aad: new Uint8Array(0) },
    )
  }
  for (const length of CUT_TAGS.filter((cut) => cut < tagBytes)) {
    const cut = tag.subarray(0, length)
    mutations.push({
      name: `tag cut to ${length} bytes`,
      sealed: tagFirst ? joined(cut, ciphertext) : joined(ciphertext, cut),
    })
  }
  return mutations
}

/** Forges a valid vector in every way and expects the right code each time. @returns how many; 0 when not executed. */
export async function mutateVector(suite: Suite, vector: VectorCase): Promise<number> {
  const bytes = bytesOf(vector)
  const aead = await aeadFor(suite, vector.algorithm, bytes)
  if (aead === undefined) return 0
  const form = quickForm(aead)
  // A backend that opens nothing would refuse every forgery too.
  equalBytes(await form.open(bytes.nonce, bytes.sealed, bytes.aad), bytes.plaintext, 'open before any change')
  const mutations = mutationsOf(bytes)
  for (const { name, nonce = bytes.nonce, aad = bytes.aad, sealed = bytes.sealed } of mutations) {
    const code = sealed.length < bytes.tagBytes ? 'invalid-argument' : 'auth-failed'
    await refused(() => form.open(nonce, sealed, aad), code, name)
  }
  aead.destroy()
  // AES-SIV encrypts with the second half of its key alone, so an empty message does not depend on that half.
  const firstHalfOnly = aead.params.bound === 'siv' && bytes.plaintext.length === 0
  const keyBytes = firstHalfOnly ? [0] : [0, -1]
  for (const at of keyBytes) {
    const other = await aeadFor(suite, vector.algorithm, bytes, flipped(bytes.key, at))
    check(other !== undefined, 'the second key of the same sizes was refused')
    const name = `${at === 0 ? 'first' : 'last'} key byte flipped`
    await refused(() => quickForm(other).open(bytes.nonce, bytes.sealed, bytes.aad), 'auth-failed', name)
    other.destroy()
  }
  return mutations.length + keyBytes.length
}

const SHOWN = 5

/** Runs all, then reports every failure at once. */
export async function each(
  vectors: readonly VectorCase[],
  run: (vector: VectorCase) => Promise<void>,
): Promise<void> {
  const failures: string[] = []
  for (const vector of vectors) {
    try {
      await run(vector)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      failures.push(`${vector.id}${vector.comment === '' ? '' : ` (${vector.comment})`}: ${message}`)
    }
  }
  if (failures.length === 0) return
  const more = failures.length > SHOWN ? `\n… and ${failures.length - SHOWN} more` : ''
  throw new ConformanceError(
    `${failures.length} of ${vectors.length} vectors failed:\n${failures.slice(0, SHOWN).join('\n')}${more}`,
  )
}
