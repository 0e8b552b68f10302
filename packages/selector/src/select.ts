import type { AlgorithmId, AlgorithmLimits, AlgorithmParams, Backend, Evidence } from '@aeadkit/core'
import { AeadError, isAeadError } from '@aeadkit/core'
import { type Observation, observe } from './evidence/collect.ts'
import { fitCosts } from './evidence/costs.ts'
import { SelfTests } from './evidence/self-tests.ts'
import { recheckOf, requireModule, tightened } from './fips-now.ts'
import type { CipherContext, ResolvedOptions, SelectOptions } from './options.ts'
import { pairBackend } from './placement/pair.ts'
import { type Placement, place } from './placement/place.ts'
import { type CandidateBackend, listCandidates } from './policy/candidates.ts'
import { type CipherDecision, type Decision, decide, type RestsOn } from './policy/decide.ts'
import { dutiesOf } from './policy/duties.ts'
import { type Facts, factsOf, limitOptionsOf } from './policy/facts.ts'
import { perKeyOf } from './policy/per-key.ts'
import type { Assessed } from './policy/rule.ts'
import { readSelectOptions, withDefaults } from './resolve.ts'
import {
  type AnySelection,
  type BackendChoice,
  FACTS_AS_OF,
  makeProtocolSelection,
  makeSelection,
  type Selection,
  type SelectionLimits,
} from './selection.ts'

/** Options for contexts that want one cipher: the answer always has an algorithm. */
export type CipherSelectOptions = SelectOptions & { readonly context?: CipherContext | undefined }

/** What {@link selectAead} cannot do without: this package brings no backend along. */
export interface WithBackends {
  /** Backends to choose from, in the caller's order. At least one; nothing outside this list is ever used. */
  readonly backends: readonly Backend[]
}

/**
 * Picks an algorithm for who must read the data, and the fastest permitted backend for it here.
 *
 * Make a selection once per key and store `toJSON()` with the key: `restoreSelection` gives the same algorithm on any
 * machine, whatever it would choose itself.
 * @param options - see {@link SelectOptions}; `backends` is required.
 * @returns one algorithm, or advice for contexts where the protocol chooses.
 * @throws AeadError `invalid-argument` (a slip in the options), `no-candidate` (with rule ids in `details.rules`),
 *   `fips-unavailable` (a module is required and none is enforcing).
 */
export async function selectAead(options: CipherSelectOptions & WithBackends): Promise<Selection>
export async function selectAead(options: SelectOptions & WithBackends): Promise<AnySelection>
export async function selectAead(given: SelectOptions): Promise<AnySelection> {
  const options = readSelectOptions(given)
  const backends = options.backends!
  options.signal?.throwIfAborted()
  const tests = new SelfTests(backends, options.signal)
  await tests.look()
  const observed = await observation(options, tests)
  const { evidence } = observed
  const resolved = withDefaults(options, evidence.fips.state)
  requireModule(resolved.fips, evidence.fips)
  const { decision, facts } = await decideTested(resolved, evidence, backends, tests)
  const told = (seen: Evidence): Evidence =>
    options.evidence === undefined ? { ...seen, items: tests.renewed(seen.items) } : seen
  if (decision.kind === 'protocol') {
    const { advice, context, reasons, rejected, rules } = decision
    return makeProtocolSelection({
      context,
      verdict: { class: 'protocol', rules, reasons, asOf: FACTS_AS_OF, rejected, advice },
      evidence: told(evidence),
      inputs: resolved,
    })
  }
  const { params, permitted } = decision.chosen
  const runners = permitted.map(({ name }) => backends.find((one) => one.name === name)!)
  const bytes = options.volume?.messageBytes
  const timed = await observed.placing(params.id, runners, bytes === undefined ? undefined : Number(bytes))
  options.signal?.throwIfAborted()
  return build(decision, { ...facts, evidence: told(timed.evidence) }, backends, options, timed.failed)
}

/** Share of the budget for speeds that rules compare. The class takes half of it at most: the rest is the placement's. */
const COMPARED_SHARE = 0.25

/** Algorithms whose speed a rule may ask for before one is chosen: V21 by the profile, V15 for random nonces. */
function comparedBy({ algorithm, keyBits, nonce, profile, readers }: SelectOptions): readonly AlgorithmId[] {
  if (algorithm !== undefined || readers === undefined || readers === 'anywhere') return []
  const random = nonce === undefined || nonce === 'random'
  return [
    ...(profile === undefined || profile === 'throughput'
      ? []
      : ([keyBits === 256 ? 'aes-256-gcm' : 'aes-128-gcm', 'chacha20-poly1305'] as const)),
    ...(random ? (['xchacha20-poly1305', 'xaes-256-gcm'] as const) : []),
  ]
}

/** What was observed, or the caller's evidence. */
async function observation(options: SelectOptions, tests: SelfTests): Promise<Observation> {
  const { backends } = options
  if (options.evidence !== undefined) {
    const evidence = tightened(options.evidence, options)
    return { evidence, placing: async () => ({ evidence, failed: [] }) }
  }
  return observe(
    {
      backends,
      algorithms: comparedBy(options),
      measure: options.measure,
      budgetMs: options.measureBudgetMs,
      measurementCache: options.measurementCache,
      certificate: options.certificate,
      allowSpawn: options.allowSpawn,
      host: options.host,
      signal: options.signal,
    },
    tests,
    COMPARED_SHARE,
  )
}

/**
 * The decision that would be made if everything had been tested: what it rests on is tested, and it is made again until
 * nothing of that fails. A refusal is given with all answers in it.
 */
