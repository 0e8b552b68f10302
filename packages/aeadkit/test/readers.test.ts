/** Reports of machines on their way from `doctor --report` to `--readers`, and what limits say. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fileCache } from '../src/cache.ts'
import { run } from '../src/cli/program.ts'
import { fakeHost } from './fake-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'aeadkit-readers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function said(...args: readonly string[]): Promise<Said> {
  const [out, err]: [string[], string[]] = [[], []]
  const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) }
  const code = await run(args, output, {
    cache: fileCache(folder),
    host: fakeHost(),
    today: () => new Date('2026-12-01T12:00:00Z'),
  })
  return { code, out: out.join(''), err: err.join('') }
}

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const never = ['--measure', 'never']

describe('a report', () => {
  it('has its day and runtime, takes a name, and is taken by --readers and --what-if machine', async () => {
    const { out } = await said('doctor', '--report', '--name', 'rack 7', ...never)
    expect(JSON.parse(out)).toEqual({
      name: 'rack 7',
      aes: 'yes',
      clmul: 'yes',
      asOf: '2026-12-01',
      runtime: 'node 24.22.3',
    })
    const path = file('rack.json', out)
    const picked = await said('select', '--readers', path, '--nonce', 'counter', ...never)
    expect(picked.out).toMatch(/rack 7 \(report of node 24\.22\.3, 2026-12-01\): AES yes/)
    expect((await said('explain', '--what-if', `machine=${path}`)).code).toBe(0)
    // Stored with the key, and read again.
    const json = await said('select', '--readers', path, '--nonce', 'counter', '--json', ...never)
    expect(JSON.parse(json.out).inputs.readers[0]).toMatchObject({
      asOf: '2026-12-01',
      runtime: 'node 24.22.3',
    })
  })

  it.each([
    ['a name without a report', ['--name', 'x'], /--name is for the report/],
    ['no name', ['--report', '--name', ''], /--name takes 1 to 200 visible characters on one line/],
    ['a name of two lines', ['--report', '--name', 'a\nb'], /on one line/],
    ['a name that turns text around', ['--report', '--name', 'a\u202eb'], /visible characters/],
  ])('%s is wrong use', async (_, args, message) => {
    expect(await said('doctor', ...args)).toMatchObject({ code: 2, err: expect.stringMatching(message) })
  })

  const good = { name: 'a', aes: 'yes', clmul: 'yes' }
  it.each<[string, unknown, RegExp]>([
    ['no name', [good, { aes: 'yes', clmul: 'yes' }], /--readers, report 2: name takes 1 to 200 visible/],
    ['a wrong half', { ...good, aes: 'perhaps' }, /--readers, report 1: aes takes one of yes, partial/],
    [
      'an unknown part',
      { ...good, asof: '2026-12-01' },
      /--readers, report 1: unknown option asof: did you mean asOf\?/,
    ],
    ['a wrong day', { ...good, asOf: 'today' }, /--readers, report 1: asOf takes a day, YYYY-MM-DD/],
    ['a day of no calendar', { ...good, asOf: '2026-02-30' }, /report 1: asOf takes a day, YYYY-MM-DD/],
    ['a day in a list', { ...good, asOf: ['2026-01-01'] }, /report 1: asOf takes a day, YYYY-MM-DD/],
    [
      'a runtime of two lines',
      { ...good, runtime: 'node\n20' },
      /--readers, report 1: runtime takes 1 to 200 visible/,
    ],
    ['no object', 'null', /--readers, report 1: expected \{ name, aes, clmul/],
  ])('with %s is told by its option', async (_, content, message) => {
    const { code, err } = await said('select', '--readers', file('wrong.json', content), ...never)
    expect(err).toMatch(message)
    expect(err).not.toContain('readers[')
    expect(code).toBe(2)
  })

  it('is not the page: that names the option that prints one', async () => {
    const path = file('page.json', (await said('doctor', '--json', ...never)).out)
    for (const args of [
      ['select', '--readers', path],
      ['explain', '--what-if', `machine=${path}`],
    ]) {
      const { code, err } = await said(...args)
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/is the page of npx aeadkit doctor --json: npx aeadkit doctor --report/),
      ])
    }
  })
})

describe('limits', () => {
  it('say the target of nonces and whether FIPS binds', async () => {
    const plain = await said('limits', '--algorithm', 'aes-128-gcm')
    expect(plain.out).toMatch(/target 2\^-57, for nonces 2\^-57, no FIPS\n/)
    const fips = await said('limits', '--algorithm', 'aes-128-gcm', '--fips')
    expect(fips.out).toMatch(/target 2\^-57, for nonces 2\^-32, under FIPS 140-3\n/)
    expect(fips.out).not.toMatch(/does not list/)
    for (const [how, bound] of [
      ['module', true],
      ['approved-algorithms', true],
      ['off', false],
    ] as const) {
      const { out } = await said('limits', '--algorithm', 'aes-128-gcm', '--fips', how)
      expect(out === fips.out, how).toBe(bound)
    }
    expect((await said('limits', '--algorithm', 'aes-128-gcm', '--fips', 'always')).code).toBe(2)
    const json = JSON.parse((await said('limits', '--algorithm', 'aes-128-gcm', '--fips', '--json')).out)
    expect(json).toMatchObject({ nonceTarget: -32, fips: true, notes: [] })
  })

  it('under FIPS say when the algorithm is not on the list', async () => {
    const ask = ['limits', '--fips', '--algorithm'] as const
    expect((await said(...ask, 'xchacha20-poly1305')).out).toMatch(
      /FIPS 140-3 does not list xchacha20-poly1305: a selection under --fips refuses it/,
    )
    expect((await said(...ask, 'xaes-256-gcm')).out).toMatch(/lists the parts of xaes-256-gcm, not the whole/)
    const json = JSON.parse((await said(...ask, 'chacha20-poly1305', '--json')).out)
    expect(json.notes).toHaveLength(1)
  })

  it('write counts as the command line does, exceeded or not', async () => {
    expect((await said('limits', '--algorithm', 'aes-128-gcm')).out).toContain('67 043 391 (2^25.99)')
    const { err } = await said('limits', '--algorithm', 'aes-128-gcm', '--messages', '2^31')
    expect(err).toMatch(/2\^31 messages of 16384 bytes under one key, at most 67 043 391 \(2\^25\.99\)/)
    expect(err).toMatch(/2\^31 messages .*, at most 2\^20 at 2\^-57 by the nonce-collision limit/)
    expect(err).toContain('2^20 (1048576)')
    expect(err).not.toMatch(/2147483648|67043391/)
  })

  it('a message that is too long is told once', async () => {
    const { err } = await said('select', '--message-bytes', '1TiB', ...never)
    expect(err.match(/longer than/g)).toHaveLength(1)
    expect(err).toMatch(
      /message-size: messages of 2\^40 B are longer than the 274 877 906 880 \(2\^37\.99\) B it takes/,
    )
  })
})

describe('a file as a shell wrote it', () => {
  const text = JSON.stringify({ name: 'rack 9', aes: 'no', clmul: 'no' })
  const utf16 = (marked: boolean): Buffer => Buffer.from(`${marked ? '\ufeff' : ''}${text}\r\n`, 'utf16le')
  const files: Readonly<Record<string, Buffer>> = {
    'UTF-8 with a mark': Buffer.from(`\ufeff${text}`),
    'UTF-16 with a mark': utf16(true),
    'UTF-16 without a mark': utf16(false),
    'UTF-16 of big endian': utf16(true).swap16(),
    'UTF-16 of big endian without a mark': utf16(false).swap16(),
  }

  it.each(Object.entries(files))('is read in %s', async (name, content) => {
    const path = join(folder, `${name}.json`)
    writeFileSync(path, content)
    const picked = await said('select', '--readers', path, '--nonce', 'counter', ...never)
    expect(picked.err).toBe('')
    expect(picked.out).toContain('rack 9: AES no')
    expect((await said('explain', '--what-if', `machine=${path}`)).out).toContain('rack 9')
  })

  it('is refused in another encoding, with those that are read', async () => {
    const path = join(folder, 'latin.json')
    writeFileSync(path, Buffer.from('{ "name": "büro", "aes": "no", "clmul": "no" }', 'latin1'))
    const { code, err } = await said('select', '--readers', path, ...never)
    expect(code).not.toBe(0)
    expect(err).toMatch(/in UTF-8 or UTF-16, and .*latin\.json is neither: write it again as UTF-8/)
  })
})

describe('names that do not show what they are', () => {
  it.each([
    ['turned around', 'a\u202eb'],
    ['isolated', 'a\u2067b'],
    ['joined by nothing', 'a\u200bb'],
    ['broken by a separator', 'a\u2028b'],
    ['tagged', 'a\u{e0041}b'],
    ['half a character', 'a\ud800b'],
    ['empty', ''],
  ])('%s', async (_, name) => {
    const path = file('name.json', { name, aes: 'no', clmul: 'no' })
    for (const args of [
      ['select', '--readers', path, ...never],
      ['explain', '--what-if', `machine=${path}`],
    ]) {
      const { code, err } = await said(...args)
      expect(code).not.toBe(0)
      expect(err).toContain('1 to 200 visible characters on one line')
      expect(err).not.toMatch(/[\p{Cf}\u2028]/u)
    }
  })

  it('does not mind other scripts and symbols', async () => {
    const path = file('name.json', { name: 'бюро № 7 (東京) 🙂', aes: 'no', clmul: 'no' })
    expect((await said('select', '--readers', path, '--nonce', 'counter', ...never)).out).toContain('東京')
  })
})
