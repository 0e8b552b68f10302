import { AeadError } from './errors.ts'

/** Edit distance that counts a swap of two neighbours as one step (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = []
  for (let i = 0; i <= a.length; i++) {
    const row = [i]
    rows[i] = row
    for (let j = 1; j <= b.length; j++) {
      const [up, upper] = [rows[i - 1], rows[i - 2]]
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (up?.[j] ?? j - 1) + 1,
        row[j - 1]! + 1,
        (up?.[j - 1] ?? j) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? (upper?.[j - 2] ?? j) + 1 : j + i,
      )
    }
  }
  return rows[a.length]![b.length]!
}

/** The known name closest to `name`, or `undefined` when nothing is close enough to be a slip. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined
  const plain = name.toLowerCase().replace(/[_\s]/g, '-')
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(plain.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(plain, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `": did you mean x?"` or nothing, to end a message with. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '' : `: did you mean ${nearest}?`
}

/**
 * Reads an options object by name, each name once, so that what was checked is what is used. What stands on a
 * prototype counts, a class with getters too; names that are not known are refused, so that a slip of the pen never
 * silently keeps a default.
 * @param given - the options object as the caller wrote it; `undefined` is an empty one.
 * @param known - every name taken.
 * @param where - the function, for the message.
 * @returns a new object of what is not `undefined`.
 * @throws AeadError `invalid-argument`: no object; an own name that is not known, with the nearest one; also when
 *   `Object.prototype` carries a known one.
 */
export function readOptions<T>(given: T | undefined = {} as T, known: readonly string[], where: string): T {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new AeadError(
      'invalid-argument',
      `${where}: expected { ${known.join(', ')} }, got ${kindOf(given)}`,
    )
  }
  const read: Record<string, unknown> = {}
  for (const name of known) {
    // Read from every options object that leaves it out, `{}` included: a default must not be changed from outside.
    if (name in Object.prototype) {
      throw new AeadError(
        'invalid-argument',
        `${where}: Object.prototype.${name} would set this option for everyone`,
        { details: { option: name } },
      )
    }
    const value = given[name as keyof T]
    if (value !== undefined) read[name] = value
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name
    throw new AeadError('invalid-argument', `${where}: unknown option ${shown}${didYouMean(name, known)}`, {
      details: { option: shown, known },
    })
  }
  return read as T
}

/** A word for what a value is, safe to print: never its content. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return value === null ? 'null' : typeof value === 'object' ? 'an object' : typeof value
}
