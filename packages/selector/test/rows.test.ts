import { type AeadError, isAeadError } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { selectAead } from '../src/select.ts'
import { EVERYTHING, HARDWARE } from './fakes.ts'
import { GOLDEN, MORE, type Row } from './rows.cases.ts'

async function check(row: Row): Promise<void> {
  const options = { ...row.options, backends: row.backends ?? EVERYTHING, evidence: row.evidence ?? HARDWARE }
  if (row.error !== undefined) {
    const error: AeadError = await selectAead(options).then(
      (pick) => {
        throw new Error(`expected ${row.error}, got ${pick.algorithm}`)
      },
      (reason) => reason,
    )
    expect(isAeadError(error), String(error)).toBe(true)
    expect(error.code).toBe(row.error)
    if (row.rules !== undefined) {
      const rules = error.details?.rules as string[]
      for (const rule of row.rules) expect(rules, error.message).toContain(rule)
    }
    if (row.reason !== undefined) expect(error.message).toMatch(row.reason)
    return
  }
  const pick = await selectAead(options)
  if (row.order === undefined)
    expect(pick.algorithm, pick.verdict.reasons.join('\n')).toBe(row.algorithm ?? null)
  else {
    expect(pick.algorithm).toBeNull()
    expect(pick.advice?.order.slice(0, row.order.length)).toEqual(row.order)
  }
  if (row.class !== undefined) expect(pick.verdict.class).toBe(row.class)
  for (const rule of row.rules ?? []) expect(pick.verdict.rules).toContain(rule)
  if (row.reason !== undefined) expect(pick.verdict.reasons.join('\n')).toMatch(row.reason)
  if (row.duty !== undefined) {
    const [id, text] = row.duty
    expect(
      pick.duties.some((duty) => duty.startsWith(`${id}:`) && text.test(duty)),
      pick.duties.join('\n'),
    ).toBe(true)
  }
  if (row.over !== undefined) {
    const [algorithm, rule, reason] = row.over
    const found = pick.verdict.rejected.filter((one) => one.algorithm === algorithm)
    expect(
      found.some((one) => one.rule === rule && reason.test(one.reason)),
      JSON.stringify(found),
    ).toBe(true)
  }
}

describe('golden cases of the verdict tables', () => {
  it.each(GOLDEN.map((row) => [row.name, row] as const))('%s', (_, row) => check(row))
  it('has every golden case', () => expect(GOLDEN.length).toBe(22))
})

describe('one row per rule and boundary', () => {
  it.each(MORE.map((row) => [row.name, row] as const))('%s', (_, row) => check(row))
  it('has at least 40', () => expect(MORE.length).toBeGreaterThanOrEqual(40))
})
