import { describe, expect, it } from 'vitest'
import { isCalledSync, type RegretRow, type RegretRun } from '../src/regret/measure.ts'
import { mergeRuns } from '../src/regret/merge.ts'
import { barOf, holds, sectionText } from '../src/regret/table.ts'

const row = (parts: Partial<RegretRow>): RegretRow => ({
  asked: 'auto',
  algorithm: 'aes-128-gcm',
  profile: 'any length',
  operation: 'seal',
  bytes: 64,
  backend: 'wasm < 1000 ≤ node',
  selectedNs: 1000,
  best: 'backend-wasm',
  bestNs: 1000,
  regret: 1,
  secondRatio: 2,
  gain: null,
  ...parts,
})
const run = (parts: Partial<RegretRow>, more: Partial<RegretRun> = {}): RegretRun => ({
  asked: 'auto',
  algorithm: 'aes-128-gcm',
  verdict: 'hardware-aes, V18',
  placement: 'measured',
  selectMs: 100,
  rows: [row(parts)],
  missing: [],
  excluded: [],
  ...more,
})

describe('several processes', () => {
  it('are one row: medians, the spread, every crossover and the best that most of them name', () => {
    const merged = mergeRuns([
      run({ regret: 1.2, bestNs: 900, gain: 3 }, { missing: ['a'] }),
      run({ regret: 1.01, backend: 'wasm < 1100 ≤ node', best: 'node:crypto', gain: 1 }),
      run({ regret: 1.04, selectedNs: 5000, gain: 2 }, { excluded: ['b'], selectMs: 300 }),
    ])
    expect(merged.rows).toEqual([
      row({ backend: 'wasm < 1000 / 1100 ≤ node', regret: 1.04, spread: [1.01, 1.2], gain: 2 }),
    ])
    expect(merged).toMatchObject({ selectMs: 100, missing: ['a'], excluded: ['b'], placement: 'measured' })
  })
  it('that place differently are all named', () => {
    const merged = mergeRuns([run({}), run({ backend: 'wasm' }), run({})])
    expect(merged.rows[0]?.backend).toBe('wasm < 1000 ≤ node / wasm')
  })
  it('that choose different algorithms are no row', () => {
    expect(() => mergeRuns([run({}), run({}, { algorithm: 'chacha20-poly1305' })])).toThrow(
      'auto: aes-128-gcm in one process, chacha20-poly1305 in another',
    )
  })
})

describe('the bar', () => {
  it.each([
    [2, 1.05],
    [1.101, 1.05],
    [1.1, 1.1],
    [1.001, 1.1],
    // One library alone.
    [1, 1.05],
  ])('second best %d times as slow as the best: %d', (secondRatio, bar) => {
    expect(barOf(row({ secondRatio }))).toBe(bar)
    expect([bar, bar + 0.001].map((regret) => holds(row({ secondRatio, regret })))).toEqual([true, false])
  })
})

describe('a selection is called', () => {
  const pair = { small: 'wasm', large: 'webcrypto', crossoverBytes: 2000, openCrossoverBytes: 500 }
  it.each([
    ['wasm', 'seal', 1_048_576, true],
    [pair, 'seal', 1_048_576, true],
    [{ ...pair, syncCalls: 'small' }, 'seal', 1999, true],
    [{ ...pair, syncCalls: 'small' }, 'seal', 2000, false],
    [{ ...pair, syncCalls: 'small' }, 'open', 499, true],
    [{ ...pair, syncCalls: 'small' }, 'open', 500, false],
  ] as const)('%j, %s of %i B: without a promise is %s', (backend, operation, bytes, sync) => {
    expect(isCalledSync(backend, operation, bytes)).toBe(sync)
  })
  it('and the table says how, where a promise is part of it', () => {
    const section = (backend: string): string =>
      sectionText({ title: 'here', load: 0, runs: [run({ backend })] })
    expect(section('wasm < 1000 ≤ webcrypto (awaited)')).toMatch(
      /- \(awaited\): calls without a promise stay/,
    )
    expect(section('wasm < 1000 ≤ node')).not.toMatch(/awaited/)
  })
})
