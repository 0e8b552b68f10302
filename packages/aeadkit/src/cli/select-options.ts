import { AeadError, ALGORITHMS, type HardwareReport } from '@aeadkit/core'
import { OPTION_VALUES, type SelectOptions } from '@aeadkit/selector'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { valueText } from './error-text.ts'
import { countOf, positiveOf, wholeOf } from './numbers.ts'
import { reportsOf } from './reports.ts'

/** One option of the command line and where its value goes in {@link SelectOptions}. */
interface Row {
  readonly flags: string
  readonly describe: string
  /** Property, or group and property. */
  readonly path: readonly [string] | readonly [string, string]
  readonly values?: readonly (string | number)[]
  readonly read?: (text: string) => unknown
}

/** The readers option takes a word or the path of a JSON file with one hardware report or a list of them. */
function readersOf(text: string): 'here' | 'anywhere' | readonly HardwareReport[] {
  return text === 'here' || text === 'anywhere' ? text : reportsOf(text, '--readers takes here, anywhere or')
}

const OPT_IN: Readonly<Record<string, string>> = {
  aegis: 'aegis',
  'approved-composition': 'approvedComposition',
}

function listOf(text: string): readonly string[] {
  const items = text.split(',').filter((item) => item !== '')
  // An empty variable of a script must not drop a duty in silence.
  if (items.length === 0) throw new InvalidArgumentError('It takes at least one name.')
  return items
}

function optInOf(text: string): Readonly<Record<string, true>> {
  const entries = listOf(text).map((name): [string, true] => {
    const known = Object.hasOwn(OPT_IN, name) ? OPT_IN[name] : undefined
    if (known === undefined) throw new InvalidArgumentError(`It takes ${Object.keys(OPT_IN).join(', ')}.`)
    return [known, true]
  })
  return Object.fromEntries(entries)
}

function booleanOf(text: string): boolean {
  if (text === 'true' || text === 'yes') return true
  if (text === 'false' || text === 'no') return false
  throw new InvalidArgumentError('It takes true or false.')
}

const ROWS: readonly Row[] = [
  {
    flags: '--algorithm <id>',
    describe: 'check this algorithm instead of ranking',
    path: ['algorithm'],
    values: Object.keys(ALGORITHMS),
  },
  {
    flags: '--context <name>',
    describe: 'where the cipher runs',
    path: ['context'],
    values: OPTION_VALUES.context,
  },
  {
    flags: '--readers <who>',
    describe: 'here, anywhere, or a JSON file of hardware reports { name, aes, clmul }',
    path: ['readers'],
    read: readersOf,
  },
  {
    flags: '--lifetime <how>',
    describe: 'whether the choice can change later',
    path: ['lifetime'],
    values: OPTION_VALUES.lifetime,
  },
  {
    flags: '--nonce <regime>',
    describe: 'how nonces stay unique',
    path: ['nonce'],
    values: OPTION_VALUES.nonce,
  },
  {
    flags: '--messages <count>',
    describe: 'messages per key (2^33 and 64Ki work too)',
    path: ['volume', 'messages'],
    read: positiveOf,
  },
  {
    flags: '--message-bytes <bytes>',
    describe: 'longest message',
    path: ['volume', 'messageBytes'],
    read: countOf,
  },
  { flags: '--aad-bytes <bytes>', describe: 'longest AAD', path: ['volume', 'aadBytes'], read: countOf },
  {
    flags: '--failed-opens <count>',
    describe: 'failed openings tolerated per key',
    path: ['volume', 'failedOpens'],
    read: countOf,
  },
  {
    flags: '--rekey <how>',
    describe: 'whether a key can be replaced',
    path: ['rekey'],
    values: OPTION_VALUES.rekey,
  },
  {
    flags: '--target <log2>',
    describe: 'largest advantage, for example -57',
    path: ['target'],
    read: wholeOf,
  },
  {
    flags: '--nonce-target <log2>',
    describe: 'largest chance of a nonce collision',
    path: ['nonceTarget'],
    read: wholeOf,
  },
  { flags: '--fips <how>', describe: 'how FIPS 140-3 binds', path: ['fips'], values: OPTION_VALUES.fips },
  {
    flags: '--regulation <list>',
    describe: 'gost, cnsa, or both with a comma',
    path: ['regulation'],
    read: listOf,
  },
  {
    flags: '--key-bits <bits>',
    describe: '128 or 256, when demanded from outside',
    path: ['keyBits'],
    read: wholeOf,
  },
  {
    flags: '--profile <name>',
    describe: 'what speed means',
    path: ['profile'],
    values: OPTION_VALUES.profile,
  },
  {
    flags: '--whole-message <bool>',
    describe: 'a message fits in memory',
    path: ['wholeMessage'],
    read: booleanOf,
  },
  {
    flags: '--duplicates-visible',
    describe: 'equal messages may be seen to be equal',
    path: ['duplicatesVisible'],
  },
  {
    flags: '--commitment <to>',
    describe: 'what a message must commit to',
    path: ['commitment'],
    values: OPTION_VALUES.commitment,
  },
  { flags: '--constrained', describe: 'microcontroller class', path: ['constrained'] },
  { flags: '--opt-in <list>', describe: 'aegis, approved-composition', path: ['optIn'], read: optInOf },
  {
    flags: '--lease <how>',
    describe: 'an external lease per seal is promised',
    path: ['lease'],
    values: OPTION_VALUES.lease,
  },
  {
    flags: '--constant-time <how>',
    describe: 'whether it may be missing',
    path: ['constantTime'],
    values: OPTION_VALUES.constantTime,
  },
  { flags: '--sync', describe: 'must work without promises', path: ['sync'] },
  {
    flags: '--measure <when>',
    describe: 'whether to time the backends',
    path: ['measure'],
    values: OPTION_VALUES.measure,
  },
  {
    flags: '--measure-budget-ms <ms>',
    describe: 'time that may take',
    path: ['measureBudgetMs'],
    read: wholeOf,
  },
  { flags: '--certificate <text>', describe: 'FIPS certificate, as you state it', path: ['certificate'] },
]

