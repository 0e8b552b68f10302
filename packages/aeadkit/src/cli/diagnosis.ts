import { AeadError, type AlgorithmId, type Backend, type Evidence, type FipsEvidence } from '@aeadkit/core'
import type { AnySelection, BackendChoice, SelectOptions } from '@aeadkit/selector'
import type { LoadedBackends, UnavailableBackend } from '../load.ts'
import { type ClassAnswer, classAnswers } from './classes.ts'
import type { CliContext } from './context.ts'
import type { Finding } from './finding.ts'
import { findingsOf } from './findings.ts'
import { type Fastest, fastestOf, type LeftOut, leftOutOf } from './speeds.ts'

/** Time for measuring in milliseconds: a person waits for a page, a program for a selection. */
const DOCTOR_BUDGET_MS = 1500

/** The four kinds of use that need different answers. */
const USES: readonly Use[] = [
  { id: 'stored', title: 'data for any machine, random nonces (the defaults)', flags: '', options: {} },
  {
    id: 'local',
    title: 'data that only this machine reads, counter nonces',
    flags: '--readers here --nonce counter',
    options: { readers: 'here', nonce: 'counter' },
  },
  {
    id: 'small-messages',
    title: 'many messages of 64 B that only this machine reads',
    flags: '--readers here --nonce counter --profile small-messages --messages 2^32 --message-bytes 64',
    options: {
      readers: 'here',
      nonce: 'counter',
      profile: 'small-messages',
      volume: { messages: 2 ** 32, messageBytes: 64 },
    },
  },
  {
    id: 'fips-module',
    title: 'inside a FIPS module, random nonces',
    flags: '--fips module --rekey possible',
    options: { fips: 'module', rekey: 'possible' },
  },
]

interface Use {
  readonly id: string
  readonly title: string
  /** The options as the command line takes them. */
  readonly flags: string
  readonly options: SelectOptions
}

/** What would be chosen for one kind of use. */
export interface Choice {
  readonly id: string
  readonly title: string
  /** What tells more. */
  readonly command: string
  /** `null` where nothing may be chosen. */
  readonly algorithm: AlgorithmId | null
  readonly backend: BackendChoice | null
  readonly class: string | null
  readonly rules: readonly string[]
  readonly reason: string
  /** Why nothing is chosen. */
  readonly error?: { readonly code: string; readonly message: string }
  /** For a module that is not there: what the algorithms of the list alone would give. */
  readonly withoutModule?: { readonly algorithm: AlgorithmId; readonly backend: BackendChoice }
}

/** A backend with what passed its self-test here. */
export interface BackendState {
  readonly name: string
  readonly kind: Backend['kind']
  /** Library and version; for WebAssembly also the layout of its kernels. */
  readonly version: string
  readonly works: readonly AlgorithmId[]
  readonly lacks: readonly { readonly algorithm: AlgorithmId; readonly reason: string }[]
  /** Present, and not tested: a selection tests what it rests on. Absent where everything was, as in doctor. */
  readonly untested?: readonly AlgorithmId[]
}

/** Everything one page can say about this machine. */
export interface Diagnosis {
  readonly runs: {
    readonly runtime: string
    readonly runtimeVersion: string
    readonly platform: string
    readonly arch: string
    readonly cpu: string
    readonly library: string
    /** In force: flags of the CPU after masks. */
    readonly aes: Evidence['aes']
    readonly clmul: Evidence['clmul']
    readonly hardware: { readonly class: Evidence['hardwareClass']; readonly reason: string }
    readonly fips: FipsEvidence
    readonly backends: readonly BackendState[]
    readonly unavailable: readonly UnavailableBackend[]
  }
  readonly fastest: readonly Fastest[]
  /** Timed, and not among the fastest: the FIPS module in force excludes them. */
  readonly leftOut?: LeftOut
  readonly findings: readonly Finding[]
  readonly choices: readonly Choice[]
  /** What each of the four classes of cases would get, and which this machine is in. */
  readonly classes: readonly ClassAnswer[]
  /** All of them, dearest problem first, each once. */
  readonly actions: readonly { readonly id: string; readonly text: string }[]
  /** All observations and timings, of every backend. */
  readonly evidence: Evidence
}

