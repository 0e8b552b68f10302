import { constants } from 'node:crypto'
import type { Evidence } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { type ProtocolSelection, selectAead } from '../src/index.ts'
import {
  type AdviceOptions,
  nginxSnippet,
  openvpnSettings,
  type ProtocolAdvice,
  sshClientConfig,
  tlsOptions,
} from '../src/protocols/index.ts'
import { RUNTIME_TLS } from '../src/protocols/runtimes.ts'
import {
  DENIED,
  DENO,
  ENFORCING,
  EVERYTHING,
  evidence,
  FLAGLESS,
  GUEST,
  HALF_MASKED_NODE,
  HARDWARE,
  MASKED,
  MASKED_NODE,
  NO_HARDWARE,
  OLD_CPU,
  PARTIAL,
  PI4,
  timing,
  UNKNOWN,
  ZEN3,
} from './fakes.ts'

const ALL: readonly ((options?: AdviceOptions) => ProtocolAdvice)[] = [
  tlsOptions,
  nginxSnippet,
  sshClientConfig,
  openvpnSettings,
]
const [A13, B13, C13] = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']

describe('what makes a server follow a client that leads with ChaCha20', () => {
  const said = (notes: readonly string[]): readonly string[] => notes.filter((note) => /prioriti/i.test(note))
  const what =
    ' moves ChaCha20-Poly1305 up only when the client lists it first, and does nothing without the server preference'
  it('has the name of the option in Node, of the configuration in nginx, and both beside both', async () => {
    expect(said(tlsOptions({ runtime: 'node' }).notes)).toEqual([`SSL_OP_PRIORITIZE_CHACHA${what}`])
    expect(said(nginxSnippet().notes)).toEqual([`PrioritizeChaCha${what}`])
    const pick = await selectAead({ context: 'tls-server', backends: EVERYTHING, evidence: HARDWARE })
    expect(said((pick as ProtocolSelection).verdict.advice!.notes)).toEqual([
      `PrioritizeChaCha (in Node SSL_OP_PRIORITIZE_CHACHA)${what}`,
    ])
  })
})

