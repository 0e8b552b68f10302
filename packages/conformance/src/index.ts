/**
 * The contract of an aeadkit backend as named cases, for any test runner with `describe` and `it`.
 * @module
 */
import type { AlgorithmId, Backend } from '@aeadkit/core'
import { inputCases } from './cases/inputs.ts'
import { interopCases } from './cases/interop.ts'
import { intoCases } from './cases/into.ts'
import { lifeCases } from './cases/life.ts'
import { outputCases } from './cases/output.ts'
import { refusalCases } from './cases/refusals.ts'
import { reportCases } from './cases/reports.ts'
import { sizeCases } from './cases/sizes.ts'
import { availabilityCase, builtInFile, vectorCases } from './cases/vectors.ts'
import { type ConformanceReport, describeReport, expectCounts } from './report.ts'
import { type ConformanceOptions, type Runner, Subject, Suite } from './suite.ts'

export { ConformanceError } from './check.ts'
export {
  type ConformanceReport,
  describeReport,
  expectCounts,
  type FileReport,
  type Gap,
  type SeenGap,
} from './report.ts'
export type { ConformanceOptions, ForeignBytes, Runner } from './suite.ts'
export type { VectorCase, VectorFile } from './vectors.ts'

function algorithmCases(suite: Suite, id: AlgorithmId): void {
  const subject = new Subject(suite, id)
  availabilityCase(subject)
  sizeCases(subject)
  inputCases(subject)
  refusalCases(subject)
  outputCases(subject)
  if (suite.backend.sync) intoCases(subject)
  lifeCases(subject)
  interopCases(subject)
  reportCases(subject)
}

/**
 * Declares every case for every algorithm of a backend. Works with synchronous and asynchronous backends alike; an
 * algorithm that is absent here with a reason is reported and counted, one that fails its self-test is a failure.
 * @param backend - made by `defineSyncBackend` or `defineAsyncBackend`.
 * @param runner - `describe` and `it` of any test runner. `it` must await the promise of its body; cases of one
 *   `describe` must run in order.
 * @param options - gaps, vectors, peers and inputs only the caller can make.
 * @returns the report, filled while the cases run. The last cases assert that every vector was executed or excluded
 *   with a reason and that every gap names a case, and print the report.
 */
export function runConformance(
  backend: Backend,
  runner: Runner,
  options: ConformanceOptions = {},
): ConformanceReport {
  const suite = new Suite(backend, runner, options)
  runner.describe(`conformance of backend ${backend.name}`, () => {
    for (const id of backend.algorithms) runner.describe(id, () => algorithmCases(suite, id))
    runner.describe('vectors', () => {
      for (const file of [builtInFile(), ...(options.vectors ?? [])]) vectorCases(suite, file)
    })
    runner.describe('report', () => {
      suite.always('every gap names a case', async () => suite.checkGapNames())
      suite.always('every vector is executed or excluded with a reason', async () => {
        expectCounts(suite.report)
        const print = options.print ?? ((line: string) => console.log(line))
        for (const line of describeReport(suite.report)) print(line)
      })
    })
  })
  return suite.report
}
