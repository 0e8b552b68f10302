import { describe, expect, it } from 'vitest'
import { clientHello, type ServerSide, serverChoice, TLS_LIBRARIES } from '../src/protocols/libraries.ts'
import { negotiate } from '../src/protocols/negotiate.ts'
import { cipherOrder } from '../src/protocols/order.ts'
import { pick } from '../src/protocols/pick.ts'
import { sshClientConfig } from '../src/protocols/ssh.ts'

const A = 'TLS_AES_128_GCM_SHA256'
const B = 'TLS_AES_256_GCM_SHA384'
const C = 'TLS_CHACHA20_POLY1305_SHA256'
/** What a browser puts in front of its list. */
const GREASE = '0x1a1a'

const choose = (library: 'boringssl' | 'openssl' | 'go', side: ServerSide): string | null =>
  serverChoice(library, side).chosen

describe('lists of names that are none', () => {
  const refused = expect.objectContaining({ code: 'invalid-argument' })
  it.each([
    ['a text', 'abc'],
    ['a number', 5],
    ['null', null],
    ['deeper lists', [[[A]]]],
    ['numbers', [1]],
  ])('refuses %s', (_, groups) => {
    const given = groups as never
    expect(() => pick(given, [A])).toThrow(refused)
    expect(() => negotiate({ hardware: 'none', suites: given }, [A])).toThrow(refused)
    expect(() => serverChoice('go', { hardware: true, hello: [A], order: given })).toThrow(refused)
  })
  it('refuses a peer without a list, a client of no version or hardware, and duties that are none', () => {
    expect(() => pick([A], undefined as never)).toThrow(refused)
    expect(() => clientHello('go', true, 'SSLv3' as never)).toThrow(refused)
    expect(() => clientHello('go', 'maybe' as never)).toThrow(refused)
    expect(() => cipherOrder(true, undefined as never)).toThrow(refused)
    expect(() => cipherOrder('yes' as never, { fips: false, cnsa: false, keyBits: undefined })).toThrow(
      refused,
    )
    expect(() => sshClientConfig({ host: null as never })).toThrow(refused)
  })
})

describe('pick', () => {
  it('takes the first group that is shared, and in it what the peer lists first', () => {
    expect(pick(['x', ['a', 'b'], 'c'], ['c', 'b', 'a'])).toBe('b')
    expect(pick([['a', 'b']], ['c'])).toBeUndefined()
    expect(pick([], ['a'])).toBeUndefined()
  })
})

describe('BoringSSL', () => {
  it.each([
    [true, [A, B, C], A],
    [true, [C, A, B], C],
    [true, [B, A], B],
    [true, [GREASE, B, C, A], B],
    [false, [A, B, C], C],
    [false, [B, A, C], C],
    [false, [B, A], B],
    [false, [A, B], A],
  ])('server with AES hardware %s, client %j: %s', (hardware, hello, chosen) => {
    expect(choose('boringssl', { hardware, hello })).toBe(chosen)
  })
  it('lists by hardware as a client', () => {
    expect(clientHello('boringssl', true)).toEqual([A, B, C])
    expect(clientHello('boringssl', false)).toEqual([C, A, B])
  })
  it('has no groups of equals for TLS 1.2 unless the list is written with them', () => {
    const [a, c] = ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'] as const
    const side = { hardware: true, version: 'TLSv1.2', hello: [c, a], serverPreference: true } as const
    expect(choose('boringssl', { ...side, order: [a, c] })).toBe('TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256')
    expect(choose('boringssl', { ...side, order: [[a, c]] })).toBe(
      'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
    )
    expect(choose('boringssl', { ...side, order: [a, c], serverPreference: false })).toBe(
      'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
    )
  })
})

