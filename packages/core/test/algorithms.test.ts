import { expect, it } from 'vitest'
import { ALGORITHMS } from '../src/index.ts'
import { FULL_TABLE } from './algorithms.cases.ts'

it('the packed table expands to every fact of every algorithm, in order', () => {
  expect(ALGORITHMS).toStrictEqual(FULL_TABLE)
  expect(Object.keys(ALGORITHMS)).toEqual(Object.keys(FULL_TABLE))
  expect(Object.keys(ALGORITHMS)).toHaveLength(22)
})

it('nothing of it can be changed', () => {
  const frozen = (value: unknown): boolean =>
    typeof value !== 'object' || (Object.isFrozen(value) && Object.values(value as object).every(frozen))
  expect(frozen(ALGORITHMS)).toBe(true)
})
