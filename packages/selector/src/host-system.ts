/** The system behind a runtime: files, variables, programs, and its crypto library as far as FIPS is concerned. */
import {
  type Attempt,
  builtin,
  type EnvReading,
  fipsFlag,
  type HostCrypto,
  type HostGlobals,
  type HostSystem,
  type Reading,
} from './host.ts'

interface NodeCipher {
  setAAD(aad: Uint8Array): unknown
  update(data: Uint8Array): Uint8Array
  final(): Uint8Array
  getAuthTag(): Uint8Array
  setAuthTag(tag: Uint8Array): unknown
}

interface NodeCrypto {
  createCipheriv(name: string, key: Uint8Array, iv: Uint8Array, options: object): NodeCipher
  createDecipheriv(name: string, key: Uint8Array, iv: Uint8Array, options: object): NodeCipher
  createHash(name: string): { update(data: Uint8Array): { digest(): Uint8Array } }
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
    fips: () => fipsFlag(globals),
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

/** Where Linux keeps the environment that a process was started with, whatever became of its variables since. */
const START = '/proc/self/environ'
const WITH_START: readonly (string | undefined)[] = ['linux', 'android']

/** Variables by name; `undefined` where the text has none, as that may be one that was written over. */
function variablesOf(text: string): ReadonlyMap<string, string> | undefined {
  const variables = new Map<string, string>()
  for (const entry of text.split('\0')) {
    const [, name, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(entry) ?? []
    // Of several with one name getenv() takes the first.
    if (name !== undefined && !variables.has(name)) variables.set(name, value)
  }
  return variables.size > 0 ? variables : undefined
}

/** See {@link HostSystem}. */
export function systemOf(globals: HostGlobals): HostSystem {
  const noInterface = (what: string): Reading => ({ state: 'unknown', reason: `this runtime has no ${what}` })
  const readText = (path: string): Reading => {
    const reason = denied(globals, { name: 'read', path })
    if (reason !== undefined) return { state: 'unknown', reason }
    const fs = builtin<{ readFileSync(path: string, encoding: 'utf8'): string }>(globals, 'node:fs')
    return fs === undefined ? noInterface('file system') : tried(() => fs.readFileSync(path, 'utf8'))
  }
  let started: ReadonlyMap<string, string> | undefined
  const startOf = (name: string): Pick<EnvReading, 'start'> => {
    if (started === undefined) {
      const platform = globals.Deno?.build?.os ?? globals.process?.platform
      // Opening this file can make Deno ask for the whole environment, whatever may be read.
      if (!WITH_START.includes(platform) || denied(globals, { name: 'env' }) !== undefined) return {}
      const file = readText(START)
      started = file.state === 'read' ? variablesOf(file.text) : undefined
    }
    if (started === undefined) return {}
    const text = started.get(name)
    return { start: text === undefined ? { state: 'absent' } : { state: 'read', text } }
  }
  return {
    crypto: hostCrypto(globals),
    readText,
    env(name) {
      const reason = denied(globals, { name: 'env', variable: name })
      if (reason !== undefined) return { state: 'unknown', reason }
      return globals.process === undefined
        ? noInterface('environment')
        : { ...tried(() => globals.process?.env?.[name]), ...startOf(name) }
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
