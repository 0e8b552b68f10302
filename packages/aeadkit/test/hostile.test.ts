/** What a command line meets: closed pipes, empty variables, strange cache folders. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { fileCache } from '../src/cache.ts'
import { run } from '../src/cli/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'aeadkit-hostile-'))
afterAll(() => rmSync(folder, { recursive: true }))
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function said(args: readonly string[]): Promise<Said> {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await run(args, { out: (text) => void out.push(text), err: (text) => void err.push(text) })
  return { code, out: out.join(''), err: err.join('') }
}

it('a reader that closes the pipe early is no failure and no stack trace', async () => {
  const child = spawn(process.execPath, [CLI, 'limits', '--algorithm', 'aes-128-gcm'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (text) => {
    err += text
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect({ code, err }).toEqual({ code: 0, err: '' })
})

it.each([
  ['--regulation', ','],
  ['--regulation', ''],
  ['--opt-in', ','],
])('%s "%s" is refused, not dropped', async (option, value) => {
  expect((await said(['select', option, value, '--json'])).code).toBe(2)
})

it('doctor refuses an unknown --measure', async () => {
  expect((await said(['doctor', '--measure', 'sometimes', '--json'])).code).toBe(2)
})

it('an error nobody foresaw is called internal, not by a code of the library', async () => {
  let first = true
  let out = ''
  const code = await run(['limits', '--algorithm', 'aes-128-gcm', '--json'], {
    out(text) {
      if (first) {
        first = false
        throw new TypeError('boo')
      }
      out += text
    },
    err: () => undefined,
  })
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    code: 'internal',
    message: expect.stringContaining('TypeError: boo'),
    details: {},
  })
})

it.skipIf(process.platform === 'win32')('a pipe in the place of a cache file is not opened', async () => {
  const cache = fileCache(folder)
  await cache.set('key', 'text')
  const [file = ''] = readdirSync(folder)
  rmSync(join(folder, file))
  execFileSync('mkfifo', [join(folder, file)])
  expect(await cache.get('key')).toBeUndefined()
  expect(cache.lastFailure).toMatch(/no small file/)
})

it('a relative XDG_CACHE_HOME is ignored, as its specification says', () => {
  const before = process.env.XDG_CACHE_HOME
  process.env.XDG_CACHE_HOME = 'relative-folder'
  try {
    expect(fileCache().folder).not.toMatch(/relative-folder/)
  } finally {
    if (before === undefined) delete process.env.XDG_CACHE_HOME
    else process.env.XDG_CACHE_HOME = before
  }
  expect(existsSync('relative-folder')).toBe(false)
})

it.skipIf(process.platform !== 'linux')(
  'a cache folder where none can be made costs a reason, not the process',
  async () => {
    const cache = fileCache('/proc/aeadkit/cache')
    await cache.set('key', 'text')
    expect(await cache.get('key')).toBeUndefined()
    expect(cache.lastFailure).toMatch(/ENOENT/)
  },
)

it('a cache folder deep below what there is is made', async () => {
  const cache = fileCache(join(folder, 'a', 'b', 'c'))
  await cache.set('key', 'text')
  expect(await cache.get('key')).toBe('text')
  expect(cache.lastFailure).toBeUndefined()
})
