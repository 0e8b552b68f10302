/** Facts that age, against a clock of the test. */
import { ruleFacts } from '@aeadkit/core/catalog'
import { describe, expect, it } from 'vitest'
import { explain } from '../src/explain.ts'
import { RULES, selectAead } from '../src/index.ts'
import { FACTS_AS_OF } from '../src/selection.ts'
import { EVERYTHING, HARDWARE } from './fakes.ts'

const at = (day: string): { readonly today: Date } => ({ today: new Date(`${day}T12:00:00Z`) })
const base = { backends: EVERYTHING, evidence: HARDWARE } as const
const named = (notices: readonly string[], word: string): readonly string[] =>
  notices.filter((notice) => notice.includes(word))

describe('facts that age', () => {
  it('a clock that tells no day is refused, not taken for a day on which nothing is old', async () => {
    const pick = await selectAead(base)
    for (const today of [new Date(Number.NaN), 'now', 5, null, {}] as never[])
      expect(() => explain(pick, { today })).toThrow(
        expect.objectContaining({ code: 'invalid-argument', message: expect.stringContaining('today') }),
      )
    expect(explain(pick, { today: new Date(0) }).notices).toEqual([])
    expect(explain(pick, { today: new Date(8.64e15) }).notices).not.toEqual([])
  })

  it('no notice while nothing is older than a year', async () => {
    const pick = await selectAead(base)
    expect(explain(pick, at('2026-11-30')).notices).toEqual([])
    expect(explain(pick, at('2027-09-13')).notices).toEqual([])
  })

  it('a fact a day older than a year is named, with what makes it stale and where to look', async () => {
    const { notices } = explain(await selectAead(base), at('2027-09-14'))
    expect(named(notices, 'xchacha20-draft')).toEqual([
      'last checked 2026-09-13, 366 days ago: xchacha20-draft; stale when the draft is revived, or a new document replaces it; look again: IETF datatracker, draft-irtf-cfrg-xchacha',
    ])
    expect(named(notices, 'xchacha20-poly1305: FIPS and other lists')).toHaveLength(1)
    expect(notices.every((notice) => notice.includes('366 days ago'))).toBe(true)
    expect(named(notices, 'the rule table')).toEqual([])
  })

  it('later the rule table itself is old', async () => {
    const { notices } = explain(await selectAead(base), at('2028-02-29'))
    expect(notices[0]).toMatch(/^last checked 2026-11-30, 456 days ago: the rule table; a newer version/)
  })

  it('only facts that the selection rests on are named', async () => {
    const pick = await selectAead({ ...base, readers: 'here', nonce: 'counter' })
    const { facts, notices } = explain(pick, at('2030-01-01'))
    expect(named(notices, 'speed-ratios')).toHaveLength(1)
    for (const other of ['aegis-status', 'xchacha20-draft', 'ascon-approved', 'tls-13'])
      expect([named(notices, other), named(facts, other)]).toEqual([[], []])
    const tls = explain(await selectAead({ ...base, context: 'tls-server' }), at('2030-01-01'))
    expect(named(tls.notices, 'protocol-orders')).toHaveLength(1)
    expect(named(tls.notices, 'aead-limits')).toEqual([])
  })

  it('each fact used is told with its day and what makes it stale', async () => {
    const { facts } = explain(await selectAead(base))
    for (const id of ['xchacha20-draft', 'aead-limits', 'runtime-support'])
      expect(named(facts, `${id}: `)[0]).toMatch(/\(checked \d{4}-\d\d-\d\d; stale when .+\)$/)
  })

  it('a clock that is behind ages nothing', async () => {
    expect(explain(await selectAead(base), at('1970-01-01')).notices).toEqual([])
  })
})

describe('the table of facts', () => {
  it('names rules that exist, and is not younger than the day of the rules', () => {
    const ids = RULES.map(({ id }) => String(id))
    for (const { asOf, rules } of ruleFacts()) {
      expect(asOf <= FACTS_AS_OF).toBe(true)
      // V2a and V2b are parts of V2 with conditions of their own.
      if (rules !== 'all') for (const id of rules) expect([...ids, 'V2a', 'V2b']).toContain(id)
    }
    expect(ruleFacts().map(({ asOf }) => asOf)).toContain(FACTS_AS_OF)
  })
})
