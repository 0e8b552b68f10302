import * as nodeCrypto from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import { ALGORITHMS, type AlgorithmId, createAeadSync, isAeadError, type SyncAead } from '@aeadkit/core'
import { createLegacyOpener } from '@aeadkit/core/unsafe'
import { describe, expect, it } from 'vitest'
import { createNodeBackend, type NodeCrypto, nodeBackend } from '../src/index.ts'
import * as fixed from './fixed.cases.ts'

const { A, hex, K, N12, N16, N24, P, toHex } = fixed
const GCM = hex(fixed.GCM256)

function aead(id: AlgorithmId = 'aes-256-gcm', key: Uint8Array = K): SyncAead {
  return createAeadSync(nodeBackend, id, key, { nonceCheck: false })
}

/** Compares without printing: a failing `toEqual` of long arrays takes seconds. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return isAeadError(error) ? error.code : String(error)
  }
  return 'nothing thrown'
}

/** Everything this Node has, the self-test included. */
const available = nodeBackend.algorithms.filter((id) => nodeBackend.probeSync(id).available)

describe('R01 short tags', () => {
  for (const bytes of [0, 4, 8, 12, 13, 14, 15]) {
    it(`refuses V-GCM256 with its tag cut to ${bytes} bytes`, () => {
      const cut = GCM.subarray(0, P.length + bytes)
      const code = codeOf(() => aead().openSync(N12, cut, A))
      // Cut by less than the ciphertext's length, the rest still looks like a shorter message.
      expect(code).toBe('auth-failed')
    })
  }
  it('hands the library the full tag length, which older Nodes need to refuse a prefix themselves', () => {
    const raw = nodeBackend.raw.create(aead().params, K)
    const out = new Uint8Array(P.length)
    const short = GCM.subarray(0, P.length + 4)
    expect(() => raw.open(N12, short, 0, P.length, P.length, A, out)).toThrow()
  })
})

describe('R02 distinct errors', () => {
  it('tells too short from not authentic', () => {
    expect(codeOf(() => aead().openSync(N12, GCM.subarray(0, 15), A))).toBe('invalid-argument')
    expect(codeOf(() => aead().openSync(N12, GCM, new TextEncoder().encode('hdr:v2')))).toBe('auth-failed')
    expect(codeOf(() => aead().openSync(N16, GCM, A))).toBe('invalid-argument')
    expect(codeOf(() => createAeadSync(nodeBackend, 'aes-256-gcm', K.subarray(1)))).toBe('invalid-argument')
  })
})

describe('R03 other nonce lengths', () => {
  it('refuses to seal with 16 bytes and opens them through the legacy opener', async () => {
    expect(codeOf(() => aead().sealSync(N16, P, A))).toBe('invalid-argument')
    const opener = await createLegacyOpener(nodeBackend, 'aes-256-gcm', K, { nonceBytes: 16 })
    expect(await opener.open(N16, hex(fixed.GCM256_IV16), A)).toEqual(P)
  })
})

describe('R04 and R05 one layout, one AAD', () => {
  it('gives ciphertext then tag, byte for byte', () => {
    expect(toHex(aead().sealSync(N12, P, A))).toBe(fixed.GCM256)
    expect(toHex(aead('aes-128-gcm', K.subarray(0, 16)).sealSync(N12, P, A))).toBe(fixed.GCM128)
    expect(toHex(aead('chacha20-poly1305').sealSync(N12, P, A))).toBe(fixed.CHACHA)
    expect(toHex(aead('xchacha20-poly1305').sealSync(N24, P, A))).toBe(fixed.XCHACHA)
  })
})

describe('R06 empty inputs', () => {
  it('seals and opens nothing; missing and empty AAD are the same', () => {
    const none = new Uint8Array(0)
    expect(toHex(aead().sealSync(N12, none, A))).toBe(fixed.GCM256_EMPTY_A)
    for (const aad of [undefined, none])
      expect(toHex(aead().sealSync(N12, none, aad))).toBe(fixed.GCM256_EMPTY)
    const opened = aead().openSync(N12, hex(fixed.GCM256_EMPTY))
    expect(opened).toBeInstanceOf(Uint8Array)
    expect(opened.length).toBe(0)
  })
  for (const id of available) {
    it(`${id}: an empty message opens, and no forgery of it does`, () => {
      const params = ALGORITHMS[id]
      const cipher = aead(id, new Uint8Array(params.keyBytes).fill(1))
      const nonce = new Uint8Array(params.nonceBytes).fill(2)
      for (const aad of [new Uint8Array(0), A]) {
        const sealed = cipher.sealSync(nonce, new Uint8Array(0), aad)
        expect(cipher.openSync(nonce, sealed, aad).length).toBe(0)
        for (let bit = 0; bit < 128; bit++) {
          const forged = sealed.slice()
          forged[bit >> 3]! ^= 1 << (bit & 7)
          expect(codeOf(() => cipher.openSync(nonce, forged, aad))).toBe('auth-failed')
        }
      }
    })
  }
})

describe('R08 one-shot modes', () => {
  it('says so by name, and still takes more than 32 768 bytes', () => {
    for (const id of available) {
      const oneShot = /ccm|siv/.test(id)
      expect(nodeBackend.raw.claims(ALGORITHMS[id], undefined).oneShot).toBe(oneShot)
    }
    const cipher = aead('aes-256-ccm')
    const long = new Uint8Array(32_769).fill(7)
    expect(same(cipher.openSync(N12, cipher.sealSync(N12, long, A), A), long)).toBe(true)
  })
})

