/** What every runtime runs: conformance of every backend it has, the selector, the fixed script, one speed figure. */
import { runConformance } from '@aeadkit/conformance'
import { ALGORITHMS, createAead } from '@aeadkit/core'
import { vectorFiles, vectorOrigin } from '@aeadkit-internal/vectors'
import { fipsCases } from './fips/cases.js'
import { memoryCases } from './memory.js'
import { reportCases } from './reports.js'
import { loadCases } from './reports-load.js'
import { createShim, textOf } from './shim.js'
import { smokeCases } from './smoke.js'
import { algorithmLines, sealerLines } from './transcript.js'

/** Algorithms that some backend has on every runtime: they make up the transcript that all must print. */
export const EVERYWHERE = [
  'aes-128-gcm',
  'aes-256-gcm',
  'aes-128-gcm-siv',
  'aes-256-gcm-siv',
  'aes-siv-cmac-256',
  'aes-siv-cmac-512',
  'chacha20-poly1305',
  'xchacha20-poly1305',
]
const SEALERS = ['aes-256-gcm', 'xchacha20-poly1305']

/** Message length of the speed figure in bytes, length of one sample in milliseconds, and samples of each. */
const SPEED_BYTES = 65_536
const SAMPLE_MS = 3
const SAMPLES = 8

/** Loads the backends; one that cannot be loaded keeps its reason. */
async function loadAll(sources) {
  const loaded = []
  const missing = []
  for (const { name, load } of sources) {
    try {
      loaded.push(await load())
    } catch (error) {
      missing.push({ name, reason: textOf(error) })
    }
  }
  return { loaded, missing }
}

/** Keeps `most` cases of each file, evenly spread; the others are excluded with a count. */
function spread(files, most) {
  return files.map((file) => {
    const step = Math.ceil(file.cases.length / most)
    if (step <= 1) return file
    const cases = file.cases.filter((_, index) => index % step === 0)
    const left = { reason: 'left out of a slow run', count: file.cases.length - cases.length }
    return { ...file, cases, exclusions: [...file.exclusions, left] }
  })
}

/** The algorithm a case belongs to, or undefined for cases of the whole backend. */
function algorithmOf(backend, { path, name }) {
  if (path[1] !== 'vectors') return backend.algorithms.includes(path[1]) ? path[1] : undefined
  return /: (\S+) (?:is available|seals|refuses)/.exec(name)?.[1]
}

async function conform(backend, peers, { vectors, foreignBytes }) {
  const shim = createShim()
  const report = runConformance(backend, shim, { vectors, peers, foreignBytes, print: () => {} })
  const outcomes = await shim.run()
  const algorithms = {}
  for (const id of backend.algorithms) {
    const answer = await backend.probe(id)
    algorithms[id] = answer.available
      ? { state: 'proven', cases: 0, vectors: 0 }
      : { state: 'excluded', stage: answer.stage, reason: answer.reason }
  }
  for (const file of report.files.values()) {
    for (const [id, count] of file.ran) if (algorithms[id].state === 'proven') algorithms[id].vectors += count
  }
  const whole = { cases: 0 }
  const failures = []
  for (const outcome of outcomes) {
    const id = algorithmOf(backend, outcome)
    const target = id === undefined ? whole : algorithms[id]
    if (outcome.error !== undefined)
      failures.push(`${outcome.path.join(' / ')} / ${outcome.name}: ${outcome.error}`)
    else if (target.state !== 'excluded') target.cases++
  }
  return {
    name: backend.name,
    kind: backend.kind,
    version: backend.raw.version(),
    algorithms,
    wholeCases: whole.cases,
    forgeries: report.mutations,
    missingInputs: [...report.missingInputs],
    failures,
  }
}

