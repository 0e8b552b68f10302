/**
 * What the command line and the file cache may ask of the platform. Deno asks a person for what it was not given;
 * here only the state of a permission is asked, and what is not granted is not touched.
 */
import { homedir } from 'node:os'

interface DenoPermissions {
  querySync(descriptor: object): { readonly state: string }
}

/** What using something takes on Deno. */
export type Permission =
  | { readonly name: 'read' | 'write'; readonly path: string | URL }
  | { readonly name: 'env'; readonly variable: string }
  | { readonly name: 'sys'; readonly kind: 'homedir' | 'uid' }

/** Whether something may be used without asking for it; runtimes without permissions allow everything. */
export function isPermitted(permission: Permission): boolean {
  const { Deno } = globalThis as { readonly Deno?: { readonly permissions: DenoPermissions } }
  return Deno === undefined || Deno.permissions.querySync(permission).state === 'granted'
}

/** Value of a variable of the environment; empty where there is none or it may not be read. */
export function variable(name: string): string {
  return isPermitted({ name: 'env', variable: name }) ? (process.env[name] ?? '') : ''
}

/** The user's home folder; empty where there is none or the runtime may not tell. */
export function homeFolder(): string {
  if (!isPermitted({ name: 'sys', kind: 'homedir' })) return variable('HOME')
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** Number of the user this process acts for; `undefined` where users have none, `null` where the runtime may not tell. */
export function userNumber(): number | undefined | null {
  if (process.getuid === undefined) return undefined
  return isPermitted({ name: 'sys', kind: 'uid' }) ? process.getuid() : null
}