describe('R18, R19, R20 kinds of input', () => {
  it('takes arrays of another realm', () => {
    const context = createContext({})
    const foreign = (bytes: Uint8Array): Uint8Array =>
      runInContext(`new Uint8Array([${bytes.join()}])`, context) as Uint8Array
    const cipher = createAeadSync(nodeBackend, 'aes-256-gcm', foreign(K), { nonceCheck: false })
    expect(toHex(cipher.sealSync(foreign(N12), foreign(P), foreign(A)))).toBe(fixed.GCM256)
    expect(cipher.openSync(foreign(N12), foreign(GCM), foreign(A))).toEqual(P)
  })
  it('honours offsets', () => {
    const box = new Uint8Array(512).fill(0xee)
    box.set(GCM, 100)
    const key = Buffer.from(toHex(K), 'hex')
    expect(aead('aes-256-gcm', key).openSync(N12, box.subarray(100, 138), A)).toEqual(P)
  })
  it('reads other views as their bytes', () => {
    const text = new TextEncoder().encode('aabbcc')
    const words = new Uint16Array([0x6161, 0x6262, 0x6363])
    const holder = new ArrayBuffer(16)
    new Uint8Array(holder).set(text, 5)
    const expected = aead().sealSync(N12, text, A)
    expect(aead().sealSync(N12, words, A)).toEqual(expected)
    expect(aead().sealSync(N12, new DataView(holder, 5, 6), A)).toEqual(expected)
  })
})

describe('R17 legacy ciphers', () => {
  it('does not know them, and asks no library', () => {
    for (const id of ['bf-cbc', 'rc4', 'des-ede3-cbc']) {
      expect(codeOf(() => createAeadSync(nodeBackend, id as AlgorithmId, K))).toBe('invalid-argument')
    }
  })
})

/** A backend whose library results pass through `result`, and are kept. */
function watched(result: (made: Uint8Array) => Uint8Array): {
  readonly backend: ReturnType<typeof createNodeBackend>
  readonly results: Uint8Array[]
} {
  const results: Uint8Array[] = []
  const native = nodeCrypto as unknown as NodeCrypto
  const backend = createNodeBackend({
    crypto: {
      ...native,
      createDecipheriv(...given) {
        const decipher = native.createDecipheriv(...given)
        const update = decipher.update.bind(decipher)
        decipher.update = (data) => {
          const made = result(update(data))
          results.push(made)
          return made
        }
        return decipher
      },
    },
  })
  return { backend, results }
}

/** As a runtime does that cuts results from a pool. */
const fromPool = (made: Uint8Array): Uint8Array => {
  const pool = new Uint8Array(made.length + 20)
  pool.set(made, 7)
  return pool.subarray(7, 7 + made.length)
}

describe('R22 and R39, memory of the library', () => {
  const ways: [string, (made: Uint8Array) => Uint8Array][] = [
    ['its own', (made) => made],
    ['from a pool', fromPool],
  ]
  for (const id of available) {
    for (const [name, result] of ways) {
      it(`${id}, ${name}: holds no plaintext after a refusal; what is returned is its own`, () => {
        const params = ALGORITHMS[id]
        const { backend, results } = watched(result)
        const cipher = createAeadSync(backend, id, new Uint8Array(params.keyBytes).fill(1), {
          nonceCheck: false,
        })
        const nonce = new Uint8Array(params.nonceBytes).fill(2)
        for (const bytes of [1, 22, 70_001, 9_000_000]) {
          const plaintext = new Uint8Array(bytes).fill(0x41)
          const sealed = cipher.sealSync(nonce, plaintext, A)
          results.length = 0
          const opened = cipher.openSync(nonce, sealed, A)
          expect(same(opened, plaintext)).toBe(true)
          expect(opened.constructor).toBe(Uint8Array)
          expect(opened.byteOffset).toBe(0)
          expect(opened.buffer.byteLength).toBe(bytes)
          expect(results.length).toBeGreaterThan(0)
          for (const made of results) {
            expect(made.buffer === opened.buffer || !made.includes(0x41), 'no second copy').toBe(true)
          }
          results.length = 0
          sealed[sealed.length - 1]! ^= 1
          expect(codeOf(() => cipher.openSync(nonce, sealed, A))).toBe('auth-failed')
          expect(results.some((made) => made.includes(0x41))).toBe(false)
        }
      })
    }
  }
})

describe('R22 failed opens', () => {
  for (const id of available) {
    it(`${id}: leaves the input and the output alone`, () => {
      const params = ALGORITHMS[id]
      const cipher = aead(id, new Uint8Array(params.keyBytes).fill(1))
      const nonce = new Uint8Array(params.nonceBytes).fill(2)
      for (const bytes of [22, 20_000, 600_000]) {
        const sealed = cipher.sealSync(nonce, new Uint8Array(bytes).fill(0x41), A)
        sealed[sealed.length - 1]! ^= 1
        const before = sealed.slice()
        const out = new Uint8Array(bytes).fill(0xcc)
        expect(codeOf(() => cipher.openIntoSync(out, nonce, sealed, A))).toBe('auth-failed')
        expect(same(out, new Uint8Array(bytes).fill(0xcc))).toBe(true)
        expect(same(sealed, before)).toBe(true)
        // In place: the sealed bytes themselves survive.
        expect(codeOf(() => cipher.openIntoSync(sealed, nonce, sealed, A))).toBe('auth-failed')
        expect(same(sealed, before)).toBe(true)
      }
    })
  }
})
