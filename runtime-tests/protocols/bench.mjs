// What the tests of protocol settings share: cases with a transcript, programs of the system, folders and children that
// are gone at the end.
import { execFile, spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Servers live in sbin, which the path of an ordinary user lacks. */
const PATH = [process.env.PATH ?? '', '/usr/sbin', '/usr/local/sbin', '/sbin'].join(delimiter)

/** Environment of every program started here: messages in English. */
const ENV = { ...process.env, PATH, LC_ALL: 'C' }

/** Absolute path of a program, or undefined. */
export function programPath(name) {
  for (const folder of PATH.split(delimiter).filter((part) => part !== '')) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}

/** A port that nobody has: until the server has it, somebody else may take it. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

const TAKEN = /address already in use/i
const TRIES = 5

/**
 * Starts a server that has to be told its port; on another one when somebody took that in between.
 * @param start - takes a port; rejects with what the server said.
 */
export async function onFreePort(start) {
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    try {
      return await start(port)
    } catch (error) {
      if (tries === TRIES || !TAKEN.test(error.message)) throw error
      console.log(`  port ${port} was taken in between: another one`)
    }
  }
}

/** Runs a program to its end, without input; never longer than `seconds`. */
export function runToEnd(file, args, { cwd, seconds = 120, input, env = {} } = {}) {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { ...ENV, ...env },
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
      maxBuffer: 1 << 24,
    }
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? 1), stdout, stderr, output: `${stdout}${stderr}` })
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** Counts, and everything that has to be gone at the end. */
export class Bench {
  constructor() {
    this.tally = { passed: 0, failed: 0, skipped: 0 }
    this.folder = mkdtempSync(join(tmpdir(), 'aeadkit-protocols-'))
    this.children = new Set()
  }

  title(text) {
    console.log(`--- ${text}`)
  }

  /** One line of the transcript: what was asked, what came, and whether that is what was expected. */
  same(what, actual, expected) {
    const ok = JSON.stringify(actual) === JSON.stringify(expected)
    this.tally[ok ? 'passed' : 'failed']++
    const shown = typeof actual === 'string' ? actual : JSON.stringify(actual)
    console.log(
      ok ? `  ${what} -> ${shown}` : `  FAILED ${what} -> ${shown}, expected ${JSON.stringify(expected)}`,
    )
    return ok
  }

  fail(what, why) {
    this.tally.failed++
    console.log(`  FAILED ${what}: ${why}`)
  }

  /** A missing program: a failure in CI, a named skip elsewhere. */
  missing(what) {
    const ci = Boolean(process.env.CI)
    this.tally[ci ? 'failed' : 'skipped']++
    console.log(`  ${ci ? 'FAILED' : 'skipped'}: ${what}`)
  }

  /** Starts a program that runs until the end, and waits until its output says that it is ready. */
  start(file, args, { ready, cwd, seconds = 120 } = {}) {
    const child = spawn(file, args, { cwd, env: ENV, stdio: ['ignore', 'pipe', 'pipe'] })
    this.children.add(child)
    let output = ''
    /** What a pattern finds in the output, now or when it comes: a pipe may be slower than an answer by the network. */
    const said = async (pattern) => {
      const end = performance.now() + seconds * 1000
      while (!pattern.test(output) && performance.now() < end) await new Promise((go) => setTimeout(go, 20))
      return pattern.exec(output)
    }
    const started = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${file} is not ready:\n${output}`)), seconds * 1000)
      const add = (chunk) => {
        output += chunk
        const found = ready.exec(output)
        if (found === null) return
        clearTimeout(timer)
        resolve({ found, output: () => output, said, stop: () => this.stop(child) })
      }
      child.stdout.on('data', add)
      child.stderr.on('data', add)
      child.on('error', reject)
      child.on('exit', (code) => {
        clearTimeout(timer)
        reject(new Error(`${file} ended with ${code}:\n${output}`))
      })
    })
    return started
  }

  /** Ends one child and waits for it. */
  stop(child) {
    this.children.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), 2000)
      child.on('exit', () => {
        clearTimeout(timer)
        resolve()
      })
      child.kill('SIGTERM')
    })
  }

  /** Ends everything and removes the folder. */
  async close() {
    await Promise.all([...this.children].map((child) => this.stop(child)))
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