describe('a TLS server', () => {
  it('has one order, whatever its own CPU', () => {
    const texts = [HARDWARE, NO_HARDWARE, PARTIAL, UNKNOWN].map(
      (one) => tlsOptions({ evidence: one, runtime: 'node' }).text,
    )
    expect(new Set(texts).size).toBe(1)
  })

  it('leads with AES and follows a client that leads with ChaCha20, on OpenSSL', () => {
    const { ignored, options, suites } = tlsOptions({ runtime: 'node' })
    expect(suites['TLSv1.3']).toEqual([A13, B13, C13])
    expect(options).toEqual({
      ciphers: [...suites['TLSv1.3'], ...suites['TLSv1.2']].join(':'),
      minVersion: 'TLSv1.2',
      honorCipherOrder: true,
      secureOptions: constants.SSL_OP_PRIORITIZE_CHACHA,
    })
    expect(ignored).toEqual([])
  })

  it.each(['bun', 'deno', 'electron'] as const)('lets the client decide on %s', (runtime) => {
    expect(tlsOptions({ runtime }).options).toMatchObject({ honorCipherOrder: false })
    expect(tlsOptions({ runtime }).options.secureOptions).toBeUndefined()
  })

  it('R37: says what Bun and Deno do not obey, with version and day', () => {
    const bun = tlsOptions({ runtime: 'bun' }).ignored
    expect(bun.map(({ option, version }) => `${option} ${version}`)).toEqual(['ciphers TLSv1.3'])
    expect(bun[0]).toMatchObject({
      runtime: 'bun',
      asOf: '2026-11-30',
      text: expect.stringContaining('1.4.5'),
    })
    const deno = tlsOptions({ runtime: 'deno' }).ignored
    expect(deno.map(({ option, version }) => `${option} ${version}`)).toEqual([
      'ciphers TLSv1.3',
      'ciphers TLSv1.2',
    ])
    const client = tlsOptions({ runtime: 'deno', role: 'client', minVersion: 'TLSv1.3' }).ignored
    expect(client).toHaveLength(1)
    expect(tlsOptions({ runtime: 'electron' }).notes.join()).toMatch(/electron obeys was not observed/)
  })

  it('under FIPS offers only AES-GCM, and says where the runtime does not keep that', () => {
    for (const fips of ['approved-algorithms', 'module'] as const) {
      const { options, reasons } = tlsOptions({ fips, runtime: 'node' })
      expect(options.ciphers).not.toMatch(/CHACHA|CCM/)
      expect(options.ciphers.split(':').every((name) => /_GCM_|-GCM-/.test(name))).toBe(true)
      expect(reasons.join()).toMatch(
        /FIPS 140-3 binds: of the ciphers of this protocol AES-GCM is on its list; AES-CCM is on it as well/,
      )
      expect(sshClientConfig({ fips }).reasons.join()).toMatch(/AES-GCM is on its list$/)
      expect(reasons.join()).not.toMatch(/only AES-GCM/)
      expect(nginxSnippet({ fips }).text).not.toMatch(/CHACHA|PrioritizeChaCha/i)
      expect(openvpnSettings({ fips }).text).toBe('data-ciphers AES-128-GCM:AES-256-GCM')
      expect(sshClientConfig({ fips }).text).not.toMatch(/chacha/)
      const { notes } = openvpnSettings({ fips })
      expect(notes.filter((note) => /put CHACHA20-POLY1305 first/.test(note))).toEqual([])
      expect(notes.join()).toMatch(/that the client offers,kernel offload/)
    }
    expect(tlsOptions({ fips: 'approved-algorithms', runtime: 'deno' }).notes[0]).toMatch(/not met on deno/)
    expect(tlsOptions({ fips: 'approved-algorithms', runtime: 'bun' }).notes[0]).toMatch(/not met on bun/)
    expect(tlsOptions({ fips: 'approved-algorithms', runtime: 'node' }).notes[0]).not.toMatch(/not met/)
  })

  it("fips 'auto' follows what the evidence says of the process", () => {
    expect(tlsOptions({ evidence: ENFORCING }).options.ciphers).not.toContain('CHACHA')
    expect(tlsOptions({ evidence: ENFORCING, fips: 'off' }).options.ciphers).toContain('CHACHA')
    expect(tlsOptions({ evidence: HARDWARE }).options.ciphers).toContain('CHACHA')
  })

  it('keys of 256 bits leave AES-128 out, CNSA everything but AES-256', () => {
    expect(tlsOptions({ keyBits: 256 }).suites['TLSv1.3']).toEqual([B13, C13])
    expect(tlsOptions({ regulation: ['cnsa'] }).suites['TLSv1.3']).toEqual([B13])
  })
})

