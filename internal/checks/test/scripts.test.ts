import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildFailure, build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ROOT } from '../src/place.ts'

const script = (name: string): string => pathToFileURL(join(ROOT, 'scripts', name)).href
const { whyInstall } = await import(script('ensure.mjs'))
const { closingLine, readChecks, readReport, sum } = await import(script('tally.mjs'))
const { run, step } = await import(script('steps.mjs'))
const { downloaded } = await import(script('npm.mjs'))
const { difference } = await import(pathToFileURL(join(ROOT, 'examples', 'expected.mjs')).href)

it('every script finds what it takes from others, also those that only run by hand', async () => {
  const scripts = ['scripts', 'runtime-tests', 'examples'].flatMap((name) =>
    readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.m?js$/.test(file) && !/node_modules|generated|dist/.test(file))
      .map((file) => join(ROOT, name, file)),
  )
  expect(scripts.length).toBeGreaterThan(60)
  const options = { bundle: true, write: false, format: 'esm', platform: 'node', logLevel: 'silent' } as const
  const { errors, warnings } = await build({
    ...options,
    entryPoints: scripts,
    outdir: ROOT,
    packages: 'external',
    external: ['#*'],
    // What is built is the business of the build.
    plugins: [
      {
        name: 'built',
        setup: ({ onResolve }) => {
          onResolve({ filter: /\/(dist|generated)\// }, ({ path }) => ({ path, external: true }))
        },
      },
    ],
  }).catch((failure: BuildFailure) => failure)
  const lines = [...errors, ...warnings].map(({ location, text }) => `${location?.file}: ${text}`)
  expect(lines).toEqual([])
})

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aeadkit-scripts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(file: string, content: unknown): string {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(content))
  return path
}

describe('whyInstall', () => {
  const a = { version: '1.0.0', integrity: 'sha512-a' }
  const native = {
    version: '1.0.0',
    integrity: 'sha512-n',
    optional: true,
    os: [process.platform],
    cpu: [process.arch],
  }
  const lock = (packages: object): void => {
    write('package-lock.json', {
      packages: { '': { name: 'root' }, 'packages/x': { version: '1.0.0' }, ...packages },
    })
  }
  const installed = (packages: object): void => {
    write('node_modules/.package-lock.json', { packages })
    for (const path of Object.keys(packages)) mkdirSync(join(folder, path), { recursive: true })
  }

  it('wants an installation when there is none, or only half of one', () => {
    lock({ 'node_modules/a': a })
    expect(whyInstall(folder)).toContain('missing or incomplete')
    mkdirSync(join(folder, 'node_modules', 'a'), { recursive: true })
    expect(whyInstall(folder)).toContain('missing or incomplete')
  })

  it('wants none when everything is there', () => {
    lock({ 'node_modules/a': a, 'node_modules/native': native })
    installed({ 'node_modules/a': a, 'node_modules/native': native })
    expect(whyInstall(folder)).toBeUndefined()
  })

  it('wants one when the lock file asks for another version, an added or a removed package', () => {
    installed({ 'node_modules/a': a })
    lock({ 'node_modules/a': { ...a, version: '1.0.1' } })
    expect(whyInstall(folder)).toBe('node_modules/a is 1.0.0, the lock file wants 1.0.1')
    lock({ 'node_modules/a': { ...a, integrity: 'sha512-b' } })
    expect(whyInstall(folder)).toContain('node_modules/a')
    lock({ 'node_modules/a': a, 'node_modules/b': a })
    expect(whyInstall(folder)).toBe('node_modules/b is missing')
    lock({})
    expect(whyInstall(folder)).toBe('node_modules/a is no longer in the lock file')
  })

  it('wants one when a folder is gone or a native part for this machine is', () => {
    lock({ 'node_modules/a': a, 'node_modules/native': native })
    installed({ 'node_modules/a': a })
    expect(whyInstall(folder)).toBe('node_modules/native is missing')
    installed({ 'node_modules/a': a, 'node_modules/native': native })
    rmSync(join(folder, 'node_modules', 'a'), { recursive: true })
    expect(whyInstall(folder)).toBe('node_modules/a is missing')
  })

  it('does not want native parts of other machines', () => {
    lock({
      'node_modules/a': a,
      'node_modules/other': { ...native, os: ['aix'] },
      'node_modules/not': { ...native, os: [`!${process.platform}`] },
    })
    installed({ 'node_modules/a': a })
    expect(whyInstall(folder)).toBeUndefined()
  })
})

