/**
 * The one file of this package that touches the platform. Everything else takes a {@link Host}, so that each parser
 * and rule can be tested as a pure function. Nothing here runs at import, prompts, or throws: what cannot be seen is
 * reported as unknown with the reason.
 */

/** Runtimes told apart. `electron` is Node with BoringSSL; `unknown` is anything else. */
export type RuntimeName = 'node' | 'electron' | 'bun' | 'deno' | 'workerd' | 'browser' | 'unknown'

/** A text that was read, or why it could not be. */
export type Reading =
  | { readonly state: 'read'; readonly text: string }
  /** It was looked for and is not there. */
  | { readonly state: 'absent' }
  /** It could not be looked at: no such interface, or permission denied. */
  | { readonly state: 'unknown'; readonly reason: string }

/** A ciphersuite or digest tried once: `true`, or the reason (an error code) why it is refused. */
export type Attempt = true | string

/** What the FIPS probe does with the host's crypto library. */
export interface HostCrypto {
  /** `crypto.getFips()`; `undefined` where the runtime has no such call. */
  fips(): number | undefined
  /** Seals and opens one fixed message with a cipher of the library. */
  tryAead(cipher: string, keyBytes: number): Attempt
  /** Computes one digest with the library. */
  tryDigest(digest: string): Attempt
}

/** A clock for measurements. */
export interface Clock {
  /** Monotonic time in milliseconds, with fractions. */
  now(): number
  /** CPU time this process has used, in milliseconds, with fractions; absent where the runtime does not tell. */
  cpu?(): number
}

/** What the selector asks of the platform. */
export interface Host {
  readonly runtime: RuntimeName
  /** Version of the runtime, or `unknown`. */
  readonly runtimeVersion: string
  /** Operating system in Node's words (`linux`, `darwin`, `win32`, `freebsd`), or `unknown`. */
  readonly platform: string
  /** Architecture in Node's words (`x64`, `arm64`, `riscv64`), or `unknown`. */
  readonly arch: string
  /** Version of the OpenSSL-compatible library, or `undefined`. */
  readonly openssl: string | undefined
  /** Whether that library is BoringSSL; `undefined` where the runtime does not say. */
  readonly boringssl: boolean | undefined
  /** Command-line options of the runtime itself, where it tells them. */
  readonly execArgv: readonly string[]
  readonly clock: Clock
  readonly crypto: HostCrypto | undefined
  /** Reads a small text file. */
  readText(path: string): Reading
  /** Reads an environment variable. */
  env(name: string): Reading
  /** Name of the first CPU as the operating system states it. */
  cpuModel(): Reading
  /** Output of a program. Only called when the caller allowed child processes. */
  run(command: string, args: readonly string[]): Reading
}

interface NodeCipher {
  setAAD(aad: Uint8Array): unknown
  update(data: Uint8Array): Uint8Array
  final(): Uint8Array
  getAuthTag(): Uint8Array
  setAuthTag(tag: Uint8Array): unknown
}

interface NodeCrypto {
  getFips?(): number | boolean
  createCipheriv(name: string, key: Uint8Array, iv: Uint8Array, options: object): NodeCipher
  createDecipheriv(name: string, key: Uint8Array, iv: Uint8Array, options: object): NodeCipher
  createHash(name: string): { update(data: Uint8Array): { digest(): Uint8Array } }
}

interface Process {
  readonly versions?: Readonly<Record<string, string | undefined>>
  readonly platform?: string
  readonly arch?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly execArgv?: readonly string[]
  cpuUsage?(): { readonly user: number; readonly system: number }
  readonly features?: { readonly openssl_is_boringssl?: boolean }
  getBuiltinModule?(name: string): unknown
}

interface Permissions {
  querySync?(descriptor: object): { readonly state: string }
}

/** The globals read here, as far as they are read. Passing another object describes another runtime. */
export interface HostGlobals {
  readonly process?: Process | undefined
  readonly Deno?:
    | {
        readonly version?: { readonly deno?: string }
        readonly build?: { readonly os?: string; readonly arch?: string }
        readonly permissions?: Permissions
      }
    | undefined
  readonly WebSocketPair?: unknown
  readonly document?: unknown
  readonly WorkerGlobalScope?: unknown
  readonly performance?: { now(): number } | undefined
}

