import { describe, expect, it } from 'vitest'
import { AeadError, createAeadSync, defineAsyncBackend, type RawSyncAead } from '../src/index.ts'
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
      /opened aes-256-gcm with a changed ciphertext/,
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
      /changed last tag byte/,
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
      /opened an empty message with a changed tag/,
    ],
    [
      'the tag ignored where message and AAD are empty',
      (aead) => ({
        open: (...args) => (args[4] === 0 && args[5].length === 0 ? true : aead.open(...args)),
      }),
      /opened an empty message with a changed tag/,
    ],
    [
      'no way to open an empty message',
      (aead) => ({
        open: (...args) => (args[4] === 0 ? false : aead.open(...args)),
      }),
      /did not open its own empty message/,
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
      reason: `it opened an empty message with a changed tag for ${id}`,
    })
  })
})
