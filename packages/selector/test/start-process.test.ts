/** What counts is the environment a process was started with; real processes that change theirs. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { skipped } from './facts.ts'

const run = promisify(execFile)
const child = join(import.meta.dirname, 'start-child.mjs')
const NAME = 'OPENSSL_ia32cap'
/** AES and the multiply, by the first vector alone: VAES goes with the second. */
const MASK = '~0x200000200000000'
const shows = existsSync('/proc/self/environ') && process.arch === 'x64'

async function seen(mode: string, started: string | undefined, now = ''): Promise<Record<string, unknown>> {
  const env: NodeJS.ProcessEnv = { ...process.env, [NAME]: started }
  if (started === undefined) delete env[NAME]
  const { stdout } = await run(process.execPath, [child, mode, now], { env })
  return JSON.parse(stdout) as Record<string, unknown>
}

describe.skipIf(!shows && skipped(6, 'no /proc/self/environ, or not x86-64'))('a process', () => {
  it('started with a mask', async () => {
    expect(await seen('as-is', MASK)).toMatchObject({ aes: 'no', mask: MASK, certainty: 'observed' })
  })
  it('that sets a mask: nothing changes', async () => {
    const plain = await seen('as-is', undefined)
    expect(plain.mask).toBeUndefined()
    expect(await seen('set', undefined, MASK)).toEqual({ ...plain, now: MASK })
  })
  it('that takes its mask away: it still holds', async () => {
    expect(await seen('delete', MASK)).toMatchObject({ aes: 'no', mask: MASK, now: 'not set' })
  })
  it('that changes its title', async () => {
    expect(await seen('title', MASK)).toMatchObject({ aes: 'no', mask: MASK, certainty: 'observed' })
  })
  it('a worker thread with variables of its own', async () => {
    expect(await seen('worker', MASK)).toMatchObject({ aes: 'no', mask: MASK, now: 'not set' })
  })
  it('with bytes that are no text beside it', () => {
    // Only a shell passes such bytes on.
    const command = `exec env A="$(printf '\\377\\376')" ${NAME}='${MASK}' "$0" "$1" as-is`
    const stdout = execFileSync('sh', ['-c', command, process.execPath, child], { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject({ aes: 'no', mask: MASK, certainty: 'observed' })
  })
})
