/** What a command line meets: closed pipes, full disks, empty variables. */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
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

it.skipIf(!existsSync('/dev/full'))('a full disk is one line and code 1', async () => {
  const full = openSync('/dev/full', 'w')
  try {
    const child = spawn(process.execPath, [CLI, 'limits', '--algorithm', 'aes-128-gcm'], {
      stdio: ['ignore', full, 'pipe'],
    })
    let err = ''
    child.stderr?.on('data', (text: Buffer) => {
      err += text.toString()
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).toBe(1)
    expect(err).toMatch(/^error: the output cannot be written: .*ENOSPC.*\n$/)
  } finally {
    closeSync(full)
  }
})

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
