// Counts for the closing line of npm test.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './ensure.mjs'

export const NOTHING = Object.freeze({ passed: 0, failed: 0, skipped: 0 })

export function sum(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/** `N passed, N failed`, and `, N skipped` when there were any. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Reads the summary of the repository checks; a run without one, or one that disagrees with its exit code, failed. */
export function readChecks({ code, output }) {
  const found = /^checks: (\d+) passed, (\d+) failed$/m.exec(output)
  const tally = { passed: Number(found?.[1] ?? 0), failed: Number(found?.[2] ?? 0), skipped: 0 }
  const silent = tally.passed === 0 || (code !== 0 && tally.failed === 0)
  return silent ? { ...tally, failed: tally.failed + 1 } : tally
}

/**
 * Reads vitest's JSON report. Files that failed to load and errors outside any test count as one failure each, and
 * so does a run in which no test was executed.
 * @returns the counts, and one printable line per file with skipped tests.
 */
export function readReport(file, code) {
  if (!existsSync(file))
    return { tally: { ...NOTHING, failed: 1 }, skipped: ['The test runner wrote no report.'] }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const tally = { passed: 0, failed: 0, skipped: 0 }
  const skipped = []
  for (const suite of report.testResults) {
    const names = []
    let failed = 0
    for (const { status, fullName, title } of suite.assertionResults) {
      if (status === 'passed') tally.passed++
      else if (status === 'failed') failed++
      else names.push(fullName ?? title)
    }
    if (suite.status === 'failed' && failed === 0) failed = 1
    tally.failed += failed
    tally.skipped += names.length
    if (names.length > 0) {
      skipped.push(`skipped ${names.length} in ${relative(ROOT, suite.name)}: ${shorten(names)}`)
    }
  }
  if (tally.passed + tally.failed === 0) {
    tally.failed = 1
    skipped.push('No test was executed.')
  }
  if (code !== 0 && tally.failed === 0) tally.failed = 1
  return { tally, skipped }
}

function shorten(names) {
  const shown = names.slice(0, 3).join('; ')
  return names.length > 3 ? `${shown}; and ${names.length - 3} more` : shown
}
