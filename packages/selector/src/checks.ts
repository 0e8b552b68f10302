import { AeadError, nearestName } from '@aeadkit/core'

/** No count of messages, bytes or failures means anything from here on. */
const MOST = 340_282_366_920_938_463_463_374_607_431_768_211_456n

/** Ends of lines, and what hides or turns around the text beside it, as controls of direction do. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** A text in quotes that stays on its line and shows all of itself. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)
}

/** What {@link isMachineName} takes, for a refusal. */
export const MACHINE_NAME = '1 to 200 visible characters on one line'

/** Whether a text can name a machine: it is written into reasons and reports, on one line. */
export function isMachineName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= 200 && name.search(UNSEEN) < 0
}

/** A value for a message: numbers and short words as they are, everything else by kind. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value.length <= 40 ? quoted(value) : `a string of ${value.length} characters`
  if (typeof value === 'bigint') {
    return value > -MOST && value < MOST ? String(value) : 'an integer past 2^128'
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null) {
    return String(value)
  }
  return Array.isArray(value) ? `a list of ${value.length}` : typeof value
}

/** @throws AeadError `invalid-argument`: option, what it takes, what it got. */
export function refuse(option: string, takes: string, got: unknown, hint = ''): never {
  throw new AeadError('invalid-argument', `${option} takes ${takes}, got ${describeValue(got)}${hint}`, {
    details: { option },
  })
}

/** Whether a text is a day of the calendar, YYYY-MM-DD. */
export function isDay(value: unknown): boolean {
  return typeof value === 'string' && new Date(`${value}T00:00Z`).toJSON()?.slice(0, 10) === value
}

/** A platform is described by `createHost`, or looks like that. */
export function checkHost(host: unknown): void {
  if (host === undefined || typeof (host as { readText?: unknown } | null)?.readText === 'function') return
  refuse('host', 'a description of a platform, as createHost gives one', host)
}

/** Refuses values outside the list, with the nearest one; `undefined` passes. */
export function checkOneOf(option: string, value: unknown, values: readonly (string | number)[]): void {
  if (value === undefined || values.includes(value as string | number)) return
  const nearest = typeof value === 'string' ? nearestName(value, values.map(String)) : undefined
  refuse(
    option,
    `one of ${values.join(', ')}`,
    value,
    nearest === undefined ? '' : `: did you mean ${nearest}?`,
  )
}

/** Refuses anything but a list of known names; `undefined` passes. */
export function checkSetOf(option: string, value: unknown, values: readonly string[]): void {
  if (value === undefined) return
  if (!Array.isArray(value)) refuse(option, `a list of ${values.join(', ')}`, value)
  for (const item of value) {
    if (item === undefined) refuse(option, `a list of ${values.join(', ')}`, item)
    checkOneOf(option, item, values)
  }
}

/** Refuses anything but a boolean; `undefined` passes. */
export function checkBoolean(option: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean') refuse(option, 'true or false', value)
}

/** Refuses anything but a whole number in the range; `undefined` passes. */
export function checkWhole(option: string, value: unknown, least: number, most: number): void {
  if (value === undefined) return
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    refuse(option, `a whole number from ${least} to ${most}`, value)
  }
}

/** Refuses anything but a count from `least` to 2^128, as a whole number or a bigint; `undefined` passes. */
export function checkCount(option: string, value: unknown, least: bigint): void {
  if (value === undefined) return
  const whole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  const count = whole ? BigInt(value as number | bigint) : -1n
  if (count < least || count > MOST) {
    refuse(option, `a whole number of at least ${least} and at most 2^128, as a number or a bigint`, value)
  }
}
