/** The FIPS matrix on the host's Node: real processes, judged by the one table that the runtime matrix uses too. */
import { resolve } from 'node:path'
import { setUpState, whyNoFips } from '@aeadkit-internal/fips'
import {
  FIPS_MATRIX,
  type FipsReport,
  judgeFips,
  PROCESS_STATES,
  type ProcessState,
} from '@aeadkit-internal/fips/matrix'
import { describe, expect, it } from 'vitest'
import { runNode } from './child.ts'

const CHILD = resolve(import.meta.dirname, '../../../runtime-tests/fips/child.js')
const MARK = 'aeadkit-record '

async function reportOf(state: ProcessState): Promise<FipsReport> {
  const setup = setUpState(state)
  try {
    const env = { OPENSSL_CONF: '', OPENSSL_MODULES: '', ...setup.env }
    const { code, stdout, stderr } = await runNode([...setup.args, CHILD, state], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const line = stdout.split('\n').find((each) => each.startsWith(MARK))
    return JSON.parse(line!.slice(MARK.length)) as FipsReport
  } finally {
    setup.dispose()
  }
}

const missing = whyNoFips()
if (missing !== undefined) console.log(`5 tests skipped: ${missing}`)

describe.each(PROCESS_STATES)('%s', (state) => {
  const rows = FIPS_MATRIX.filter((row) => row.state === state)
  const skip = state === 'real provider' && missing !== undefined
  let made: Promise<FipsReport> | undefined
  const report = (): Promise<FipsReport> => {
    made ??= reportOf(state)
    return made
  }

  it.skipIf(skip).each(rows)('fips $fips gives $outcome', async ({ fips }) => {
    const problems = judgeFips(state, await report())
    expect(problems.filter((problem) => problem.startsWith(`fips '${fips}'`))).toEqual([])
  })

  it.skipIf(skip)('and nothing else is out of place', async () => {
    expect(judgeFips(state, await report())).toEqual([])
  })
})

it('the other runtimes run the same states', async () => {
  const { STATES } = await import('../../../runtime-tests/fips/states.mjs' as string)
  expect(STATES.openssl).toEqual(PROCESS_STATES)
})

describe('the judge', () => {
  it('has four rows for each state', () => {
    for (const state of PROCESS_STATES)
      expect(FIPS_MATRIX.filter((row) => row.state === state).map(({ fips }) => fips)).toEqual([
        'auto',
        'off',
        'approved-algorithms',
        'module',
      ])
  })

  it('finds a refusal that does not say why', () => {
    const state = 'flag without ChaCha20-Poly1305'
    const rows = FIPS_MATRIX.filter((row) => row.state === state).map(({ fips, outcome }) => {
      return { fips, outcome, said: 'no module' }
    })
    const report = { ...good(), observed: 'requested-unusable', reason: 'but MD5 still works', rows }
    expect(judgeFips(state, report)).toContain("fips 'module': the refusal does not give the reason")
  })

  const good = (): FipsReport => ({
    runtime: 'node',
    version: '20.20.2',
    observed: 'enforcing',
    reason: 'AES-GCM works, ChaCha20-Poly1305 and MD5 are refused',
    certificate: null,
    rows: FIPS_MATRIX.filter((row) => row.state === 'real provider').map((row) => ({
      fips: row.fips,
      outcome: row.outcome,
      ...(row.takes === undefined ? {} : { takes: row.takes }),
      backends: [row.backend === 'node' ? 'node' : 'wasm'],
      duties: row.duties ?? [],
      sealing: 'sealed and opened',
    })),
    checks: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`check ${at}`, true as const])),
    claims: [],
  })

  it('lets a report pass that is as the table says', () => {
    expect(judgeFips('real provider', good())).toEqual([])
  })

  it.each<[string, Partial<FipsReport>, RegExp]>([
    ['a state', { observed: 'off' }, /observed state: expected enforcing/],
    ['another reason', { reason: 'crypto.getFips() is 1' }, /lacks "ChaCha20-Poly1305 and MD5/],
    ['an invented certificate', { certificate: '#4985' }, /certificate/],
    ['a missing check', { checks: {} }, /checks/],
    ['a failed check', { checks: { ...good().checks, 'check 0': 'got more' } }, /got more/],
    ['too strong a word', { claims: ['validated'] }, /claims too much/],
    ['a missing row', { rows: good().rows.slice(1) }, /no outcome/],
    ['a module shown by Bun', { runtime: 'bun' }, /shows no module/],
  ])('finds %s', (_, change, problem) => {
    expect(judgeFips('real provider', { ...good(), ...change }).join('\n')).toMatch(problem)
  })

  it.each<[string, object, RegExp]>([
    ['a fallback', { outcome: 'xchacha20-poly1305' }, /expected aes-128-gcm/],
    ['a backend outside the module', { backends: ['node', 'wasm'] }, /instead of node/],
    ['a duty left out', { duties: [] }, /lacks the duty ivSource/],
    ['data that does not come back', { sealing: 'auth-failed' }, /sealing: auth-failed/],
  ])('finds %s', (_, change, problem) => {
    const rows = good().rows.map((row) => (row.fips === 'module' ? { ...row, ...change } : row))
    expect(judgeFips('real provider', { ...good(), rows }).join('\n')).toMatch(problem)
  })
})
