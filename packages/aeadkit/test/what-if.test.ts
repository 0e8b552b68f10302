/** `explain --what-if`: before and after, without timing anything. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryCache } from '@aeadkit/selector'
import { afterAll, describe, expect, it } from 'vitest'
import type { FileCache } from '../src/cache.ts'
import { run } from '../src/cli/program.ts'
import { BOTH, fakeHost } from './fake-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'aeadkit-what-if-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

/** A report that is lost in blanks. */
const LONG = join(folder, 'long.json')
writeFileSync(LONG, `${' '.repeat(2 ** 21)}{ "name": "a", "aes": "yes", "clmul": "yes" }`)
const PI4 = file('pi4.json', { name: 'raspberry-pi-4', aes: 'no', clmul: 'no' })
const EVIL = file('evil.json', { name: 'a\u001b[2Jb', aes: 'yes', clmul: 'no' })
const GUEST = file('guest.json', { name: 'guest', aes: 'yes', clmul: 'no' })
const TWO = file('two.json', [
  { name: 'a', aes: 'yes', clmul: 'yes' },
  { name: 'b', aes: 'yes', clmul: 'yes' },
])

/** A cache that may be read and must not be written: nothing is measured. */
function readOnly(): FileCache {
  return {
    ...memoryCache(),
    folder: 'none',
    lastFailure: undefined,
    set() {
      throw new Error('a measurement was stored')
    },
  }
}

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function said(args: readonly string[], host = fakeHost()): Promise<Said> {
  const [out, err]: [string[], string[]] = [[], []]
  const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) }
  // The clock of the host throws when it is read, so a timing would be seen.
  const code = await run(['explain', ...args], output, {
    cache: readOnly(),
    host,
    today: () => new Date('2026-12-01T12:00:00Z'),
  })
  return { code, out: out.join(''), err: err.join('') }
}

const assume = (...assumptions: readonly string[]): readonly string[] =>
  assumptions.flatMap((one) => ['--what-if', one])

const HERE = ['--readers', 'here', '--nonce', 'counter']

interface Case {
  readonly base?: readonly string[]
  readonly assume: readonly string[]
  readonly before?: string
  /** Algorithm, or code of the refusal. */
  readonly after: string
  readonly rules?: readonly string[]
  readonly changed?: readonly string[]
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
  readonly assumed?: RegExp
}

