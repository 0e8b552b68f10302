/** Self-tests run for what a selection rests on, and change nothing else of it. */
import { ALGORITHMS, type AlgorithmId, type Availability, type Backend, type Evidence } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { collectEvidence, memoryCache, type SelectOptions, selectAead } from '../src/index.ts'
import { listCandidates, probeKey } from '../src/policy/candidates.ts'
import { decide } from '../src/policy/decide.ts'
import { factsOf } from '../src/policy/facts.ts'
import { resolveOptions } from '../src/resolve.ts'
import { ALL, fake, HARDWARE, NO_HARDWARE, PARTIAL, UNKNOWN } from './fakes.ts'
import { nativeBackend } from './native-backend.mjs'

/** The backend with a list of what it was tested for. */
function watched(backend: Backend): { readonly backend: Backend; readonly tested: AlgorithmId[] } {
  const tested: AlgorithmId[] = []
  const probe = (id: AlgorithmId): Promise<Availability> => {
    tested.push(id)
    return backend.probe(id)
  }
  return { backend: { ...backend, probe } as Backend, tested }
}

const itemOf = ({ items }: Evidence, name: string): unknown => {
  const item = items.find((one) => one.name === name)
  return item && [item.value, item.certainty]
}

describe('what is tested', () => {
  it('the algorithm that is chosen, on each backend that may run it', async () => {
    const [one, two] = [watched(fake('one')), watched(fake('two', { kind: 'js' }))]
    const backends = [one.backend, two.backend]
    const pick = await selectAead({ backends, measure: 'never' })
    expect(pick.algorithm).toBe('xchacha20-poly1305')
    expect(one.tested).toEqual(['xchacha20-poly1305'])
    expect(two.tested).toEqual(['xchacha20-poly1305'])
    expect(itemOf(pick.evidence, 'backend.two.xchacha20-poly1305')).toEqual(['passed', 'observed'])
    expect(itemOf(pick.evidence, 'backend.two.aes-256-ocb')).toEqual(['present, not tested', 'unknown'])
    expect(pick.evidence.items.filter(({ name }) => name.startsWith('backend.two.')).length).toBe(ALL.length)
    expect(JSON.stringify(pick.verdict)).not.toMatch(/test(ed)?\b/)
  })

  it('the pair that decides the hardware class, where it is timed', async () => {
    const { backend, tested } = watched(nativeBackend('native', ['aes-128-gcm', 'chacha20-poly1305']))
    const script = watched(fake('script', { kind: 'js' }))
    const measurementCache = memoryCache()
    const backends = [backend, script.backend]
    const algorithm = 'xchacha20-poly1305'
    await selectAead({ backends, measurementCache, measureBudgetMs: 10, algorithm, readers: 'here' })
    expect([...tested].sort()).toEqual(['aes-128-gcm', 'chacha20-poly1305'])
    expect(script.tested).toEqual([algorithm])
  })

  it('everything of an asynchronous backend, and all of all for evidence alone', async () => {
    const [one, two] = [watched(fake('one', { sync: false })), watched(fake('two'))]
    await selectAead({ backends: [one.backend, two.backend], measure: 'never' })
    expect(one.tested).toEqual(ALL)
    two.tested.length = 0
    const seen = await collectEvidence({ backends: [two.backend], measure: 'never' })
    expect(two.tested).toEqual(ALL)
    expect(seen.items.some(({ value }) => value === 'present, not tested')).toBe(false)
  })

  it('a presence check that throws leaves it to the self-test', async () => {
    const inner = fake('one')
    const probe = (): never => {
      throw new Error('not yet')
    }
    const { backend, tested } = watched({ ...inner, raw: { ...inner.raw, probe } } as Backend)
    expect((await selectAead({ backends: [backend], measure: 'never' })).backend).toBe('one')
    expect(tested).toEqual(['xchacha20-poly1305'])
  })
})

describe('a failing self-test', () => {
  it('of the backend ranked first: the next one is taken', async () => {
    const backends = [fake('first', { broken: ['xchacha20-poly1305'] }), fake('second', { kind: 'js' })]
    const pick = await selectAead({ backends, measure: 'never' })
    expect([pick.algorithm, pick.backend]).toEqual(['xchacha20-poly1305', 'second'])
    const said = itemOf(pick.evidence, 'backend.first.xchacha20-poly1305')
    expect(said).toEqual(['self-test: wrong answer', 'observed'])
    // Whoever reads why finds all of it.
    expect(itemOf(pick.evidence, 'backend.first.aes-256-ocb')).toEqual(['passed', 'observed'])
  })

  it('of every backend: the next algorithm is taken, with the reason', async () => {
    const broken = ['xchacha20-poly1305'] as const
    const backends = [fake('first', { broken }), fake('second', { broken, kind: 'js' })]
    const pick = await selectAead({ backends, measure: 'never' })
    expect([pick.algorithm, pick.backend]).toEqual(['chacha20-poly1305', 'first'])
    expect(pick.verdict.reasons.join('\n')).toContain(
      'xchacha20-poly1305 comes before it but is out (availability: no backend given has it (first: wrong answer; second: wrong answer))',
    )
  })

  it('of all a native backend lists: script computes', async () => {
    const backends = [fake('native', { broken: ALL }), fake('script', { kind: 'js', level: 'structural' })]
    const pick = await selectAead({ backends, readers: 'here', evidence: HARDWARE })
    expect([pick.verdict.class, pick.backend]).toEqual(['script', 'script'])
  })
})

