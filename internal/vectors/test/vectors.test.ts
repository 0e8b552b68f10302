import { createCipheriv } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALGORITHMS } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { convertFolder } from '../src/convert.ts'
import { familyOf } from '../src/families.ts'
import { vectorFiles, vectorOrigin, xaesAccumulated } from '../src/index.ts'
import { locateVectors } from '../src/locate.ts'
import { parseManifest } from '../src/manifest.ts'

/** Entries and AEAD cases, counted in the sources by another program. */
const EXPECTED: Readonly<Record<string, readonly [entries: number, cases: number]>> = {
  'aes-gcm/wycheproof_aes_gcm_test.json': [158, 107],
  'aes-ccm/wycheproof_aes_ccm_test.json': [276, 184],
  'aes-gcm-siv/rfc8452_appendix_c.json': [50, 50],
  'aes-gcm-siv/wycheproof_aes_gcm_siv_test.json': [101, 101],
  'aes-ocb/botan_ocb_aes128.json': [21, 21],
  'aes-siv/rfc5297.json': [6, 0],
  'aes-siv/wycheproof_aead_aes_siv_cmac_test.json': [450, 300],
  'aes-siv/wycheproof_aes_siv_cmac_test.json': [442, 0],
  'chacha20-poly1305/rfc8439.json': [2, 2],
  'chacha20-poly1305/wycheproof_chacha20_poly1305_test.json': [162, 162],
  'xchacha20-poly1305/draft_irtf_cfrg_xchacha_03.json': [4, 1],
  'xchacha20-poly1305/wycheproof_xchacha20_poly1305_test.json': [157, 157],
  'xaes-256-gcm/c2sp_xaes256gcm_vectors.json': [4, 2],
  'aegis/cfrg_aegis-128l-test-vectors.json': [10, 18],
  'aegis/cfrg_aegis-256-test-vectors.json': [10, 18],
  'aegis/cfrg_aegis-128x2-test-vectors.json': [4, 4],
  'aegis/wycheproof_aegis128L_test.json': [239, 239],
  'aegis/wycheproof_aegis128_test.json': [237, 0],
  'ascon/LWC_AEAD_KAT_128_128_asconaead128.txt': [1089, 1089],
  'mgm/rfc9058.json': [4, 4],
  'age-stream/stream_*': [18, 0],
  'adiantum/Adiantum_XChaCha12_32_AES256.json': [90, 0],
}

const countable = vectorOrigin.present && vectorOrigin.reason.includes('shared layout')
if (!countable) console.log(`5 tests of the converted vectors skipped: ${vectorOrigin.reason}`)

describe.skipIf(!countable)(`converted vectors (${vectorOrigin.reason})`, () => {
  it('accounts for every entry of every file', () => {
    expect(vectorFiles.length).toBeGreaterThan(0)
    for (const file of vectorFiles) {
      const excluded = file.exclusions.reduce((sum, item) => sum + item.count, 0)
      expect(file.cases.length + excluded, file.file).toBe(file.count)
      expect(file.count, file.file).toBeGreaterThanOrEqual(file.entries)
      expect(new Set(file.cases.map((item) => item.id)).size, file.file).toBe(file.cases.length)
      expect([file.source, file.commit, file.licence]).not.toContain('unknown')
    }
  })

  it('has the entries and cases counted in the sources', () => {
    const counted = Object.fromEntries(
      vectorFiles.map((file) => [file.file, [file.entries, file.cases.length]]),
    )
    expect(counted).toMatchObject(EXPECTED)
  })

  it('gives every case the key size of its algorithm and hexadecimal fields', () => {
    for (const item of vectorFiles.flatMap((file) => file.cases)) {
      expect(item.key.length / 2).toBe(ALGORITHMS[item.algorithm].keyBytes)
      for (const text of [item.key, item.nonce, item.aad, item.plaintext, item.ciphertext, item.tag]) {
        expect(text).toMatch(/^([0-9a-f]{2})*$/)
      }
    }
  })

  it('agrees with OpenSSL on one case of a converted file', () => {
    const file = vectorFiles.find((item) => item.file.endsWith('wycheproof_aes_gcm_test.json'))
    const item = file?.cases.find(
      (each) => each.algorithm === 'aes-256-gcm' && each.nonce.length === 24 && each.plaintext !== '',
    )
    expect(item).toBeDefined()
    if (item === undefined) return
    const hex = (text: string): Buffer => Buffer.from(text, 'hex')
    const cipher = createCipheriv('aes-256-gcm', hex(item.key), hex(item.nonce)).setAAD(hex(item.aad))
    expect(Buffer.concat([cipher.update(hex(item.plaintext)), cipher.final()]).toString('hex')).toBe(
      item.ciphertext,
    )
    expect(cipher.getAuthTag().toString('hex')).toBe(item.tag)
  })

  it('exports the accumulated hashes of XAES-256-GCM', () => {
    expect(xaesAccumulated?.results.map((item) => item.iterations)).toEqual([10_000, 1_000_000])
  })
})

describe('other layouts and mistakes', () => {
  it('reads a flat Wycheproof folder and lists what it does not run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vectors-'))
    const test = {
      tcId: 1,
      comment: '',
      flags: [],
      key: '00'.repeat(24),
      iv: '00'.repeat(12),
      aad: '',
      msg: '',
      ct: '',
      tag: '00'.repeat(16),
      result: 'valid',
    }
    const wide = { ...test, tcId: 2, key: '00'.repeat(32) }
    writeFileSync(
      join(folder, 'aes_gcm_test.json'),
      JSON.stringify({ numberOfTests: 2, testGroups: [{ tests: [test, wide] }] }),
    )
    writeFileSync(join(folder, 'ecdsa_test.json'), JSON.stringify({ numberOfTests: 7, testGroups: [] }))
    try {
      const place = locateVectors(folder)
      expect(place).toMatchObject({ found: true, layout: 'wycheproof' })
      const { files } = convertFolder(folder, 'wycheproof')
      expect(
        files.map((file) => [
          file.file,
          file.count,
          file.cases.map((item) => item.algorithm),
          file.exclusions,
        ]),
      ).toEqual([
        ['aes_gcm_test.json', 2, ['aes-256-gcm'], [{ reason: 'no algorithm with 24-byte keys', count: 1 }]],
        ['ecdsa_test.json', 7, [], [{ reason: 'not an AEAD of the table', count: 7 }]],
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('says why there are none', () => {
    expect(locateVectors('/nonexistent/vectors')).toMatchObject({ found: false })
    expect(locateVectors('/nonexistent/vectors').reason).toContain('AEADKIT_VECTORS')
  })

  it('adds up counts and keeps the source of a manifest row', () => {
    const row = '| mgm | `a.json` | 1 + 2 + 1 | x/y | `z.txt` | `abc` | MIT | J |'
    expect(parseManifest(row).get('mgm/a.json')).toEqual({
      file: 'mgm/a.json',
      entries: 4,
      source: 'x/y z.txt',
      commit: 'abc',
      licence: 'MIT',
    })
  })

  it('knows a file with or without its origin in the name', () => {
    expect(familyOf('wycheproof_aes_ccm_test.json')).toEqual(familyOf('aes_ccm_test.json'))
    expect(familyOf('wycheproof_aes_siv_cmac_test.json')).toMatchObject({
      reason: expect.stringContaining('deterministic'),
    })
  })
})
