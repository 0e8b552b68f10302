import { table } from './markdown.ts'
import type { Repository } from './repository.ts'
import type { Rule } from './rule.ts'

/** The document made of the table and of what the tests name. */
export const REPORTS_FILE = 'docs/REPORTS.md'

/** Tests that every runtime of the matrix runs. */
const EVERYWHERE = /^(packages\/conformance\/src\/cases|runtime-tests\/reports[\w-]*\.js$)/

/** Files that are tests, those of the matrix among them; tests of the rule itself are none. */
const TESTS =
  /^((packages|internal(?!\/checks))\/[\w-]+\/test\/|packages\/conformance\/src\/cases\/|runtime-tests\/)/

const ID = /\bR\d{2}\b/g

/** One fault that users of such libraries reported. */
interface Report {
  /** The fault in a few words. */
  readonly fault: string
  /** Where it makes sense to look for it: all runtimes, or some, with the reason. */
  readonly runs: string
}

const ALL = 'every runtime'
const LOGIC = 'Node: the same rules run everywhere'

/** The reports by number. */
const REPORTS: Readonly<Record<string, Report>> = {
  R01: { fault: 'a cut tag is accepted', runs: ALL },
  R02: { fault: 'one vague error for everything', runs: ALL },
  R03: { fault: 'other nonce lengths work on one runtime only', runs: ALL },
  R04: { fault: 'the tag lies elsewhere', runs: ALL },
  R05: { fault: 'AAD given late or twice', runs: ALL },
  R06: { fault: 'empty messages fail', runs: ALL },
  R07: { fault: 'messages of 2 GiB crash or fail vaguely', runs: ALL },
  R08: { fault: 'one-shot modes fail past 32 KiB', runs: ALL },
  R09: { fault: 'the cost of a call swamps small messages', runs: ALL },
  R10: { fault: 'a CPU flag decides against the faster cipher', runs: LOGIC },
  R11: { fault: 'a missing algorithm is a TypeError', runs: ALL },
  R12: { fault: 'ChaCha20-Poly1305 is missing, and another algorithm is taken silently', runs: ALL },
  R13: { fault: 'names and key sizes differ per runtime', runs: ALL },
  R14: { fault: 'a listed cipher throws', runs: ALL },
  R15: { fault: 'FIPS mode is on and nothing works', runs: 'Node: no other runtime has the module' },
  R16: { fault: 'an algorithm is used that FIPS excludes', runs: LOGIC },
  R17: { fault: 'legacy ciphers are looked for', runs: ALL },
  R18: { fault: 'arrays of another realm are refused', runs: ALL },
  R19: { fault: 'the whole pool behind a view is read', runs: ALL },
  R20: { fault: 'views are counted in elements', runs: ALL },
  R21: { fault: 'shared memory changes while it is read', runs: ALL },
  R22: { fault: 'a failed opening leaves plaintext or destroys the input', runs: ALL },
  R23: { fault: 'nothing counts the use of a key', runs: LOGIC },
  R24: { fault: 'a restored backup repeats nonces', runs: LOGIC },
  R25: { fault: 'several writers share a counter', runs: 'Node: processes and files' },
  R26: { fault: 'a stream releases what is not verified', runs: LOGIC },
  R27: { fault: 'chunks can be reordered or dropped', runs: LOGIC },
  R28: { fault: 'a failed opening leaves an output file', runs: 'Node: the command line' },
  R29: { fault: 'a broken package stops everything', runs: ALL },
  R30: { fault: 'use before set-up is a TypeError', runs: ALL },
  R31: { fault: 'a content security policy refuses WebAssembly', runs: ALL },
  R32: { fault: 'work at import time kills a Worker', runs: 'workerd: it refuses such work' },
  R33: { fault: 'CommonJS cannot load it', runs: 'Node, Deno and Bun: they have require()' },
  R34: { fault: 'results are no BufferSource for newer TypeScript', runs: `${ALL}; TypeScript 5.6 to 7.0` },
  R35: { fault: 'key bytes stay in WebAssembly memory', runs: 'Node: the memory is searched there' },
  R36: { fault: 'a ciphertext opens under two keys', runs: LOGIC },
  R37: { fault: 'cipher order is ignored in TLS', runs: 'Node, Bun: their TLS' },
  R38: { fault: 'SSH is slow with the default cipher', runs: LOGIC },
  R39: { fault: 'results share memory and cannot be transferred', runs: ALL },
  R40: { fault: 'constant time is claimed or kept silent', runs: LOGIC },
  R41: { fault: 'files are loaded whole', runs: LOGIC },
  R42: { fault: 'nonce reuse goes unnoticed', runs: ALL },
}

/** Test files by the report they name. */
function testsOf(repository: Repository): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of repository.files.filter((name) => TESTS.test(name) && /\.[cm]?[jt]s$/.test(name))) {
    for (const id of new Set(repository.text(file).match(ID) ?? [])) {
      found.set(id, [...(found.get(id) ?? []), file])
    }
  }
  return found
}

/** Where a test file belongs to, for people. */
function placeOf(file: string): string {
  const [group, name = ''] = file.split('/')
  if (group !== 'runtime-tests') return `\`${group}/${name}\``
  return name.includes('.') ? '`runtime-tests`' : `\`runtime-tests/${name}\``
}

/** The generated part of the document, or nothing where there is no matrix. */
export function reportTable(repository: Repository): { readonly part: string; readonly text: string }[] {
  if (!hasMatrix(repository)) return []
  const rows = [...testsOf(repository)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, files]) => {
      const places = [...new Set(files.map(placeOf))].sort()
      return [id, REPORTS[id]?.fault ?? '', REPORTS[id]?.runs ?? '', places.join(', ')]
    })
  return [{ part: 'reports', text: table(['Report', 'Fault', 'Runs on', 'Tests'], rows) }]
}

function hasMatrix({ files }: Repository): boolean {
  return files.some((file) => EVERYWHERE.test(file))
}

function untested(repository: Repository): string[] {
  if (!hasMatrix(repository)) return []
  const tests = testsOf(repository)
  const everywhere = Object.entries(REPORTS).filter(([, { runs }]) => runs.startsWith(ALL))
  return [
    ...[...tests].flatMap(([id, [file]]) =>
      REPORTS[id] === undefined ? [`${file}: ${id} is not in the table of reports.ts`] : [],
    ),
    ...everywhere.flatMap(([id]) =>
      tests.get(id)?.some((file) => EVERYWHERE.test(file)) === true
        ? []
        : [`runtime-tests: no case of every runtime names ${id}`],
    ),
  ]
}

/** The rule about reports. */
export const REPORT_RULES: readonly Rule[] = [
  {
    id: 'reports',
    says: 'A fault that a runtime can bring back has a case that every runtime runs.',
    why: 'What was reported of other libraries on one runtime comes back on the next one.',
    check: (repository) => ({ problems: untested(repository) }),
  },
]
