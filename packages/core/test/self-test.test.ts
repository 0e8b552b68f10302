import { describe, expect, it } from 'vitest'
import {
  AeadError,
  ALGORITHMS,
  type AlgorithmId,
  createAead,
  createAeadSync,
  createSealer,
  defineAsyncBackend,
  defineNarrowBackend,
  GCM_FAMILY,
  type RawSyncAead,
} from '../src/index.ts'
import { asyncTestBackend, rawTestBackend, testBackend } from './backend.ts'

const good = rawTestBackend()

/** The test backend with one method of its ciphers replaced. */
function bent(change: (aead: RawSyncAead) => Partial<RawSyncAead>) {
  return testBackend({
    create: (params, key) => {
      const aead = good.create(params, key)
      return { ...aead, ...change(aead) }
    },
  })
}

/** A backend written as a class, whose methods are inherited. */
class Modal {
  readonly name = 'modal'
  readonly kind = 'native'
  readonly maxBytes = good.maxBytes
  readonly #mode: () => number
  constructor(mode: () => number) {
    this.#mode = mode
  }
  mode(): number {
    return this.#mode()
  }
  probe(): true | string {
    return this.#mode() === 0 ? true : 'refused in this mode'
  }
  version = good.version
  claims = good.claims
  create = good.create
}

