/** The same as `machine.ts` where nothing can be seen: in pages and edge workers. */
import type { EvidenceItem } from '@aeadkit/core'
import type { Host } from '../host.ts'
import type { FipsResult } from './fips.ts'
import type { PlatformFindings } from './platform.ts'

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
      unknown('cpu.model', 'pages and edge workers'),
      unknown('cpu.flags', 'pages and edge workers: nothing to read'),
      ...Object.keys(effective).map((name) => unknown(`cpu.effective.${name}`, 'no CPU flags')),
    ],
  }
}

/** A module's state does not show. */
export function collectFips(host: Host, certificate: string | null = null): FipsResult {
  const reason = `the runtime ${host.runtime} does not show the state of a FIPS module`
  return {
    fips: { state: 'unknown', reason, certificate, provider: 'unknown' },
    items: [unknown('fips.state', reason)],
  }
}
