import type { AnySelection, SelectOptions } from '@aeadkit/selector'
import { type FileCache, fileCache } from '../cache.ts'
import { selectAead } from '../index.ts'
import { algorithmsAsked, type LoadedBackends, loadBackends } from '../load.ts'

/** What the commands share: backends and the measurement cache, made on first use. */
export class CliContext {
  #loaded: Promise<LoadedBackends> | undefined
  /** Timings kept between runs, so that only the first one measures. */
  readonly cache: FileCache = fileCache()

  /** Every backend that loads here. */
  loaded(): Promise<LoadedBackends> {
    this.#loaded ??= loadBackends()
    return this.#loaded
  }

  /** `selectAead` with the backends it would load and the cache in files. */
  async select(options: SelectOptions): Promise<AnySelection> {
    const { candidates: backends } = await loadBackends(undefined, algorithmsAsked(options))
    return selectAead({ ...options, backends, measurementCache: this.cache })
  }
}
