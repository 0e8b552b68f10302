import type { AlgorithmId, Backend, Evidence } from '@aeadkit/core'
import {
  type AnySelection,
  type CollectOptions,
  collectEvidence,
  createHost,
  type Host,
  resolveOptions,
  type SelectOptions,
} from '@aeadkit/selector'
import { type FileCache, fileCache } from '../cache.ts'
import { selectAead } from '../index.ts'
import { algorithmsAsked, type LoadedBackends, loadBackends } from '../load.ts'

/** What the commands take from outside; tests give their own. */
export interface CliSettings {
  /** The platform. Default: the one this runs on. */
  readonly host?: Host | undefined
  /** The day, for facts that age. Default: today. */
  readonly today?: (() => Date) | undefined
  /** Where timings are kept. Default: the user's cache folder. */
  readonly cache?: FileCache | undefined
}

/** What the commands share: platform, clock, backends and the measurement cache, made on first use. */
export class CliContext {
  #loaded: Promise<LoadedBackends> | undefined
  readonly host: Host
  readonly today: () => Date
  /** Timings kept between runs, so that only the first one measures. */
  readonly cache: FileCache

  constructor({ cache = fileCache(), host = createHost(), today = () => new Date() }: CliSettings = {}) {
    this.host = host
    this.today = today
    this.cache = cache
  }

  /** Every backend that loads here. */
  loaded(): Promise<LoadedBackends> {
    this.#loaded ??= loadBackends()
    return this.#loaded
  }

  /** The backends that a selection would load for these algorithms. */
  async backendsFor(asked: readonly AlgorithmId[]): Promise<readonly Backend[]> {
    return (await loadBackends(undefined, asked)).candidates
  }

  /** Looks at the platform. A person runs the command line, so the system may be asked by its own programs. */
  observe(options: CollectOptions): Promise<Evidence> {
    return collectEvidence({
      host: this.host,
      allowSpawn: true,
      measurementCache: this.cache,
      ...options,
    })
  }

  /** `selectAead` with the backends it would load, on the same platform and with the same cache as {@link observe}. */
  async select(options: SelectOptions): Promise<AnySelection> {
    const backends = await this.backendsFor(algorithmsAsked(options))
    // A slip in the options is told before anything is measured.
    resolveOptions({ ...options, backends })
    return selectAead({
      host: this.host,
      allowSpawn: true,
      measurementCache: this.cache,
      ...options,
      backends,
    })
  }
}