/**
 * Adds options of `selectAead` to a command.
 * @param only - attributes of the options to add. Default: all.
 */
export function addSelectOptions(command: Command, only?: readonly string[]): Command {
  for (const { flags, describe, values, read } of ROWS) {
    if (only?.includes(attributeOf(flags)) === false) continue
    const option = new Option(flags, values === undefined ? describe : `${describe}: ${values.join(', ')}`)
    if (read !== undefined) option.argParser(read)
    command.addOption(option)
  }
  return command
}

function attributeOf(flags: string): string {
  return new Option(flags).attributeName()
}

/** What the user gave, as {@link SelectOptions}; the selector checks the values. */
export function selectOptionsOf(given: Readonly<Record<string, unknown>>): SelectOptions {
  const options: Record<string, unknown> = {}
  for (const { flags, path } of ROWS) {
    const value = given[attributeOf(flags)]
    if (value === undefined) continue
    const [group, name] = path
    if (name === undefined) options[group] = value
    else options[group] = { ...(options[group] as object | undefined), [name]: value }
  }
  return options as SelectOptions
}

/** Flags by the name that the API has for each: `volume.messageBytes` is `--message-bytes`. */
export function flagNames(): ReadonlyMap<string, string> {
  const flags = ROWS.map(({ flags, path }) => [path.join('.'), new Option(flags).long!] as const)
  const permissions = Object.entries(OPT_IN).map(
    ([word, name]) => [`optIn.${name}`, `--opt-in ${word}`] as const,
  )
  // The longer names first, since the shorter one is a part of them.
  return new Map([...permissions, ...flags])
}

/** Names of the options without dashes; `flag`: it takes no value. */
export function optionKeys(): readonly { readonly key: string; readonly flag: boolean }[] {
  return ROWS.filter(({ path }) => !path[0].startsWith('measure')).map(({ flags }) => {
    const { long, required } = new Option(flags)
    return { key: long!.slice(2), flag: !required }
  })
}

/**
 * Reads a value that stands inside an argument, where the parser of the command line does not tell what is wrong.
 * @throws AeadError `invalid-argument` naming the key.
 */
export function parsed<T>(key: string, text: string, read: (text: string) => T): T {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new AeadError('invalid-argument', valueText(`--what-if ${key}`, error.message, text))
  }
}

/**
 * Parses one option given as a name and a text, over options that are there already.
 * @throws AeadError `invalid-argument`.
 */
export function parseOption(key: string, text: string, over: SelectOptions): SelectOptions {
  const row = ROWS.find(({ flags }) => new Option(flags).long === `--${key}`)!
  const { required } = new Option(row.flags)
  const value = parsed(key, text, () => row.read?.(text) ?? (required ? text : booleanOf(text)))
  const options = selectOptionsOf({ [attributeOf(row.flags)]: value }) as Record<string, unknown>
  const [group] = row.path
  const before = (over as Record<string, unknown>)[group]
  if (row.path.length === 1 || typeof before !== 'object') return options as SelectOptions
  return { [group]: { ...before, ...(options[group] as object) } } as SelectOptions
}
