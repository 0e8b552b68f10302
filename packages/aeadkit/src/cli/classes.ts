import { AeadError, type AlgorithmId, type Backend, type Evidence, isAeadError } from '@aeadkit/core'
import type { BackendChoice, SelectOptions } from '@aeadkit/selector'
import type { CliContext } from './context.ts'
import { withoutModules } from './modules.ts'

/** The four classes of cases: what decides is what is known of the hardware, and whether a list binds. */
export type CaseClass = 'hardware' | 'none' | 'unknown' | 'fips'

/** What one class gets. */
export interface ClassAnswer {
  readonly id: CaseClass
  readonly title: string
  /** This machine is in it: the answer is its own. Else it is assumed, and nothing was timed for it. */
  readonly here: boolean
  readonly algorithm: AlgorithmId | null
  readonly backend: BackendChoice | null
  readonly rules: readonly string[]
  /** What tells more. */
  readonly command: string
  readonly error?: { readonly code: string; readonly message: string }
}

interface Row {
  readonly title: string
  readonly options: SelectOptions
  readonly flags: string
  readonly assume: string
}

const LOCAL = { readers: 'here', nonce: 'counter', fips: 'off' } as const
const LOCAL_FLAGS = '--readers here --nonce counter --fips off'

const ROWS: Readonly<Record<CaseClass, Row>> = {
  hardware: {
    title: 'AES hardware at every end',
    options: LOCAL,
    flags: LOCAL_FLAGS,
    assume: 'hardware=hardware',
  },
  none: { title: 'no AES hardware, or half', options: LOCAL, flags: LOCAL_FLAGS, assume: 'hardware=none' },
  unknown: {
    title: 'hardware not known',
    options: { nonce: 'counter', fips: 'off' },
    flags: '--nonce counter --fips off',
    assume: 'hardware=unknown',
  },
  fips: {
    title: 'FIPS 140-3 binds',
    options: { ...LOCAL, fips: 'module' },
    flags: '--readers here --nonce counter --fips module',
    assume: 'fips-state=enforcing',
  },
}

/** A list comes before any hardware. */
function classHere({ fips, hardwareClass }: Evidence): CaseClass {
  return fips.state === 'enforcing' || fips.state === 'requested-unusable' ? 'fips' : hardwareClass
}

const HALF = { hardware: 'yes', none: 'no', unknown: 'unknown' } as const

/** The evidence of a machine of that class: this one, with other hardware or a module, and without the timings of it. */
function assumed(id: CaseClass, evidence: Evidence, backends: readonly Backend[]): Evidence {
  // Under a module this machine is in the class of the list, and its hardware is what it is all the same.
  if (id === evidence.hardwareClass) return evidence
  if (id === 'fips') {
    const fips = { ...evidence.fips, state: 'enforcing', provider: 'assumed', reason: 'assumed' } as const
    return { ...evidence, fips }
  }
  const native = backends.flatMap(({ kind, name }) => (kind === 'native' ? [name] : []))
  const half = HALF[id]
  return {
    ...evidence,
    ...{ aes: half, clmul: half, hardwareClass: id, source: 'given' as const },
    items: evidence.items.filter(({ name }) => name !== 'hardware.class'),
    measurements: evidence.measurements.filter(
      ({ algorithm, backend }) => !(native.includes(backend) && /^(aes|xaes)-/.test(algorithm)),
    ),
  }
}

/** What was asked already: data that only this machine reads, counter nonces. */
type Asked = Pick<ClassAnswer, 'algorithm' | 'backend' | 'rules' | 'error'>

/**
 * What each of the four classes would get here, and which of them this machine is in. Nothing is timed.
 * @param local - the answer for data that only this machine reads: the class it is in asks the same, unless its
 *   hardware is not known. Default: asked again.
 */
export async function classAnswers(
  context: CliContext,
  evidence: Evidence,
  backends: readonly Backend[],
  local?: Asked,
): Promise<readonly ClassAnswer[]> {
  const mine = classHere(evidence)
  const answers: ClassAnswer[] = []
  for (const [id, { assume, flags, options, title }] of Object.entries(ROWS) as [CaseClass, Row][]) {
    const here = id === mine
    const command = `npx aeadkit explain ${flags}${here ? '' : ` --what-if ${assume}`}`
    const base = { id, title, here, command }
    if (here && id !== 'unknown' && local !== undefined) {
      const { algorithm, backend, error, rules } = local
      answers.push({ ...base, algorithm, backend, rules, ...(error === undefined ? {} : { error }) })
      continue
    }
    try {
      const seen = here ? evidence : assumed(id, evidence, backends)
      const { algorithm, backend, verdict } = await context.select({ ...options, evidence: seen })
      const lacking = id === 'fips' ? withoutModules(evidence) : undefined
      if (lacking !== undefined) {
        // What another runtime would get is told; it is none of the answers of this one.
        const elsewhere = `${lacking}; Node with one would get ${algorithm}`
        throw new AeadError('fips-unavailable', elsewhere)
      }
      answers.push({ ...base, algorithm, backend, rules: verdict.rules })
    } catch (error) {
      if (!isAeadError(error)) throw error
      const { code, message } = error
      answers.push({ ...base, algorithm: null, backend: null, rules: [], error: { code, message } })
    }
  }
  return answers
}
