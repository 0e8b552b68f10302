// What a run showed, without times: the committed expectation, from which docs/SUPPORT.md is made.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('results.json', import.meta.url)

/**
 * An algorithm is slow on a backend when a byte takes `from` times as long as with the fastest AEAD of the runtime.
 * Between the values of `keep` the committed answer stands: machines differ and are busy.
 */
const SLOW = { from: 6, keep: [3, 12] }

function isSlow(speeds, backend, id, before) {
  const own = speeds.find((each) => each.backend === backend && each.id === id)
  if (own === undefined) return before
  const ratio = own.nanosecondsPerByte / Math.min(...speeds.map((each) => each.nanosecondsPerByte))
  const [least, most] = SLOW.keep
  if (before !== undefined && ratio >= least && ratio <= most) return before
  return ratio >= SLOW.from
}

/**
 * One runtime's row.
 * @param title - name with its pinned version.
 * @param few - why only some vectors ran, if so.
 * @param record - what the run printed.
 * @param before - the committed row, whose judgement of speed stands in a doubtful case.
 */
export function rowOf(title, few, record, before) {
  const backends = {}
  for (const { name, reason } of record.missing) backends[name] = { missing: reason }
  for (const { name, version, kind, algorithms, wholeCases } of record.backends) {
    const rows = {}
    for (const [id, { state, cases, vectors, reason }] of Object.entries(algorithms)) {
      if (state === 'excluded') {
        // The exact version of an unpinned runtime would make this stale with every update of it.
        rows[id] = { state, reason: reason.replace(version, 'it') }
        continue
      }
      const slow = isSlow(record.speeds, name, id, before?.backends?.[name]?.algorithms?.[id]?.slow)
      rows[id] = { state, cases, vectors, ...(slow === undefined ? {} : { slow }) }
    }
    backends[name] = { kind, cases: wholeCases, algorithms: rows }
  }
  return {
    title,
    ...(few === undefined ? {} : { few }),
    selector: record.selector.length,
    sections: record.transcript.length + record.sections.length,
    backends,
  }
}

/** The committed results; empty when there are none yet. */
export function readResults() {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
}

/** Writes rows over the committed ones, in the order of `ids`; rows of other ids are dropped. */
export function writeResults(rows, ids) {
  const all = { ...readResults(), ...rows }
  const kept = Object.fromEntries(ids.filter((id) => all[id] !== undefined).map((id) => [id, all[id]]))
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`)
}

/** Paths at which two values differ, with both. */
export function differences(expected, actual, path = '') {
  const isObject = (value) => typeof value === 'object' && value !== null
  if (!isObject(expected) || !isObject(actual)) {
    return Object.is(expected, actual)
      ? []
      : [
          `${path}: committed ${JSON.stringify(expected) ?? 'nothing'}, now ${JSON.stringify(actual) ?? 'nothing'}`,
        ]
  }
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((key) =>
    differences(expected[key], actual[key], path === '' ? key : `${path} / ${key}`),
  )
}
