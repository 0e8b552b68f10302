import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ALGORITHMS, type AlgorithmId, decodeKey, encodeKey, generateKey, importKey } from '../src/index.ts'
import { exportKey } from '../src/unsafe.ts'

const ids = Object.keys(ALGORITHMS) as AlgorithmId[]
const secret = Uint8Array.from({ length: 32 }, (_, i) => (7 * i + 3) & 0xff)
const record = () => importKey({ algorithm: 'aes-256-gcm', keyId: '0011223344556677', secret })

describe('key records', () => {
  it.each(ids)('%s: generated keys have the right length and their own id', (id) => {
    const [a, b] = [generateKey(id), generateKey(id)]
    expect(exportKey(a).length).toBe(ALGORITHMS[id].keyBytes)
    expect(a.keyId).toMatch(/^[0-9a-f]{16}$/)
    expect(a.keyId).not.toBe(b.keyId)
    const again = decodeKey(encodeKey(a))
    expect([again.algorithm, again.keyId, exportKey(again)]).toEqual([id, a.keyId, exportKey(a)])
  })

  it('has one text form, pinned', () => {
    expect(encodeKey(record())).toBe(
      'aeadkit-key:1:aes-256-gcm:0011223344556677:AwoRGB8mLTQ7QklQV15lbHN6gYiPlp2kq7K5wMfO1dw:35d37619',
    )
  })

  it('shows no secret in JSON, inspection, string or own properties', () => {
    const key = record()
    const shown = [
      JSON.stringify(key),
      inspect(key, { showHidden: true, depth: 10 }),
      String(key),
      JSON.stringify(Object.getOwnPropertyDescriptors(key)),
    ].join('\n')
    for (const trace of ['030a11', 'AwoRGB', '3,10,17', '3, 10, 17']) expect(shown).not.toContain(trace)
    expect(JSON.parse(JSON.stringify(key))).toEqual({ algorithm: 'aes-256-gcm', keyId: '0011223344556677' })
  })

  it('copies what it is given and what it gives', () => {
    const given = new Uint8Array(secret)
    const key = importKey({ algorithm: 'aes-256-gcm', keyId: '0011223344556677', secret: given })
    given.fill(0)
    exportKey(key).fill(1)
    expect(exportKey(key)).toEqual(secret)
    key.destroy()
    key.destroy()
    expect(() => exportKey(key)).toThrow(/after destroy/)
    expect(() => encodeKey(key)).toThrow(/after destroy/)
  })

  const good = encodeKey(record())
  it.each([
    ['another version', good.replace(':1:', ':2:')],
    ['one digit changed', good.replace('AwoR', 'AwoS')],
    ['another algorithm', good.replace('aes-256-gcm', 'aes-128-gcm')],
    ['an unknown algorithm', good.replace('aes-256-gcm', 'aes-512-gcm')],
    ['a field missing', good.slice(0, good.lastIndexOf(':'))],
    ['cut short', good.slice(0, 60)],
    ['an upper-case key id', good.replace('0011223344556677', '00112233445566AA')],
    ['nothing', ''],
  ])('refuses a text with %s and never repeats it', (_, text) => {
    expect(() => decodeKey(text)).toThrowError(expect.objectContaining({ code: 'invalid-argument' }))
    try {
      decodeKey(text)
    } catch (error) {
      expect(String((error as Error).stack)).not.toContain('AwoR')
      expect(String((error as Error).stack)).not.toContain('B8mLTQ7')
    }
  })

  it.each([
    ['no material', undefined],
    ['a short secret', { algorithm: 'aes-256-gcm', keyId: '0011223344556677', secret: new Uint8Array(16) }],
    ['a string secret', { algorithm: 'aes-256-gcm', keyId: '0011223344556677', secret: 'x'.repeat(32) }],
    ['a short key id', { algorithm: 'aes-256-gcm', keyId: new Uint8Array(4), secret }],
    ['no key id', { algorithm: 'aes-256-gcm', secret }],
    ['an unknown field', { algorithm: 'aes-256-gcm', keyId: '0011223344556677', secret, keyid: 1 }],
  ])('importKey refuses %s', (_, material) => {
    expect(() => importKey(material as never)).toThrowError(
      expect.objectContaining({ code: 'invalid-argument' }),
    )
  })
})
