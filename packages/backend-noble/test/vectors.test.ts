import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ALGORITHMS, type AlgorithmId, isAeadError } from '@aeadkit/core'
import { createTestAead } from '@aeadkit/core/unsafe'
import { describe, expect, it } from 'vitest'
import { nobleBackend } from '../src/index.ts'
import { hex, toHex } from './fixed.cases.ts'

/** A case of any file; bytes are hexadecimal. */
interface VectorCase {
  readonly tcId: number
  readonly key: string
  readonly iv?: string
  readonly aad: string | readonly string[]
  readonly msg: string
  readonly ct: string
  readonly tag?: string
  readonly result: string
}

const GCM = { 16: 'aes-128-gcm', 32: 'aes-256-gcm' } as const
const GCM_SIV = { 16: 'aes-128-gcm-siv', 32: 'aes-256-gcm-siv' } as const
const SIV = { 32: 'aes-siv-cmac-256', 64: 'aes-siv-cmac-512' } as const
const CHACHA = { 32: 'chacha20-poly1305' } as const
const XCHACHA = { 32: 'xchacha20-poly1305' } as const

/** Executed valid and invalid cases, sizes refused, and cases that are no AEAD call here; they add up to the total. */
interface Row {
  readonly file: string
  readonly byKeyBytes: Readonly<Record<number, AlgorithmId>>
  readonly total: number
  readonly valid: number
  readonly invalid: number
  readonly refused: number
  readonly excluded: number
}

// biome-ignore format: one file in two lines
const ROWS: readonly Row[] = [
  // Excluded: 192-bit keys, and nonces below 8 bytes.
  { file: 'aes-gcm/wycheproof_aes_gcm_test.json', byKeyBytes: GCM,
    total: 158, valid: 70, invalid: 27, refused: 2, excluded: 59 },
  { file: 'aes-gcm-siv/rfc8452_appendix_c.json', byKeyBytes: GCM_SIV,
    total: 50, valid: 50, invalid: 0, refused: 0, excluded: 0 },
  { file: 'aes-gcm-siv/wycheproof_aes_gcm_siv_test.json', byKeyBytes: GCM_SIV,
    total: 101, valid: 68, invalid: 33, refused: 0, excluded: 0 },
  // Excluded: none or three components in front of the plaintext, which AAD and nonce cannot express.
  { file: 'aes-siv/rfc5297.json', byKeyBytes: SIV,
    total: 6, valid: 2, invalid: 0, refused: 0, excluded: 4 },
  // Excluded here and in the next row: 384-bit keys.
  { file: 'aes-siv/wycheproof_aead_aes_siv_cmac_test.json', byKeyBytes: SIV,
    total: 450, valid: 84, invalid: 216, refused: 0, excluded: 150 },
  { file: 'aes-siv/wycheproof_aes_siv_cmac_test.json', byKeyBytes: SIV,
    total: 442, valid: 79, invalid: 216, refused: 0, excluded: 147 },
  { file: 'chacha20-poly1305/rfc8439.json', byKeyBytes: CHACHA,
    total: 2, valid: 2, invalid: 0, refused: 0, excluded: 0 },
  { file: 'chacha20-poly1305/wycheproof_chacha20_poly1305_test.json', byKeyBytes: CHACHA,
    total: 162, valid: 128, invalid: 30, refused: 4, excluded: 0 },
  { file: 'xchacha20-poly1305/draft_irtf_cfrg_xchacha_03.json', byKeyBytes: XCHACHA,
    total: 1, valid: 1, invalid: 0, refused: 0, excluded: 0 },
  { file: 'xchacha20-poly1305/wycheproof_xchacha20_poly1305_test.json', byKeyBytes: XCHACHA,
    total: 157, valid: 123, invalid: 30, refused: 4, excluded: 0 },
]

const FOLDER =
  process.env.AEADKIT_VECTORS ?? fileURLToPath(new URL('../../../../shared/vectors', import.meta.url))

type Outcome = 'valid' | 'invalid' | 'refused' | 'excluded'

/** Runs one case; throws when the backend does not do what it states. */
async function run(one: VectorCase, byKeyBytes: Row['byKeyBytes']): Promise<Outcome> {
  const key = hex(one.key)
  const id = byKeyBytes[key.length]
  const components = typeof one.aad === 'string' ? [one.aad] : one.aad
  if (id === undefined || components.length !== 1) return 'excluded'
  const aad = hex(components[0]!)
  const nonce = hex(one.iv ?? '')
  const tag = one.tag ?? ''
  const sealed = hex(ALGORITHMS[id].tagPosition === 'start' ? tag + one.ct : one.ct + tag)
  const tagBytes = one.tag === undefined ? ALGORITHMS[id].tagBytes : tag.length / 2
  const aead = await createTestAead(nobleBackend, id, key, { nonceBytes: nonce.length, tagBytes }).catch(
    (error: unknown) => {
      if (isAeadError(error, 'unsupported')) return undefined
      throw error
    },
  )
  if (aead === undefined) return one.result === 'invalid' ? 'refused' : 'excluded'
  if (one.result === 'valid') {
    expect(toHex(aead.sealSync(nonce, hex(one.msg), aad)), `seal ${one.tcId}`).toBe(toHex(sealed))
    expect(toHex(aead.openSync(nonce, sealed, aad)), `open ${one.tcId}`).toBe(one.msg)
    return 'valid'
  }
  expect(() => aead.openSync(nonce, sealed, aad), `open ${one.tcId}`).toThrow(/authentication failed/)
  return 'invalid'
}

describe('published vectors', () => {
  if (!existsSync(`${FOLDER}/aes-gcm`)) {
    console.log('vectors skipped: no folder ../shared/vectors and no AEADKIT_VECTORS')
    return
  }
  for (const { file, byKeyBytes, ...expected } of ROWS) {
    it(`${file}: ${expected.total} cases`, async () => {
      const raw = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as {
        testGroups?: readonly { tests: readonly VectorCase[] }[]
        tests?: readonly VectorCase[]
      }
      const cases = raw.testGroups?.flatMap((group) => group.tests) ?? raw.tests ?? []
      const counts = { total: cases.length, valid: 0, invalid: 0, refused: 0, excluded: 0 }
      for (const one of cases) counts[await run(one, byKeyBytes)]++
      expect(counts).toEqual(expected)
      const { total, valid, invalid, refused, excluded } = counts
      expect(valid + invalid + refused + excluded).toBe(total)
    })
  }
})