/** Errors of platform calls carry a code; the message may carry a path and is kept short. */
function reasonOf(error: unknown): string {
  if (typeof error === 'object' && error !== null) {
    const { code, name } = error as { code?: unknown; name?: unknown }
    if (typeof code === 'string') return code
    if (typeof name === 'string') return name
  }
  return 'failed'
}

/**
 * Names the runtime by what it offers, never by a user agent.
 * @param globals - the global object, or a stand-in.
 */
export function detectRuntime(globals: HostGlobals): {
  readonly runtime: RuntimeName
  readonly version: string
} {
  const versions = globals.process?.versions ?? {}
  const named = (runtime: RuntimeName, version: string | undefined) => ({
    runtime,
    version: version ?? 'unknown',
  })
  const deno = globals.Deno?.version?.deno
  // The order matters: Deno, Bun, Electron and workerd all state a Node version for compatibility.
  if (deno !== undefined) return named('deno', deno)
  if (versions.bun !== undefined) return named('bun', versions.bun)
  if (versions.electron !== undefined) return named('electron', versions.electron)
  if (typeof globals.WebSocketPair === 'function' && globals.document === undefined)
    return named('workerd', undefined)
  // Bundlers give pages a `process` without a Node version.
  if (typeof versions.node === 'string') return named('node', versions.node)
  if (globals.document !== undefined || globals.WorkerGlobalScope !== undefined)
    return named('browser', undefined)
  return named('unknown', undefined)
}

const DENO_PLATFORMS: Readonly<Record<string, string>> = { windows: 'win32' }
const DENO_ARCHES: Readonly<Record<string, string>> = { x86_64: 'x64', aarch64: 'arm64' }

/** Asks Deno without prompting: only `granted` may be used, everything else would prompt or throw. */
function denied(globals: HostGlobals, descriptor: object): string | undefined {
  if (globals.Deno === undefined) return undefined
  try {
    const state = globals.Deno.permissions?.querySync?.(descriptor).state
    return state === 'granted' ? undefined : `permission ${state ?? 'unknown'}`
  } catch (error) {
    return `permission query failed: ${reasonOf(error)}`
  }
}

function builtin<T>(globals: HostGlobals, name: string): T | undefined {
  try {
    return globals.process?.getBuiltinModule?.(name) as T | undefined
  } catch {
    return undefined
  }
}

/**
 * A module of Node, or why there is none.
 * @param permission - what using it takes on Deno; its state is asked, never the permission itself.
 */
export function platformModule<T>(
  name: string,
  permission: object | undefined,
  globals: HostGlobals,
): { readonly module: T } | { readonly reason: string } {
  const reason = permission === undefined ? undefined : denied(globals, permission)
  if (reason !== undefined) return { reason }
  const module = builtin<T>(globals, name)
  return module === undefined ? { reason: `this runtime has no ${name}` } : { module }
}

function tried(action: () => string | undefined): Reading {
  try {
    const text = action()
    return text === undefined ? { state: 'absent' } : { state: 'read', text }
  } catch (error) {
    const reason = reasonOf(error)
    return reason === 'ENOENT' ? { state: 'absent' } : { state: 'unknown', reason }
  }
}

function hostCrypto(globals: HostGlobals): HostCrypto | undefined {
  const crypto = builtin<NodeCrypto>(globals, 'node:crypto')
  if (crypto === undefined) return undefined
  const attempt = (action: () => boolean): Attempt => {
    try {
      return action() || 'wrong result'
    } catch (error) {
      return reasonOf(error)
    }
  }
  return {
    fips() {
      try {
        const flag = crypto.getFips?.()
        // workerd answers with a boolean.
        return flag === undefined ? undefined : Number(flag)
      } catch {
        return undefined
      }
    },
    tryAead: (name, keyBytes) =>
      attempt(() => {
        const key = new Uint8Array(keyBytes).fill(0x2a)
        const nonce = new Uint8Array(12)
        const plaintext = Uint8Array.of(1, 2, 3, 4)
        const options = { authTagLength: 16 }
        const cipher = crypto.createCipheriv(name, key, nonce, options)
        const ciphertext = cipher.update(plaintext)
        cipher.final()
        const decipher = crypto.createDecipheriv(name, key, nonce, options)
        decipher.setAuthTag(cipher.getAuthTag())
        const opened = decipher.update(ciphertext)
        decipher.final()
        return opened.length === plaintext.length && opened.every((byte, at) => byte === plaintext[at])
      }),
    tryDigest: (name) => attempt(() => crypto.createHash(name).update(new Uint8Array(1)).digest().length > 0),
  }
}