async function decideTested(
  resolved: ResolvedOptions,
  evidence: Evidence,
  backends: readonly Backend[],
  tests: SelfTests,
): Promise<{ readonly decision: Decision; readonly facts: Facts }> {
  const made = (restsOn?: RestsOn): { readonly decision: Decision; readonly facts: Facts } => {
    const facts = factsOf(resolved, evidence, listCandidates(backends, evidence, tests.probed))
    return { decision: decide(facts, restsOn), facts }
  }
  // Each turn but the last has answers that the one before lacked, so they end.
  for (;;) {
    const basis = new Map<AlgorithmId, readonly CandidateBackend[]>()
    let result: ReturnType<typeof made>
    try {
      result = made(({ params, permitted }) => basis.set(params.id, permitted))
    } catch (error) {
      if (!isAeadError(error, 'no-candidate')) throw error
      await tests.all()
      return made()
    }
    const before = tests.failures
    for (const [id, permitted] of basis) for (const { name } of permitted) await tests.testNamed(name, id)
    await tests.confirmOne(computing(result.facts))
    if (tests.failures === before) return result
  }
}

/** Of these one has to work, for the backends to compute as the facts say; script is what is left without any. */
function computing({ candidates, execution, options }: Facts): readonly [string, AlgorithmId][] {
  return candidates.flatMap(({ backends, params }) =>
    backends
      .filter(({ kind, sync }) => kind === execution && (sync || !options.sync))
      .map(({ name }): [string, AlgorithmId] => [name, params.id]),
  )
}

function build(
  decision: CipherDecision,
  facts: Facts,
  backends: readonly Backend[],
  options: SelectOptions,
  failed: readonly string[],
): Selection {
  const { chosen } = decision
  const { evidence, options: inputs } = facts
  const working = chosen.permitted.filter(({ name }) => !failed.includes(name))
  // Where all have failed it was the moment, or the machine: the self-tests stand.
  const placeable = working.length > 0 ? working : chosen.permitted
  const placed = placeOn(placeable, chosen.params.id, facts, options)
  const { backend, choice } = realise(placed, backends)
  return makeSelection({
    params: chosen.params,
    choice,
    backend,
    limits: limitsFor(chosen.params, chosen.limits, inputs),
    verdict: {
      class: decision.class,
      rules: decision.rules,
      reasons: [...decision.reasons, ...inSoftware(placed, chosen, evidence), `backend: ${placed.reason}`],
      asOf: FACTS_AS_OF,
      rejected: decision.rejected,
    },
    evidence,
    duties: dutiesOf(chosen, facts).map(({ id, text }) => `${id}: ${text}`),
    inputs,
    sealRefused: undefined,
    recheck: recheckOf(inputs, options),
  })
}

/** Where AES runs without the instructions that this machine has: short messages, because their calls cost most. */
function inSoftware(placed: Placement, { params, permitted }: Assessed, evidence: Evidence): string[] {
  const pair = placed.kind === 'pair'
  const used = permitted.find(({ name }) => name === (pair ? placed.small : placed.backend))
  const hidden = params.cpu.cipher !== 'aes' || evidence.hardwareClass !== 'hardware'
  if (
    hidden ||
    used === undefined ||
    used.kind === 'native' ||
    permitted.every(({ kind }) => kind !== 'native')
  )
    return []
  return [
    `${used.name} computes it without those instructions (constant time: ${used.claims.constantTime.level}): ${pair ? `below ${placed.crossoverBytes} B` : 'at these lengths'} a native call costs more than the cipher, and this kernel is faster`,
  ]
}

function placeOn(
  permitted: readonly CandidateBackend[],
  algorithm: AlgorithmId,
  facts: Facts,
  options: SelectOptions,
): Placement {
  const bytes = options.volume?.messageBytes
  const gap = facts.evidence.items.find(({ name }) => name === 'measure.placement')
  const placed = place({
    algorithm,
    costs: fitCosts(facts.evidence.measurements.filter((one) => one.algorithm === algorithm)),
    candidates: permitted.map(({ kind, maxBytes, name, sync }) => ({ name, kind, sync, maxBytes })),
    profile: facts.options.profile,
    sizes: bytes === undefined ? undefined : [Number(bytes)],
    fips: facts.options.fips,
    note: gap?.value,
  })
  if (placed === undefined) throw new AeadError('no-candidate', `no permitted backend has ${algorithm}`)
  return placed
}

/** The backends behind the names: one, or two joined. */
export function realise(
  placed: Placement,
  backends: readonly Backend[],
): { readonly backend: Backend; readonly choice: BackendChoice } {
  const named = (name: string): Backend => backends.find((one) => one.name === name)!
  if (placed.kind === 'single') return { backend: named(placed.backend), choice: placed.backend }
  const { crossoverBytes, large, openCrossoverBytes, small } = placed
  const backend = pairBackend(named(small), named(large), placed)
  return {
    backend,
    choice: {
      small,
      large,
      crossoverBytes,
      ...(openCrossoverBytes === undefined ? {} : { openCrossoverBytes }),
      ...(backend.hybrid === undefined ? {} : { syncCalls: 'small' }),
    },
  }
}

/** The limits as a selection states them. */
export function limitsFor(
  params: AlgorithmParams,
  limits: AlgorithmLimits,
  options: ResolvedOptions,
): SelectionLimits {
  const { basis, bindingBound, failedOpens, messages, targetShown } = limits
  const most = perKeyOf(params, limits, options.volume, limitOptionsOf(options)).messages
  const several = options.rekey === 'possible' && most !== null && options.volume.messages > most
  return {
    messages,
    failedOpens,
    bindingBound,
    rekeyAfterMessages: several ? most : null,
    basis,
    targetShown,
    // Theirs to keep: what the arithmetic remembers stays as it is.
    all: limits.limits.map((limit) => ({ ...limit })),
  }
}
