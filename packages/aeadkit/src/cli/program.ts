import { readFileSync } from 'node:fs'
import { type AeadError, isAeadError } from '@aeadkit/core'
import { Command, CommanderError } from 'commander'
import { isPermitted } from '../host.ts'
import { addAdvise } from './advise.ts'
import { errorColours } from './colour.ts'
import { CliContext, type CliSettings } from './context.ts'
import { addDoctor } from './doctor.ts'
import { usageError } from './error-text.ts'
import { addKeygen } from './keygen.ts'
import { addLimits } from './limits.ts'
import { jsonText, type Output, PROCESS_OUTPUT } from './output.ts'
import { asFlags, refusalLines } from './refusal.ts'
import { addSelect } from './select.ts'

/** Exit codes of every command. */
const EXIT = { ok: 0, failure: 1, usage: 2, authFailed: 3 } as const

function exitCodeOf(error: AeadError): number {
  if (error.code === 'auth-failed') return EXIT.authFailed
  return error.code === 'invalid-argument' ? EXIT.usage : EXIT.failure
}

function version(): string {
  const manifest = new URL('../../package.json', import.meta.url)
  if (!isPermitted({ name: 'read', path: manifest })) return 'unknown: package.json may not be read'
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

/** Every command, on an output of the caller's. */
export function createProgram(output: Output = PROCESS_OUTPUT, settings: CliSettings = {}): Command {
  const program = new Command('aeadkit')
    .description('authenticated encryption: what to use here, why, and how far')
    .version(version())
    .exitOverride()
    // What the parser says of an error is said by run(), in the form of every error.
    .configureOutput({ writeOut: output.out, writeErr: output.err, outputError: () => undefined })
  const context = new CliContext(settings)
  addDoctor(program, context, output)
  addSelect(program, context, output)
  addLimits(program, output)
  addKeygen(program, context, output)
  addAdvise(program, context, output)
  return program
}

/**
 * Runs one command.
 * @param args - without the program's own name.
 * @param settings - platform, clock and cache, for tests.
 * @returns 0 done, 1 failure, 2 wrong use, 3 authentication failed.
 */
export async function run(
  args: readonly string[],
  output: Output = PROCESS_OUTPUT,
  settings: CliSettings = {},
): Promise<number> {
  const json = args.includes('--json')
  // With --json the error goes to stdout as JSON, so nothing of the parser's own may go before it.
  const quiet: Output = json ? { out: output.out, err: () => undefined } : output
  try {
    await createProgram(quiet, settings).parseAsync([...args], { from: 'user' })
    return EXIT.ok
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.ok
      const wrong = usageError(error)
      if (json) output.out(jsonText(wrong))
      // Without a command the help is the answer, and is printed already.
      else if (error.code !== 'commander.help')
        output.err(
          `${errorColours.red('error')} ${wrong.code}: ${wrong.message}\n(add --help for the options)\n`,
        )
      return EXIT.usage
    }
    if (!isAeadError(error)) {
      const { code, message } = unexpected(error)
      if (json) output.out(jsonText({ code, message, details: {} }))
      else output.err(`${errorColours.red('error')} ${code}: ${message}\n`)
      return EXIT.failure
    }
    if (json) output.out(jsonText({ ...error.toJSON(), message: asFlags(error.message) }))
    else output.err(`${errorColours.red('error')} ${refusalLines(error).join('\n  - ')}\n`)
    return exitCodeOf(error)
  }
}

/** What nobody foresaw is said to be that: no code of the library fits, and a wrong one would mislead. */
function unexpected(error: unknown): { readonly code: 'internal'; readonly message: string } {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { code: 'internal', message: `${what}; this is a fault of the program, please report it` }
}
