/**
 * The platform, described once. Everything that looks at it takes {@link HostGlobals}, everything else a
 * {@link Host}, so that each parser and rule can be tested as a pure function. Nothing here runs at import, prompts, or throws: what
 * cannot be seen is reported as unknown with the reason.
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

/** A variable as it is now, and at the start of the process where that shows. */
export type EnvReading = Reading & {
  /** What libraries and the runtime read when they started; changes since then are without effect on them. */
  readonly start?: Reading
}

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

/** What is asked of the system behind the runtime. */
export interface HostSystem {
  readonly crypto: HostCrypto | undefined
  /** Reads a small text file. */
  readText(path: string): Reading
  /** Reads an environment variable. */
  env(name: string): EnvReading
  /** Name of the first CPU as the operating system states it. */
  cpuModel(): Reading
  /** Output of a program. Only called when the caller allowed child processes. */
  run(command: string, args: readonly string[]): Reading
}

/** What the selector asks of the platform. */
export interface Host extends HostSystem {
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

/** A variable as libraries and the runtime read it: at the start, as far as that shows. */
export function startOf(setting: EnvReading): Reading {
  return setting.start ?? setting
}

/** A module of Node, where the runtime gives it. */
export function builtin<T>(globals: HostGlobals, name: string): T | undefined {
  try {
    return globals.process?.getBuiltinModule?.(name) as T | undefined
  } catch {
    return undefined
  }
}

/** `crypto.getFips()` as a number; `undefined` where the runtime has no such call. */
export function fipsFlag(globals: HostGlobals): number | undefined {
  try {
    const flag = builtin<{ getFips?(): number | boolean }>(globals, 'node:crypto')?.getFips?.()
    // workerd answers with a boolean.
    return flag === undefined ? undefined : Number(flag)
  } catch {
    return undefined
  }
}
