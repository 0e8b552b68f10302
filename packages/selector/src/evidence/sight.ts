/** What is seen of a machine without running anything of it: flags, masks, FIPS state, versions. */
import type { Backend, Evidence, EvidenceItem, Measurement, Presence } from '@aeadkit/core'
import { collectFips, collectPlatform } from '#machine'
import { processHost } from '../create-host.ts'
import type { Host } from '../host.ts'
import { bothHalves, presenceOf } from './cpu.ts'
import type { FipsResult } from './fips.ts'
import { type HardwareVerdict, hardwareClassOf, kindsOf } from './hardware-class.ts'
import type { PlatformFindings } from './platform.ts'

/** Where to look. */
export interface LookOptions {
  /** The platform. Default: the one this code runs on. */
  readonly host?: Host | undefined
  /** FIPS certificate as the operator states it; passed through. Default: none. */
  readonly certificate?: string | null | undefined
  /** Whether programs may be run to ask the system. Default: false. */
  readonly allowSpawn?: boolean | undefined
}

/** One look at a platform. */
export interface Sight {
  readonly host: Host
  readonly platform: PlatformFindings
  readonly fips: FipsResult
}

/** Looks at the platform; what can change is read anew each time. */
export function look({ allowSpawn, certificate, host = processHost() }: LookOptions): Sight {
  const platform = collectPlatform(host, allowSpawn === true)
  return { host, platform, fips: collectFips(host, certificate ?? null) }
}

/** What is known besides the sight. */
interface Known {
  readonly given?: Partial<Evidence>
  readonly backends?: readonly Backend[]
  readonly measurements?: readonly Measurement[]
  /** Of self-tests and measurements. */
  readonly items?: readonly EvidenceItem[]
}

/** The sight as evidence; the hardware class by the timings there are, else by flags. */
export function evidenceOf(
  { fips, host, platform }: Sight,
  { backends = [], given = {}, items: tested = [], measurements = [] }: Known = {},
): Evidence {
  const verdict = classOf(given, platform, measurements, backends)
  const { effective } = platform
  const base: Evidence = {
    runtime: host.runtime,
    runtimeVersion: host.runtimeVersion,
    arch: host.arch,
    cpuModel: platform.cpuModel,
    aes: presenceOf(effective.aes),
    clmul: presenceOf(effective.clmul),
    source: verdict.source,
    hardwareClass: verdict.hardwareClass,
    fips: fips.fips,
    measurements,
    items: [
      ...runtimeItems(host),
      ...platform.items,
      ...fips.items,
      ...tested,
      {
        name: 'hardware.class',
        value: verdict.hardwareClass,
        source: verdict.reason,
        certainty:
          verdict.hardwareClass === 'unknown'
            ? 'unknown'
            : verdict.source === 'measured'
              ? 'observed'
              : 'inferred',
      },
      ...Object.keys(given).map(
        (name): EvidenceItem => ({
          name: `given.${name}`,
          value: 'replaced',
          source: 'caller',
          certainty: 'observed',
        }),
      ),
    ],
  }
  return { ...base, ...given, items: [...base.items, ...(given.items ?? [])] }
}

/** `partial` is not all there; what is unknown stays so. */
function knownOf(presence: Presence): boolean | null {
  return presence === 'unknown' ? null : presence === 'yes'
}

function classOf(
  given: Partial<Evidence>,
  platform: PlatformFindings,
  measurements: readonly Measurement[],
  backends: readonly Backend[],
): Pick<Evidence, 'source' | 'hardwareClass'> & { readonly reason: string } {
  if (given.hardwareClass !== undefined) {
    return { hardwareClass: given.hardwareClass, source: 'given', reason: 'given by the caller' }
  }
  const told = given.aes !== undefined && given.clmul !== undefined
  const flags = told ? bothHalves(knownOf(given.aes), knownOf(given.clmul)) : platform.effective.gcmHardware
  const verdict: HardwareVerdict = hardwareClassOf({ measurements, kinds: kindsOf(backends), flags })
  return told && verdict.source === 'flags' ? { ...verdict, source: 'given' } : verdict
}

function runtimeItems(host: Host): readonly EvidenceItem[] {
  const said = (name: string, value: string | undefined, source: string): EvidenceItem => {
    const text = value ?? 'unknown'
    return { name, value: text, source, certainty: text === 'unknown' ? 'unknown' : 'observed' }
  }
  const openssl = said('library.openssl', host.openssl, 'process.versions.openssl')
  return [
    said('runtime.name', host.runtime, 'globals'),
    said('runtime.version', host.runtimeVersion, 'runtime'),
    said('os.platform', host.platform, 'runtime'),
    said('cpu.arch', host.arch, 'runtime'),
    // Runtimes other than Node state an OpenSSL version for compatibility only.
    host.runtime === 'node' || host.openssl === undefined ? openssl : { ...openssl, certainty: 'unknown' },
    said(
      'library.boringssl',
      host.boringssl === undefined ? undefined : host.boringssl ? 'yes' : 'no',
      'process.features.openssl_is_boringssl',
    ),
  ]
}