describe('self-test', () => {
  it('passes a right backend once and remembers it', async () => {
    let created = 0
    const backend = testBackend({
      create: (params, key) => {
        created++
        return good.create(params, key)
      },
    })
    expect(backend.probeSync('aes-256-gcm')).toEqual({ available: true })
    expect(await backend.probe('aes-256-gcm')).toEqual({ available: true })
    expect(created).toBe(1)
  })

  it('asks again when the backend says that its library changed mode', async () => {
    let mode = 0
    const raw = { mode: () => mode, probe: () => (mode === 0 ? true : 'refused in this mode') } as const
    const sync = testBackend(raw)
    const narrow = defineNarrowBackend([GCM_FAMILY], new Modal(() => mode))
    const asynchronous = asyncTestBackend(raw)
    for (const [at, available] of [
      [0, true],
      [1, false],
      [0, true],
    ] as const) {
      mode = at
      expect(sync.probeSync('aes-256-gcm').available, `${at}`).toBe(available)
      expect(narrow.probeSync('aes-256-gcm').available, `${at}`).toBe(available)
      expect((await asynchronous.probe('aes-256-gcm')).available, `${at}`).toBe(available)
    }
  })

  it('names what a backend does not have', () => {
    expect(testBackend().probeSync('aegis-256')).toMatchObject({ available: false, stage: 'absent' })
    const absent = testBackend({ probe: () => 'masked by configuration' })
    expect(absent.probeSync('aes-256-gcm')).toEqual({
      available: false,
      stage: 'absent',
      reason: 'masked by configuration',
    })
  })

  it('lets not-ready through and does not remember it; by promise the algorithm is unavailable', async () => {
    let ready = false
    const backend = testBackend({
      probe: () => {
        if (!ready) throw new AeadError('not-ready', 'load it first')
        return true
      },
    })
    expect(() => backend.probeSync('aes-256-gcm')).toThrow(/load it first/)
    expect(await backend.probe('aes-256-gcm')).toEqual({
      available: false,
      stage: 'absent',
      reason: 'load it first',
    })
    expect(() => createAeadSync(backend, 'aes-256-gcm', new Uint8Array(32))).toThrow(/load it first/)
    ready = true
    expect(backend.probeSync('aes-256-gcm')).toEqual({ available: true })
  })

  it.each<[string, (aead: RawSyncAead) => Partial<RawSyncAead>, RegExp]>([
    [
      'a wrong result in new memory',
      () => ({ sealNew: (front, _nonce, plaintext) => new Uint8Array(front.length + plaintext.length + 16) }),
      /wrong known answer/,
    ],
    [
      'a right result in new memory that takes no front',
      (aead) => ({
        sealNew: (_front, nonce, plaintext, aad) => {
          const out = new Uint8Array(plaintext.length + 16)
          aead.seal(nonce, plaintext, aad, out, 0, plaintext.length)
          return out
        },
      }),
      /wrong known answer/,
    ],
    [
      'a result in new memory without its front',
      (aead) => ({
        sealNew: (front, nonce, plaintext, aad) => {
          const out = new Uint8Array(front.length + plaintext.length + 16)
          aead.seal(nonce, plaintext, aad, out, front.length, front.length + plaintext.length)
          return out
        },
      }),
      /wrong known answer/,
    ],
    [
      'a forgery in new memory',
      (aead) => ({
        openNew: (nonce, input, at, tagAt, bytes, aad) => {
          const out = new Uint8Array(bytes)
          aead.open(nonce, input, at, tagAt, bytes, aad, out)
          return out
        },
      }),
      /opened aes-256-gcm differently/,
    ],
    ['nothing in new memory', () => ({ openNew: () => false }), /opened aes-256-gcm differently/],
    [
      'a wrong plaintext in new memory',
      (aead) => ({
        openNew: (nonce, input, at, tagAt, bytes, aad) => {
          const out = new Uint8Array(bytes)
          return aead.open(nonce, input, at, tagAt, bytes, aad, out) && out.fill(1)
        },
      }),
      /opened aes-256-gcm differently/,
    ],
    [
      'a wrong ciphertext',
      (aead) => ({
        seal: (nonce, plaintext, aad, out, ciphertextAt, tagAt) => {
          aead.seal(nonce, plaintext, aad, out, ciphertextAt, tagAt)
          out[ciphertextAt + 20]! ^= 1
        },
      }),
      /wrong known answer/,
    ],
    [
      'AAD ignored when opening',
      () => ({
        open: (_nonce, _input, _at, _tagAt, _bytes, _aad, out) => {
          out.set(Buffer.from('cipher-select probe é'))
          return true
        },
      }),
      /opened aes-256-gcm with byte 0 changed/,
    ],
    [
      'only the first 12 tag bytes compared',
      (aead) => ({
        open: (nonce, input, ciphertextAt, tagAt, bytes, aad, out) => {
          const fixed = new Uint8Array(input)
          fixed.set(Buffer.from('6c8fe980', 'hex'), tagAt + 12)
          return aead.open(nonce, fixed, ciphertextAt, tagAt, bytes, aad, out)
        },
      }),
      /byte 37 changed/,
    ],
    [
      'plaintext left behind after a refusal',
      (aead) => ({
        open: (nonce, input, ciphertextAt, tagAt, bytes, aad, out) => {
          const right = aead.open(nonce, input, ciphertextAt, tagAt, bytes, aad, out)
          if (!right) out[0] = 0x63
          return right
        },
      }),
      /left output behind/,
    ],
    [
      'the tag of an empty message ignored',
      (aead) => ({
        open: (...args) => (args[4] === 0 ? true : aead.open(...args)),
      }),
      /opened an empty message of aes-256-gcm with byte 0 changed/,
    ],
    [
      'the tag ignored where message and AAD are empty',
      (aead) => ({
        open: (...args) => (args[4] === 0 && args[5].length === 0 ? true : aead.open(...args)),
      }),
      /opened an empty message of aes-256-gcm with byte 0 changed/,
    ],
    [
      'no way to open an empty message',
      (aead) => ({
        open: (...args) => (args[4] === 0 ? false : aead.open(...args)),
      }),
      /did not open what it sealed: an empty message/,
    ],
    [
      'a place of its own for the ciphertext',
      (aead) => ({
        seal: (nonce, plaintext, aad, out) => aead.seal(nonce, plaintext, aad, out, 0, plaintext.length),
      }),
      /wrong known answer/,
    ],
    [
      'a place of its own where it reads the ciphertext',
      (aead) => ({
        open: (nonce, input, _at, _tagAt, bytes, aad, out) =>
          aead.open(nonce, input, 0, bytes, bytes, aad, out),
      }),
      /did not open what it sealed/,
    ],
    [
      'inputs that are gone after a refusal',
      (aead) => ({
        open: (nonce, input, ...rest) => {
          const right = aead.open(nonce, input, ...rest)
          if (!right) input.fill(0)
          return right
        },
      }),
      /wrote to the sealed text it was given/,
    ],
    [
      'a result that is a piece of other memory',
      (aead) => ({
        sealNew: (front, nonce, plaintext, aad) => {
          const out = new Uint8Array(1000).subarray(0, front.length + plaintext.length + 16)
          out.set(front)
          aead.seal(nonce, plaintext, aad, out, front.length, front.length + plaintext.length)
          return out
        },
      }),
      /memory that is not its own/,
    ],
    [
      'plaintext in a piece of other memory',
      (aead) => ({
        openNew: (nonce, input, ciphertextAt, tagAt, bytes, aad) => {
          const out = new Uint8Array(1000).subarray(0, bytes)
          return aead.open(nonce, input, ciphertextAt, tagAt, bytes, aad, out) && out
        },
      }),
      /memory that is not its own/,
    ],
    [
      'an exception for a bad tag',
      (aead) => ({
        open: (...args) => {
          if (!aead.open(...args)) throw new Error('bad tag')
          return true
        },
      }),
      /Error: bad tag/,
    ],
  ])('excludes a backend with %s', (_, change, reason) => {
    const backend = bent(change)
    const answer = backend.probeSync('aes-256-gcm')
    expect(answer).toMatchObject({ available: false, stage: 'self-test' })
    expect(answer.available ? '' : answer.reason).toMatch(reason)
    expect(() => createAeadSync(backend, 'aes-256-gcm', new Uint8Array(32))).toThrow(
      /not available on backend test/,
    )
  })

  it('is behind every way to a cipher: what has the look of a backend and not its parts is refused', async () => {
    const { paramsOf: _, ...older } = testBackend()
    const hollow = { raw: {}, probe() {}, setUp() {} }
    for (const given of [older, hollow, structuredClone({ raw: {} }), null, 'node'] as never[]) {
      const refused = expect.objectContaining({ code: 'invalid-argument' })
      expect(() => createAeadSync(given, 'aes-256-gcm', new Uint8Array(32))).toThrow(refused)
      await expect(createAead(given, 'aes-256-gcm', new Uint8Array(32))).rejects.toEqual(refused)
      await expect(createSealer('aes-256-gcm', { backends: [given] })).rejects.toEqual(refused)
    }
  })

  const shared = new Uint8Array(1000)
  it.each<[string, (bytes: number) => Uint8Array<ArrayBuffer>]>([
    ['a piece of other memory', (bytes) => shared.subarray(0, bytes)],
    ['a piece of other memory further on', (bytes) => shared.subarray(8, 8 + bytes)],
    ['more than it was asked for', (bytes) => new Uint8Array(bytes + 1)],
    ['a subclass', (bytes) => Buffer.from(new ArrayBuffer(bytes))],
  ])('excludes a backend that allocates %s', (_, allocate) => {
    expect(testBackend({ allocate }).probeSync('aes-256-gcm')).toMatchObject({
      stage: 'self-test',
      reason: expect.stringMatching(/memory that is not its own/),
    })
  })

  it('takes memory that was used before', () => {
    const used = (bytes: number) => new Uint8Array(bytes).fill(0xcc)
    expect(testBackend({ allocate: used }).probeSync('aes-256-gcm')).toEqual({ available: true })
  })

  it('excludes an asynchronous backend that opens an empty message with any tag', async () => {
    const { raw } = asyncTestBackend()
    const id = raw.algorithms[0]!
    expect(await defineAsyncBackend(raw).probe(id)).toEqual({ available: true })
    const backend = defineAsyncBackend({
      ...raw,
      create: async (params, key) => {
        const aead = await raw.create(params, key)
        return {
          seal: aead.seal,
          destroy: aead.destroy,
          open: async (nonce, sealed, aad) =>
            sealed.length === params.tagBytes ? new Uint8Array(0) : aead.open(nonce, sealed, aad),
        }
      },
    })
    expect(await backend.probe(id)).toMatchObject({
      available: false,
      stage: 'self-test',
      reason: `it opened an empty message of ${id} with byte 0 changed`,
    })
  })
})