/** Milliseconds and calls of one sample of sealing. */
async function sample(aead, nonce, plaintext) {
  const start = performance.now()
  let calls = 0
  let spent = 0
  do {
    if (aead.sync) aead.sealSync(nonce, plaintext)
    else await aead.seal(nonce, plaintext)
    calls++
    spent = performance.now() - start
  } while (spent < SAMPLE_MS && calls < 1000)
  return spent / calls
}

/**
 * Nanoseconds per byte of sealing, the least of several samples, which are interleaved so that a busy moment of the
 * machine hits all alike. Where the clock stands still there are no figures.
 */
async function speedsOf(backends) {
  const rows = []
  for (const backend of backends) {
    for (const id of backend.algorithms) {
      if (!(await backend.probe(id)).available) continue
      const { keyBytes, nonceBytes } = ALGORITHMS[id]
      const aead = await createAead(backend, id, new Uint8Array(keyBytes), { nonceCheck: false })
      rows.push({
        backend: backend.name,
        id,
        aead,
        nonce: new Uint8Array(nonceBytes),
        best: Number.POSITIVE_INFINITY,
      })
    }
  }
  const plaintext = new Uint8Array(SPEED_BYTES)
  // The first round is warm-up.
  for (let round = 0; round <= SAMPLES; round++) {
    for (const row of rows) {
      const each = await sample(row.aead, row.nonce, plaintext)
      if (round > 0 && each > 0 && each < row.best) row.best = each
    }
  }
  for (const { aead } of rows) aead.destroy()
  return rows
    .filter(({ best }) => best < Number.POSITIVE_INFINITY)
    .map(({ backend, id, best }) => ({ backend, id, nanosecondsPerByte: (best * 1e6) / SPEED_BYTES }))
}

/**
 * Runs all of it.
 * @param options.sources - backends in order of preference, as in `backends.js`.
 * @param options.foreignBytes - kinds of input only this runtime can make.
 * @param options.mostVectors - keep this many cases of each vector file, for runs without a compiler.
 * @param options.measure - passed to the selector.
 * @param options.require - `require` of runtimes that have one.
 * @param options.moreCases - declares cases of this runtime alone.
 * @param options.parts - of `conformance`, `selector`, `transcript`, `speed`; default all.
 * @returns a record of plain data for the driver.
 */
export async function runSuite({
  sources,
  foreignBytes = [],
  mostVectors,
  measure,
  require,
  moreCases,
  parts = ['conformance', 'selector', 'transcript', 'speed'],
}) {
  const { loaded, missing } = await loadAll(sources)
  const vectors = mostVectors === undefined ? vectorFiles : spread(vectorFiles, mostVectors)
  const record = {
    vectors: vectorOrigin,
    missing,
    backends: [],
    selector: [],
    transcript: [],
    sections: [],
    speeds: [],
  }

  if (parts.includes('conformance')) {
    for (const [index, backend] of loaded.entries()) {
      // Every pair once: a case goes both ways.
      record.backends.push(await conform(backend, loaded.slice(0, index), { vectors, foreignBytes }))
    }
  }
  if (parts.includes('selector')) {
    const shim = createShim()
    smokeCases(shim, loaded, { measure })
    reportCases(shim, loaded)
    loadCases(shim, loaded, { measure, require })
    fipsCases(shim, loaded)
    memoryCases(shim, loaded)
    moreCases?.(shim)
    record.selector = await shim.run()
  }
  if (parts.includes('transcript')) {
    for (const backend of loaded) {
      for (const id of backend.algorithms) {
        if (!(await backend.probe(id)).available) continue
        const lines = await algorithmLines(backend, id)
        record.sections.push({ backend: backend.name, id, text: lines.join('\n') })
      }
    }
    for (const id of EVERYWHERE) {
      const section = record.sections.find((each) => each.id === id)
      record.transcript.push(section?.text ?? `## ${id}\nno backend has it here`)
    }
    for (const id of SEALERS) record.transcript.push((await sealerLines(loaded, id)).join('\n'))
  }
  if (parts.includes('speed')) record.speeds = await speedsOf(loaded)
  return record
}
