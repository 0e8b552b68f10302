import type { AlgorithmId } from '@aeadkit/core'
import { check } from './check.ts'
import type { VectorFile } from './vectors.ts'

/** A known difference from the contract. It is counted and printed, and an error once it no longer shows. */
export interface Gap {
  /** Algorithm it concerns, or `*` for all. */
  readonly id: AlgorithmId | '*'
  /** Exact name of the case. */
  readonly test: string
  /** Why, for people. */
  readonly reason: string
}

/** A gap that showed, with what failed. */
export interface SeenGap extends Gap {
  readonly algorithm: AlgorithmId
  readonly message: string
}

/** What happened to the vectors of one file. */
export interface FileReport {
  readonly file: string
  /** Cases the file has, exclusions of its converter included. */
  readonly count: number
  /** Executed cases by algorithm. */
  readonly ran: ReadonlyMap<AlgorithmId, number>
  /** Cases not executed, by reason. */
  readonly exclusions: ReadonlyMap<string, number>
}

/** What one run of the suite executed. Fills while the cases run. */
export interface ConformanceReport {
  readonly backend: string
  /** Algorithms declared but not usable here, with the reason. */
  readonly unavailable: ReadonlyMap<AlgorithmId, string>
  readonly files: ReadonlyMap<string, FileReport>
  readonly gaps: readonly SeenGap[]
  /** Executed cases of the suite; one may hold many vectors. */
  readonly cases: number
  /** Cases not executed because their algorithm is unavailable here. */
  readonly casesNotRun: number
  /** Forged variants of valid vectors that were refused. */
  readonly mutations: number
  /** Kinds of input this runtime does not have, such as resizable buffers. */
  readonly missingInputs: ReadonlySet<string>
  /** Peers that could not be compared with, with algorithm and reason. */
  readonly unavailablePeers: ReadonlySet<string>
}

/** Start of the reason for vectors of an algorithm the backend does not declare. */
export const NOT_DECLARED = 'backend does not have '

class FileTally implements FileReport {
  readonly file: string
  readonly count: number
  readonly ran: Map<AlgorithmId, number> = new Map()
  readonly exclusions: Map<string, number> = new Map()

  constructor(file: string, count: number) {
    this.file = file
    this.count = count
  }

  execute(algorithm: AlgorithmId): void {
    this.ran.set(algorithm, (this.ran.get(algorithm) ?? 0) + 1)
  }

  exclude(reason: string, count: number): void {
    if (count > 0) this.exclusions.set(reason, (this.exclusions.get(reason) ?? 0) + count)
  }
}

/** The report as the suite writes it. */
export class Report implements ConformanceReport {
  readonly backend: string
  readonly unavailable: Map<AlgorithmId, string> = new Map()
  readonly files: Map<string, FileTally> = new Map()
  readonly gaps: SeenGap[] = []
  readonly missingInputs: Set<string> = new Set()
  readonly unavailablePeers: Set<string> = new Set()
  cases = 0
  casesNotRun = 0
  mutations = 0

  constructor(backend: string) {
    this.backend = backend
  }

  addFile(file: VectorFile): FileTally {
    const tally = new FileTally(file.file, file.count)
    for (const { reason, count } of file.exclusions) tally.exclude(reason, count)
    this.files.set(file.file, tally)
    return tally
  }
}

function sum(counts: Iterable<number>): number {
  let total = 0
  for (const count of counts) total += count
  return total
}

/** Executed vectors of a file. */
export function ranOf(file: FileReport): number {
  return sum(file.ran.values())
}

/**
 * Every vector of every file was executed or is excluded with a reason.
 * @param report - what `runConformance` returned, after its cases ran.
 * @param expected - executed vectors per file; files not named only have to add up.
 * @throws Error naming each file that does not add up.
 */
export function expectCounts(
  report: ConformanceReport,
  expected: Readonly<Record<string, number>> = {},
): void {
  const wrong: string[] = []
  for (const file of report.files.values()) {
    const ran = ranOf(file)
    const excluded = sum(file.exclusions.values())
    if (ran + excluded !== file.count) {
      wrong.push(
        `${file.file}: ${file.count} vectors, but ${ran} executed and ${excluded} excluded with a reason`,
      )
    }
  }
  for (const [name, count] of Object.entries(expected)) {
    const file = report.files.get(name)
    const ran = file === undefined ? 0 : ranOf(file)
    if (ran !== count) wrong.push(`${name}: expected ${count} executed vectors, got ${ran}`)
  }
  check(wrong.length === 0, `vector counts of backend ${report.backend}:\n${wrong.join('\n')}`)
}

/** Exclusions with all the algorithms a backend does not declare taken together. */
function byKind(exclusions: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>()
  for (const [reason, count] of exclusions) {
    const kind = reason.startsWith(NOT_DECLARED) ? 'of algorithms the backend does not have' : reason
    kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  }
  return kinds
}

/** The report as lines for people: executed vectors per file, exclusions by reason, gaps. */
export function describeReport(report: ConformanceReport): readonly string[] {
  const { cases, mutations, casesNotRun } = report
  const lines = [`conformance of backend ${report.backend}: ${cases} cases, ${mutations} forgeries refused`]
  for (const [algorithm, reason] of report.unavailable) lines.push(`  unavailable ${algorithm}: ${reason}`)
  if (casesNotRun > 0) lines.push(`  cases not run because the algorithm is unavailable: ${casesNotRun}`)
  for (const file of report.files.values()) {
    if (file.ran.size === 0) continue
    const ran = [...file.ran].map(([algorithm, count]) => `${count} ${algorithm}`)
    const excluded = [...byKind(file.exclusions)].map(([reason, count]) => `${count} ${reason}`)
    const notRun = excluded.length > 0 ? `; not run: ${excluded.join(', ')}` : ''
    lines.push(`  ${file.file}: ${ran.join(', ')}${notRun}`)
  }
  const idle = [...report.files.values()].filter((file) => file.ran.size === 0)
  if (idle.length > 0) {
    const count = sum(idle.map((file) => file.count))
    lines.push(`  files without a case for this backend: ${idle.length} with ${count} vectors`)
  }
  for (const name of report.missingInputs) lines.push(`  not on this runtime: ${name}`)
  for (const peer of report.unavailablePeers) lines.push(`  not compared with ${peer}`)
  for (const gap of report.gaps)
    lines.push(`  gap ${gap.algorithm} / ${gap.test}: ${gap.reason} (${gap.message})`)
  return lines
}