/**
 * The known answers in full, tag where the algorithm puts it: computed by two independent implementations (OpenSSL,
 * @noble/ciphers, libsodium), except CCM and OCB (OpenSSL alone), XAES (its parts by both) and AEGIS (libsodium alone).
 */
const FULL_ANSWERS: Readonly<Partial<Record<AlgorithmId, string>>> = {
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

/** A backend that returns `sealed` for the first message whatever it is given, and otherwise tells the truth. */
function answering(id: AlgorithmId, sealed: Uint8Array) {
  const { tagBytes, tagPosition } = ALGORITHMS[id]
  const bytes = sealed.length - tagBytes
  const first = tagPosition === 'start'
  const ciphertext = first ? sealed.subarray(tagBytes) : sealed.subarray(0, bytes)
  const tag = first ? sealed.subarray(0, tagBytes) : sealed.subarray(bytes)
  const empty = new Uint8Array(tagBytes)
  const plaintext = new TextEncoder().encode('cipher-select probe é')
  const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
  return testBackend({
    algorithms: [id],
    create: () => ({
      atomic: true,
      readsOnce: true,
      destroy: () => {},
      seal: (_nonce, input, aad, out, ciphertextAt, tagAt) => {
        empty.fill(aad.length + 1)
        out.set(input.length === 0 ? empty : tag, tagAt)
        if (input.length > 0) out.set(ciphertext, ciphertextAt)
      },
      open: (_nonce, input, ciphertextAt, tagAt, length, aad, out) => {
        empty.fill(aad.length + 1)
        const right =
          (aad.length === 0 || new TextDecoder().decode(aad) === 'hdr:v1') &&
          equal(input.subarray(tagAt, tagAt + tagBytes), length === 0 ? empty : tag) &&
          equal(input.subarray(ciphertextAt, ciphertextAt + length), ciphertext.subarray(0, length))
        if (right && length > 0) out.set(plaintext)
        return right
      },
    }),
  })
}

describe('known answers', () => {
  const answers = Object.entries(FULL_ANSWERS) as [AlgorithmId, string][]

  it('are there for fifteen algorithms', () => expect(answers).toHaveLength(15))

  it.each(answers)(
    '%s: the right answer passes; every wrong byte, of ciphertext or tag, does not',
    (id, hex) => {
      const right = new Uint8Array(Buffer.from(hex, 'hex'))
      expect(answering(id, right).probeSync(id)).toEqual({ available: true })
      for (let at = 0; at < right.length; at++) {
        for (const mask of [0x01, 0x80, 0xff]) {
          const wrong = new Uint8Array(right)
          wrong[at]! ^= mask
          expect(answering(id, wrong).probeSync(id), `byte ${at} ^ ${mask}`).toEqual({
            available: false,
            stage: 'self-test',
            reason: `it returned a wrong known answer for ${id}`,
          })
        }
      }
    },
  )

  it('catch two wrong bytes far apart, swapped bytes, and a ciphertext of zeros with the right tag', () => {
    for (const [id, hex] of answers) {
      const right = new Uint8Array(Buffer.from(hex, 'hex'))
      const first = ALGORITHMS[id].tagPosition === 'start' ? ALGORITHMS[id].tagBytes : 0
      const wrongs = [0, 1, 2].map(() => new Uint8Array(right))
      wrongs[0]![first]! ^= 1
      wrongs[0]![first + 21]! ^= 1
      wrongs[1]!.set([right[first + 1]!, right[first]!], first)
      wrongs[2]!.fill(0, first, first + 22)
      for (const wrong of wrongs) {
        expect(answering(id, wrong).probeSync(id), id).toMatchObject({ stage: 'self-test' })
      }
    }
  })
})