/** A generator of numbers below `n` that starts anew with each seed (mulberry32). */
function dice(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n
  }
}

const KINDS = ['native', 'wasm', 'js'] as const
const LEVELS = ['structural', 'hardware', 'platform', 'none', 'unknown'] as const
const MACHINES = [HARDWARE, HARDWARE, NO_HARDWARE, PARTIAL, UNKNOWN]

function drawn(roll: (n: number) => number): {
  readonly options: SelectOptions
  readonly broken: Set<string>
} {
  const one = <T>(values: readonly T[]): T => values[roll(values.length)]!
  const some = (share: number): AlgorithmId[] => ALL.filter(() => roll(100) < share)
  const broken = new Set<string>()
  const backends = Array.from({ length: 1 + roll(3) }, (_, at) => {
    const name = `b${at}`
    const bad = some(one([0, 20, 60, 100]))
    for (const id of bad) broken.add(id)
    const algorithms = roll(3) === 0 ? some(50) : ALL
    const sync = roll(5) > 0
    return fake(name, { algorithms, broken: bad, kind: one(KINDS), level: one(LEVELS), sync })
  })
  const options: SelectOptions = {
    backends,
    evidence: one(MACHINES),
    algorithm: roll(4) === 0 ? one(ALL) : undefined,
    readers: one(['here', 'anywhere'] as const),
    lifetime: one(['frozen', 'negotiated', undefined] as const),
    nonce: one(['random', 'counter', 'many-writers', 'snapshot-risk'] as const),
    volume: { messages: one([1000, 2 ** 20, 2 ** 33, 2n ** 60n]) },
    rekey: one(['possible', 'impossible'] as const),
    fips: one(['off', 'off', 'approved-algorithms'] as const),
    regulation: one([[], [], ['gost'], ['cnsa']] as const),
    keyBits: one([undefined, undefined, 256] as const),
    profile: one(['throughput', 'latency'] as const),
    duplicatesVisible: roll(2) === 0,
    constrained: roll(4) === 0,
    optIn: { aegis: roll(2) === 0, approvedComposition: roll(2) === 0 },
    constantTime: one(['required', 'preferred'] as const),
    sync: roll(3) === 0,
  }
  return { options, broken }
}

/** What the rule table says when every algorithm of every backend was tested. */
async function fullyTested(options: SelectOptions): Promise<object> {
  const { backends = [], evidence } = options
  const probed = new Map<string, Availability>()
  for (const backend of backends) {
    for (const id of backend.algorithms) probed.set(probeKey(backend.name, id), await backend.probe(id))
  }
  const resolved = resolveOptions(options, 'off')
  try {
    const decision = decide(factsOf(resolved, evidence!, listCandidates(backends, evidence!, probed)))
    if (decision.kind === 'protocol') throw new Error('no protocol was asked for')
    const { chosen, class: kind, reasons, rejected, rules } = decision
    return { algorithm: chosen.params.id, kind, reasons, rejected, rules }
  } catch (error) {
    const { code, details, message } = error as { code: string; details: object; message: string }
    return { code, details, message }
  }
}

async function selected(options: SelectOptions): Promise<object> {
  try {
    const { algorithm, verdict } = await selectAead(options as Parameters<typeof selectAead>[0])
    const { class: kind, reasons, rejected, rules } = verdict
    return { algorithm, kind, reasons: reasons.slice(0, -1), rejected, rules }
  } catch (error) {
    const { code, details, message } = error as { code: string; details: object; message: string }
    return { code, details, message }
  }
}

it('a limit that is passed by what fails its test is no reason', async () => {
  const options: SelectOptions = {
    backends: [fake('one', { broken: ['aes-128-gcm', 'aes-256-gcm'] })],
    evidence: HARDWARE,
    readers: 'here',
    nonce: 'counter',
    volume: { messages: 2n ** 40n },
  }
  const whole = await fullyTested(options)
  expect(whole).toMatchObject({ algorithm: 'chacha20-poly1305' })
  expect(await selected(options)).toEqual(whole)
  const working = { ...options, backends: [fake('one')] }
  expect(await selected(working)).toMatchObject({ algorithm: 'chacha20-poly1305', rules: ['V20'] })
  expect(whole).not.toMatchObject({ rules: ['V20'] })
})

it('600 cases: the verdict is the one of backends that were tested throughout', async () => {
  let chosen = 0
  let failing = 0
  for (let seed = 1; seed <= 600; seed++) {
    const { broken, options } = drawn(dice(seed))
    const [whole, mine] = [await fullyTested(options), await selected(options)]
    // Of what fails and was never asked about, another reason than the failure may be told.
    const known = (result: object): object => {
      const { rejected } = result as { rejected?: readonly { readonly algorithm: string }[] }
      if (rejected === undefined) return result
      return { ...result, rejected: rejected.filter(({ algorithm }) => !broken.has(algorithm)) }
    }
    expect(known(mine), `seed ${seed}`).toEqual(known(whole))
    const passedOver = (mine as { rejected?: readonly { readonly algorithm: string }[] }).rejected
    if (passedOver !== undefined) {
      chosen++
      if (broken.size > 0) failing++
      if (options.algorithm === undefined) {
        expect(new Set(passedOver.map(({ algorithm }) => algorithm)).size).toBe(ALL.length - 1)
      }
    }
  }
  expect(Object.keys(ALGORITHMS).length).toBe(ALL.length)
  expect(chosen).toBeGreaterThan(150)
  expect(failing).toBeGreaterThan(100)
})