const CASES: Readonly<Record<string, Case>> = {
  'another nonce regime': {
    assume: ['nonce=counter'],
    after: 'chacha20-poly1305',
    rules: ['V17'],
    changed: ['algorithm', 'rules', 'messages per key', 'binding bound'],
    added: ['reserve-ahead'],
    removed: ['expired-draft'],
  },
  '2 TiB under one key': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['volume=2TiB'],
    after: 'chacha20-poly1305',
    rules: ['V20'],
    assumed: /2\^27 messages of 16384 B under one key/,
  },
  'the same in other messages, whatever the order': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['volume=2TiB', 'message-bytes=65536'],
    after: 'chacha20-poly1305',
    rules: ['V20'],
    assumed: /2\^25 messages of 65536 B/,
  },
  'the same at another target': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['volume=2TiB', 'target=-50'],
    after: 'aes-128-gcm',
    rules: ['V18'],
  },
  'AES masked': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['aes=no', 'clmul=no'],
    after: 'chacha20-poly1305',
    rules: ['V19'],
    changed: ['algorithm', 'class', 'rules', 'hardware'],
    removed: ['key-size'],
    assumed: /timings of native AES .* left out/,
  },
  'the multiply missing': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['clmul=no'],
    after: 'chacha20-poly1305',
    rules: ['V22'],
    added: ['check-virtual-machine'],
  },
  'a mask by its value': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['mask=~0x200000200000000:~0x0'],
    after: 'chacha20-poly1305',
    rules: ['V19'],
    assumed: /OPENSSL_ia32cap=~0x200000200000000:~0x0/,
  },
  'a mask of something else': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['mask=:~0x20'],
    after: 'aes-128-gcm',
    rules: ['V18'],
  },
  'hardware that does not run AES': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['hardware=none'],
    after: 'chacha20-poly1305',
    rules: ['V19'],
    changed: ['algorithm', 'class', 'rules', 'hardware'],
    assumed: /timings of native AES .* left out/,
  },
  'hardware that nobody could measure': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['hardware=unknown'],
    after: 'chacha20-poly1305',
    rules: ['V17'],
  },
  'the hardware that is here': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['hardware=hardware'],
    after: 'aes-128-gcm',
  },
  'a ratio below a half': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['ratio=0.4'],
    after: 'chacha20-poly1305',
    rules: ['V19'],
    changed: ['algorithm', 'class', 'rules', 'hardware'],
    assumed: /AES-GCM 0\.4 times as fast as ChaCha20-Poly1305 .*64 KiB.*below 0\.5.*class none/,
  },
  'a ratio of a half, where flags decide': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['ratio=0.5'],
    after: 'aes-128-gcm',
    rules: ['V18'],
    assumed: /from 0\.5 to 1 the flags decide.*class hardware/,
  },
  'the same with one half of the flags': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['ratio=0.99', 'clmul=no'],
    after: 'chacha20-poly1305',
    rules: ['V22'],
    assumed: /from 0\.5 to 1 the flags decide.*class none/,
  },
  'the same where no flag is known': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['aes=unknown', 'clmul=unknown', 'ratio=0.6'],
    after: 'chacha20-poly1305',
    rules: ['V17'],
    assumed: /from 0\.5 to 1 the flags decide.*class unknown/,
  },
  'a ratio of 1, whatever the flags': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['ratio=1', 'aes=unknown', 'clmul=unknown'],
    after: 'aes-128-gcm',
    rules: ['V18'],
    assumed: /at least 1.*class hardware/,
  },
  'both speeds': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['ratio=90:740.5'],
    after: 'chacha20-poly1305',
    rules: ['V19'],
    assumed: /AES-GCM 0\.1215 times as fast/,
  },
  'backends that are not there': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['without=node'],
    after: 'chacha20-poly1305',
    rules: ['V10'],
  },
  'script alone': { assume: ['without=wasm,node'], after: 'xchacha20-poly1305', changed: ['backend'] },
  'half an instruction set': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['clmul=partial'],
    after: 'chacha20-poly1305',
    rules: ['V22'],
  },
  'another machine here': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: [`machine=${PI4}`],
    after: 'chacha20-poly1305',
    rules: ['V19'],
    assumed: /on raspberry-pi-4, where nothing was timed/,
  },
  'another machine as a reader': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: [`readers=${GUEST}`],
    after: 'chacha20-poly1305',
    rules: ['V22'],
  },
  'FIPS on': {
    base: ['--rekey', 'possible'],
    assume: ['fips=on'],
    after: 'aes-128-gcm',
    rules: ['V2'],
    changed: ['algorithm', 'class', 'rules', 'FIPS'],
    added: ['ivSource', 'module-certificate'],
    assumed: /a FIPS module that is enforcing/,
  },
  'FIPS required where there is no module': {
    assume: ['fips=module'],
    after: 'fips-unavailable',
    assumed: /fips=on assumes a module/,
  },
  'FIPS requested and unusable': { assume: ['fips-state=requested-unusable'], after: 'fips-unavailable' },
  'the algorithms of the list': {
    assume: ['fips=approved-algorithms', 'rekey=possible'],
    after: 'aes-128-gcm',
    rules: ['V2'],
    added: ['no-module'],
  },
  'a conflict': { assume: ['context=wireguard', 'fips=on'], after: 'no-candidate' },
  'a protocol': { assume: ['context=tls-server'], after: 'tls-server', rules: ['V6'] },
  'a flag': { assume: ['sync'], after: 'xchacha20-poly1305' },
  'AEGIS, whose backend is loaded for it': {
    base: HERE,
    before: 'aes-128-gcm',
    assume: ['algorithm=aegis-128l', 'opt-in=aegis', 'constant-time=preferred'],
    after: 'aegis-128l',
  },
}

