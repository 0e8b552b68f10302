import { describe, expect, it } from 'vitest'
import { ALGORITHMS, joinSealed, splitSealed } from '../src/index.ts'

const GCM256 = Buffer.from(
  '18ed0361880f82a671ea4f335e3f9c32744c5a4e534ea582ae4307c466b4644b09f76c8fe980',
  'hex',
)

describe('detached form', () => {
  it('splits into 22 and 16 bytes and joins back', () => {
    const params = ALGORITHMS['aes-256-gcm']
    const { ciphertext, tag } = splitSealed(params, GCM256)
    expect([ciphertext.length, tag.length]).toEqual([22, 16])
    expect(Buffer.from(tag).toString('hex')).toBe('a582ae4307c466b4644b09f76c8fe980')
    expect(joinSealed(params, ciphertext, tag)).toEqual(new Uint8Array(GCM256))
  })

  it('knows the modes that put the tag first', () => {
    const params = ALGORITHMS['aes-siv-cmac-256']
    const { ciphertext, tag } = splitSealed(params, GCM256)
    expect(Buffer.from(tag).toString('hex')).toBe('18ed0361880f82a671ea4f335e3f9c32')
    expect(ciphertext.length).toBe(22)
    expect(joinSealed(params, ciphertext, tag)).toEqual(new Uint8Array(GCM256))
  })

  it('refuses what cannot be', () => {
    const params = ALGORITHMS['aes-256-gcm']
    expect(() => splitSealed(params, new Uint8Array(15))).toThrow(/tag of 16 bytes, got 15/)
    expect(() => joinSealed(params, GCM256, new Uint8Array(12))).toThrow(/tag of 16 bytes, got 12/)
    expect(() => joinSealed(params, 'ab' as never, new Uint8Array(16))).toThrow(/must be bytes/)
  })
})
