import { describe, expect, it } from 'vitest'
import { ALGORITHM_IDS } from '../src/ids.ts'
import {
  ALGORITHMS,
  type AlgorithmId,
  createAead,
  createAeadSync,
  defineNarrowBackend,
  GCM_FAMILY,
  isAeadError,
} from '../src/index.ts'
import { rawTestBackend, testBackend } from './backend.ts'

const { algorithms: _, ...raw } = rawTestBackend()
const narrow = defineNarrowBackend([GCM_FAMILY], raw)
const KEY = new Uint8Array(32)

function failure(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    if (isAeadError(error)) return error.toJSON()
  }
  return undefined
}

describe('a narrow backend', () => {
  it('has the algorithms of its families, with the same facts and the same results', () => {
    expect(narrow.algorithms).toEqual(['aes-128-gcm', 'aes-256-gcm'])
    for (const id of narrow.algorithms) expect(narrow.paramsOf(id)).toEqual(ALGORITHMS[id])
    const nonce = new Uint8Array(12)
    const own = createAeadSync(narrow, 'aes-256-gcm', KEY)
    expect(own.sealSync(nonce, KEY)).toEqual(
      createAeadSync(testBackend(), 'aes-256-gcm', KEY).sealSync(nonce, KEY),
    )
  })

  it('refuses what it lacks, and what is no algorithm, as any other backend does', async () => {
    const wide = testBackend({ algorithms: ['aes-128-gcm', 'aes-256-gcm'] })
    const ids = [
      'chacha20-poly1305',
      'aegis-256',
      'aes-256-gmc',
      'rc4',
      'toString',
      '__proto__',
      undefined,
      7,
    ]
    for (const id of ids as AlgorithmId[]) {
      const expected = failure(() => createAeadSync(wide, id, KEY.subarray(0, 32)))
      if (id === 'aegis-256' || id === 'chacha20-poly1305')
        expect(expected).toMatchObject({ code: 'unsupported' })
      else expect(expected).toMatchObject({ code: 'invalid-argument' })
      expect(failure(() => createAeadSync(narrow, id, KEY))).toEqual(expected)
      await expect(createAead(narrow, id, KEY)).rejects.toMatchObject({
        code: (expected as Error & { code: string }).code,
      })
    }
    expect(narrow.probeSync('aegis-256')).toEqual(wide.probeSync('aegis-256'))
    expect(() => narrow.probeSync('rc4' as AlgorithmId)).toThrow(/unknown algorithm/)
  })

  it('may be written as a class, with methods that need their own object', async () => {
    class Author {
      readonly #raw = rawTestBackend()
      get name() {
        return 'written'
      }
      get kind() {
        return 'js' as const
      }
      get maxBytes() {
        return this.#raw.maxBytes
      }
      version() {
        return this.#raw.version()
      }
      probe(...args: Parameters<typeof raw.probe>) {
        return this.#raw.probe(...args)
      }
      claims(...args: Parameters<typeof raw.claims>) {
        return this.#raw.claims(...args)
      }
      create(...args: Parameters<typeof raw.create>) {
        return this.#raw.create(...args)
      }
    }
    const written = defineNarrowBackend([GCM_FAMILY], new Author())
    expect(await written.probe('aes-256-gcm')).toEqual({ available: true })
    const aead = createAeadSync(written, 'aes-256-gcm', KEY)
    expect(aead.backendName).toBe('written')
    expect(aead.guarantees.maxBytes).toBe(raw.maxBytes)
    expect(aead.openSync(KEY.subarray(0, 12), aead.sealSync(KEY.subarray(0, 12), KEY))).toEqual(KEY)
  })

  it('has facts that nobody changes for everyone', () => {
    const rows = GCM_FAMILY[9] as Record<string, unknown[]>
    for (const change of [
      () => (rows['aes-256-gcm']![2] = 8),
      () => (rows['aes-256-gcm'] = []),
      () => ((GCM_FAMILY as unknown as unknown[])[2] = 'ccm'),
      () => ((GCM_FAMILY[0] as unknown as number[])[0] = 7),
      () => (narrow.algorithms as string[]).push('aes-128-ccm'),
    ])
      expect(change).toThrow(TypeError)
  })

  it('knows every id', () => expect(ALGORITHM_IDS).toEqual(Object.keys(ALGORITHMS)))
})
