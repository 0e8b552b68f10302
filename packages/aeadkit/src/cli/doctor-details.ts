import type { Evidence } from '@aeadkit/core'
import { bullet, heading, tableText } from './output.ts'
import { rateText, sizeText } from './speeds.ts'

/** Every observation and every timing behind the page. */
export function detailsText(evidence: Evidence): string {
  return [heading('Evidence'), evidenceText(evidence), heading('Every timing'), timingsText(evidence)].join(
    '',
  )
}

/** Every observation but the self-tests, which the page has. */
function evidenceText({ items }: Evidence): string {
  const rows = items
    .filter(({ name }) => !/^backend\.[^.]+\./.test(name))
    .map(({ certainty, name, source, value }) => [name, value, source, certainty])
  return tableText(['what', 'value', 'source', 'certainty'], rows)
}

/** Timings per backend and algorithm, one column per message length. */
export function timingsText({ measurements }: Evidence): string {
  if (measurements.length === 0) return bullet('nothing was measured')
  const sizes = [...new Set(measurements.map(({ bytes }) => bytes))].sort((a, b) => a - b)
  const rows = new Map<string, Map<number, number>>()
  for (const { backend, algorithm, operation, bytes, nanoseconds } of measurements) {
    const name = `${algorithm}\u0000${backend}\u0000${operation}`
    const row = rows.get(name) ?? new Map<number, number>()
    row.set(bytes, nanoseconds)
    rows.set(name, row)
  }
  const cells = [...rows].map(([name, row]) => [
    ...name.split('\u0000'),
    ...sizes.map((bytes) => {
      const time = row.get(bytes)
      return time === undefined ? '-' : rateText(bytes, time)
    }),
  ])
  const head = ['algorithm', 'backend', 'operation', ...sizes.map(sizeText)]
  return tableText(
    head,
    cells.sort((a, b) => a.join().localeCompare(b.join())),
    sizes.map((_, column) => column + 3),
  )
}