describe('what a reason can know', () => {
  const leads = (reasons: readonly string[]): string => reasons.at(-1)!
  it('the order of a client is a signal, not a fact', () => {
    expect(leads(tlsOptions().reasons)).toMatch(/a client without AES hardware signals it so$/)
  })
  it.each([
    [
      'hardware',
      /^AES-GCM leads: the machine this is for is taken to have AES and carry-less multiply \(hardware, as given\)/,
    ],
    [
      'none',
      /^ChaCha20-Poly1305 leads: the machine this is for is taken to lack AES or carry-less multiply that is used \(none, as given\)/,
    ],
    ['unknown', /^ChaCha20-Poly1305 leads: it is not known that the machine this is for has AES/],
  ] as const)('hardware as given is not that of this machine: %s', (hardware, text) => {
    for (const advice of [
      sshClientConfig({ hardware }),
      openvpnSettings({ hardware }),
      tlsOptions({ hardware, role: 'client' }),
    ]) {
      expect(leads(advice.reasons)).toMatch(text)
      expect(leads(advice.reasons)).not.toMatch(/this machine|here:/)
    }
  })
  it('nor are speeds as given', () => {
    expect(leads(sshClientConfig({ speeds: { gcm: 413, chacha: 234 } }).reasons)).toMatch(
      /the machine this is for is taken to have .*\(speeds as given/,
    )
    expect(leads(openvpnSettings({ speeds: { gcm: 70, chacha: 300 } }).reasons)).toMatch(
      /the machine this is for is taken to lack/,
    )
  })
  it('what was seen here is said of here', () => {
    expect(leads(sshClientConfig({ evidence: HARDWARE }).reasons)).toMatch(/this machine has AES/)
  })
})

describe('nginx', () => {
  it('is a whole snippet: versions, both kinds of suites, preference', () => {
    const { directives, text } = nginxSnippet()
    expect(directives.map(([name]) => name)).toEqual([
      'ssl_protocols',
      'ssl_ciphers',
      'ssl_conf_command',
      'ssl_prefer_server_ciphers',
      'ssl_conf_command',
    ])
    expect(text).toContain('ssl_prefer_server_ciphers on;\nssl_conf_command Options PrioritizeChaCha;')
    expect(text).toContain(`ssl_conf_command Ciphersuites ${A13}:${B13}:${C13};`)
  })
  it('without TLS 1.2 has no ssl_ciphers', () => {
    expect(nginxSnippet({ minVersion: 'TLSv1.3' }).text).not.toContain('ssl_ciphers')
  })
  it('as a client of an upstream server states its own hardware', () => {
    expect(nginxSnippet({ role: 'client', hardware: 'hardware' }).order[0]).toBe(A13)
    expect(nginxSnippet({ role: 'client', hardware: 'none' }).order[0]).toBe(C13)
    expect(nginxSnippet({ role: 'client', hardware: 'unknown' }).text).toMatch(/^proxy_ssl_protocols/)
  })
  it('has suites for GOST, which no runtime has', () => {
    expect(nginxSnippet({ regulation: ['gost'] }).text).toContain('KUZNYECHIK_MGM_L')
    expect(() => tlsOptions({ regulation: ['gost'] })).toThrow(
      expect.objectContaining({ code: 'no-candidate' }),
    )
  })
})

describe('SSH and OpenVPN go by both ends', () => {
  it.each<[string, AdviceOptions, boolean]>([
    ['here, with hardware', { evidence: HARDWARE }, true],
    ['here, without', { evidence: NO_HARDWARE }, false],
    ['here, masked', { evidence: MASKED }, false],
    ['here, half', { evidence: PARTIAL }, false],
    ['nothing known', {}, false],
    ['anywhere', { evidence: HARDWARE, readers: 'anywhere' }, false],
    ['a Zen 3 at the other end', { evidence: HARDWARE, readers: [ZEN3] }, true],
    ['a Raspberry Pi 4 there', { evidence: HARDWARE, readers: [PI4] }, false],
    ['a guest with half there', { evidence: HARDWARE, readers: [GUEST] }, false],
    ['no hardware here, all of it there', { evidence: NO_HARDWARE, readers: [ZEN3] }, false],
    ['said to be there', { hardware: 'hardware' }, true],
  ])('%s', (_, options, aes) => {
    expect(sshClientConfig(options).ciphers[0]).toBe(
      aes ? 'aes128-gcm@openssh.com' : 'chacha20-poly1305@openssh.com',
    )
    expect(openvpnSettings(options).ciphers[0]).toBe(aes ? 'AES-128-GCM' : 'CHACHA20-POLY1305')
  })
  it('writes a Host block, or the line of a server', () => {
    expect(sshClientConfig({ host: 'backup-*.example' }).text).toMatch(
      /^Host backup-\*\.example\n {4}Ciphers /,
    )
    expect(sshClientConfig({ role: 'server' })).toMatchObject({ program: 'sshd_config', host: null })
    expect(sshClientConfig({ role: 'server' }).text).toMatch(/^Ciphers /)
  })
  it.each(['a\nCiphers none', 'a" b', '', ' ', 7])('refuses %j as a host', (host) => {
    expect(() => sshClientConfig({ host: host as string })).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    )
  })
  it('GOST has no cipher there', () => {
    for (const advise of [sshClientConfig, openvpnSettings]) {
      expect(() => advise({ regulation: ['gost'] })).toThrow(
        expect.objectContaining({ code: 'no-candidate' }),
      )
    }
  })
})

