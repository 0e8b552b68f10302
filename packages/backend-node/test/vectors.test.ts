import { createHash } from 'node:crypto'
import { createAeadSync } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { nodeBackend } from '../src/index.ts'
import { readVectors, runVectors, VECTOR_FILES, type VectorReport, vectorsPresent } from './vectors.cases.ts'

const NO_192 = '24-byte keys are no algorithm here'
const NO_384 = '48-byte keys are no algorithm here'
const LONG_NONCE = (id: string): string => `${id}: 257-byte nonce, 16-byte tag`

/** What each file must give where this Node has the algorithm; the counts of a row add up to its total. */
const EXPECTED: Readonly<Record<string, Omit<VectorReport, 'failures'>>> = {
  gcm: {
    total: 158,
    valid: 76,
    invalid: 27,
    refused: 2,
    excluded: { [NO_192]: 51, [LONG_NONCE('aes-128-gcm')]: 1, [LONG_NONCE('aes-256-gcm')]: 1 },
  },
  ccm: { total: 276, valid: 134, invalid: 28, refused: 22, excluded: { [NO_192]: 92 } },
  ocb: { total: 21, valid: 21, invalid: 0, refused: 0, excluded: {} },
  gcmSivRfc: { total: 50, valid: 50, invalid: 0, refused: 0, excluded: {} },
  gcmSiv: { total: 101, valid: 68, invalid: 33, refused: 0, excluded: {} },
  sivRfc: {
    total: 6,
    valid: 2,
    invalid: 0,
    refused: 0,
    excluded: { 'S2V components other than AAD and nonce': 4 },
  },
  sivAead: { total: 450, valid: 84, invalid: 216, refused: 0, excluded: { [NO_384]: 150 } },
  sivDeterministic: { total: 442, valid: 79, invalid: 216, refused: 0, excluded: { [NO_384]: 147 } },
  chachaRfc: { total: 2, valid: 2, invalid: 0, refused: 0, excluded: {} },
  chacha: { total: 162, valid: 128, invalid: 30, refused: 4, excluded: {} },
  xchachaDraft: { total: 1, valid: 1, invalid: 0, refused: 0, excluded: {} },
  xchacha: { total: 157, valid: 123, invalid: 30, refused: 4, excluded: {} },
  xaes: { total: 2, valid: 2, invalid: 0, refused: 0, excluded: {} },
}

/** Name of the file -> why this Node cannot run it; printed, and asserted below. */
const skipped: string[] = []

describe('published vectors', () => {
  if (!vectorsPresent) {
    console.log('vectors skipped: no folder ../shared/vectors and no AEADKIT_VECTORS')
    return
  }
  it('has an expectation for every file', () => {
    expect(Object.keys(EXPECTED)).toEqual(Object.keys(VECTOR_FILES))
  })
  for (const [name, expected] of Object.entries(EXPECTED)) {
    it(`${name}: ${expected.total} cases`, async ({ skip }) => {
      const file = VECTOR_FILES[name]!
      for (const id of Object.values(file.byKeyBytes)) {
        const answer = nodeBackend.probeSync(id)
        if (answer.available) continue
        console.log(`${name}: ${expected.total} cases skipped, ${answer.reason}`)
        skipped.push(name)
        skip(answer.reason)
      }
      const { failures, ...counts } = await runVectors(nodeBackend, file)
      expect(failures).toEqual([])
      expect(counts).toEqual(expected)
      const excluded = Object.values(expected.excluded).reduce((sum, count) => sum + count, 0)
      expect(expected.valid + expected.invalid + expected.refused + excluded).toBe(expected.total)
    })
  }
  it('skips only the modes that Node exposes from 24.22 on', () => {
    const allowed = ['gcmSivRfc', 'gcmSiv', 'sivRfc', 'sivAead', 'sivDeterministic']
    const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
    const exposed = major > 26 || (major === 26 && minor >= 10) || (major === 24 && minor >= 22)
    expect(skipped).toEqual(exposed ? [] : allowed)
  })
})

/** A SHAKE-128 stream read in order; `node:crypto` gives any prefix, so the needed length is asked for at once. */
function shake128(input: Uint8Array, bytes: number): Buffer {
  return createHash('shake128', { outputLength: bytes }).update(input).digest()
}

describe('XAES-256-GCM', () => {
  it('gives the C2SP hash of 10 000 accumulated messages', ({ skip }) => {
    if (!vectorsPresent) skip('no vectors folder')
    const { accumulated } = readVectors(VECTOR_FILES.xaes!.path) as {
      accumulated: { results: readonly { iterations: number; hash: string }[] }
    }
    const { iterations, hash } = accumulated.results[0]!
    expect(iterations).toBe(10_000)
    // Each iteration reads at most 32 + 24 + 2 * (1 + 255) bytes.
    const stream = shake128(new Uint8Array(0), iterations * 568)
    let at = 0
    const read = (bytes: number): Buffer => {
      at += bytes
      return stream.subarray(at - bytes, at)
    }
    const sealed: Uint8Array[] = []
    for (let i = 0; i < iterations; i++) {
      const key = read(32)
      const nonce = read(24)
      const plaintext = read(read(1)[0]!)
      const aad = read(read(1)[0]!)
      const aead = createAeadSync(nodeBackend, 'xaes-256-gcm', key)
      sealed.push(aead.sealSync(nonce, plaintext, aad))
      aead.destroy()
    }
    expect(shake128(Buffer.concat(sealed), 32).toString('hex')).toBe(hash)
  })
})

describe('HChaCha20', () => {
  it('gives the subkey of draft-irtf-cfrg-xchacha-03 §2.2.1', async () => {
    const { hchacha20, readWord } = await import('../src/hchacha.ts')
    const key = Uint8Array.from({ length: 32 }, (_, i) => i)
    const nonce = Buffer.from('000000090000004a0000000031415927', 'hex')
    const words = Uint32Array.from({ length: 8 }, (_, i) => readWord(key, 4 * i))
    const subkey = new Uint8Array(32)
    hchacha20(words, nonce, subkey)
    expect(Buffer.from(subkey).toString('hex')).toBe(
      '82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc',
    )
  })
})