describe('OpenSSL', () => {
  const order = [A, B, C]
  it.each<[string, Partial<ServerSide>, string[], string]>([
    ["without the flag the client's order decides", {}, [C, A, B], C],
    ["without the flag the client's order decides", {}, [B, C, A], B],
    ['with it the server decides', { serverPreference: true }, [C, A, B], A],
    [
      'ChaCha20 is followed when it is first',
      { serverPreference: true, prioritizeChaCha: true },
      [C, A, B],
      C,
    ],
    ['but not when it is second', { serverPreference: true, prioritizeChaCha: true }, [B, C, A], A],
    [
      'what the library does not know does not count',
      { serverPreference: true, prioritizeChaCha: true },
      [GREASE, C, A],
      C,
    ],
    ['the second flag does nothing alone', { prioritizeChaCha: true }, [B, C, A], B],
    ['R37: the server leads with ChaCha20', { serverPreference: true, order: [C, A] }, [A, C], C],
  ])('%s', (_, side, hello, chosen) => {
    expect(choose('openssl', { hardware: false, order, hello, ...side })).toBe(chosen)
    expect(choose('openssl', { hardware: true, order, hello, ...side })).toBe(chosen)
  })
  it('has an order of its own, whatever the hardware', () => {
    expect(clientHello('openssl', true)).toEqual([B, C, A])
    expect(clientHello('openssl', false)).toEqual([B, C, A])
    expect(choose('openssl', { hardware: false, hello: [A, C, B], serverPreference: true })).toBe(B)
  })
})

describe('Go', () => {
  it.each([
    [true, [A, C], A],
    [true, [B, C, A], A],
    [true, [C, A], C],
    [true, [GREASE, C, A], C],
    [false, [A, C], C],
    [false, [A, B], A],
  ])('hardware %s, client %j: %s', (hardware, hello, chosen) => {
    expect(choose('go', { hardware, hello })).toBe(chosen)
  })
  it('has a list of its own under FIPS', () => {
    expect(choose('go', { hardware: false, hello: [C, B, A], fips: true })).toBe(A)
    expect(choose('go', { hardware: false, hello: [C], fips: true })).toBeNull()
  })
  it.each(['boringssl', 'openssl', 'go'] as const)(
    'FIPS leaves AES of a list that was given, too: %s',
    (library) => {
      const CCM = 'TLS_AES_128_CCM_SHA256'
      const CCM_8 = 'TLS_AES_128_CCM_8_SHA256'
      const base = { hardware: false, fips: true } as const
      const orders = [
        [C, A, B, CCM, CCM_8],
        [[C, A], [CCM]],
        [[C], A, [B, CCM, CCM_8]],
      ]
      for (const order of orders) {
        for (const serverPreference of [false, true]) {
          for (const prioritizeChaCha of [false, true]) {
            const side = { ...base, order, serverPreference, prioritizeChaCha }
            const { chosen, order: kept } = serverChoice(library, { ...side, hello: [C, GREASE, A, B, CCM] })
            expect(chosen).toBe(A)
            expect(kept.flat()).not.toContain(C)
            expect(kept.every((group) => group.length > 0)).toBe(true)
            expect(choose(library, { ...side, hello: [C] })).toBeNull()
            // AES-CCM is on the list, so a server that was given it takes it.
            expect(choose(library, { ...side, hello: [C, CCM] })).toBe(CCM)
          }
        }
      }
      const none = serverChoice(library, { ...base, order: [C], hello: [C, A] })
      expect([none.chosen, none.order.flat()]).toEqual([null, []])
      const version = 'TLSv1.2'
      const [chacha, gcm, ccm] = ['CHACHA20-POLY1305', 'AES128-GCM-SHA256', 'AES128-CCM'].map(
        (name) => `ECDHE-ECDSA-${name}`,
      ) as [string, string, string]
      const side = { ...base, version, order: [chacha, ccm, gcm] } as const
      expect(choose(library, { ...side, hello: [chacha, gcm] })).toBe(
        'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
      )
      expect(choose(library, { ...side, hello: [chacha, ccm] })).toBe('TLS_ECDHE_ECDSA_WITH_AES_128_CCM')
    },
  )
  it('FIPS adds nothing to the list of a library, and keeps its order', () => {
    const CCM = 'TLS_AES_128_CCM_SHA256'
    for (const library of ['boringssl', 'openssl', 'go'] as const) {
      const { chosen, rule } = serverChoice(library, { hardware: true, hello: [CCM, C], fips: true })
      expect(chosen).toBeNull()
      expect(rule).toMatch(/; FIPS 140-3 leaves AES-GCM and AES-CCM of the list$/)
      expect(serverChoice(library, { hardware: true, hello: [A] }).rule).not.toMatch(/FIPS/)
    }
    const hello = [A, B]
    const openssl = { hardware: true, hello, fips: true, serverPreference: true } as const
    expect(choose('openssl', openssl)).toBe(B)
    expect(choose('boringssl', { hardware: false, hello: [B, A], fips: true })).toBe(B)
  })
})

