import type { AlgorithmId, AlgorithmParams } from './algorithms.ts'
import type {
  Availability,
  Bytes,
  RawAsyncAead,
  RawAsyncBackend,
  RawBackendBase,
  RawSyncAead,
  RawSyncBackend,
} from './backend.ts'
import { fromHex, sameBytes } from './bytes.ts'
import { emptyFault, emptyFaultSync } from './empty-messages.ts'
import { isAeadError } from './errors.ts'

/**
 * What each algorithm must return for the fixed inputs below, tag where the algorithm puts it. Each value was
 * computed by two independent implementations (OpenSSL, @noble/ciphers, libsodium), except CCM and OCB (OpenSSL
 * alone, which passes the published vectors), XAES (its parts by both) and AEGIS (libsodium alone).
 */
const KNOWN_ANSWERS: Readonly<Partial<Record<AlgorithmId, string>>> = {
  'aes-128-gcm': '8cdadb4f3eee0756a38defd91d8704ac7a048fc68f91a3c299c869fbda4a40ea108ab31977da',
  'aes-256-gcm': '18ed0361880f82a671ea4f335e3f9c32744c5a4e534ea582ae4307c466b4644b09f76c8fe980',
  'aes-128-ccm': '76c9901f7147d9fe3780379d0add22e7292ac37f1c3495db0f92d95b44a64f187b66274c6b7e',
  'aes-256-ccm': '0b9d3d484343ccc36d99922270c97fd39d9ab5fccee8bba671cafdbe981cf08c532f09264cec',
  'aes-128-gcm-siv': 'b16f418448280b14a52ce50aa359f66cb86e96280e2cffaf310d02da1131839b00e0ea45ae4a',
  'aes-256-gcm-siv': '6f7df74784ae0f1245d85491e005a491541f90ea8eaad768e51d6b3429142c5db253030b0bb7',
  'aes-siv-cmac-256': '556594bc3c863b822ac1a904f42aadc8efd1f84e5f93230a5b00e2987c36a52090c29f44e69b',
  'aes-siv-cmac-512': '5cbdaa65418b643c23a9f2e44411cc9dff49aebdb1399500463df6ecd7909789203a137db2ce',
  'chacha20-poly1305': '2d140abd676b3936a14797f20758bda44ce1222dc48712eeb74fc04bb5ef7aaa4b8c508c8be6',
  'xchacha20-poly1305': 'f6263ca033545bf25adf809edf570d7149d2b8e396e46a9313b8c559adc83dfc5af168bd1fb3',
  'xaes-256-gcm': 'b235b60f5867ef731c1b6fa9d6d1b324f1e3d01d1bddee7154f8e15a9d0655c8a7cb96d84a5c',
  'aegis-128l':
    '95a81f1d0361474fd990a877e3ba4a583588d9b22aefb5cca5bee6c3df274eaaa5d02a08c87497c1dce620780febf708c758b17c8722',
  'aegis-256':
    '600ddd3083d7b2edebae69468f57eeaf33932109f5151ec3919e3487570e43b551d3d932ee4dd739c17d93d979194dcc752f144dff7f',
  'aes-128-ocb': 'd2d7035d7e1b097d339a8a3bc85019c9f841c7ba2607a64e627722743fad91d6bbd2325414ea',
  'aes-256-ocb': '2537cc66219532584d811651e07cfc16c21ccbc63759058f5df09d19e9f5c6d80fa0507081b5',
}

const PLAINTEXT_HEX = '6369706865722d73656c6563742070726f626520c3a9'
const AAD_HEX = '6864723a7631'

/** First byte of the fixed nonce, by nonce length. */
const NONCE_START: Readonly<Record<number, number>> = { 24: 0x40, 32: 0x60 }

interface TestInputs {
  readonly expected: Uint8Array
  readonly key: Uint8Array
  readonly nonce: Uint8Array
  readonly plaintext: Uint8Array
  readonly aad: Uint8Array
  readonly ciphertextAt: number
  readonly tagAt: number
}

function testInputs(params: AlgorithmParams): TestInputs | undefined {
  const expected = KNOWN_ANSWERS[params.id]
  if (expected === undefined) return undefined
  const plaintext = fromHex(PLAINTEXT_HEX)
  const nonceStart = NONCE_START[params.nonceBytes] ?? 0xa0
  const tagFirst = params.tagPosition === 'start'
  return {
    expected: fromHex(expected),
    key: Uint8Array.from({ length: params.keyBytes }, (_, i) => (7 * i + 3) & 0xff),
    nonce: Uint8Array.from({ length: params.nonceBytes }, (_, i) => nonceStart + i),
    plaintext,
    aad: fromHex(AAD_HEX),
    ciphertextAt: tagFirst ? params.tagBytes : 0,
    tagAt: tagFirst ? 0 : plaintext.length,
  }
}

/** Every sealed message that must be refused: one bit flipped in the ciphertext, in each tag end, or in the AAD. */
function forgeries(inputs: TestInputs): readonly { name: string; sealed: Uint8Array; aad: Uint8Array }[] {
  const flip = (bytes: Uint8Array, at: number): Uint8Array => {
    const copy = new Uint8Array(bytes)
    copy[at] = copy[at]! ^ 1
    return copy
  }
  const tagBytes = inputs.expected.length - inputs.plaintext.length
  const { expected: sealed, aad, ciphertextAt, tagAt } = inputs
  return [
    { name: 'ciphertext', sealed: flip(sealed, ciphertextAt), aad },
    { name: 'first tag byte', sealed: flip(sealed, tagAt), aad },
    { name: 'last tag byte', sealed: flip(sealed, tagAt + tagBytes - 1), aad },
    { name: 'AAD', sealed, aad: flip(aad, 0) },
  ]
}

