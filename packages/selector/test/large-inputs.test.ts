import type { HardwareReport, Measurement } from '@aeadkit/core'
import { isAeadError } from '@aeadkit/core'
import { describe, expect, it } from 'vitest'
import { fitCosts } from '../src/evidence/costs.ts'
import { MOST_READERS, MOST_TIMINGS } from '../src/options.ts'
import { endsHardware } from '../src/policy/facts.ts'
import { checkEvidence, readersOf } from '../src/resolve.ts'
import { HARDWARE } from './fakes.ts'

/** How often parts of timings are read while lines are fitted for so many backends. */
function readsOf(backends: number): number {
  let reads = 0
  const timings = Array.from({ length: 2 * backends }, (_, index): Measurement => {
    const bytes = [64, 1024][index % 2]!
    const one = { algorithm: 'aes-128-gcm', operation: 'seal', bytes, nanoseconds: 100 + bytes } as const
    return Object.defineProperty({ ...one, backend: '' }, 'backend', {
      get: () => {
        reads += 1
        return `b${Math.floor(index / 2)}`
      },
    })
  })
  expect(fitCosts(timings)).toHaveLength(backends)
  return reads
}

describe('timings of the caller', () => {
  it('have a limit, which the refusal names', () => {
    const one: Measurement = {
      backend: 'node',
      algorithm: 'aes-128-gcm',
      operation: 'seal',
      bytes: 64,
      nanoseconds: 1,
    }
    const evidence = (length: number) => ({ ...HARDWARE, measurements: new Array(length).fill(one) })
    expect(() => checkEvidence(evidence(MOST_TIMINGS))).not.toThrow()
    expect(() => checkEvidence(evidence(MOST_TIMINGS + 1))).toThrow(
      /evidence\.measurements takes at most 10000 timings that a machine can take, got a list of 10001/,
    )
  })

  it('are read a few times each, however many there are', () => {
    expect(readsOf(400) / readsOf(100)).toBeCloseTo(4, 1)
  })
})

const reader = (index: number, aes: HardwareReport['aes']): HardwareReport => {
  return { name: `machine ${index}`, aes, clmul: 'yes' }
}
const fleet = (most: number, weak: number): readonly HardwareReport[] =>
  Array.from({ length: most }, (_, index) => reader(index, index < most - weak ? 'yes' : 'no'))
const here = HARDWARE

describe('a long list of readers', () => {
  it('has a limit, which the refusal names', () => {
    expect(readersOf(fleet(MOST_READERS, 0))).toHaveLength(MOST_READERS)
    let error: unknown
    try {
      readersOf(fleet(MOST_READERS + 1, 0))
    } catch (one) {
      error = one
    }
    expect(isAeadError(error, 'invalid-argument')).toBe(true)
    expect(String(error)).toMatch(/readers takes .* 1 to 10000 hardware reports, got a list of 10001/)
  })

  it('names the weakest and counts the others like it', () => {
    const { class: found, why } = endsHardware(fleet(1000, 41), here)
    expect(found).toBe('none')
    expect(why).toBe('machine 959: AES no, carry-less multiply yes, and 40 more like it')
    expect(endsHardware(fleet(1000, 1), here).why).toBe('machine 999: AES no, carry-less multiply yes')
  })

  it('names some and counts the rest where all of them have it', () => {
    const { class: found, why } = endsHardware(fleet(1000, 0), here)
    expect(found).toBe('hardware')
    expect(why).toMatch(/^here: .*; machine 0: .*; machine 1: [^;]*, and 998 more like it$/)
    expect(endsHardware(fleet(2, 0), here).why).toMatch(/; machine 1: AES yes, carry-less multiply yes$/)
  })
})
