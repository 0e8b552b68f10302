// Runs named steps one after the other, prints each step's seconds, stops at the first failure.
import { spawn } from 'node:child_process'

/** Environment of every tool: no telemetry, no update notice, nothing that outlives the command. */
export const QUIET = {
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
}

/**
 * Runs one command to its end.
 * @param options.quiet - keep the output back and return it, instead of showing it.
 * @param options.echo - show the output and return it as well.
 * @returns `{ code, output }`; a command that cannot be started or that a signal ends has code 1.
 */
export function run(
  command,
  args,
  { cwd, env = {}, shell = false, quiet = false, echo = false, seconds } = {},
) {
  const piped = quiet || echo
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      shell,
      env: { ...process.env, ...QUIET, ...env },
      stdio: ['ignore', piped ? 'pipe' : 'inherit', piped ? 'pipe' : 'inherit'],
      ...(seconds === undefined ? {} : { timeout: seconds * 1000, killSignal: 'SIGKILL' }),
    })
    const chunks = []
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from?.on('data', (chunk) => {
        chunks.push(chunk)
        if (echo) to.write(chunk)
      })
    }
    const output = () => Buffer.concat(chunks).toString('utf8')
    child.on('error', (error) => resolve({ code: 1, output: `${output()}${command}: ${error.message}\n` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: output() }))
  })
}

/** Runs a JavaScript tool of node_modules, or a script of this repository, under the Node that runs this. */
export function runNode(script, args, options) {
  return run(process.execPath, [script, ...args], options)
}

/** A step failed; its output has been shown. */
export class StepFailed extends Error {
  constructor(step) {
    super(`Step "${step}" failed.`)
    this.step = step
  }
}

/**
 * Runs a step and prints its seconds.
 * @param work - async function returning `{ code, output }`, or anything else for success; a throw is a failure.
 * @param options.mayFail - return the result of a failed step instead of stopping there.
 * @returns what `work` returned.
 */
export async function step(name, work, { mayFail = false } = {}) {
  const start = performance.now()
  let result
  let failed = false
  try {
    result = await work()
    failed = typeof result?.code === 'number' && result.code !== 0
    if (failed && result.shown !== true && result.output) process.stdout.write(result.output)
  } catch (error) {
    failed = true
    console.error(error.message)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${failed ? 'FAILED' : 'ok    '} ${name} ${seconds} s`)
  if (failed && !mayFail) throw new StepFailed(name)
  return result
}
