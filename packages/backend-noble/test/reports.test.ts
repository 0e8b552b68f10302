import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { ALGORITHMS, type AlgorithmId, createAeadSync, isAeadError, type SyncAead } from '@aeadkit/core'
import { createLegacyOpener } from '@aeadkit/core/unsafe'
import { describe, expect, it } from 'vitest'
import * as gcmEntry from '../src/aes-gcm.ts'
import * as gcmSivEntry from '../src/aes-gcm-siv.ts'
import * as sivEntry from '../src/aes-siv.ts'
import * as chachaEntry from '../src/chacha20-poly1305.ts'
import { nobleBackend } from '../src/index.ts'
import * as fixed from './fixed.cases.ts'

const { A, hex, K, N12, N16, N24, P, toHex } = fixed
const GCM = hex(fixed.GCM256)

function aead(id: AlgorithmId = 'aes-256-gcm', key: Uint8Array = K): SyncAead {
  return createAeadSync(nobleBackend, id, key, { nonceCheck: false })
}

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

describe('availability', () => {
  it('passes the self-test of everything it lists', () => {
    expect(nobleBackend.algorithms.length).toBe(8)
    for (const id of nobleBackend.algorithms)
      expect(nobleBackend.probeSync(id), id).toEqual({ available: true })
  })
  it.each([
    ['chacha20-poly1305', chachaEntry.nobleBackend, ['chacha20-poly1305', 'xchacha20-poly1305']],
    ['aes-gcm', gcmEntry.nobleBackend, ['aes-128-gcm', 'aes-256-gcm']],
    ['aes-gcm-siv', gcmSivEntry.nobleBackend, ['aes-128-gcm-siv', 'aes-256-gcm-siv']],
    ['aes-siv', sivEntry.nobleBackend, ['aes-siv-cmac-256', 'aes-siv-cmac-512']],
  ] as const)('the entry %s has its own algorithms alone, the same as the whole', (_, entry, ids) => {
    expect(entry.algorithms).toEqual(ids)
    for (const id of ids) {
      expect(entry.probeSync(id), id).toEqual({ available: true })
      const { keyBytes, nonceBytes } = ALGORITHMS[id]
      const [key, nonce] = [new Uint8Array(keyBytes).fill(7), new Uint8Array(nonceBytes).fill(9)]
      const sealed = createAeadSync(entry, id, key).sealSync(nonce, P, A)
      expect(toHex(createAeadSync(nobleBackend, id, key).sealSync(nonce, P, A))).toBe(toHex(sealed))
      expect(entry.raw.claims(ALGORITHMS[id], undefined)).toEqual(
        nobleBackend.raw.claims(ALGORITHMS[id], undefined),
      )
    }
    const others = nobleBackend.algorithms.filter((id) => !(ids as readonly AlgorithmId[]).includes(id))
    for (const id of others) expect(entry.probeSync(id)).toMatchObject({ available: false, stage: 'absent' })
  })
  it('states the version that is installed', () => {
    const manifest = createRequire(import.meta.url)
      .resolve('@noble/ciphers/aes.js')
      .replace(/aes\.js$/, 'package.json')
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
    expect(nobleBackend.raw.version()).toBe(`@noble/ciphers ${version}`)
  })
})

describe('known answers', () => {
  it('agrees with other implementations (R04, R06)', () => {
    const none = new Uint8Array(0)
    expect(toHex(aead().sealSync(N12, P, A))).toBe(fixed.GCM256)
    expect(toHex(aead('aes-128-gcm', K.subarray(0, 16)).sealSync(N12, P, A))).toBe(fixed.GCM128)
    expect(toHex(aead('chacha20-poly1305').sealSync(N12, P, A))).toBe(fixed.CHACHA)
    expect(toHex(aead('xchacha20-poly1305').sealSync(N24, P, A))).toBe(fixed.XCHACHA)
    expect(toHex(aead().sealSync(N12, none, A))).toBe(fixed.GCM256_EMPTY_A)
    for (const aad of [undefined, none])
      expect(toHex(aead().sealSync(N12, none, aad))).toBe(fixed.GCM256_EMPTY)
    expect(aead().openSync(N12, hex(fixed.GCM256_EMPTY)).length).toBe(0)
  })
  it('refuses cut tags (R01) and tells errors apart (R02)', () => {
    for (const bytes of [0, 4, 8, 12, 15]) {
      expect(codeOf(() => aead().openSync(N12, GCM.subarray(0, P.length + bytes), A))).toBe('auth-failed')
    }
    expect(codeOf(() => aead().openSync(N12, GCM.subarray(0, 15), A))).toBe('invalid-argument')
    expect(codeOf(() => aead().openSync(N12, GCM, new TextEncoder().encode('hdr:v2')))).toBe('auth-failed')
  })
  it('opens 16-byte nonces only through the legacy opener, and 4-byte ones not at all (R03)', async () => {
    expect(codeOf(() => aead().sealSync(N16, P, A))).toBe('invalid-argument')
    const opener = await createLegacyOpener(nobleBackend, 'aes-256-gcm', K, { nonceBytes: 16 })
    expect(await opener.open(N16, hex(fixed.GCM256_IV16), A)).toEqual(P)
    await expect(createLegacyOpener(nobleBackend, 'aes-256-gcm', K, { nonceBytes: 4 })).rejects.toMatchObject(
      {
        code: 'unsupported',
      },
    )
  })
})

