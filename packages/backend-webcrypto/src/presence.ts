import type { AlgorithmParams } from '@aeadkit/core'
import {
  type ErrorMark,
  importKey,
  MODES,
  markOf,
  paramsOf,
  type Subtle,
  type SubtleKey,
  type SubtleMode,
} from './subtle.ts'

/** What trying an algorithm once has shown. */
export interface Presence {
  readonly mode: SubtleMode
  /** How a bad tag is reported. */
  readonly badTag: ErrorMark
  /** A key of zeros, for further trials. */
  readonly trialKey: SubtleKey
}

const NOTHING: Uint8Array = /* @__PURE__ */ new Uint8Array(0)

/** One line about an error: a `DOMException` names what is missing. */
function reasonOf(error: unknown): string {
  const { name, message } = markOf(error)
  return `${name ?? 'an error'}: ${String(message ?? error).split('\n', 1)[0]}`
}

/**
 * Tries an algorithm: imports a key, seals nothing, opens a forgery. `SubtleCrypto.supports` is missing in most
 * runtimes, and none but this tells how a bad tag is reported.
 * @param version - for the reason.
 * @returns the reason when the algorithm is missing here.
 */
export async function tryAlgorithm(
  subtle: Subtle,
  params: AlgorithmParams,
  version: string,
): Promise<Presence | string> {
  const mode = MODES[params.id]
  if (mode === undefined) return `${version} has no ${params.id}`
  let trialKey: SubtleKey
  let forgery: Uint8Array
  const parameters = paramsOf(mode, new Uint8Array(params.nonceBytes), NOTHING)
  try {
    trialKey = await importKey(subtle, mode, new Uint8Array(params.keyBytes))
    forgery = new Uint8Array(await subtle.encrypt(parameters, trialKey, NOTHING))
  } catch (error) {
    return `${version} cannot do ${params.id} (${reasonOf(error)})`
  }
  forgery[0] = forgery[0]! ^ 1
  try {
    await subtle.decrypt(parameters, trialKey, forgery)
  } catch (error) {
    return { mode, badTag: markOf(error), trialKey }
  }
  return `${version} opened a forgery of ${params.id}`
}

/**
 * Whether this WebCrypto takes nonces of `params.nonceBytes` bytes: some report a length they do not take just like a
 * bad tag.
 * @returns the reason when it does not.
 */
export async function tryNonce(
  subtle: Subtle,
  { mode, trialKey }: Presence,
  params: AlgorithmParams,
  version: string,
): Promise<true | string> {
  try {
    await subtle.encrypt(paramsOf(mode, new Uint8Array(params.nonceBytes), NOTHING), trialKey, NOTHING)
    return true
  } catch (error) {
    return `${version} does not take a ${params.nonceBytes}-byte nonce for ${params.id} (${reasonOf(error)})`
  }
}
