import { InvalidArgumentError } from 'commander'

const UNITS: Readonly<Record<string, bigint>> = {
  '': 1n,
  Ki: 1024n,
  Mi: 1024n ** 2n,
  Gi: 1024n ** 3n,
  Ti: 1024n ** 4n,
}

/** A whole number: `1048576`, `1_048_576`, `2^20`, `64Ki`, `64KiB`. A minus sign is passed on to be refused by name. */
export function countOf(text: string): bigint {
  const match = /^(-?\d[\d_]*)(?:\^(\d{1,3}))?(Ki|Mi|Gi|Ti)?B?$/.exec(text.trim())
  if (match === null)
    throw new InvalidArgumentError('It takes a whole number such as 1048576, 2^20 or 64KiB.')
  const [, base = '', exponent, unit = ''] = match
  const number = BigInt(base.replace(/_/g, ''))
  return (exponent === undefined ? number : number ** BigInt(exponent)) * UNITS[unit]!
}

/** A whole number in plain digits, perhaps negative. */
export function wholeOf(text: string): number {
  if (/^[+-]?\d{1,15}$/.test(text.trim())) return Number(text)
  throw new InvalidArgumentError('It takes a whole number.')
}

/** `1 048 576 (2^20.0)` for people; small numbers stay as they are. */
export function countText(count: bigint | null): string {
  if (count === null) return 'no limit from the mode'
  const digits = count.toString().replace(/\B(?=(\d{3})+$)/g, ' ')
  // Rounded down, as the documents have it: a limit must not look larger than it is.
  return count < 100_000n ? digits : `${digits} (2^${(Math.floor(log2(count) * 10) / 10).toFixed(1)})`
}

/** log2 of a positive count of any size. */
export function log2(count: bigint): number {
  const digits = count.toString(2)
  const head = digits.slice(0, 52)
  return Math.log2(Number.parseInt(head, 2)) + (digits.length - head.length)
}
