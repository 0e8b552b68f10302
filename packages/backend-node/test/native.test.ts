import * as nodeCrypto from 'node:crypto'
import { ALGORITHMS, type AlgorithmId, createAeadSync, isAeadError } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { createNodeBackend, type NativeCipher, type NodeCrypto, nodeBackend } from '../src/index.ts'
import { FILLED_FROM_BYTES, type NativeKey, PIECE_BYTES, WHOLE_UP_TO_BYTES } from '../src/native.ts'
import { A, K, N12 } from './fixed.cases.ts'

const real = nodeCrypto as unknown as NodeCrypto

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** Not random, not periodic with any block length. */
function pattern(bytes: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: bytes }, (_, i) => (i * 131 + (i >>> 7)) & 0xff)
}

/** The reference: one bare update of node:crypto. */
function bare(name: string, key: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Buffer {
  const cipher = nodeCrypto.createCipheriv(name as 'aes-256-gcm', key, N12, { authTagLength: 16 })
  if (aad.length > 0) cipher.setAAD(aad)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

const BOUNDARIES = [FILLED_FROM_BYTES, PIECE_BYTES, WHOLE_UP_TO_BYTES].flatMap((bytes) => [
  bytes - 1,
  bytes,
  bytes + 1,
  bytes + 17,
])

describe('messages cut into pieces', () => {
  for (const id of ['aes-256-gcm', 'aes-256-ocb', 'chacha20-poly1305'] as const) {
    it(`${id}: equal one bare update at every boundary, new memory and in place`, () => {
      expect(BOUNDARIES.length).toBe(12)
      const aead = createAeadSync(nodeBackend, id, K, { nonceCheck: false })
      for (const bytes of [...BOUNDARIES, 3 * 524_288 + 5]) {
        const plaintext = pattern(bytes)
        const expected = bare(id, K, plaintext, A)
        expect(same(aead.sealSync(N12, plaintext, A), expected), `seal ${bytes}`).toBe(true)
        expect(same(aead.openSync(N12, expected, A), plaintext), `open ${bytes}`).toBe(true)
        const place = new Uint8Array(bytes + 16)
        place.set(plaintext)
        aead.sealIntoSync(place, N12, place.subarray(0, bytes), A)
        expect(same(place, expected), `seal in place ${bytes}`).toBe(true)
        aead.openIntoSync(place, N12, place, A)
        expect(same(place.subarray(0, bytes), plaintext), `open in place ${bytes}`).toBe(true)
      }
    })
    it(`${id}: the raw contract works in place without a temporary`, () => {
      const raw = nodeBackend.raw.create(ALGORITHMS[id], K)
      const plaintext = pattern(1_100_003)
      const place = new Uint8Array(plaintext.length + 16)
      place.set(plaintext)
      raw.seal(N12, place.subarray(0, plaintext.length), A, place, 0, plaintext.length)
      expect(same(place, bare(id, K, plaintext, A))).toBe(true)
      expect(raw.open(N12, place, 0, plaintext.length, plaintext.length, A, place)).toBe(true)
      expect(same(place.subarray(0, plaintext.length), plaintext)).toBe(true)
    })
  }
  it('long results own exactly their memory', () => {
    const aead = createAeadSync(nodeBackend, 'aes-256-gcm', K, { nonceCheck: false })
    for (const bytes of [0, 100, 512, 2048, 8192, 32_751, 32_752, 32_768, 65_536, 1 << 20]) {
      const sealed = aead.sealSync(N12, new Uint8Array(bytes))
      const opened = aead.openSync(N12, sealed)
      for (const result of [sealed, opened]) {
        expect(result.byteOffset).toBe(0)
        expect(result.buffer.byteLength).toBe(result.length)
        expect(Object.getPrototypeOf(result)).toBe(Uint8Array.prototype)
      }
      structuredClone(sealed, { transfer: [sealed.buffer] })
    }
  })
})

/** node:crypto with every call of a cipher object written down and every result kept. */
function recording(): { crypto: NodeCrypto; calls: string[]; results: Uint8Array[] } {
  const calls: string[] = []
  const results: Uint8Array[] = []
  const keep = (bytes: Uint8Array): Uint8Array => {
    results.push(bytes)
    return bytes
  }
  const watch = (cipher: NativeCipher): NativeCipher => ({
    setAAD: (aad, options) => {
      calls.push('setAAD')
      return options === undefined ? cipher.setAAD(aad) : cipher.setAAD(aad, options)
    },
    setAuthTag: (tag) => {
      calls.push(`setAuthTag ${tag.length}`)
      return cipher.setAuthTag(tag)
    },
    getAuthTag: () => cipher.getAuthTag(),
    setAutoPadding: (on) => cipher.setAutoPadding(on),
    update: (data) => {
      calls.push('update')
      return keep(cipher.update(data))
    },
    final: () => {
      calls.push('final')
      return keep(cipher.final())
    },
  })
  const crypto: NodeCrypto = {
    ...real,
    createCipheriv: (name, key, nonce, options) => {
      calls.push(`cipher ${options?.authTagLength}`)
      return watch(real.createCipheriv(name, key, nonce, options))
    },
    createDecipheriv: (name, key, nonce, options) => {
      calls.push(`decipher ${options?.authTagLength}`)
      return watch(real.createDecipheriv(name, key, nonce, options))
    },
  }
  return { crypto, calls, results }
}

describe('use of the library', () => {
  for (const id of ['aes-256-gcm', 'aes-256-ccm', 'aes-256-ocb', 'chacha20-poly1305'] as const) {
    it(`${id}: tag length always stated, AAD once and before data, one-shot modes in one update`, () => {
      const { crypto, calls } = recording()
      const raw = createNodeBackend({ crypto }).raw.create(ALGORITHMS[id], K)
      const bytes = 300_000
      const sealed = new Uint8Array(bytes + 16)
      raw.seal(N12, pattern(bytes), A, sealed, 0, bytes)
      const updates = id === 'aes-256-ccm' ? ['update'] : ['update', 'update', 'update']
      expect(calls.splice(0)).toEqual(['cipher 16', 'setAAD', ...updates, 'final'])
      raw.open(N12, sealed, 0, bytes, bytes, A, new Uint8Array(bytes))
      expect(calls).toEqual(['decipher 16', 'setAuthTag 16', 'setAAD', ...updates, 'final'])
    })
    it(`${id}: buffers of the library hold no plaintext after an open, failed or not`, () => {
      const { crypto, results } = recording()
      const raw = createNodeBackend({ crypto }).raw.create(ALGORITHMS[id], K)
      const bytes = 300_001
      const sealed = new Uint8Array(bytes + 16)
      raw.seal(N12, pattern(bytes), A, sealed, 0, bytes)
      for (const flip of [0, 1]) {
        results.length = 0
        sealed[bytes]! ^= flip
        const out = new Uint8Array(bytes)
        expect(raw.open(N12, sealed, 0, bytes, bytes, A, out)).toBe(flip === 0)
        expect(results.length).toBeGreaterThan(0)
        expect(results.every((result) => same(result, new Uint8Array(result.length)))).toBe(true)
        if (flip === 1) expect(same(out, new Uint8Array(bytes))).toBe(true)
      }
    })
  }
  it('does not ask the library whether the tag of an empty CCM message is right', () => {
    // Node 20 and 22 open every forgery when the empty message reaches OpenSSL without a pointer.
    const gullible = {
      setAuthTag: () => undefined,
      setAAD: () => undefined,
      update: () => new Uint8Array(0),
      final: () => new Uint8Array(0),
    } as unknown as NativeCipher
    const crypto: NodeCrypto = { ...real, createDecipheriv: () => gullible }
    const raw = createNodeBackend({ crypto }).raw.create(ALGORITHMS['aes-256-ccm'], K)
    const tag = new Uint8Array(16)
    raw.seal(N12, new Uint8Array(0), A, tag, 0, 0)
    expect(raw.open(N12, tag, 0, 0, 0, A, new Uint8Array(0))).toBe(true)
    for (let bit = 0; bit < 128; bit++) {
      const forged = tag.slice()
      forged[bit >> 3]! ^= 1 << (bit & 7)
      expect(raw.open(N12, forged, 0, 0, 0, A, new Uint8Array(0))).toBe(false)
    }
  })
  it('wipes its copy of the key on destroy, after one message and after several', () => {
    const keys: NativeKey[] = []
    const crypto: NodeCrypto = {
      ...real,
      createCipheriv: (name, key, nonce, options) => {
        keys.push(key)
        return real.createCipheriv(name, key, nonce, options)
      },
    }
    const ids: readonly AlgorithmId[] = ['aes-256-gcm', 'aes-256-ccm', 'xchacha20-poly1305', 'xaes-256-gcm']
    for (const id of ids) {
      for (const messages of [1, 2, 3]) {
        keys.length = 0
        const given = K.slice()
        const raw = createNodeBackend({ crypto }).raw.create(ALGORITHMS[id], given)
        given.fill(0)
        const nonce = new Uint8Array(ALGORITHMS[id].nonceBytes)
        for (let i = 0; i < messages; i++) raw.seal(nonce, A, A, new Uint8Array(A.length + 16), 0, A.length)
        raw.destroy()
        const bytes = keys.filter((key) => key instanceof Uint8Array)
        expect(bytes.length).toBeGreaterThan(0)
        expect(bytes.every((key) => same(key, new Uint8Array(32)))).toBe(true)
      }
    }
  })
})

describe('R14 capability is proven by doing', () => {
  it('calls nothing before it is probed or used', () => {
    const touched: string[] = []
    const crypto = new Proxy({} as NodeCrypto, {
      get: (_, name) => {
        touched.push(String(name))
        return undefined
      },
    })
    createNodeBackend({ crypto })
    expect(touched).toEqual([])
  })
  it('is unavailable with the reason when the list says yes and the constructor throws', () => {
    const crypto = {
      ...real,
      getCiphers: () => ['chacha20-poly1305'],
      createCipheriv: (...args: Parameters<NodeCrypto['createCipheriv']>) => {
        if (args[0] !== 'chacha20-poly1305') return real.createCipheriv(...args)
        throw Object.assign(new Error('error:0308010C:digital envelope routines::unsupported'), {
          code: 'ERR_OSSL_EVP_UNSUPPORTED',
        })
      },
    }
    const backend = createNodeBackend({ crypto })
    for (const id of ['chacha20-poly1305', 'xchacha20-poly1305'] as const) {
      const answer = backend.probeSync(id)
      expect(answer).toMatchObject({ available: false, stage: 'absent' })
      expect(answer.available ? '' : answer.reason).toContain('ERR_OSSL_EVP_UNSUPPORTED')
    }
    expect(backend.probeSync('aes-256-gcm')).toEqual({ available: true })
  })
})

describe('R07 longest message', () => {
  it('refuses 2^31 - 1 and 2^31 bytes with limit-exceeded before the library sees them', ({ skip }) => {
    let memory: Uint8Array
    try {
      memory = new Uint8Array(2 ** 31) // never touched, so never resident
    } catch {
      console.log('R07 skipped: this machine does not reserve 2 GiB of address space')
      skip('no 2 GiB of address space')
      return
    }
    for (const id of nodeBackend.algorithms) {
      if (!nodeBackend.probeSync(id).available) continue
      const { keyBytes, nonceBytes } = ALGORITHMS[id]
      const aead = createAeadSync(nodeBackend, id, new Uint8Array(keyBytes))
      expect(aead.guarantees.maxBytes).toBe(id.includes('ccm') ? 16_777_215 : 2 ** 31 - 17)
      for (const bytes of [2 ** 31 - 16, 2 ** 31 - 1, 2 ** 31]) {
        try {
          aead.sealSync(new Uint8Array(nonceBytes), memory.subarray(0, bytes))
          expect.unreachable()
        } catch (error) {
          expect(isAeadError(error, 'limit-exceeded'), `${id} ${bytes}: ${error}`).toBe(true)
        }
      }
    }
  })
})

describe('probe', () => {
  const bent = (change: (decipher: NativeCipher, data: Uint8Array) => Uint8Array): NodeCrypto => ({
    ...real,
    createDecipheriv: (...args) => {
      const decipher = real.createDecipheriv(...args)
      return Object.assign(Object.create(decipher) as NativeCipher, {
        setAuthTag: (tag: Uint8Array) => decipher.setAuthTag(tag),
        setAAD: (aad: Uint8Array) => decipher.setAAD(aad),
        update: (data: Uint8Array) => change(decipher, data),
        final: () => decipher.final(),
      })
    },
  })
  it('refuses a library that reports a bad tag where it reports other failures, as workerd does', async () => {
    let calls = 0
    const throwing = bent((decipher, data) => {
      if (++calls > 1) throw new Error('Decryption failed')
      return decipher.update(data)
    })
    expect(await createNodeBackend({ crypto: throwing }).probe('chacha20-poly1305')).toMatchObject({
      available: false,
      stage: 'absent',
      reason: expect.stringMatching(/reports a bad tag of chacha20-poly1305 before final\(\)/),
    })
  })
  it('takes the library as it is', async () => {
    const same = bent((decipher, data) => decipher.update(data))
    expect(await createNodeBackend({ crypto: same }).probe('chacha20-poly1305')).toEqual({ available: true })
  })
})

describe('other nonce lengths', () => {
  it('are taken after the library hashed a nonce to the zero block rightly', () => {
    for (const id of ['aes-128-gcm', 'aes-256-gcm'] as const) {
      expect(nodeBackend.raw.takesVariant?.({ ...ALGORITHMS[id], nonceBytes: 16 }), id).toBe(true)
    }
  })
  it('are refused where a hash of all zeros is taken for none, as in Deno 2.9.6; 12 bytes stay', () => {
    const wrong = createNodeBackend({
      crypto: {
        ...real,
        createCipheriv: (name, key, nonce, options) =>
          real.createCipheriv(name, key, nonce?.length === 16 ? nonce.subarray(4) : nonce, options),
      },
    })
    const takes = (nonceBytes: number, tagBytes: number) =>
      wrong.raw.takesVariant?.({ ...ALGORITHMS['aes-256-gcm'], nonceBytes, tagBytes })
    expect(takes(16, 16)).toBe(false)
    expect(takes(13, 16)).toBe(false)
    expect(takes(12, 8)).toBe(true)
  })
})

describe('destroy', () => {
  it('has nothing of a KeyObject to call: what wipes or closes one should be used, and the README changed', () => {
    const key: object = nodeCrypto.createSecretKey(K)
    const names = ['destroy', 'close', 'dispose', 'wipe', 'zeroize', Symbol.dispose, Symbol.asyncDispose]
    expect(names.filter((name) => name !== undefined && name in key)).toEqual([])
  })
})
