import type { AlgorithmId, Backend, Evidence } from '@aeadkit/core'
import { ALGORITHMS, readOptions } from '@aeadkit/core'
import { checkOneOf, checkSetOf, checkWhole, refuse } from '../checks.ts'
import type { Host } from '../host.ts'
import { MOST_BUDGET_MS, OPTION_VALUES } from '../options.ts'
import { checkBackends, checkEvidence, checkSurroundings, listed } from '../resolve.ts'
import type { Abort } from '../within.ts'
import type { MeasurementCache } from './cache.ts'

/** Options of `collectEvidence`. */
export interface CollectOptions {
  /** Backends to test and to time. Default: none. */
  readonly backends?: readonly Backend[] | undefined
  /** `cached` measures what no cache knows; `always` measures anew; `never` relies on flags. Default: `cached`. */
  readonly measure?: 'cached' | 'always' | 'never' | undefined
  /** Time for measuring in milliseconds; 0: only what a cache knows. Default: 120. */
  readonly budgetMs?: number | undefined
  /** Algorithms to time, most important first. Default: the GCM and ChaCha20 families and XAES. */
  readonly algorithms?: readonly AlgorithmId[] | undefined
  /** The platform. Default: the one this code runs on. */
  readonly host?: Host | undefined
  /** FIPS certificate as the operator states it; passed through. Default: none. */
  readonly certificate?: string | null | undefined
  /** Where measurements are kept. Default: this process. */
  readonly measurementCache?: MeasurementCache | undefined
  /** Whether programs may be run to ask the system (`sysctl` on macOS). Default: false. */
  readonly allowSpawn?: boolean | undefined
  /** Facts the caller knows better; they replace what would be observed. */
  readonly given?: Partial<Evidence> | undefined
  /** Aborting rejects with the signal's reason. */
  readonly signal?: Abort | undefined
}

const NAMES: readonly (keyof CollectOptions)[] = [
  'backends',
  'measure',
  'budgetMs',
  'algorithms',
  'host',
  'certificate',
  'measurementCache',
  'allowSpawn',
  'given',
  'signal',
]

/** Evidence of nothing, which what is given stands in for. */
export const NOTHING_KNOWN: Evidence = {
  runtime: 'unknown',
  runtimeVersion: 'unknown',
  arch: 'unknown',
  cpuModel: 'unknown',
  aes: 'unknown',
  clmul: 'unknown',
  source: 'unknown',
  hardwareClass: 'unknown',
  fips: { state: 'unknown', certificate: null, provider: 'unknown', reason: 'not looked at' },
  items: [],
  measurements: [],
}

/**
 * Reads the options once and checks them as `selectAead` does its own.
 * @throws AeadError `invalid-argument`: which option, what it takes, and the nearest known name.
 */
export function readCollectOptions(asked: CollectOptions | undefined): CollectOptions {
  const read = readOptions(asked, NAMES, 'collectEvidence')
  const given =
    read.given === undefined ? undefined : readOptions(read.given, Object.keys(NOTHING_KNOWN), 'given')
  const options = { ...read, given, backends: listed(read.backends), algorithms: listed(read.algorithms) }
  checkOneOf('measure', options.measure, OPTION_VALUES.measure)
  checkWhole('budgetMs', options.budgetMs, 0, MOST_BUDGET_MS)
  checkSetOf('algorithms', options.algorithms, Object.keys(ALGORITHMS))
  checkSurroundings({ ...options, certificate: options.certificate ?? undefined })
  if (options.backends !== undefined) checkBackends(options.backends, 0)
  if (given === undefined) return options
  for (const name of ['runtime', 'runtimeVersion', 'arch', 'cpuModel'] as const) {
    const text: unknown = given[name]
    if (text !== undefined && typeof text !== 'string') refuse(`given.${name}`, 'a string', text)
  }
  checkEvidence({ ...NOTHING_KNOWN, ...given }, 'given')
  return options
}