describe('inputs (R18, R19, R20)', () => {
  it('takes arrays of another realm, offsets and other views', () => {
    const context = createContext({})
    const foreign = (bytes: Uint8Array): Uint8Array =>
      runInContext(`new Uint8Array([${bytes.join()}])`, context) as Uint8Array
    const cipher = createAeadSync(nobleBackend, 'aes-256-gcm', foreign(K), { nonceCheck: false })
    expect(toHex(cipher.sealSync(foreign(N12), foreign(P), foreign(A)))).toBe(fixed.GCM256)
    const box = new Uint8Array(512).fill(0xee)
    box.set(GCM, 101)
    expect(
      aead('aes-256-gcm', Buffer.from(toHex(K), 'hex')).openSync(N12, box.subarray(101, 139), A),
    ).toEqual(P)
    const text = new TextEncoder().encode('aabbcc')
    expect(aead().sealSync(N12, new Uint16Array([0x6161, 0x6262, 0x6363]), A)).toEqual(
      aead().sealSync(N12, text, A),
    )
  })
})

describe('memory', () => {
  for (const id of nobleBackend.algorithms) {
    const { keyBytes, nonceBytes, tagBytes, tagPosition } = ALGORITHMS[id]
    const cipher = aead(id, new Uint8Array(keyBytes).fill(1))
    const nonce = new Uint8Array(nonceBytes + 1).fill(2).subarray(1)
    it(`${id}: works at every alignment and in place`, () => {
      for (const bytes of [0, 1, 15, 16, 63, 64, 65, 1350]) {
        const expected = cipher.sealSync(nonce, new Uint8Array(bytes).fill(0x41), A)
        for (let shift = 0; shift < 4; shift++) {
          const place = new Uint8Array(bytes + tagBytes + shift + 3).fill(0xcc)
          const out = place.subarray(shift)
          out.fill(0x41, 0, bytes)
          cipher.sealIntoSync(out, nonce, out.subarray(0, bytes), A)
          expect(same(out.subarray(0, bytes + tagBytes), expected)).toBe(true)
          cipher.openIntoSync(out, nonce, out.subarray(0, bytes + tagBytes), A)
          expect(out.subarray(0, bytes).every((byte) => byte === 0x41)).toBe(true)
          expect(place.subarray(shift + bytes + tagBytes).every((byte) => byte === 0xcc)).toBe(true)
        }
      }
    })
    it(`${id}: a failed open leaves input and output alone (R22)`, () => {
      const sealed = cipher.sealSync(nonce, new Uint8Array(100).fill(0x41), A)
      for (const at of [0, tagBytes, sealed.length - 1]) {
        const forged = sealed.slice()
        forged[at]! ^= 0x80
        const before = forged.slice()
        const out = new Uint8Array(100).fill(0xcc)
        expect(codeOf(() => cipher.openIntoSync(out, nonce, forged, A))).toBe('auth-failed')
        expect(out.every((byte) => byte === 0xcc)).toBe(true)
        expect(codeOf(() => cipher.openIntoSync(forged, nonce, forged, A))).toBe('auth-failed')
        expect(same(forged, before)).toBe(true)
      }
      expect(tagPosition).toBe(id.startsWith('aes-siv') ? 'start' : 'end')
    })
  }
  it('copies the key and wipes the copy on destroy', () => {
    const key = K.slice()
    const raw = nobleBackend.raw.create(ALGORITHMS['chacha20-poly1305'], key)
    key.fill(0)
    const out = new Uint8Array(P.length + 16)
    raw.seal(N12, P, A, out, 0, P.length)
    expect(toHex(out)).toBe(fixed.CHACHA)
    raw.destroy()
    raw.seal(N12, P, A, out, 0, P.length)
    const zero = nobleBackend.raw.create(ALGORITHMS['chacha20-poly1305'], new Uint8Array(32))
    const expected = new Uint8Array(P.length + 16)
    zero.seal(N12, P, A, expected, 0, P.length)
    expect(same(out, expected)).toBe(true)
  })
  it('says what the into-forms allocate', () => {
    expect(aead('chacha20-poly1305').guarantees.allocates).toBe('nothing')
    expect(aead('aes-256-gcm').guarantees.allocates).toBe('message')
  })
})

describe('claims', () => {
  it('calls table AES what it is, and ChaCha structural with the engine named (R40)', () => {
    for (const id of nobleBackend.algorithms) {
      const { constantTime, oneShot, fipsModule } = nobleBackend.raw.claims(ALGORITHMS[id], undefined)
      expect(constantTime.level).toBe(id.startsWith('aes') ? 'none' : 'structural')
      expect(constantTime.basis).toContain(id.startsWith('aes') ? 'tables' : 'engine')
      expect([oneShot, fipsModule]).toEqual([true, 'off'])
    }
  })
  it('a failure that is not a bad tag is not taken for one', () => {
    const raw = nobleBackend.raw.create(ALGORITHMS['chacha20-poly1305'], K)
    const short = new Uint8Array(4)
    expect(() => raw.open(N12, GCM, 0, P.length, P.length, A, short)).toThrow(RangeError)
  })
})

describe('R07 longest message', () => {
  it('refuses more than 2^31 - 17 bytes with limit-exceeded', ({ skip }) => {
    let memory: Uint8Array
    try {
      memory = new Uint8Array(2 ** 31) // never touched, so never resident
    } catch {
      console.log('R07 skipped: this machine does not reserve 2 GiB of address space')
      skip('no 2 GiB of address space')
      return
    }
    for (const id of nobleBackend.algorithms) {
      const { keyBytes, nonceBytes } = ALGORITHMS[id]
      const cipher = aead(id, new Uint8Array(keyBytes))
      expect(cipher.guarantees.maxBytes).toBe(2 ** 31 - 17)
      for (const bytes of [2 ** 31 - 16, 2 ** 31]) {
        expect(codeOf(() => cipher.sealSync(new Uint8Array(nonceBytes), memory.subarray(0, bytes)))).toBe(
          'limit-exceeded',
        )
      }
    }
  })
})
