/** Errors of the command line, for a person and as JSON: options by their flags, one form, a way out. */
import { memoryCache } from '@aeadkit/selector'
import { describe, expect, it } from 'vitest'
import { countText } from '../src/cli/numbers.ts'
import { run } from '../src/cli/program.ts'
import { asFlags } from '../src/cli/refusal.ts'
import { BOTH, fakeHost } from './fake-host.ts'

async function said(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []]
  const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) }
  const cache = { ...memoryCache(), folder: 'none', lastFailure: undefined }
  const settings = { cache, host: fakeHost({ files: BOTH }), today: () => new Date('2026-12-01T12:00:00Z') }
  // The clock of the host throws when it is read.
  const selects = args[0] === 'select' || args[0] === 'explain'
  const code = await run([...args, ...(selects ? ['--measure', 'never'] : [])], output, settings)
  return { code, out: out.join(''), err: err.join('') }
}

const GCM = ['limits', '--algorithm', 'aes-128-gcm']

describe('one form for every error', () => {
  it.each<[readonly string[], string]>([
    [['select', '--bogus'], "unknown option '--bogus'"],
    [['select', '--reader', 'x'], "unknown option '--reader' (Did you mean --readers?)"],
    [['select', '--messages', '0'], '--messages takes a whole number above 0, got 0'],
    [
      ['select', '--message-bytes', 'x y'],
      '--message-bytes takes a whole number such as 65536, 2^20 or 64KiB, got "x y"',
    ],
    [[...GCM, '--message-bytes', '-5'], '--message-bytes takes a whole number, 0 or more, got -5'],
    [
      [...GCM, '--nonce', 'randon'],
      '--nonce takes one of random, counter, got "randon": did you mean random?',
    ],
    [['select', '--opt-in', 'bla'], '--opt-in takes aegis, approved-composition, got "bla"'],
    [
      ['select', '--measure-budget-ms', '-1'],
      '--measure-budget-ms takes a whole number from 0 to 60000, got -1',
    ],
    [['select', '--target', '5'], '--target takes a whole number from -128 to -1, got 5'],
    [
      ['select', '--readers', 'her'],
      '--readers takes here, anywhere or a readable file of hardware reports, got "her"',
    ],
    [['advise', 'shh'], '<protocol> takes one of tls, nginx, ssh, openvpn, got "shh": did you mean ssh?'],
    [['keygen', '--out', ''], '--out takes the name of a new file, got ""'],
  ])('%j', async (args, message) => {
    const { code, err, out } = await said(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err.replace('\n(add --help for the options)', '')).toBe(`error invalid-argument: ${message}\n`)
    const { out: json } = await said(...args, '--json')
    expect(JSON.parse(json)).toMatchObject({ code: 'invalid-argument', message })
  })

  it('a near name stands apart in the JSON', async () => {
    const { out } = await said('select', '--reader', 'x', '--json')
    expect(JSON.parse(out).details).toEqual({ option: '--reader', nearest: '--readers' })
  })

  it.each(['keygen', 'limits'])('%s shows an unknown algorithm, but never a key', async (command) => {
    expect((await said(command, '--algorithm', 'foo')).err).toContain('unknown algorithm "foo"; known are')
    const { err } = await said(command, '--algorithm', 'aeadkit-key:v1:c2VjcmV0')
    expect(err).toContain('unknown algorithm (the text of a key)')
    expect(err).not.toContain('c2VjcmV0')
  })
})

describe('nothing can be chosen', () => {
  it('each reason once, with the algorithms it is true of', async () => {
    const { code, err } = await said('select', '--regulation', 'gost')
    const lines = err.trimEnd().split('\n')
    expect([code, lines[0]]).toEqual([1, 'error no-candidate: no algorithm and backend satisfy every rule'])
    expect(lines[1]).toMatch(/^ {2}- kuznyechik-mgm, magma-mgm: availability: /)
    expect(lines.filter((line) => line.includes('GOST does not list it'))).toHaveLength(1)
    expect(err).not.toContain('magma-mgm: limits: magma-mgm')
    expect(lines.at(-1)).toBe('  - what would help: nothing that an option can change')
  })

  it.each<[readonly string[], readonly string[], string]>([
    [
      ['--nonce', 'snapshot-risk'],
      ['--duplicates-visible', '--constant-time', 'preferred', '--readers', 'here'],
      'aes-256-gcm-siv',
    ],
    [['--nonce', 'snapshot-risk'], ['--lease', 'per-seal'], 'chacha20-poly1305'],
    [['--message-bytes', '1GiB'], ['--rekey', 'possible'], 'xchacha20-poly1305'],
    [['--message-bytes', '1GiB'], ['--failed-opens', '1000'], 'xchacha20-poly1305'],
    [['--fips', 'approved-algorithms', '--messages', '2^40'], ['--rekey', 'possible'], 'aes-128-gcm'],
  ])('%j: %j is named as the way out, and is one', async (args, way, algorithm) => {
    const { err } = await said('select', ...args)
    const help = err.slice(err.indexOf('what would help'))
    for (const word of way.filter((one) => one.startsWith('--'))) expect(help).toContain(word)
    const { code, out } = await said('select', ...args, ...way, '--json')
    expect([code, JSON.parse(out).algorithm]).toEqual([0, algorithm])
  })

  it('no option is named as a program would name it', async () => {
    const { err } = await said('select', '--nonce', 'snapshot-risk')
    expect(err).not.toMatch(/duplicatesVisible|optIn|constantTime/)
    expect(
      asFlags('volume.messages takes 1, as a number or a bigint; optIn.aegis; the nonce and the context'),
    ).toBe(
      'volume.messages takes 1; --opt-in aegis; the nonce and the context'.replace(
        'volume.messages',
        '--messages',
      ),
    )
  })
})

describe('explain', () => {
  it('begins with its first heading and says each rule once', async () => {
    const { out } = await said('explain')
    expect(out).toMatch(/^Chosen\n/)
    expect(out.match(/^ {2}- V17: /gm)).toHaveLength(1)
    expect(out).not.toMatch(/V17 says|V17: V17/)
    expect(out).toMatch(/aegis-128l: aegis-opt-in: AEGIS is returned only with --opt-in aegis\n/)
  })

  it.each([
    ['select', []],
    ['explain', []],
    ['explain', ['--what-if', 'nonce=counter']],
  ] as const)('%s %j has one heading for duties', async (command, more) => {
    const { out } = await said(command, ...more)
    expect(out).toMatch(/^What to watch/m)
    expect(out).not.toMatch(/^(?:What you must see to|Duties)/m)
  })
})

it('facts are named in words', async () => {
  const { out } = await said('doctor', '--facts')
  expect(out).toContain('repeated nonce')
  expect(out).not.toMatch(/nonceReuse|constantTime|^ {2}iana|do not invent|shows the way|must not change/m)
})

it('a count has one spelling', () => {
  expect([1000n, 2n ** 20n, 68_652_433_344n, null].map(countText)).toEqual([
    '1000',
    '2^20',
    '68 652 433 344 (2^35.99)',
    'no limit known',
  ])
})