/** Deno and workerd answer for compatibility: their `node:crypto` is neither library. */
function boringsslOf(runtime: RuntimeName, process: Process | undefined): boolean | undefined {
  if (runtime === 'electron' || runtime === 'bun') return true
  return runtime === 'node' ? process?.features?.openssl_is_boringssl : undefined
}

/** Runtimes whose CPU time moves in microseconds; a measurement checks the steps once more. */
const CPU_CLOCKS: readonly RuntimeName[] = ['node', 'deno', 'bun']

function hostClock(globals: HostGlobals, runtime: RuntimeName): Clock {
  const now = (): number => (globals.performance ?? Date).now()
  const { process } = globals
  if (!CPU_CLOCKS.includes(runtime) || process?.cpuUsage === undefined) return { now }
  return {
    now,
    cpu() {
      const { user, system } = process.cpuUsage?.() ?? { user: 0, system: 0 }
      return (user + system) / 1000
    },
  }
}

let ofThisProcess: Host | undefined

/** The platform of this process, described once, on first use; what can change is read each time it is asked. */
export function processHost(): Host {
  ofThisProcess ??= createHost()
  return ofThisProcess
}

/**
 * Describes the platform this code runs on.
 * @param globals - the global object, or a stand-in for tests. Default: `globalThis`.
 */
export function createHost(globals: HostGlobals = globalThis as HostGlobals): Host {
  const { runtime, version } = detectRuntime(globals)
  const { process, Deno } = globals
  const native = (name: string | undefined, names: Readonly<Record<string, string>>): string | undefined =>
    name === undefined ? undefined : (names[name] ?? name)
  const noInterface = (what: string): Reading => ({ state: 'unknown', reason: `this runtime has no ${what}` })
  return {
    runtime,
    runtimeVersion: version,
    platform: native(Deno?.build?.os, DENO_PLATFORMS) ?? process?.platform ?? 'unknown',
    arch: native(Deno?.build?.arch, DENO_ARCHES) ?? process?.arch ?? 'unknown',
    // workerd states an empty one.
    openssl: process?.versions?.openssl || undefined,
    boringssl: boringsslOf(runtime, process),
    execArgv: runtime === 'node' || runtime === 'electron' ? (process?.execArgv ?? []) : [],
    clock: hostClock(globals, runtime),
    crypto: hostCrypto(globals),
    readText(path) {
      const reason = denied(globals, { name: 'read', path })
      if (reason !== undefined) return { state: 'unknown', reason }
      const fs = builtin<{ readFileSync(path: string, encoding: 'utf8'): string }>(globals, 'node:fs')
      return fs === undefined ? noInterface('file system') : tried(() => fs.readFileSync(path, 'utf8'))
    },
    env(name) {
      const reason = denied(globals, { name: 'env', variable: name })
      if (reason !== undefined) return { state: 'unknown', reason }
      return process === undefined ? noInterface('environment') : tried(() => process.env?.[name])
    },
    cpuModel() {
      const reason = denied(globals, { name: 'sys', kind: 'cpus' })
      if (reason !== undefined) return { state: 'unknown', reason }
      const os = builtin<{ cpus(): readonly { readonly model: string }[] }>(globals, 'node:os')
      return os === undefined ? noInterface('CPU list') : tried(() => os.cpus()[0]?.model.trim() || undefined)
    },
    run(command, args) {
      const reason = denied(globals, { name: 'run', command })
      if (reason !== undefined) return { state: 'unknown', reason }
      const child = builtin<{ execFileSync(file: string, args: readonly string[], options: object): string }>(
        globals,
        'node:child_process',
      )
      const options = { encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] }
      return child === undefined
        ? noInterface('child processes')
        : tried(() => child.execFileSync(command, args, options))
    },
  }
}
