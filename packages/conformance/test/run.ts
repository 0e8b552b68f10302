import { type Backend, defineSyncBackend, type SyncBackend } from '@aeadkit/core'
import { type ConformanceOptions, type ConformanceReport, runConformance } from '../src/index.ts'
import { chachaRaw, type Faults } from './chacha.ts'

/** What a run of the suite did, case by case. */
export interface Outcome {
  readonly report: ConformanceReport
  /** Names of all cases, without the group. */
  readonly names: readonly string[]
  /** Message of each failed case, by name. */
  readonly failures: ReadonlyMap<string, string>
  readonly printed: readonly string[]
}

/** Runs every case in order with the smallest possible runner; `only` the cases of one name where given. */
export async function outcomeOf(
  backend: Backend,
  options: ConformanceOptions = {},
  only?: string,
): Promise<Outcome> {
  const cases: { name: string; body: () => Promise<void> }[] = []
  const printed: string[] = []
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    it: (name: string, body: () => Promise<void>) => {
      cases.push({ name, body })
    },
  }
  const report = runConformance(backend, runner, { print: (line) => printed.push(line), ...options })
  const failures = new Map<string, string>()
  for (const { name, body } of cases) {
    if (only !== undefined && name !== only) continue
    try {
      await body()
    } catch (error) {
      failures.set(name, error instanceof Error ? error.message : String(error))
    }
  }
  return { report, names: cases.map(({ name }) => name), failures, printed }
}

/** The toy backend as it should be. */
export function goodBackend(): SyncBackend {
  return defineSyncBackend(chachaRaw())
}

/** A broken one that claims to have passed its self-test, so that the cases themselves have to notice. */
export function brokenBackend(faults: Faults): SyncBackend {
  const backend = defineSyncBackend(chachaRaw(faults))
  return { ...backend, probe: async () => ({ available: true }), probeSync: () => ({ available: true }) }
}
