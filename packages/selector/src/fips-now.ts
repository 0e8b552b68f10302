/** The FIPS state of the process at this moment, beside what was decided or brought earlier. */
import type { Evidence, FipsEvidence, FipsModuleState } from '@aeadkit/core'
import { AeadError } from '@aeadkit/core'
import { collectFips } from '#machine'
import { processHost } from './create-host.ts'
import type { FipsChoice, ResolvedOptions, SelectOptions } from './options.ts'

type Platform = Pick<SelectOptions, 'certificate' | 'host'>

/** Whether a process in this state asks for FIPS, usable or not. */
export function isRequested(state: FipsModuleState): boolean {
  return state === 'enforcing' || state === 'requested-unusable'
}

function look({ certificate, host = processHost() }: Platform): FipsEvidence {
  return collectFips(host, certificate ?? null).fips
}

/** What is seen where FIPS is asked for. While the flag is down that is all that is looked at. */
function requestedNow(options: Platform): FipsEvidence | undefined {
  if ((options.host ?? processHost()).crypto?.fips() !== 1) return undefined
  const fips = look(options)
  return isRequested(fips.state) ? fips : undefined
}

/**
 * Evidence that was brought, with the FIPS state of this process where `auto` would go by a state that asks for less:
 * evidence can tighten, never loosen.
 */
export function tightened(
  evidence: Evidence,
  options: Platform & { readonly fips?: FipsChoice | undefined },
): Evidence {
  if ((options.fips ?? 'auto') !== 'auto' || isRequested(evidence.fips.state)) return evidence
  const fips = requestedNow(options)
  return fips === undefined ? evidence : { ...evidence, fips }
}

function refusal({ provider, reason, state }: FipsEvidence, message: string): AeadError {
  return new AeadError('fips-unavailable', message, { details: { state, provider, reason } })
}

/**
 * Refuses to go on when a module is required and none is enforcing: there is no fallback under FIPS.
 * @throws AeadError `fips-unavailable` with the observed state.
 */
export function requireModule(fips: ResolvedOptions['fips'], seen: FipsEvidence): void {
  if (fips !== 'module' || seen.state === 'enforcing') return
  throw refusal(
    seen,
    `fips 'module' needs OpenSSL's FIPS provider ("fips") to be loaded and enforcing; observed state: ${seen.state} (${seen.reason}); configured provider: ${seen.provider}. On Node, activate it in the file OPENSSL_CONF names, with default_properties = fips=yes, and start with --enable-fips`,
  )
}

/**
 * Looks at the process again before each key is set up: FIPS mode can be switched on or off under a living selection,
 * and evidence that the caller brought tells of another moment, or of another machine.
 */
export function recheckOf({ fips, fipsAsked }: ResolvedOptions, options: Platform): () => Promise<void> {
  return async () => {
    if (fips === 'module') return requireModule(fips, look(options))
    const seen = fipsAsked === 'auto' ? requestedNow(options) : undefined
    if (seen === undefined) return
    throw refusal(
      seen,
      `this process asks for FIPS by now (${seen.state}: ${seen.reason}), which fips 'auto' did not find: select again, with fips 'off' where FIPS does not bind`,
    )
  }
}
