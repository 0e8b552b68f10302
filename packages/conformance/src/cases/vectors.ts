import type { AlgorithmId } from '@aeadkit/core'
import { check } from '../check.ts'
import { knownAnswers } from '../known-answers/index.ts'
import { NOT_DECLARED } from '../report.ts'
import type { Subject, Suite } from '../suite.ts'
import type { VectorCase, VectorFile } from '../vectors.ts'
import { each, mutateVector, OTHER_SIZES, runVector } from './answers.ts'

/** Name of the built-in answers in the report. */
export const BUILT_IN = 'built-in known answers'

/** The built-in known answers as one more vector file. */
export function builtInFile(): VectorFile {
  const cases = knownAnswers()
  return { file: BUILT_IN, count: cases.length, cases, exclusions: [] }
}

function byAlgorithm(file: VectorFile): ReadonlyMap<AlgorithmId, readonly VectorCase[]> {
  const groups = new Map<AlgorithmId, VectorCase[]>()
  for (const vector of file.cases) {
    const group = groups.get(vector.algorithm)
    if (group === undefined) groups.set(vector.algorithm, [vector])
    else group.push(vector)
  }
  return groups
}

/** Declares the cases of one vector file; algorithms the backend lacks become counted exclusions. */
export function vectorCases(suite: Suite, file: VectorFile): void {
  const tally = suite.report.addFile(file)
  for (const [id, vectors] of byAlgorithm(file)) {
    if (!suite.backend.algorithms.includes(id)) {
      tally.exclude(`${NOT_DECLARED}${id}`, vectors.length)
      continue
    }
    const opening = vectors.filter((vector) => vector.result !== 'invalid')
    const invalid = vectors.filter((vector) => vector.result === 'invalid')
    const run = async (vector: VectorCase): Promise<void> => {
      let executed = true
      try {
        executed = await runVector(suite, vector)
      } finally {
        if (executed) tally.execute(id)
        else tally.exclude(OTHER_SIZES, 1)
      }
    }
    suite.always(`${file.file}: ${id} is available, or its vectors are excluded`, async () => {
      const answer = await suite.availability(id)
      if (!answer.available) tally.exclude(`${id} unavailable: ${answer.reason}`, vectors.length)
    })
    if (opening.length > 0) {
      suite.test(
        id,
        `${file.file}: ${id} seals to exactly the ciphertext and tag and opens to the plaintext`,
        () => each(opening, run),
      )
    }
    if (invalid.length > 0) {
      suite.test(id, `${file.file}: ${id} refuses every invalid vector`, () => each(invalid, run))
    }
    const valid = vectors.filter((vector) => vector.result === 'valid')
    if (valid.length > 0) {
      suite.test(id, `${file.file}: ${id} refuses every change of a valid vector`, () =>
        each(valid, async (vector) => {
          suite.report.mutations += await mutateVector(suite, vector)
        }),
      )
    }
  }
}

/** Declares the availability case of one algorithm. */
export function availabilityCase(subject: Subject): void {
  const { suite, id } = subject
  suite.always('is available, or absent with a reason', async () => {
    const answer = await suite.availability(id)
    const { required = [] } = suite.options
    if (answer.available) return
    suite.report.unavailable.set(id, answer.reason)
    check(answer.reason.length > 0, `${id} is unavailable without a reason`)
    check(answer.stage === 'absent', `${id} failed its self-test: ${answer.reason}`)
    check(
      required !== 'all' && !required.includes(id),
      `${id} is required here but unavailable: ${answer.reason}`,
    )
  })
}
