/**
 * Which backend has which algorithm here. Presence is asked of all at once; a self-test takes milliseconds of cold code
 * and runs when something is to rest on its answer: nothing is timed, named or chosen untested.
 */
import type { AlgorithmId, Availability, Backend, EvidenceItem } from '@aeadkit/core'
import { askPresence, askProbe } from '../policy/ask.ts'
import { type Probed, probeKey } from '../policy/candidates.ts'
import { type Abort, unlessAborted } from '../within.ts'
import { versionOf } from './cache.ts'
import type { Usable } from './plan.ts'

/** The algorithms whose timings may decide the hardware class, in the order in which they are looked for. */
const GCM: readonly AlgorithmId[] = ['aes-128-gcm', 'aes-256-gcm']
const CHACHA: AlgorithmId = 'chacha20-poly1305'

/** Answers of the given backends, as far as they were asked; those of one selection, so that it does not depend on others. */
export class SelfTests {
  readonly #backends: readonly Backend[]
  readonly #answers: Map<string, Availability> = new Map()
  readonly #signal: Abort | undefined

  /** @param signal - ends the waiting for an answer; every method throws its reason. */
  constructor(backends: readonly Backend[], signal?: Abort | undefined) {
    this.#backends = backends
    this.#signal = signal
  }

  #ask(backend: Backend, id: AlgorithmId): Promise<Availability> {
    return unlessAborted(askProbe(backend, id), this.#signal)
  }

  /** What is known so far: absences and self-tests. What is not in it is present and untested. */
  get probed(): Probed {
    return this.#answers
  }

  /** How many answers say no. */
  get failures(): number {
    return [...this.#answers.values()].filter(({ available }) => !available).length
  }

  /** Asks what is there. An asynchronous backend is tested at once: its presence is part of its self-test. */
  async look(): Promise<void> {
    for (const backend of this.#backends) {
      for (const id of backend.algorithms) {
        const absent = backend.sync ? askPresence(backend, id) : await this.#ask(backend, id)
        if (absent !== undefined) this.#answers.set(probeKey(backend.name, id), absent)
      }
    }
  }

  /**
   * Tests one algorithm of one backend, if that was not done. Of a backend that fails everything else is tested as well:
   * whoever reads the reasons should not find out one by one.
   * @returns whether it can be used.
   */
  async test(backend: Backend, id: AlgorithmId): Promise<boolean> {
    if (!backend.algorithms.includes(id)) return false
    const key = probeKey(backend.name, id)
    let answer = this.#answers.get(key)
    if (answer === undefined) {
      answer = await this.#ask(backend, id)
      this.#answers.set(key, answer)
      if (!answer.available) await this.#all(backend)
    }
    return answer.available
  }

  /** The same by name of the backend. */
  async testNamed(name: string, id: AlgorithmId): Promise<boolean> {
    const backend = this.#backends.find((one) => one.name === name)
    return backend !== undefined && (await this.test(backend, id))
  }

  /** Tests everything. */
  async all(): Promise<void> {
    for (const backend of this.#backends) await this.#all(backend)
  }

  async #all(backend: Backend): Promise<void> {
    for (const id of backend.algorithms) {
      const key = probeKey(backend.name, id)
      if (!this.#answers.has(key)) this.#answers.set(key, await this.#ask(backend, id))
    }
  }

  /** Tests until one of these is known to work. */
  async confirmOne(pairs: readonly (readonly [backend: string, id: AlgorithmId])[]): Promise<void> {
    if (pairs.some(([name, id]) => this.#passed(name, id))) return
    for (const [name, id] of pairs) if (await this.testNamed(name, id)) return
  }

  /** Tests what may be timed before an algorithm is chosen: the pair that decides the hardware class, and `compared`. */
  async forTimings(compared: readonly AlgorithmId[]): Promise<void> {
    const natives = this.#backends.filter(({ kind }) => kind === 'native')
    const pairs: boolean[] = []
    for (const backend of natives) pairs.push(await this.#classPair(backend))
    // As the plan of the timings: otherwise the best of all backends may have to be compared.
    if (natives.length > 1 || pairs.includes(false)) {
      for (const backend of this.#backends) await this.#classPair(backend)
    }
    for (const id of compared) for (const backend of this.#backends) await this.test(backend, id)
  }

  async #classPair(backend: Backend): Promise<boolean> {
    let gcm = false
    for (const id of GCM) gcm ||= await this.test(backend, id)
    const chacha = await this.test(backend, CHACHA)
    return gcm && chacha
  }

  #passed(name: string, id: AlgorithmId): boolean {
    return this.#answers.get(probeKey(name, id))?.available === true
  }

  /** Every backend with the algorithms that passed. */
  usable(): readonly Usable[] {
    return this.#backends.map((backend) => ({
      backend,
      algorithms: backend.algorithms.filter((id) => this.#passed(backend.name, id)),
    }))
  }

  /** One item for each backend, and one for each algorithm it lists. */
  items(): readonly EvidenceItem[] {
    return this.#backends.flatMap((backend): EvidenceItem[] => {
      const version = versionOf(backend)
      const how = backend.sync ? 'synchronous' : 'asynchronous'
      return [
        {
          name: `backend.${backend.name}`,
          value: `${version}, ${backend.kind}, ${how}`,
          source: 'backend',
          certainty: version === 'unknown' ? 'unknown' : 'observed',
        },
        ...backend.algorithms.map((id) => this.#item(backend.name, id)),
      ]
    })
  }

  #item(backend: string, id: AlgorithmId): EvidenceItem {
    const name = `backend.${backend}.${id}`
    const answer = this.#answers.get(probeKey(backend, id))
    if (answer === undefined) {
      const source = 'presence check; the self-test runs before anything rests on it'
      return { name, value: 'present, not tested', source, certainty: 'unknown' }
    }
    return {
      name,
      value: answer.available ? 'passed' : `${answer.stage}: ${answer.reason}`,
      source: 'self-test: known answer and forgeries',
      certainty: 'observed',
    }
  }

  /** Items of a collection with what was tested since. */
  renewed(items: readonly EvidenceItem[]): readonly EvidenceItem[] {
    const now = new Map(this.items().map((item) => [item.name, item]))
    return items.map((item) => now.get(item.name) ?? item)
  }
}
