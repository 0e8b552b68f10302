/** The tables of docs/json.md against real output: nothing is missing there, and nothing there does not exist. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measurement } from '@aeadkit/core'
import { afterAll, describe, expect, it } from 'vitest'
import { fileCache } from '../src/cache.ts'
import { run } from '../src/cli/program.ts'
import { cpuinfo, type FakeHost, fakeHost } from './fake-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'aeadkit-json-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = readFileSync(fileURLToPath(new URL('../../../docs/json.md', import.meta.url)), 'utf8')

/** Fields by section. */
const documented = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => [
      section.slice(0, section.indexOf('\n')),
      [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, field]) => field!),
    ]),
)

async function answer(args: readonly string[], host?: FakeHost): Promise<unknown> {
  const out: string[] = []
  const settings = {
    cache: fileCache(folder),
    today: () => new Date('2028-01-01T12:00:00Z'),
    ...(host === undefined ? {} : { host: fakeHost(host) }),
  }
  await run([...args, '--json'], { out: (one) => void out.push(one), err: () => undefined }, settings)
  return JSON.parse(out.join(''))
}

/** Every leaf by its path; an empty list and `null` are leaves too. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value))
    return value.length === 0 ? [`${path}[]`] : value.flatMap((one) => pathsOf(one, `${path}[]`))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, part]) =>
    pathsOf(part, path === '' ? name : `${path}.${name}`),
  )
}

const never = ['--measure', 'never']
const slow: FakeHost = { files: cpuinfo('ssse3'), variables: { OPENSSL_ia32cap: '~0x0' } }

const MODULE: FakeHost = {
  fips: 1,
  refuses: ['chacha20-poly1305', 'md5'],
  clock: { now: () => performance.now() },
}

const COMMANDS: Readonly<Record<string, readonly (readonly [readonly string[], FakeHost?])[]>> = {
  'select --json': [
    [['select', '--measure-budget-ms', '60']],
    [['select', '--rekey', 'possible', '--messages', '2^60', ...never], {}],
    [['select', '--context', 'tls-server', ...never], {}],
  ],
  'explain --json': [[['explain', ...never], {}]],
  'explain --what-if --json': [
    [['explain', '--what-if', 'fips=module'], {}],
    [['explain', '--fips', 'module', '--what-if', 'fips=off'], {}],
    [['explain', '--what-if', 'message-bytes=1MiB', '--what-if', 'sync'], {}],
  ],
  'doctor --json': [
    [['doctor']],
    [['doctor', ...never], slow],
    [['doctor'], MODULE],
    [['doctor', ...never], { runtime: 'deno' }],
  ],
  'doctor --report': [[['doctor', '--report', ...never], {}]],
  'doctor --facts --json': [[['doctor', '--facts'], {}]],
  'limits --json': [[['limits', '--algorithm', 'xchacha20-poly1305', '--fips'], {}]],
  'advise --json': [
    [['advise', 'tls', '--probe', ...never], {}],
    [['advise', 'tls', '--runtime', 'bun', ...never], {}],
    [['advise', 'nginx', '--speeds', '413:234'], {}],
    [['advise', 'ssh', ...never], {}],
    [['advise', 'openvpn', ...never], {}],
  ],
  'keygen --json': [
    [['keygen', '--algorithm', 'aes-128-gcm'], {}],
    [['keygen', '--out', join(folder, 'new.key')], {}],
  ],
  Errors: [
    [['select', '--algorithm', 'ascon-aead128', ...never], {}],
    [['limits', '--algorithm', 'aes-128-gcm', '--messages', '2^60'], {}],
    [['select', '--nonce', 'zzz'], {}],
  ],
}

/** Fields that this machine need not have. */
const RARE: Readonly<Record<string, readonly string[]>> = {
  // Every backend loads here, and a pair needs timings that favour one.
  'doctor --json': ['runs.unavailable[].name', 'runs.unavailable[].reason', 'findings[].settled'],
}

/** Every part of a timing; the type sees to it that none is left out, on whatever runtime one is taken. */
const TIMING: Readonly<Record<keyof Measurement, true>> = {
  backend: true,
  algorithm: true,
  operation: true,
  bytes: true,
  nanoseconds: true,
  bestNanoseconds: true,
  into: true,
}

describe('docs/json.md', () => {
  it('has every part of a timing, those of other runtimes too', () => {
    const fields = documented.get('select --json')!
    const wanted = Object.keys(TIMING).map((name) => `evidence.measurements[].${name}`)
    expect(wanted.filter((field) => !fields.includes(field))).toEqual([])
  })

  it('has a section for every command with --json', () => {
    expect([...documented.keys()]).toEqual(Object.keys(COMMANDS))
  })

  it.each(Object.entries(COMMANDS))('%s', async (section, commands) => {
    const fields = documented.get(section)!
    const seen = new Set<string>()
    for (const [args, host] of commands) for (const path of pathsOf(await answer(args, host))) seen.add(path)
    const covers = (field: string, path: string): boolean =>
      field === path ||
      (field.endsWith('.*') && path.startsWith(field.slice(0, -1))) ||
      // An empty list of objects shows no field.
      (path.endsWith('[]') && field.startsWith(`${path}.`))
    const undocumented = [...seen].filter((path) => !fields.some((field) => covers(field, path)))
    expect(undocumented).toEqual([])
    const rare = RARE[section] ?? []
    const absent = fields.filter(
      (field) => !rare.includes(field) && ![...seen].some((path) => covers(field, path) && path !== ''),
    )
    // Whether a backend or a pair is best, and what else was timed, is the machine's.
    expect(absent.filter((field) => !/(^|\.)backend(\.|$)/.test(field))).toEqual([])
  })
})