describe('settings of other programs go by the CPU, those of this runtime by its library', () => {
  const sshOf = (one: Evidence) => sshClientConfig({ evidence: one })
  const vpnOf = (one: Evidence) => openvpnSettings({ evidence: one })
  const nginxOf = (one: Evidence) => nginxSnippet({ evidence: one, role: 'client' })
  const tlsOf = (runtime: 'node' | 'bun' | 'deno') => (one: Evidence) =>
    tlsOptions({ evidence: one, role: 'client', runtime })
  const FLAGS =
    /AES-GCM leads: this machine has .*\(CPU flags before masks: AES yes, carry-less multiply yes\)/
  const CLASS = /ChaCha20-Poly1305 leads: this machine lacks .* that is used \(measured: as the test says\)/
  const NOT_KNOWN =
    /it is not known that this machine has .*\(no CPU flags are visible; timings tell of the library of this runtime\)/
  const MEASURED = /AES-GCM leads: this machine has .*\(measured: as the test says\)/
  const NO_FLAGS =
    /ChaCha20-Poly1305 leads: this machine lacks AES or carry-less multiply \(CPU flags before masks: AES no, /

  it.each<[string, Evidence, (one: Evidence) => ProtocolAdvice, boolean, RegExp]>([
    ['Deno: ssh', DENO, sshOf, true, FLAGS],
    ['Deno: openvpn', DENO, vpnOf, true, FLAGS],
    ['Deno: nginx as a client', DENO, nginxOf, true, FLAGS],
    ['Deno: tls of Node', DENO, tlsOf('node'), true, FLAGS],
    ['Deno: its own tls, which is not its node:crypto', DENO, tlsOf('deno'), true, FLAGS],
    ['masked Node: ssh', MASKED_NODE, sshOf, true, FLAGS],
    ['masked Node: openvpn', HALF_MASKED_NODE, vpnOf, true, FLAGS],
    ['masked Node: nginx as a client', MASKED_NODE, nginxOf, true, FLAGS],
    ['masked Node: tls of Bun', MASKED_NODE, tlsOf('bun'), true, FLAGS],
    ['masked Node: its own tls', MASKED_NODE, tlsOf('node'), false, CLASS],
    ['Deno without the permission: ssh', DENIED, sshOf, false, NOT_KNOWN],
    ['Deno without the permission: nginx', DENIED, nginxOf, false, NOT_KNOWN],
    ['no flags, hardware measured: ssh', FLAGLESS, sshOf, true, MEASURED],
    ['no flags, hardware measured: its own tls', FLAGLESS, tlsOf('node'), true, MEASURED],
    ['a CPU without: ssh', OLD_CPU, sshOf, false, NO_FLAGS],
    ['a CPU without: its own tls', OLD_CPU, tlsOf('node'), false, CLASS],
  ])('%s', (_, one, advise, aes, reason) => {
    const { hardware, order, reasons } = advise(one)
    expect(reasons.at(-1)?.replaceAll('here: ', '')).toMatch(reason)
    expect(/chacha/i.test(order[0]!)).toBe(!aes)
    expect(hardware.class === 'hardware').toBe(aes)
  })

  it('no note calls a mask a model of a hypervisor, or the speed of one library that of all', () => {
    const measurements = [
      timing('node', 'aes-128-gcm', 65_536, 90),
      timing('node', 'chacha20-poly1305', 65_536, 700),
    ]
    for (const advise of ALL) {
      const notes = advise({ evidence: { ...HALF_MASKED_NODE, measurements } }).notes.join('\n')
      expect(notes).not.toMatch(/shows AES but no carry-less multiply/)
      expect(notes).toMatch(
        /ChaCha20-Poly1305 is 7\.78 times as fast in the library of this runtime; other programs have theirs/,
      )
      expect(advise({ evidence: { ...OLD_CPU, measurements } }).notes.join()).not.toMatch(
        /other programs have/,
      )
    }
  })
})

describe('R38: the measurement decides and is told, with the flag to look at', () => {
  it('gcm 413, chacha 234: GCM, ratio 1.77', () => {
    const ssh = sshClientConfig({ speeds: { gcm: 413, chacha: 234 } })
    expect(ssh.ciphers[0]).toBe('aes128-gcm@openssh.com')
    expect(ssh.measured?.ratio).toBeCloseTo(413 / 234, 6)
    expect(ssh.measured?.faster).toBe('aes-gcm')
    expect(ssh.notes.join('\n')).toMatch(/AES-GCM is 1\.77[45]? ?times|AES-GCM is 1\.7[67] times as fast/)
    expect(ssh.reasons.join('\n')).toMatch(/ratio 1\.7[67]/)
    const told = JSON.stringify([ssh.reasons, ssh.notes, ssh.hardware, ssh.measured?.text])
    expect(told).toContain('speeds as given: AES-GCM 413, ChaCha20-Poly1305 234')
    expect(told).not.toMatch(/MB\/s|ns\/B|measured/)
  })
  it('gcm 70, chacha 300: ChaCha20', () => {
    const ssh = sshClientConfig({ speeds: { gcm: 70, chacha: 300 } })
    expect(ssh.ciphers[0]).toBe('chacha20-poly1305@openssh.com')
    expect(ssh.measured).toMatchObject({ faster: 'chacha20-poly1305' })
    expect(ssh.notes.join('\n')).toMatch(/ChaCha20-Poly1305 is 4\.29 times as fast/)
    expect(openvpnSettings({ speeds: { gcm: 70, chacha: 300 } }).ciphers[0]).toBe('CHACHA20-POLY1305')
    expect(tlsOptions({ role: 'client', speeds: { gcm: 70, chacha: 300 } }).order[0]).toBe(C13)
  })
  it('too close to tell: flags decide, and without them nothing is claimed', () => {
    const speeds = { gcm: 70, chacha: 100 }
    expect(openvpnSettings({ speeds }).ciphers[0]).toBe('CHACHA20-POLY1305')
    expect(openvpnSettings({ speeds, evidence: HARDWARE }).ciphers[0]).toBe('AES-128-GCM')
    expect(openvpnSettings({ speeds, evidence: NO_HARDWARE }).ciphers[0]).toBe('CHACHA20-POLY1305')
  })
  it('every kind of advice names the flags, and no speed that was not measured', () => {
    for (const advise of ALL) {
      for (const one of [HARDWARE, NO_HARDWARE, UNKNOWN]) {
        const { measured, notes } = advise({ evidence: one })
        expect(notes.join('\n')).toMatch(/aes\|pclmulqdq/)
        expect(notes.join('\n')).toMatch(/were not both measured here/)
        expect(measured).toBeNull()
      }
      expect(advise({ evidence: PARTIAL }).notes.join('\n')).toMatch(
        /shows AES but no carry-less multiply.*host/,
      )
      expect(advise({ evidence: evidence({ arch: 'arm64' }) }).notes.join('\n')).toMatch(/aes\|pmull/)
    }
  })
  it('a measurement in script is none of the machine', () => {
    const items = [
      { name: 'backend.w', value: '1, wasm, synchronous', source: 'backend', certainty: 'observed' },
      { name: 'backend.n', value: '1, native, synchronous', source: 'backend', certainty: 'observed' },
    ] as const
    const script = [timing('w', 'aes-256-gcm', 65_536, 300), timing('w', 'chacha20-poly1305', 65_536, 3000)]
    const native = [timing('n', 'aes-128-gcm', 65_536, 2000), timing('n', 'chacha20-poly1305', 65_536, 1000)]
    const measurements = [...script, ...native]
    const { measured } = sshClientConfig({ evidence: evidence({ items, measurements }) })
    expect(measured?.ratio).toBeCloseTo(2)
    expect(sshClientConfig({ evidence: evidence({ items, measurements: script }) }).measured).toBeNull()
  })
})

describe('one table', () => {
  it.each([
    ['tls-server', (e: typeof HARDWARE) => nginxSnippet({ evidence: e }), 'nginx'],
    ['tls-server', (e: typeof HARDWARE) => tlsOptions({ evidence: e, runtime: 'node' }), 'node'],
    [
      'tls-client',
      (e: typeof HARDWARE) => tlsOptions({ evidence: e, role: 'client', runtime: 'node' }),
      'node',
    ],
    ['ssh-client', (e: typeof HARDWARE) => sshClientConfig({ evidence: e }), 'ssh_config'],
    ['ssh-server', (e: typeof HARDWARE) => sshClientConfig({ evidence: e, role: 'server' }), 'sshd_config'],
    ['openvpn', (e: typeof HARDWARE) => openvpnSettings({ evidence: e }), 'openvpn'],
  ] as const)('selectAead %s gives the same text', async (context, advise, program) => {
    for (const one of [HARDWARE, NO_HARDWARE, PARTIAL]) {
      const pick = await selectAead({
        context,
        readers: 'here',
        backends: EVERYTHING,
        evidence: one,
      })
      const { verdict } = pick
      const advice = pick.advice!
      const own = advise(one)
      expect(advice.settings.find((setting) => setting.program === program)?.text).toBe(own.text)
      expect(verdict.rules).toEqual([own.rule])
      expect(own.order.slice(0, advice.order.length)).toEqual(advice.order)
    }
  })
})

describe('what is assumed of the other end is said', () => {
  it('a machine like this one, unless readers says otherwise', () => {
    for (const advise of [sshClientConfig, openvpnSettings]) {
      const assumed = advise({ evidence: HARDWARE }).reasons.join()
      expect(assumed).toMatch(/AES-GCM leads: this machine has .*the other end is taken to be like it/)
      const known = advise({ evidence: HARDWARE, readers: [ZEN3] }).reasons.join()
      expect(known).toMatch(/this machine and the readers have/)
      expect(known).not.toMatch(/taken to be/)
    }
  })
  it.each(['ssh-client', 'ssh-server', 'openvpn'] as const)(
    'selectAead %s says that ChaCha leads because the other end is unknown',
    async (context) => {
      const options = { context, backends: EVERYTHING, evidence: HARDWARE }
      const { advice, verdict } = await selectAead(options)
      expect(advice!.order[0]).toMatch(/chacha/i)
      expect(verdict.reasons.join()).toMatch(/nothing is known of the other end \(readers: anywhere\)/)
      const here = await selectAead({ ...options, readers: 'here' })
      expect(here.verdict.reasons.join()).toMatch(/AES-GCM leads: this machine has/)
    },
  )
  it('WireGuard and disk sectors have no order to explain', async () => {
    for (const context of ['wireguard', 'disk-sector'] as const) {
      const { verdict } = await selectAead({ context, backends: EVERYTHING, evidence: HARDWARE })
      expect(verdict.reasons).toHaveLength(1)
    }
  })
})

describe('a FIPS module', () => {
  it('is not put in force by a setting, which is said', () => {
    for (const advise of ALL) {
      expect(advise({ fips: 'module', evidence: HARDWARE }).notes.join()).toMatch(
        /puts no module in force: no FIPS module is known to be in force in this process \(state off\)/,
      )
      expect(advise({ fips: 'module', evidence: ENFORCING }).notes.join()).toMatch(
        /a FIPS module is in force in this process/,
      )
      expect(advise({ fips: 'approved-algorithms' }).notes.join()).not.toMatch(/module/)
    }
  })
})

describe('options', () => {
  it.each<[string, AdviceOptions]>([
    ['a slip in a name', { reader: 'here' } as AdviceOptions],
    ['a role', { role: 'both' as never }],
    ['a class', { hardware: 'yes' as never }],
    ['a speed of 0', { speeds: { gcm: 0, chacha: 1 } }],
    ['one speed', { speeds: { gcm: 1 } as never }],
    ['readers', { readers: [] }],
    ['FIPS', { fips: 'on' as never }],
    ['evidence', { evidence: {} as never }],
  ])('refuses %s', (_, options) => {
    for (const advise of ALL) {
      expect(() => advise(options)).toThrow(expect.objectContaining({ code: 'invalid-argument' }))
    }
  })
  it('refuses a version and a runtime that do not exist', () => {
    expect(() => tlsOptions({ minVersion: 'TLSv1.1' as never })).toThrow(/minVersion takes/)
    expect(() => tlsOptions({ runtime: 'nodejs' as never })).toThrow(/runtime takes/)
    expect(() => openvpnSettings({ minVersion: 'TLSv1.2' } as never)).toThrow(/unknown option minVersion/)
  })
  it('GOST excludes FIPS and CNSA', () => {
    expect(() => nginxSnippet({ regulation: ['gost'], fips: 'module' })).toThrow(
      expect.objectContaining({ code: 'no-candidate', details: { rules: ['V1'] } }),
    )
    expect(() => nginxSnippet({ regulation: ['gost', 'cnsa'] })).toThrow(
      expect.objectContaining({ code: 'no-candidate', details: { rules: ['V3', 'V4'] } }),
    )
  })
  it('everything is plain data', () => {
    for (const advise of ALL) {
      const advice = advise({ speeds: { gcm: 2, chacha: 1 } })
      expect(JSON.parse(JSON.stringify(advice))).toEqual(advice)
      expect(advice.source).not.toBe('')
      expect(advice.asOf).toBe('2026-11-30')
    }
  })
})

it('the table of runtimes is dated and names versions', () => {
  expect(RUNTIME_TLS.map(({ runtime }) => runtime)).toEqual(['node', 'bun', 'deno'])
  for (const { asOf, versions } of RUNTIME_TLS) {
    expect(asOf).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(versions.every((version) => /^\d+\.\d+\.\d+$/.test(version))).toBe(true)
  }
})