/** What a self-test found, and whether it can be relied on to stay so. */
export interface SelfTestResult {
  readonly answer: Availability
  /** `false` after an exception: a wrong answer is a broken backend, an exception may have been the moment's. */
  readonly lasting: boolean
}

const PASSED: SelfTestResult = /* @__PURE__ */ lastingly({ available: true })

function lastingly(answer: Availability): SelfTestResult {
  return { answer: Object.freeze(answer), lasting: true }
}

function failed(reason: string): SelfTestResult {
  return lastingly({ available: false, stage: 'self-test', reason })
}

function threw(error: unknown): SelfTestResult {
  const name = error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown error'
  return { answer: failed(`its self-test ended with ${name}`).answer, lasting: false }
}

/** Destroys what a self-test made. A key that cannot be wiped is no reason against the backend. */
function wiped(aead: { destroy(): void } | undefined): void {
  try {
    aead?.destroy()
  } catch {
    // Only the fixed test key was in it.
  }
}

/** The presence check; `undefined` when the self-test should go on. */
function presence(raw: RawBackendBase, params: AlgorithmParams): SelfTestResult | undefined {
  if (!raw.algorithms.includes(params.id)) {
    return lastingly({ available: false, stage: 'absent', reason: `it does not have ${params.id}` })
  }
  const present = raw.probe(params)
  return present === true ? undefined : lastingly({ available: false, stage: 'absent', reason: present })
}

const NO_ANSWER = 'has no known answer in this version of @aeadkit/core'
const WRONG_ANSWER = 'returned a wrong known answer'
const WRONG_PLAINTEXT = 'did not open its own known answer'

/**
 * Known answer and must-fail cases for one algorithm of a synchronous backend.
 * @throws AeadError `not-ready`, when the backend says so.
 */
export function selfTestSync(raw: RawSyncBackend, params: AlgorithmParams): SelfTestResult {
  let aead: RawSyncAead | undefined
  try {
    const absent = presence(raw, params)
    if (absent !== undefined) return absent
    const inputs = testInputs(params)
    if (inputs === undefined) return failed(`${params.id} ${NO_ANSWER}`)
    const { key, nonce, plaintext, aad, expected, ciphertextAt, tagAt } = inputs
    aead = raw.create(params, key)
    const sealed = new Uint8Array(expected.length)
    aead.seal(nonce, plaintext, aad, sealed, ciphertextAt, tagAt)
    // Any few bytes do as a front.
    const whole = ciphertextAt === 0 ? aead.sealNew?.(aad, nonce, plaintext, aad) : undefined
    if (!sameBytes(sealed, expected) || (whole && !sameBytes(whole, Uint8Array.of(...aad, ...expected)))) {
      return failed(`it ${WRONG_ANSWER} for ${params.id}`)
    }
    const opened = new Uint8Array(plaintext.length)
    if (
      !aead.open(nonce, expected, ciphertextAt, tagAt, plaintext.length, aad, opened) ||
      !sameBytes(opened, plaintext)
    ) {
      return failed(`it ${WRONG_PLAINTEXT} for ${params.id}`)
    }
    for (const forgery of forgeries(inputs)) {
      const out = new Uint8Array(plaintext.length)
      if (aead.open(nonce, forgery.sealed, ciphertextAt, tagAt, plaintext.length, forgery.aad, out)) {
        return failed(`it opened ${params.id} with a changed ${forgery.name}`)
      }
      if (out.some((byte) => byte !== 0)) {
        return failed(`it left output behind after refusing ${params.id} with a changed ${forgery.name}`)
      }
    }
    const fault = emptyFaultSync(aead, params, nonce, aad)
    return fault === undefined ? PASSED : failed(`it ${fault} for ${params.id}`)
  } catch (error) {
    // Not an answer: it may be ready the next time.
    if (isAeadError(error, 'not-ready')) throw error
    return threw(error)
  } finally {
    wiped(aead)
  }
}

/** The same for an asynchronous backend. */
export async function selfTest(raw: RawAsyncBackend, params: AlgorithmParams): Promise<SelfTestResult> {
  let aead: RawAsyncAead | undefined
  try {
    const absent = presence(raw, params)
    if (absent !== undefined) return absent
    const inputs = testInputs(params)
    if (inputs === undefined) return failed(`${params.id} ${NO_ANSWER}`)
    const { key, nonce, plaintext, aad, expected } = inputs
    const tagFirst = inputs.ciphertextAt > 0
    aead = await raw.create(params, key)
    const sealed = await aead.seal(nonce, plaintext, aad)
    if (!sameBytes(tagFirst ? rotate(sealed, plaintext.length) : sealed, expected)) {
      return failed(`it ${WRONG_ANSWER} for ${params.id}`)
    }
    const opened = await aead.open(nonce, sealed, aad)
    if (opened === undefined || !sameBytes(opened, plaintext)) {
      return failed(`it ${WRONG_PLAINTEXT} for ${params.id}`)
    }
    for (const forgery of forgeries(inputs)) {
      const input = tagFirst ? rotate(forgery.sealed, params.tagBytes) : forgery.sealed
      if ((await aead.open(nonce, input, forgery.aad)) !== undefined) {
        return failed(`it opened ${params.id} with a changed ${forgery.name}`)
      }
    }
    const fault = await emptyFault(aead, params, nonce, aad)
    return fault === undefined ? PASSED : failed(`it ${fault} for ${params.id}`)
  } catch (error) {
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
