import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const BIN = resolve(import.meta.dirname, '../bin/aeadkit.js')

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
}

/** An empty cache folder for each call, so that nothing measured before decides. */
export function runNode(args: readonly string[], { env = {} }: ChildOptions = {}): Promise<Outcome> {
  const cache = mkdtempSync(join(tmpdir(), 'aeadkit-cache-'))
  return new Promise((resolvePromise, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NO_COLOR: '1', XDG_CACHE_HOME: cache, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      rmSync(cache, { recursive: true, force: true })
      resolvePromise({ code, stdout, stderr })
    })
  })
}

/** The built command line. */
export function cli(args: readonly string[], options: ChildOptions = {}): Promise<Outcome> {
  return runNode([...(options.nodeArgs ?? []), BIN, ...args], options)
}

/** The built command line with `--json`, parsed. */
export async function cliJson(
  args: readonly string[],
  options: ChildOptions = {},
): Promise<{ readonly code: number | null; readonly json: Record<string, any> }> {
  const { code, stdout } = await cli([...args, '--json'], options)
  return { code, json: JSON.parse(stdout) as Record<string, any> }
}
