import { InvalidArgumentError } from 'commander'

const UNITS: Readonly<Record<string, bigint>> = {
  '': 1n,
  Ki: 1024n,
  Mi: 1024n ** 2n,
  Gi: 1024n ** 3n,
  Ti: 1024n ** 4n,
}

/** A whole number: `65536`, `65_536`, `2^20`, `64Ki`, `64KiB`. */
export function countOf(text: string): bigint {
  const match = /^(\d[\d_]*)(?:\^(\d{1,3}))?(Ki|Mi|Gi|Ti)?B?$/.exec(text.trim())
  if (match === null) {
    const negative = /^-\d/.test(text.trim())
    throw new InvalidArgumentError(
      negative
        ? 'It takes a whole number, 0 or more.'
        : 'It takes a whole number such as 65536, 2^20 or 64KiB.',
    )
  }
  const [, base = '', exponent, unit = ''] = match
  const number = BigInt(base.replace(/_/g, ''))
  return (exponent === undefined ? number : number ** BigInt(exponent)) * UNITS[unit]!
}

/** The same, above 0. */
export function positiveOf(text: string): bigint {
  if (!/^-\d/.test(text.trim())) {
    const count = countOf(text)
    if (count > 0n) return count
  }
  throw new InvalidArgumentError('It takes a whole number above 0.')
}

/** A whole number in plain digits, perhaps negative. */
export function wholeOf(text: string): number {
  if (/^[+-]?\d{1,15}$/.test(text.trim())) return Number(text)
  throw new InvalidArgumentError('It takes a whole number.')
}

/** `2^20`, `68 652 433 344 (2^35.99)`, `1000`: as the texts of the selector have it. */
export function countText(count: bigint | null): string {
  if (count === null) return 'no limit known'
  if (count > 1024n && (count & (count - 1n)) === 0n) return `2^${count.toString(2).length - 1}`
  if (count < 100_000n) return count.toString()
  // Rounded down, as the documents have it: a limit must not look larger than it is, even just below a power of two.
  const exponent = Math.min(Math.floor(log2(count) * 100) / 100, count.toString(2).length - 0.01)
  return `${count.toString().replace(/\B(?=(\d{3})+$)/g, ' ')} (2^${exponent.toFixed(2)})`
}

/** log2 of a positive count of any size. */
export function log2(count: bigint): number {
  const digits = count.toString(2)
  const head = digits.slice(0, 52)
  return Math.log2(Number.parseInt(head, 2)) + (digits.length - head.length)
}
