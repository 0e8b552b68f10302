import {
  type Aead,
  type AeadOptions,
  ALGORITHMS,
  type AlgorithmId,
  type AlgorithmParams,
  type Availability,
  type Backend,
  type Bytes,
  type BytesInput,
  createAead,
} from '@aeadkit/core'
import { ConformanceError, check, pattern } from './check.ts'
import { type Gap, Report } from './report.ts'
import type { VectorFile } from './vectors.ts'

/** The part of a test runner the suite needs; vitest, node:test, Deno, Bun and jest fit. */
export interface Runner {
  describe(name: string, body: () => void): unknown
  it(name: string, body: () => Promise<void>): unknown
}

/** A kind of byte array only the caller can make, such as one of another realm or a pooled Buffer. */
export interface ForeignBytes {
  /** For case messages, for example `another realm`. */
  readonly name: string
  /** The same bytes as that kind. */
  make(bytes: Bytes): BytesInput
}

/** Options of `runConformance`. */
export interface ConformanceOptions {
  /** Known differences; each must still show. */
  readonly gaps?: readonly Gap[]
  /** Vector files besides the built-in known answers. */
  readonly vectors?: readonly VectorFile[]
  /** Other backends whose results must be the same. */
  readonly peers?: readonly Backend[]
  /** Kinds of input that only the caller's runtime can make. */
  readonly foreignBytes?: readonly ForeignBytes[]
  /** Algorithms that must be available here, or `all` declared ones; others may be absent with a reason. */
  readonly required?: readonly AlgorithmId[] | 'all'
  /** How an Aead is made; default `createAead` of core. For wrappers that promise the same contract. */
  readonly createAead?: typeof createAead
  /** Where the closing report goes, line by line; default `console.log`. */
  readonly print?: (line: string) => void
}

/** One run: what the case files work with. */
export class Suite {
  readonly backend: Backend
  readonly options: ConformanceOptions
  readonly report: Report
  readonly #it: Runner['it']
  readonly #gaps: Map<Gap, boolean>
  readonly #answers: Map<AlgorithmId, Promise<Availability>> = new Map()

  constructor(backend: Backend, runner: Runner, options: ConformanceOptions) {
    this.backend = backend
    this.options = options
    this.report = new Report(backend.name)
    this.#it = (name, body) => runner.it(name, body)
    this.#gaps = new Map((options.gaps ?? []).map((gap) => [gap, false]))
  }

  /** Whether the backend has the algorithm here; asked once. */
  availability(id: AlgorithmId): Promise<Availability> {
    let answer = this.#answers.get(id)
    if (answer === undefined) {
      answer = this.backend.probe(id)
      this.#answers.set(id, answer)
    }
    return answer
  }

  /** An Aead of the backend under test. */
  create(id: AlgorithmId, key: BytesInput, options?: AeadOptions): Promise<Aead> {
    return (this.options.createAead ?? createAead)(this.backend, id, key, options)
  }

  /** Declares a case that does not belong to one algorithm. */
  always(name: string, body: () => Promise<void>): void {
    this.#it(name, body)
  }

  /** Declares a case of one algorithm: not run where the algorithm is unavailable, inverted where a gap is known. */
  test(id: AlgorithmId, name: string, body: () => Promise<void>): void {
    const gap = [...this.#gaps.keys()].find(
      (item) => item.test === name && (item.id === '*' || item.id === id),
    )
    if (gap !== undefined) this.#gaps.set(gap, true)
    this.#it(name, async () => {
      const answer = await this.availability(id)
      if (!answer.available) {
        this.report.unavailable.set(id, answer.reason)
        this.report.casesNotRun++
        return
      }
      this.report.cases++
      if (gap === undefined) await body()
      else await this.#expectGap(gap, id, body)
    })
  }

  async #expectGap(gap: Gap, algorithm: AlgorithmId, body: () => Promise<void>): Promise<void> {
    try {
      await body()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.report.gaps.push({ ...gap, algorithm, message })
      return
    }
    throw new ConformanceError(`the gap "${gap.reason}" no longer shows for ${algorithm}: remove it`)
  }

  /** @throws ConformanceError naming gaps that match no case: they would hide nothing and say something false. */
  checkGapNames(): void {
    const unknown = [...this.#gaps].filter(([, used]) => !used).map(([gap]) => `${gap.id} / ${gap.test}`)
    check(unknown.length === 0, `gaps that match no case of ${this.backend.name}: ${unknown.join('; ')}`)
  }
}

/** Fixed inputs for one algorithm, in its sizes. */
export class Subject {
  readonly suite: Suite
  readonly params: AlgorithmParams
  readonly id: AlgorithmId

  constructor(suite: Suite, id: AlgorithmId) {
    this.suite = suite
    this.id = id
    this.params = ALGORITHMS[id]
  }

  /** A key of the right length; another for each `seed`. */
  key(seed: number = 1): Bytes {
    return pattern(this.params.keyBytes, seed)
  }

  /** A nonce of the right length; another for each number. The top bit is 0, which MGM asks for. */
  nonce(number: number = 0): Bytes {
    const nonce = pattern(this.params.nonceBytes, 7)
    const last = nonce.length - 1
    nonce[0] = 0x20
    nonce[last] = number & 0xff
    nonce[last - 1] = (number >> 8) & 0xff
    return nonce
  }

  /** An Aead without the nonce tripwire. */
  create(key: BytesInput = this.key()): Promise<Aead> {
    return this.suite.create(this.id, key, { nonceCheck: false })
  }

  /** Declares a case. */
  test(name: string, body: () => Promise<void>): void {
    this.suite.test(this.id, name, body)
  }

  /** MGM does not authenticate an empty message with empty AAD (RFC 9058 §4). */
  takes(plaintextBytes: number, aadBytes: number): boolean {
    return !this.params.bound.startsWith('mgm') || plaintextBytes + aadBytes > 0
  }
}
