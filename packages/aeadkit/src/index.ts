/**
 * Authenticated encryption that picks the right cipher and the fastest correct backend.
 *
 * ```ts
 * const pick = await selectAead()
 * const key = pick.generateKey()
 * const sealer = await pick.createSealer(key)
 * const box = await sealer.encrypt(new TextEncoder().encode('hello'))
 * const message = await sealer.decrypt(box)
 * ```
 * @module
 */
import { readOptions } from '@aeadkit/core'
import {
  type AnySelection,
  type CipherSelectOptions,
  OPT_IN_NAMES,
  OPTION_NAMES,
  RESTORE_NAMES,
  type RestoreOptions,
  restoreSelection as restoreWith,
  type Selection,
  type SelectionJson,
  type SelectOptions,
  selectAead as selectWith,
} from '@aeadkit/selector'
import { algorithmsAsked, algorithmsStored, loadBackends } from './load.ts'

export * from '@aeadkit/core'
export * from '@aeadkit/selector'
export type { BackendSource } from './backends.ts'
export { type LoadedBackends, loadBackends, type UnavailableBackend } from './load.ts'

/**
 * Picks an algorithm and the backend that runs it best here; with no arguments the algorithm is the same on every
 * machine.
 * @param given - options, as `selectAead` of `@aeadkit/selector`; `backends` defaults to all that load here and
 *   are of use: libsodium only where AEGIS is asked for, WebCrypto not on Node. One that does not load is unavailable
 *   with the reason, which `explain` tells.
 * @throws AeadError `no-candidate`, `fips-unavailable`, `invalid-argument`, `unsupported`.
 */
export async function selectAead(options?: CipherSelectOptions): Promise<Selection>
export async function selectAead(options?: SelectOptions): Promise<AnySelection>
export async function selectAead(given?: SelectOptions): Promise<AnySelection> {
  const read = readOptions(given, OPTION_NAMES, 'selectAead')
  const { optIn } = read
  // Read here, since it decides what is loaded too.
  const options = optIn === undefined ? read : { ...read, optIn: readOptions(optIn, OPT_IN_NAMES, 'optIn') }
  const backends = options.backends ?? (await loadBackends(undefined, algorithmsAsked(options))).candidates
  return selectWith({ ...options, backends })
}

/**
 * Brings back a stored selection: the same algorithm, whatever this machine would choose today. Nothing is measured.
 * @param json - what `toJSON()` of a selection gave, as an object or text.
 * @param given - options, as `restoreSelection` of `@aeadkit/selector`; `backends` defaults as for {@link selectAead}.
 * @throws AeadError `invalid-argument` (not a stored selection), `no-candidate` (no backend here has the algorithm, or
 *   FIPS excludes it), `unsupported` (a protocol's advice, which has no cipher), `fips-unavailable`.
 */
export async function restoreSelection(
  json: SelectionJson | string,
  given?: Partial<RestoreOptions>,
): Promise<Selection> {
  const options = readOptions(given, RESTORE_NAMES, 'restoreSelection')
  const backends = options.backends ?? (await loadBackends(undefined, algorithmsStored(json))).candidates
  return restoreWith(json, { ...options, backends })
}
