/** Describes the platform this code runs on, or one that is described to it. */
import { systemOf } from '#machine'
import { type Clock, detectRuntime, type Host, type HostGlobals, type RuntimeName } from './host.ts'

const DENO_PLATFORMS: Readonly<Record<string, string>> = { windows: 'win32' }
const DENO_ARCHES: Readonly<Record<string, string>> = { x86_64: 'x64', aarch64: 'arm64' }

/** Deno and workerd answer for compatibility: their `node:crypto` is neither library. */
function boringsslOf(runtime: RuntimeName, process: HostGlobals['process']): boolean | undefined {
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
    ...systemOf(globals),
  }
}
