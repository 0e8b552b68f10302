import { refuse } from '../checks.ts'

/** Options of `tls.createServer` that the probe understands; others are passed on untouched. */
export interface ProbedServer {
  readonly ciphers?: string | undefined
  readonly honorCipherOrder?: boolean | undefined
  readonly secureOptions?: number | undefined
  readonly minVersion?: string | undefined
  /** With `cert`, as PEM. Default: both made for this probe and thrown away. */
  readonly key?: string | undefined
  readonly cert?: string | undefined
}

const SERVER_NAMES = ['ciphers', 'honorCipherOrder', 'secureOptions', 'minVersion', 'key', 'cert'] as const

/**
 * Options of the runtime, of any name; those that count here are read by name, from a prototype too.
 * @throws AeadError `invalid-argument`: no object.
 */
export function serverOf(given: ProbedServer): ProbedServer {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    refuse('server', 'options of tls.createServer', given)
  }
  const own: Record<string, unknown> = { ...given }
  for (const name of SERVER_NAMES) if (!Object.hasOwn(given, name)) own[name] = given[name]
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
}
