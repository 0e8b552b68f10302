import { getCiphers } from 'node:tls'
import { ALGORITHMS, isAeadError } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { PROTOCOL_NAMES } from '../src/protocols/order.ts'
import {
  findSuite,
  SUITES,
  suiteOf,
  suiteOfCode,
  toIanaName,
  toOpensslName,
} from '../src/protocols/suites.ts'

const refusal = (call: () => unknown): { code: string; message: string; details: any } => {
  try {
    call()
  } catch (error) {
    if (isAeadError(error)) return error as never
    throw error
  }
  throw new Error('accepted')
}

describe('the table of suites', () => {
  it('has every AEAD suite that the OpenSSL of this Node knows', () => {
    // ARIA is not in our table of algorithms; DSS and anonymous key exchange are gone everywhere.
    const own = getCiphers().filter((name) => /gcm|ccm|chacha/.test(name) && !/aria|dss|^adh/.test(name))
    expect(own.length).toBeGreaterThan(20)
    const known = new Set(SUITES.map(({ openssl }) => openssl.toLowerCase()))
    expect(own.filter((name) => !known.has(name))).toEqual([])
  })

  it('names each suite once in each vocabulary, with one code', () => {
    for (const key of ['name', 'openssl', 'code'] as const) {
      const tls = SUITES.filter(({ code }) => code !== null).map((suite) => suite[key])
      expect(new Set(tls).size).toBe(tls.length)
    }
    expect(SUITES).toHaveLength(56)
  })

  it('leaves out only the algorithms with a tag of 8 bytes', () => {
    for (const { algorithm, name } of SUITES) {
      if (algorithm === null) expect(name).toMatch(/CCM_8(_SHA256)?$/)
      else expect(ALGORITHMS[algorithm]).toBeDefined()
    }
  })

  it('has every name that advice prints, with the algorithm it is printed for', () => {
    for (const [protocol, names] of Object.entries(PROTOCOL_NAMES)) {
      for (const [id, list] of Object.entries(names)) {
        for (const name of list) expect(suiteOf(name, protocol as never).algorithm).toBe(id)
      }
    }
  })
})

describe('translation', () => {
  it.each([
    ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
    ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
    ['TLS_RSA_WITH_AES_256_CCM_8', 'AES256-CCM8'],
    ['TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
  ])('%s and %s', (iana, openssl) => {
    expect(toOpensslName(iana)).toBe(openssl)
    expect(toIanaName(openssl)).toBe(iana)
    expect(toIanaName(iana)).toBe(iana)
    expect(toOpensslName(openssl)).toBe(openssl)
  })

  it('goes there and back for every TLS suite', () => {
    for (const { code, name, openssl } of SUITES.filter((suite) => suite.code !== null)) {
      expect(toIanaName(toOpensslName(name))).toBe(name)
      expect(toOpensslName(toIanaName(openssl))).toBe(openssl)
      expect(suiteOfCode(code!)?.name).toBe(name)
    }
  })

  it.each([
    ['TLS_AES_128_GCM_SHA265', 'TLS_AES_128_GCM_SHA256'],
    ['ECDHE-RSA-CHACHA20-POLY1035', 'ECDHE-RSA-CHACHA20-POLY1305'],
    ['tls_aes_256_gcm_sha384', 'TLS_AES_256_GCM_SHA384'],
    ['aes128-gcm@openssh', 'aes128-gcm@openssh.com'],
    ['CHACHA20_POLY1305', 'CHACHA20-POLY1305'],
  ])('%s is refused, and %s named', (name, nearest) => {
    const error = refusal(() => suiteOf(name))
    expect(error.code).toBe('invalid-argument')
    expect(error.message).toContain(`did you mean ${nearest}?`)
    expect(error.details.nearest).toBe(nearest)
  })

  it('names nothing where nothing is near, and looks in one protocol where told', () => {
    expect(refusal(() => suiteOf('RC4-MD5')).message).not.toContain('did you mean')
    expect(refusal(() => suiteOf('AES-128-GCM', 'ssh')).message).toContain('unknown ssh cipher')
    expect(refusal(() => suiteOf(7 as never)).code).toBe('invalid-argument')
    expect(findSuite('TLS_FALLBACK_SCSV')).toBeUndefined()
  })

  it('has no IANA name for a cipher of SSH', () => {
    expect(refusal(() => toIanaName('aes128-gcm@openssh.com')).message).toMatch(/ssh, not a TLS suite/)
    expect(refusal(() => toOpensslName('AES-256-GCM')).code).toBe('invalid-argument')
  })
})
