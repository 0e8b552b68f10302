import { isAlgorithmId } from '../algorithms.ts'
import { AeadError } from '../errors.ts'
import { kindOf } from '../names.ts'

/** Checks a log2 target such as -57. @throws AeadError `invalid-argument` unless an integer from -128 to -1. */
export function checkTarget(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < -128 || value > -1) {
    throw new AeadError(
      'invalid-argument',
      `${name} must be an integer from -128 to -1, the log2 of an advantage, got ${shown(value)}`,
      { details: { name } },
    )
  }
  return value
}

/** Checks facts about an algorithm. @throws AeadError `invalid-argument` unless an entry of `ALGORITHMS`. */
export function checkParams(params: unknown, where: string): void {
  if (typeof params === 'object' && params !== null && isAlgorithmId((params as { id?: unknown }).id)) return
  throw new AeadError(
    'invalid-argument',
    `${where}: params must be an entry of ALGORITHMS, got ${kindOf(params)}`,
  )
}

/** Checks a count or size. @throws AeadError `invalid-argument` unless a whole number, not negative. */
export function checkCount(value: unknown, name: string): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw new AeadError('invalid-argument', `${name} must be a whole number, 0 or more, got ${shown(value)}`, {
    details: { name },
  })
}

/** A value for an error message: numbers and booleans as they are, of everything else only what kind it is. */
export function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  return kindOf(value)
}
