/** The backends of one placement: their keys, and who is out of it. */
import type { AlgorithmId, Backend } from '@aeadkit/core'
import { codeOf } from './measure.ts'
import { type Bench, openBench } from './measure-cells.ts'
import type { Session } from './measure-session.ts'

/** What is to be placed. */
export interface PlacementRequest {
  readonly algorithm: AlgorithmId
  /** Those that may run it; at least two, or there is nothing to place. */
  readonly backends: readonly Backend[]
  /** Plaintext lengths in bytes, ascending. */
  readonly sizes: readonly number[]
  /** Whether any length may come: then it is looked between these for the one where the fastest backend changes. */
  readonly refine: boolean
}

/** See the head of this file. */
export class Racers {
  /** Keys that are set up. */
  readonly benches: Bench[] = []
  readonly gaps: string[] = []
  /** Names of backends that failed. */
  readonly failed: Set<string> = new Set()
  /** Names of backends that cannot win any more. */
  readonly hopeless: Set<string> = new Set()
  readonly #session: Session
  readonly #request: PlacementRequest
  readonly #left: () => void

  /** @param left - called when a backend has failed. */
  constructor(session: Session, request: PlacementRequest, left: () => void) {
    this.#session = session
    this.#request = request
    this.#left = left
  }

  /**
   * Sets the keys up; what a backend lacks is a gap. Where any length may come, who answers by promise is timed as
   * callers reach it, as the large half of a pair.
   */
  async open(): Promise<void> {
    const { algorithm, backends, refine } = this.#request
    const ordered = [...backends].sort((a, b) => Number(b.sync) - Number(a.sync))
    for (const backend of ordered) {
      await this.guarded(backend.name, async () => {
        const beside = this.benches.map((bench) => bench.backend).find((one) => one.sync)
        const bench = openBench(this.#session, backend, algorithm, false, refine ? beside : undefined)
        this.benches.push(await bench)
      })
    }
    this.benches.sort((a, b) => backends.indexOf(a.backend) - backends.indexOf(b.backend))
  }

  /** Does work of one backend; one that fails is left out from then on, with all that was timed of it. */
  async guarded<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.failed.has(name)) return undefined
    try {
      return await work()
    } catch (error) {
      this.#session.throwIfAborted()
      this.gaps.push(`${this.#request.algorithm} on ${name}: ${codeOf(error)}`)
      this.failed.add(name)
      this.hopeless.add(name)
      this.#left()
      return undefined
    }
  }

  /** Whether this answers by promise where another does not, and any length may come. */
  isBeside({ backend }: Bench): boolean {
    return this.#request.refine && !backend.sync && this.benches.some((one) => one.backend.sync)
  }

  close(): void {
    for (const bench of this.benches) bench.destroy()
  }
}
