import type { Rejection } from '@aeadkit/selector'
import { countText } from './numbers.ts'
import { flagNames } from './select-options.ts'

/** Names of one word are words of any sentence: they stand for the option only where a sentence is about it. */
function isWord(name: string): boolean {
  return /^[a-z]+$/.test(name)
}

/** Counts of the library's messages, which are digits alone, as the command line writes them; `2^20 (1048576)` is both. */
function spelled(text: string): string {
  return text.replace(/(?<![\w.^-]|\^\d+ \()\d{6,}(?![\w.])/g, (digits) => countText(BigInt(digits)))
}

/** A text of the library for the command line: options by their flags, and nothing that only a program can do. */
export function asFlags(text: string): string {
  let said = spelled(text)
    .replace(', as a number or a bigint', '')
    .replace('the option algorithm', '--algorithm')
  // People count from one.
  said = said.replace(
    /^readers\[(\d+)\](?:\.(\w+))?/,
    (_, at: string, part?: string) =>
      `--readers, report ${Number(at) + 1}${part === undefined ? '' : `: ${part}`}`,
  )
  for (const [path, flag] of flagNames()) {
    const name = path.replace(/^volume\./, '(?:volume\\.)?').replaceAll(/(?<!\\)\.(?=\w)/g, '\\.')
    const whole = (more: string): RegExp => new RegExp(`(?<![\\w.-])${name}${more}`, 'g')
    said = said.replace(whole(' would have to be true'), `${flag} would have to be given`)
    const bare = path.slice(path.indexOf('.') + 1)
    if (isWord(bare) && !path.startsWith('optIn.'))
      said = said.replace(new RegExp(`^${name}(?= (?:takes|must be))`), flag)
    else said = said.replace(whole('(?!\\w)'), flag)
  }
  return said.replace(/\b(rekey|nonce|lease|fips):? '([\w-]+)'/g, '--$1 $2')
}

/** An error as far as it is printed. */
interface Refusal {
  readonly code: string
  readonly message: string
  readonly details?: unknown
}

const REKEY = '--rekey possible'

/** What would let a candidate pass that was dropped for a reason. */
const WAYS: readonly (readonly [reason: RegExp, way: string])[] = [
  [/not every end is known/, '--readers here (or a file of hardware reports)'],
  [/duplicatesVisible would have to be true/, '--duplicates-visible'],
  [/constrained would have to be true/, '--constrained'],
  [/with optIn\.aegis/, '--opt-in aegis'],
  [/use rekey 'possible'/, REKEY],
  [/optIn\.approvedComposition accepts/, '--opt-in approved-composition'],
  [/^constant-time: /, '--constant-time preferred'],
  [/^sync: /, 'no --sync'],
  [/^whole-message: /, '--whole-message true'],
  [/lease: 'per-seal'/, '--lease per-seal, if every seal has a lease from outside'],
  [/^key-bits: /, 'a smaller --key-bits'],
  [/^message-size: /, 'shorter messages (--message-bytes)'],
  [/^limits: .*failed opens/, 'a smaller --failed-opens, or --rekey possible'],
  [/^limits: (?!.*failed opens).*under one key/, 'a smaller --messages, or --rekey possible'],
  [/random bits allow/, 'a smaller --messages, or nonces that are not random (--nonce counter)'],
]

/**
 * An error for a person. A selection that found nothing tells each reason once, with the algorithms it is true of,
 * those first that would have been named, and at the end what would change the answer.
 * @returns the error with its code, and further lines for a list.
 */
export function refusalLines({ code, details, message }: Refusal): readonly string[] {
  const { considered: named, rejected } = (details ?? {}) as {
    readonly considered?: readonly string[]
    readonly rejected?: readonly Rejection[]
  }
  if (code !== 'no-candidate' || named === undefined || rejected === undefined)
    return [`${code}: ${asFlags(message)}`]
  const considered = named.length > 0 ? named : [...new Set(rejected.map(({ algorithm }) => algorithm))]
  const groups = new Map<string, string[]>()
  for (const id of considered) {
    for (const { reason, rule } of rejected.filter(({ algorithm }) => algorithm === id)) {
      const said = `${rule}: ${reason.replaceAll(id, 'it')}`
      groups.set(said, [...(groups.get(said) ?? []), id])
    }
  }
  const free = considered.filter((id) => rejected.every(({ algorithm }) => algorithm !== id))
  return [
    `${code}: ${message.split('; ')[0]}`,
    ...[...groups].map(([said, ids]) => `${ids.join(', ')}: ${asFlags(said)}`),
    `what would help: ${wayOut(considered, rejected, free)}`,
  ]
}

/** What options alone would let pass: the best of what the rules name, of the others, and what no rule names. */
function wayOut(
  considered: readonly string[],
  rejected: readonly Rejection[],
  free: readonly string[],
): string {
  const others = [...new Set(rejected.map(({ algorithm }) => algorithm))].filter(
    (id) => !considered.includes(id),
  )
  const [best, other] = [easiest(considered, rejected), easiest(others, rejected)]
  // What the rules do not name is worth telling only where it takes less.
  const shorter =
    considered.length > 1 &&
    (best === undefined || (other !== undefined && other.ways.length < best.ways.length))
  const ways = [best, shorter ? other : undefined].flatMap((way) =>
    way === undefined ? [] : [`${way.ways.join(' and ')} (then ${way.id} passes)`],
  )
  const named = free.length === 0 ? [] : [`--algorithm ${free[0]}, which passes but which no rule names`]
  const all = [...ways, ...named]
  return all.length === 0 ? 'nothing that an option can change' : all.join('; or ')
}

interface Way {
  readonly id: string
  readonly ways: readonly string[]
}

/** The first of the algorithms that passes with the fewest options. */
function easiest(ids: readonly string[], rejected: readonly Rejection[]): Way | undefined {
  let least: Way | undefined
  for (const id of ids) {
    const own = rejected.filter(({ algorithm }) => algorithm === id)
    const found = own.map(({ reason, rule }) => WAYS.filter(([one]) => one.test(`${rule}: ${reason}`)))
    if (own.length === 0 || found.some((ways) => ways.length === 0)) continue
    const all = [...new Set(found.flat().map(([, way]) => way))]
    const ways = all.filter((way) => !all.includes(REKEY) || way === REKEY || !way.endsWith(REKEY))
    if (least === undefined || ways.length < least.ways.length) least = { id, ways }
  }
  return least
}