describe('what if', () => {
  it.each(Object.entries(CASES))('%s', async (_, one) => {
    const { code, err, out } = await said([...(one.base ?? []), ...assume(...one.assume), '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const answer = JSON.parse(out)
    expect(answer.timed).toBe(false)
    expect(answer.assumptions.map(({ key, value }: any) => `${key}=${value}`)).toEqual(
      one.assume.map((text) => (text.includes('=') ? text : `${text}=true`)),
    )
    expect(answer.before.selection.algorithm).toBe(one.before ?? 'xchacha20-poly1305')
    const { after, changes } = answer
    const seen = after.error?.code ?? after.selection.algorithm ?? after.selection.inputs.context
    expect(seen).toBe(one.after)
    if (one.rules !== undefined) expect(after.selection.verdict.rules).toEqual(one.rules)
    const changed = changes.map(({ what }: { what: string }) => what)
    for (const what of one.changed ?? []) expect(changed).toContain(what)
    const ids = (duties: readonly string[]) => duties.map((duty) => duty.slice(0, duty.indexOf(':')))
    for (const id of one.added ?? []) expect(ids(answer.duties.added)).toContain(id)
    for (const id of one.removed ?? []) expect(ids(answer.duties.removed)).toContain(id)
    if (one.assumed !== undefined) expect(answer.assumed.join('\n')).toMatch(one.assumed)
  })

  it.each(Object.entries(CASES))('on paper: %s', async (_, one) => {
    const { code, out } = await said([...(one.base ?? []), ...assume(...one.assume)])
    expect(code).toBe(0)
    expect(out).toMatch(/^What if /)
    expect(out).toContain(one.after)
    expect(out).toContain('nothing was timed for this answer')
  })

  it.each(['off', 'unknown'])('a process that asks for FIPS, assumed %s', async (state) => {
    const host = fakeHost({ fips: 1, refuses: ['aes-128-gcm'] })
    const { out } = await said([...assume(`fips-state=${state}`), '--json'], host)
    const { after, before } = JSON.parse(out)
    expect(before.error.code).toBe('fips-unavailable')
    expect(after.selection.inputs).toMatchObject({ fips: 'off', fipsAsked: 'auto' })
    expect(after.selection.algorithm).toBe('xchacha20-poly1305')
  })

  it('what is true already changes nothing, and it says so', async () => {
    const { out } = await said([...HERE, ...assume('aes=yes', 'nonce=counter')])
    expect(out).toContain('Nothing else changes')
    const { changes, duties } = JSON.parse((await said([...HERE, ...assume('nonce=counter'), '--json'])).out)
    expect(changes).toEqual([{ what: 'algorithm', before: 'aes-128-gcm', after: 'aes-128-gcm' }])
    expect(duties).toEqual({ added: [], removed: [], changed: [] })
  })

  it('a machine comes before what is assumed of it, in whatever order they are written', async () => {
    const texts = [
      ['aes=yes', 'clmul=yes', `machine=${PI4}`],
      [`machine=${PI4}`, 'aes=yes', 'clmul=yes'],
    ]
    const seen = texts.map(async (these) =>
      JSON.parse((await said([...HERE, ...assume(...these), '--json'])).out),
    )
    for (const answer of await Promise.all(seen)) {
      expect(answer.after.selection.evidence).toMatchObject({ aes: 'yes', clmul: 'yes' })
      expect(answer.after.selection.algorithm).toBe('aes-128-gcm')
    }
  })

  it('names each key once where it lists them', async () => {
    const { err } = await said(assume('qqqqqqqq=1'))
    const names = err.slice(err.indexOf('there are ')).match(/[a-z-]+/g) ?? []
    expect(names.filter((name) => name === 'fips')).toHaveLength(1)
  })

  it('a volume of one message is one message, and what is no mask is said to be none', async () => {
    const one = JSON.parse((await said([...assume('volume=1'), '--json'])).out)
    expect(one.assumed).toContain('1 message of 16384 B under one key')
    const wrong = JSON.parse((await said([...assume('mask=zzz'), '--json'])).out)
    expect(wrong.assumed.join('\n')).toMatch(
      /the mask: no number, and is read as: vector 0 zeroed, vector 1 zeroed/,
    )
    const right = JSON.parse((await said([...assume('mask=~0x200000200000000:~0x0'), '--json'])).out)
    expect(right.assumed.join('\n')).not.toMatch(/no number/)
  })

  it('a refusal is a list, and says what would help', async () => {
    const { code, out } = await said(assume('message-bytes=1GiB'))
    expect(code).toBe(0)
    expect(out.replace(/\s+/g, ' ')).toMatch(
      / - what would help: a smaller --failed-opens, or --rekey possible/,
    )
  })

  it.each([
    ['riscv64', 'isa\t: rv64gc_zvkned_zvkg', 'rv64gc', 'OPENSSL_riscvcap'],
    ['ppc64', 'cpu\t: POWER9', '0', 'OPENSSL_ppccap'],
    ['arm64', 'Features\t: fp asimd aes pmull', '0x1', 'OPENSSL_armcap'],
  ])('a mask is that of the architecture: %s', async (arch, line, value, name) => {
    const host = fakeHost({ arch, files: { '/proc/cpuinfo': `processor\t: 0\n${line}\n` } })
    const answer = JSON.parse((await said([...HERE, ...assume(`mask=${value}`), '--json'], host)).out)
    expect(answer.before.selection.algorithm).toBe('aes-128-gcm')
    expect(answer.after.selection.algorithm).toBe('chacha20-poly1305')
    expect(answer.assumed.join('\n')).toContain(`${name}=${value}`)
  })

  it('a mask where there is none is refused, and one that is not read says so', async () => {
    const loong = await said(assume('mask=0'), fakeHost({ arch: 'loong64' }))
    expect(loong).toMatchObject({
      code: 2,
      err: expect.stringMatching(/OpenSSL reads no variable on loong64/),
    })
    const windows = fakeHost({ arch: 'arm64', platform: 'win32' })
    const { assumed } = JSON.parse((await said([...assume('mask=0'), '--json'], windows)).out)
    expect(assumed).toContain('the mask: set, not read on Windows')
  })

  it('a mask that is set here can be taken away', async () => {
    const masked = fakeHost({ files: BOTH, variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' } })
    const answer = JSON.parse((await said([...HERE, ...assume('mask=:'), '--json'], masked)).out)
    expect(answer.before.selection.algorithm).toBe('chacha20-poly1305')
    expect(answer.after.selection.algorithm).toBe('aes-128-gcm')
  })

  it.each<[string, readonly string[], RegExp]>([
    ['an unknown key', ['nonse=counter'], /unknown key "nonse": did you mean nonce\?/],
    ['a key nobody would guess', ['qqqqqqqq=1'], /there are machine, aes/],
    ['no value', ['nonce'], /nonce needs a value/],
    ['a wrong value', ['nonce=zzz'], /nonce takes one of random/],
    ['a wrong half', ['aes=maybe'], /--what-if aes takes yes, partial, no, unknown/],
    [
      'a state of FIPS',
      ['fips=enforcing'],
      /--what-if fips takes on, auto, off, approved-algorithms, module, got "enforcing": did you mean fips-state=enforcing\?/,
    ],
    ['a wrong class', ['hardware=fast'], /--what-if hardware takes hardware, none, unknown/],
    ...[
      '0',
      '-1',
      'NaN',
      'Infinity',
      'fast',
      '',
      '1:0',
      '0:1',
      '1:2:3',
      '1,5',
      '0x1',
      ':',
      `1${'0'.repeat(400)}`,
    ].map((value): [string, readonly string[], RegExp] => [
      `a ratio of ${value.slice(0, 20)}`,
      [`ratio=${value}`],
      /--what-if ratio takes a number above 0, such as 0\.4, or both speeds, such as 413:234, got "/,
    ]),
    ['a ratio beside a class', ['ratio=2', 'hardware=none'], /hardware and ratio both say/],
    ['a ratio beside a mask', ['ratio=2', 'mask=:'], /ratio and mask both say/],
    ['a backend nobody has', ['without=openssl'], /--what-if without takes node, wasm.*, got "openssl"/],
    ['hardware beside a half', ['hardware=none', 'aes=no'], /hardware and aes both say/],
    ['a wrong number', ['messages=many'], /whole number/],
    ['a wrong volume', ['volume=2TB'], /--what-if volume takes a whole number such as .*, got "2TB"/],
    ['a volume below 0', ['volume=-1'], /--what-if volume takes a whole number above 0, got -1/],
    ['no file of a machine', ['machine=nofile.json'], /--what-if machine takes a readable file .*"nofile/],
    ['a wrong flag', ['sync=perhaps'], /true or false/],
    ['twice the same', ['nonce=counter', 'nonce=random'], /nonce is given twice/],
    ['no file', ['machine=/does/not/exist'], /readable file of hardware reports/],
    ['a file of two', [`machine=${TWO}`], /a file of one report/],
    ['a file of something else', [`machine=${file('x.json', { name: 'x' })}`], /\{ name, aes, clmul \}/],
    ['measuring', ['measure=always'], /unknown key "measure"/],
    ['a folder', [`machine=${folder}`], /--what-if machine takes a readable file of hardware reports/],
    [
      'a file without an end',
      [`machine=${existsSync('/dev/zero') ? '/dev/zero' : LONG}`],
      /at most 2\^20 bytes/,
    ],
    ['a file too long', [`machine=${LONG}`], /at most 2\^20 bytes/],
    ['readers too long', [`readers=${LONG}`], /at most 2\^20 bytes/],
    ['a name that steers a terminal', [`machine=${EVIL}`], /one line/],
    ['a mask on another machine', [`machine=${PI4}`, 'mask=:'], /mask and machine both say/],
    ['a mask beside a half', ['mask=:', 'clmul=no'], /mask and clmul both say/],
    ['two states of FIPS', ['fips=on', 'fips-state=off'], /fips=on and fips-state both say/],
    ['two volumes', ['volume=2TiB', 'messages=5'], /volume and messages both say/],
  ])('%s is wrong use', async (_, assumptions, message) => {
    const plain = await said(assume(...assumptions))
    expect(plain).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) })
    const { code, out } = await said([...assume(...assumptions), '--json'])
    expect([code, JSON.parse(out).code]).toEqual([2, 'invalid-argument'])
  })
})

describe('a module where none can be', () => {
  it.each([
    ['deno', 'fips=on', {}],
    ['bun', 'fips=on', { boringssl: true }],
    ['workerd', 'fips-state=enforcing', {}],
    ['node', 'fips=on', { boringssl: true }],
  ] as const)('on %s %s %j is refused, and the answer says why', async (runtime, asked, more) => {
    const { code, out } = await said(
      ['--rekey', 'possible', '--what-if', asked, '--json'],
      fakeHost({ runtime, ...more }),
    )
    const { after, assumed } = JSON.parse(out)
    expect(code).toBe(0)
    expect(after.selection).toBeNull()
    expect(after.error.code).toBe('fips-unavailable')
    expect(assumed.join()).toMatch(/no module: .* has no FIPS module/)
    expect(assumed.join()).not.toMatch(/fips=on assumes|a FIPS module that is enforcing/)
    expect(after.error.message).toMatch(/On Node, activate it in the file/)
  })

  it('does not bind who asked for no FIPS', async () => {
    const asked = ['--fips', 'off', '--what-if', 'fips=on', '--json']
    const { after } = JSON.parse((await said(asked, fakeHost({ runtime: 'deno' }))).out)
    expect(after.error).toBeNull()
    expect(after.selection.evidence.fips.state).toBe('unknown')
  })
})

describe('examples and words', () => {
  it('a volume is refused with examples that differ', async () => {
    const { err } = await said(['--what-if', 'volume=1.5TiB'])
    expect(err).toMatch(/takes a whole number such as 65536, 2\^20 or 64KiB, got "1\.5TiB"/)
  })

  it('mask=none is a mask that is not set', async () => {
    const host = fakeHost({ variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' } })
    const asked = ['--readers', 'here', '--nonce', 'counter', '--what-if', 'mask=none', '--json']
    const { after, assumed, before } = JSON.parse((await said(asked, host)).out)
    expect(before.selection.algorithm).toBe('chacha20-poly1305')
    expect(after.selection.algorithm).toBe('aes-128-gcm')
    expect(after.selection.evidence).toMatchObject({ aes: 'yes', clmul: 'yes' })
    expect(assumed.join()).toMatch(/OPENSSL_ia32cap is not set: what the CPU has is in force/)
    // Where none is set nothing changes, timings included.
    const again = JSON.parse((await said(asked)).out)
    expect(again.after.selection.evidence).toMatchObject({ aes: 'yes', hardwareClass: 'hardware' })
    for (const { after: then, before: now } of again.changes) expect(then).toBe(now)
    expect(again.assumed.join()).toMatch(/OPENSSL_ia32cap is not set: nor is it now/)
  })

  it('a ratio counts as a measurement does, whatever a mask hides', async () => {
    const host = fakeHost({ variables: { OPENSSL_ia32cap: '~0x200000200000000:~0x0' } })
    const asked = ['--readers', 'here', '--nonce', 'counter', '--what-if', 'ratio=1.4', '--json']
    const { after } = JSON.parse((await said(asked, host)).out)
    expect(after.selection).toMatchObject({ algorithm: 'aes-128-gcm', evidence: { source: 'measured' } })
    expect(after.selection.verdict.rules).toEqual(['V18'])
  })
})