describe('counts', () => {
  const report = (suites: object[]): string => write('report.json', { testResults: suites })
  const suite = (...states: string[]): object => ({
    name: join(ROOT, 'x.test.ts'),
    status: states.includes('failed') ? 'failed' : 'passed',
    assertionResults: states.map((status, index) => ({ status, fullName: `case ${index}` })),
  })

  it('adds passed, failed and skipped tests and names the skipped ones', () => {
    const file = report([suite('passed', 'failed', 'skipped'), suite('passed', 'pending')])
    const { tally, skipped } = readReport(file, 1)
    expect(tally).toEqual({ passed: 2, failed: 1, skipped: 2 })
    expect(skipped).toEqual(['skipped 1 in x.test.ts: case 2', 'skipped 1 in x.test.ts: case 1'])
  })

  it('counts a file that failed to load, an error outside a test, no report and no test as failures', () => {
    expect(
      readReport(report([{ name: 'x', status: 'failed', assertionResults: [] }, suite('passed')]), 1).tally,
    ).toEqual({ passed: 1, failed: 1, skipped: 0 })
    expect(readReport(report([suite('passed')]), 1).tally.failed).toBe(1)
    expect(readReport(report([]), 0).tally.failed).toBe(1)
    expect(readReport(report([suite('skipped')]), 0).tally.failed).toBe(1)
    expect(readReport(join(folder, 'none.json'), 0).tally.failed).toBe(1)
  })

  it('reads the summary of the checks, and distrusts one that is missing or contradicts the exit code', () => {
    expect(readChecks({ code: 1, output: 'x\nchecks: 3 passed, 2 failed\n' })).toEqual({
      passed: 3,
      failed: 2,
      skipped: 0,
    })
    expect(readChecks({ code: 0, output: 'checks: 3 passed, 0 failed\n' }).failed).toBe(0)
    expect(readChecks({ code: 1, output: 'checks: 3 passed, 0 failed\n' }).failed).toBe(1)
    expect(readChecks({ code: 0, output: '' }).failed).toBe(1)
  })

  it('prints the closing line', () => {
    const total = sum({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 3, skipped: 0 })
    expect(closingLine(total)).toBe('3 passed, 3 failed')
    expect(closingLine({ ...total, skipped: 4 })).toBe('3 passed, 3 failed, 4 skipped')
  })
})

describe('steps', () => {
  it('returns code and output, also of a command that does not exist', async () => {
    const node = (text: string): unknown => run(process.execPath, ['-e', text], { quiet: true })
    expect(await node('console.log(1); console.error(2); process.exit(3)')).toMatchObject({ code: 3 })
    expect(await node('console.log("out")')).toEqual({ code: 0, output: 'out\n' })
    expect(await run('no-such-command', [], { quiet: true })).toMatchObject({ code: 1 })
  })

  it('prints the seconds, stops at a failure and shows its output', async () => {
    const lines: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
    try {
      await step('fine', () => undefined)
      await expect(step('bad', () => ({ code: 1, output: 'why' }))).rejects.toThrow('Step "bad" failed.')
      expect(await step('may', () => ({ code: 2, output: '' }), { mayFail: true })).toEqual({
        code: 2,
        output: '',
      })
    } finally {
      log.mockRestore()
      out.mockRestore()
    }
    expect(lines.map((line) => line.replace(/[\d.]+ s/, 'N s'))).toEqual([
      'ok     fine N s',
      'why',
      'FAILED bad N s',
      'FAILED may N s',
    ])
  })
})

describe('a download', () => {
  const lost = { code: 1, output: 'npm error code ECONNRESET\nnpm error network read ECONNRESET\n' }
  const wrong = { code: 1, output: 'npm error code EUSAGE\n' }
  const fine = { code: 0, output: 'added 3 packages\n' }
  it.each([
    ['that comes is not asked for again', [fine], 1, fine],
    ['that the network broke off is, and each failure is told', [lost, lost, fine], 3, fine],
    ['is given up after the third time', [lost, lost, lost, fine], 3, lost],
    ['that fails by itself is not tried again', [wrong, fine], 1, wrong],
  ])('%s', async (_, answers, asked, result) => {
    const lines: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    let calls = 0
    try {
      const attempt = async () => answers[calls++]
      expect(await downloaded('npm ci', attempt, { pauseMs: 1 })).toBe(result)
    } finally {
      log.mockRestore()
    }
    expect(calls).toBe(asked)
    expect(lines).toHaveLength(asked - 1)
    for (const line of lines) expect(line).toMatch(/^npm ci: ECONNRESET; once more in/)
  })
})

describe('expected output of an example', () => {
  it.each([
    ['a\nb\n', 'a\nb', undefined],
    ['a *, 5 (x)\n', 'a b c, 5 (x)\r\n', undefined],
    ['*\n', '\n', undefined],
    ['a.c', 'abc', 'line 1: expected "a.c", got "abc"'],
    ['a', 'xay', 'line 1: expected "a", got "xay"'],
    ['a*', 'x a', 'line 1: expected "a*", got "x a"'],
    ['a\nb', 'a', 'line 2: expected "b", got "nothing"'],
    ['a', 'a\nb\nc', '2 lines more: b'],
    ['a\n?b*\nc', 'a\nb1\nc', undefined],
    ['a\n?b*\nc', 'a\nc', undefined],
    ['a\n?b*\nc', 'a\nx\nc', 'line 2: expected "c", got "x"'],
    ['a\n?b', 'a\nb\nb', '1 lines more: b'],
  ])('%j and %j', (expected, output, problem) => {
    expect(difference(expected, output)).toBe(problem)
  })
})
