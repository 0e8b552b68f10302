import { closeSync, openSync, readSync } from 'node:fs'
import { AeadError, type HardwareReport, type Presence } from '@aeadkit/core'
import { isMachineName, MACHINE_NAME } from '@aeadkit/selector'

/** Longest file of reports in bytes: thousands of machines. */
const MOST_BYTES = 1_048_576

/** A file or a pipe, which has no size, and may have no end. */
function readBounded(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const content = Buffer.alloc(MOST_BYTES + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < content.length; length += read) {
      read = readSync(file, content, length, content.length - length, null)
    }
    return content.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

/**
 * Text of a file in UTF-8 or UTF-16, which some shells write when they redirect, with or without a mark. JSON begins
 * with an ASCII character, whose other byte is 0 in UTF-16.
 * @returns `undefined` for other encodings.
 */
function decoded(content: Buffer): string | undefined {
  const [first, second] = content
  const little = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  const big = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  try {
    if (!little && !big) return new TextDecoder('utf-8', { fatal: true }).decode(content)
    const whole = content.subarray(0, content.length & ~1)
    return new TextDecoder('utf-16le', { fatal: true }).decode(big ? Buffer.from(whole).swap16() : whole)
  } catch {
    return undefined
  }
}

/**
 * Reads a file of one hardware report or a list of them.
 * @param takes - what else is taken, for the refusal.
 * @throws AeadError `invalid-argument`: no readable file, more than a mebibyte, another encoding, or not JSON.
 */
export function reportsOf(path: string, takes: string): readonly HardwareReport[] {
  const wanted = `${takes} a readable file of hardware reports`
  const shown = path.slice(0, 200)
  let content: Buffer
  try {
    content = readBounded(path)
  } catch (cause) {
    throw new AeadError('invalid-argument', `${wanted}, got "${shown}"`, { cause })
  }
  if (content.length > MOST_BYTES) {
    throw new AeadError('invalid-argument', `${wanted} of at most ${MOST_BYTES} bytes, "${shown}" has more`)
  }
  const text = decoded(content)
  if (text === undefined) {
    throw new AeadError(
      'invalid-argument',
      `${wanted} in UTF-8 or UTF-16, and ${shown} is neither: write it again as UTF-8`,
    )
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new AeadError('invalid-argument', `${shown} is not a JSON file of hardware reports`, { cause })
  }
  if (typeof parsed === 'object' && parsed !== null && 'runs' in parsed && 'findings' in parsed) {
    throw new AeadError(
      'invalid-argument',
      `${wanted}, and ${shown} is the page of npx aeadkit doctor --json: npx aeadkit doctor --report prints the report of that machine`,
    )
  }
  return (Array.isArray(parsed) ? parsed : [parsed]) as readonly HardwareReport[]
}

const PRESENCE: readonly Presence[] = ['yes', 'partial', 'no', 'unknown']

/**
 * The one report of a file, for an assumption.
 * @throws AeadError `invalid-argument`: as {@link reportsOf}, and for none, several, or something else.
 */
export function oneReport(path: string, takes: string): HardwareReport {
  const [report, ...more] = reportsOf(path, takes)
  if (report === undefined || more.length > 0) {
    const count = more.length + (report === undefined ? 0 : 1)
    throw new AeadError(
      'invalid-argument',
      `${takes} a file of one report; ${path.slice(0, 200)} has ${count}`,
    )
  }
  const shaped =
    typeof report?.name === 'string' && PRESENCE.includes(report.aes) && PRESENCE.includes(report.clmul)
  if (!shaped) throw new AeadError('invalid-argument', `${takes} a hardware report { name, aes, clmul }`)
  // It comes from another machine, and is printed.
  if (isMachineName(report.name)) return report
  throw new AeadError('invalid-argument', `${takes} a report whose name is ${MACHINE_NAME}`)
}