describe('serverChoice refuses', () => {
  it.each<[string, () => unknown]>([
    ['a library it does not know', () => serverChoice('nss' as never, { hardware: true, hello: [A] })],
    ['no options', () => serverChoice('go', undefined as never)],
    ['a slip in a name', () => serverChoice('go', { hardware: true, hello: [A], fipss: true } as never)],
    [
      'a suite it does not know in the order',
      () => serverChoice('openssl', { hardware: true, hello: [A], order: ['TLS_X'] }),
    ],
    [
      'a suite of another version',
      () => serverChoice('openssl', { hardware: true, hello: [A], order: ['ECDHE-RSA-AES128-GCM-SHA256'] }),
    ],
    ['no list', () => serverChoice('go', { hardware: true } as never)],
    ['no hardware', () => serverChoice('go', { hello: [A] } as never)],
  ])('%s', (_, call) => expect(call).toThrow(expect.objectContaining({ code: 'invalid-argument' })))
  it('says null where nothing is shared', () => {
    for (const library of Object.keys(TLS_LIBRARIES) as ('go' | 'openssl' | 'boringssl')[]) {
      expect(choose(library, { hardware: true, hello: ['TLS_FALLBACK_SCSV'] })).toBeNull()
    }
  })
})

describe('negotiate: AES only if both sides show it', () => {
  it.each<['hardware' | 'none' | 'unknown', string[], string, boolean]>([
    ['hardware', [A, B, C], A, true],
    ['hardware', [B, C, A], B, true],
    ['hardware', [GREASE, B, C, A], B, true],
    ['hardware', [C, A, B], C, false],
    ['none', [A, B, C], C, false],
    ['unknown', [A, B, C], C, false],
    ['none', [A, B], A, false],
    ['hardware', [C], C, false],
  ])('%s here, peer %j: %s', (hardware, peer, chosen, both) => {
    expect(negotiate({ hardware }, peer)).toMatchObject({ chosen, bothShowAes: both })
  })

  it('takes any protocol of the table, in the spelling of this side', () => {
    const ssh = ['aes256-gcm@openssh.com', 'chacha20-poly1305@openssh.com']
    expect(negotiate({ hardware: 'hardware', suites: ssh }, [...ssh]).chosen).toBe(ssh[0])
    expect(negotiate({ hardware: 'none', suites: ssh }, [...ssh]).chosen).toBe(ssh[1])
    const iana = negotiate({ hardware: 'hardware', suites: ['ECDHE-RSA-AES128-GCM-SHA256'] }, [
      'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    ])
    expect(iana.chosen).toBe('ECDHE-RSA-AES128-GCM-SHA256')
  })

  it("keeps this side's order among AES suites, and the peer's inside a group", () => {
    expect(negotiate({ hardware: 'hardware', suites: [A, B, C] }, [B, A, C]).chosen).toBe(A)
    expect(negotiate({ hardware: 'hardware', suites: [[A, B], C] }, [B, A, C]).chosen).toBe(B)
    expect(negotiate({ hardware: 'none', suites: [[A, B, C]] }, [B, A, C]).order).toEqual([[C], [A, B]])
  })

  it('says why, also when nothing is shared', () => {
    expect(negotiate({ hardware: 'none' }, [A]).reason).toMatch(/shows no AES hardware \(none\).*ChaCha20/)
    expect(negotiate({ hardware: 'hardware' }, ['RC4-MD5'])).toMatchObject({
      chosen: null,
      bothShowAes: false,
    })
    expect(negotiate({ hardware: 'hardware' }, []).reason).toBe('the two lists share no suite')
  })

  it.each<[string, () => unknown]>([
    [
      'an unknown name of this side',
      () => negotiate({ hardware: 'none', suites: ['TLS_AES_128_GCM_SHA265'] }, [A]),
    ],
    ['names of two protocols', () => negotiate({ hardware: 'none', suites: [A, 'AES-128-GCM'] }, [A])],
    ['an empty list', () => negotiate({ hardware: 'none', suites: [] }, [A])],
    ['a class that is none', () => negotiate({ hardware: 'yes' as never }, [A])],
    ['no class', () => negotiate({} as never, [A])],
    ['no list', () => negotiate({ hardware: 'none' }, 'A' as never)],
    ['a list of other things', () => negotiate({ hardware: 'none' }, [7] as never)],
  ])('refuses %s', (_, call) => expect(call).toThrow(expect.objectContaining({ code: 'invalid-argument' })))
})
