/** The same as `machine.ts` where nothing can be seen: in pages and edge workers. */
import type { EvidenceItem } from '@aeadkit/core'
import { fipsFlag, type Host, type HostGlobals, type HostSystem, type Reading } from '../host.ts'
import type { FipsResult } from './fips.ts'
import type { PlatformFindings } from './platform.ts'

/** Why nothing was looked at. */
const UNREAD = 'a build for pages does not look'

const unknown = (name: string, source: string): EvidenceItem => {
  return { name, value: 'unknown', source, certainty: 'unknown' }
}

/** Neither flags nor masks. */
export function collectPlatform(_host: Host, _allowSpawn: boolean): PlatformFindings {
  const effective = { aes: null, clmul: null, gcmHardware: null }
  return {
    flags: undefined,
    effective: { ...effective, items: [] },
    cpuModel: 'unknown',
    masks: {},
    items: [
      unknown('cpu.model', 'nothing to read'),
      unknown('cpu.flags', 'nothing to read'),
      ...Object.keys(effective).map((name) => unknown(`cpu.effective.${name}`, 'no CPU flags')),
    ],
  }
}

/** A module's state does not show; a process that asks for FIPS must not pass for one that does not. */
export function collectFips(host: Host, certificate: string | null = null): FipsResult {
  const asked = host.runtime === 'node' && host.crypto?.fips() === 1
  const reason = asked
    ? 'crypto.getFips() is 1, but a build for pages cannot look at the module'
    : `the runtime ${host.runtime} does not show the state of a FIPS module`
  return {
    fips: { state: asked ? 'requested-unusable' : 'unknown', reason, certificate, provider: 'unknown' },
    items: [unknown('fips.state', reason)],
  }
}

/** No file, no variable, no program; of the crypto library only whether FIPS is asked for. */
export function systemOf(globals: HostGlobals): HostSystem {
  const unread = (): Reading => ({ state: 'unknown', reason: UNREAD })
  return {
    crypto: {
      fips: () => fipsFlag(globals),
      tryAead: () => UNREAD,
      tryDigest: () => UNREAD,
    },
    readText: unread,
    env: unread,
    cpuModel: unread,
    run: unread,
  }
}