/** Looks at this machine and asks for each kind of use. */
export async function diagnose(
  context: CliContext,
  measure: 'cached' | 'always' | 'never' = 'cached',
): Promise<Diagnosis> {
  const loaded = await context.loaded()
  const evidence = await context.observe({ backends: loaded.backends, measure, budgetMs: DOCTOR_BUDGET_MS })
  // A selection loads fewer backends than there are: judged by those, as it would be.
  const usual = await context.backendsFor([])
  const names = usual.map(({ name }) => name)
  const used = await context.observe({
    backends: usual,
    given: { measurements: evidence.measurements.filter(({ backend }) => names.includes(backend)) },
  })
  const choices: Choice[] = []
  // As a program would get it, with what was timed above.
  const known = measure === 'never' ? 'never' : 'cached'
  for (const use of USES) choices.push(await choose(context, use, known))
  const findings = findingsOf({
    evidence: { ...evidence, hardwareClass: used.hardwareClass },
    loaded,
    today: context.today(),
    cache: context.cache,
  })
  const leftOut = leftOutOf(used, usual)
  return {
    runs: runsOf(evidence, used, loaded),
    fastest: fastestOf(used, leftOut?.backends),
    ...(leftOut === undefined ? {} : { leftOut }),
    findings,
    choices,
    classes: await classAnswers(
      context,
      used,
      usual,
      choices.find(({ id }) => id === 'local'),
    ),
    actions: actionsOf(findings),
    evidence,
  }
}

/** Several findings can have one cure. */
function actionsOf(findings: readonly Finding[]): Diagnosis['actions'] {
  const all = findings.flatMap(({ action, id }) => (action === undefined ? [] : [{ id, text: action }]))
  return all.filter(({ text }, at) => all.findIndex((one) => one.text === text) === at)
}

function itemOf({ items }: Evidence, name: string): string {
  return items.find((item) => item.name === name)?.value ?? 'unknown'
}

/** What runs here. `evidence` has every backend, `used` those that a selection would load. */
export function runsOf(evidence: Evidence, used: Evidence, loaded: LoadedBackends): Diagnosis['runs'] {
  const { arch, cpuModel, runtime, runtimeVersion } = evidence
  const openssl = itemOf(evidence, 'library.openssl')
  const boring = itemOf(evidence, 'library.boringssl') === 'yes'
  return {
    runtime,
    runtimeVersion,
    platform: itemOf(evidence, 'os.platform'),
    arch,
    cpu: cpuModel,
    // The others state a version of OpenSSL for compatibility only.
    library: boring ? 'BoringSSL' : runtime === 'node' ? `OpenSSL ${openssl}` : `its own (${runtime})`,
    aes: used.aes,
    clmul: used.clmul,
    hardware: {
      class: used.hardwareClass,
      reason: used.items.find(({ name }) => name === 'hardware.class')?.source ?? used.source,
    },
    fips: used.fips,
    backends: loaded.backends.map((backend) => stateOf(backend, evidence)),
    unavailable: loaded.unavailable,
  }
}

function stateOf({ algorithms, kind, name, raw }: Backend, { items }: Evidence): BackendState {
  const answers = algorithms.map((algorithm) => {
    const item = items.find((one) => one.name === `backend.${name}.${algorithm}`)
    return { algorithm, reason: item?.value ?? 'unknown', tested: item?.certainty === 'observed' }
  })
  const untested = answers.flatMap(({ algorithm, tested }) => (tested ? [] : [algorithm]))
  return {
    name,
    kind,
    version: raw.version(),
    works: answers.flatMap(({ algorithm, reason }) => (reason === 'passed' ? [algorithm] : [])),
    lacks: answers.flatMap(({ algorithm, reason, tested }) =>
      tested && reason !== 'passed' ? [{ algorithm, reason }] : [],
    ),
    ...(untested.length === 0 ? {} : { untested }),
  }
}

async function choose(
  context: CliContext,
  { flags, id, options, title }: Use,
  measure: 'cached' | 'never',
): Promise<Choice> {
  const base = { id, title, command: `npx aeadkit explain ${flags}`.trim() }
  const ask = (more: SelectOptions = {}): Promise<AnySelection> =>
    context.select({ ...options, ...more, measure })
  try {
    const { algorithm, backend, verdict } = await ask()
    const [reason = ''] = verdict.reasons
    return { ...base, algorithm, backend, class: verdict.class, rules: verdict.rules, reason }
  } catch (error) {
    if (!(error instanceof AeadError)) throw error
    const { code, message } = error
    const refused = { algorithm: null, backend: null, class: null, rules: [], error: { code, message } }
    if (code !== 'fips-unavailable') return { ...base, ...refused, reason: message }
    const reason = `no FIPS module is in force (state ${String(error.details?.state)}): refused with ${code}`
    const listed = await ask({ fips: 'approved-algorithms' }).catch(() => undefined)
    if (listed === undefined || listed.algorithm === null) return { ...base, ...refused, reason }
    const withoutModule = { algorithm: listed.algorithm, backend: listed.backend }
    return { ...base, ...refused, reason, withoutModule }
  }
}
