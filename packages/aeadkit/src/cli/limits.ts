import {
  ALGORITHMS,
  type AlgorithmParams,
  assertVolume,
  jsonSafe,
  type Limit,
  limitsOf,
  type Volume,
} from '@aeadkit/core'
import { DEFAULT_TARGET, DEFAULT_VOLUME } from '@aeadkit/selector'
import { type Command, Option } from 'commander'
import { algorithmOf } from './error-text.ts'
import { countOf, countText, wholeOf } from './numbers.ts'
import { heading, jsonText, type Output, tableText } from './output.ts'

interface Given {
  readonly algorithm: string
  readonly nonce: string
  readonly messages?: bigint
  readonly messageBytes: bigint
  readonly aadBytes: bigint
  readonly failedOpens?: bigint
  readonly target: number
  readonly nonceTarget?: number
  readonly fips?: true | 'approved-algorithms' | 'module' | 'off'
  readonly json?: boolean
}

/** `aeadkit limits`: how far one key may be used, and whether a planned volume fits. */
export function addLimits(program: Command, output: Output): void {
  program
    .command('limits')
    .description('how far one key of an algorithm may be used')
    .requiredOption('--algorithm <id>', `one of ${Object.keys(ALGORITHMS).join(', ')}`)
    .addOption(
      new Option('--nonce <regime>', 'how nonces are made').choices(['random', 'counter']).default('random'),
    )
    .option('--messages <count>', 'check this many messages per key', countOf)
    .addOption(countOption('--message-bytes <bytes>', 'length of a message', DEFAULT_VOLUME.messageBytes))
    .addOption(countOption('--aad-bytes <bytes>', 'length of its AAD', DEFAULT_VOLUME.aadBytes))
    .option('--failed-opens <count>', 'check this many failed openings per key', countOf)
    .option('--target <log2>', 'largest advantage of an attacker, as log2', wholeOf, DEFAULT_TARGET.target)
    .option(
      '--nonce-target <log2>',
      'largest chance of a nonce collision; default: the target, with --fips -32',
      wholeOf,
    )
    .addOption(
      // The values of the other commands are taken as well: the cap is the same for both kinds of FIPS.
      new Option('--fips [how]', 'apply the cap of SP 800-38D for random nonces').choices([
        'approved-algorithms',
        'module',
        'off',
      ]),
    )
    .option('--json', 'print JSON')
    .action((given: Given) => output.out(limitsText(given)))
}

/** An option with a count as its default, given as text because the parser prints defaults as JSON, which has no bigint. */
function countOption(flags: string, description: string, count: bigint): Option {
  return new Option(flags, description).argParser(countOf).default(count, String(count))
}

/** What a limit under FIPS does not say: whether the algorithm may be used there at all. */
const FIPS_NOTES: Readonly<Record<AlgorithmParams['fips'], readonly string[]>> = {
  approved: [],
  composition: [
    'FIPS 140-3 lists the parts of {id}, not the whole: a selection takes it with --opt-in approved-composition only',
  ],
  'not-approved': ['FIPS 140-3 does not list {id}: a selection under --fips refuses it'],
}

function limitsText(given: Given): string {
  const params = ALGORITHMS[algorithmOf(given.algorithm)]
  const options = {
    target: given.target,
    nonceTarget: given.nonceTarget,
    nonce: given.nonce as 'random' | 'counter',
    messageBytes: given.messageBytes,
    aadBytes: given.aadBytes,
    fips: given.fips !== undefined && given.fips !== 'off',
  }
  const limits = limitsOf(params, options)
  const volume: Volume = {
    messages: given.messages ?? 0n,
    messageBytes: given.messageBytes,
    aadBytes: given.aadBytes,
    failedOpens: given.failedOpens ?? 0n,
  }
  assertVolume(params, volume, options)
  const nonceTarget = given.nonceTarget ?? (options.fips ? DEFAULT_TARGET.fipsNonceTarget : given.target)
  const notes = options.fips ? FIPS_NOTES[params.fips].map((note) => note.replace('{id}', params.id)) : []
  if (given.json === true) {
    return jsonText(
      jsonSafe({
        algorithm: params.id,
        nonce: given.nonce,
        target: given.target,
        nonceTarget,
        fips: options.fips,
        messageBytes: given.messageBytes,
        aadBytes: given.aadBytes,
        messages: limits.messages,
        failedOpens: limits.failedOpens,
        bindingBound: limits.bindingBound,
        basis: limits.basis,
        targetShown: limits.targetShown,
        limits: limits.limits,
        notes,
      }),
    )
  }
  const rows = limits.limits.map((limit) => limitRow(limit))
  return [
    `${params.id}, ${given.nonce} nonces, messages of ${given.messageBytes} bytes with ${given.aadBytes} bytes of AAD, target 2^${given.target}, for nonces 2^${nonceTarget}, ${options.fips ? 'under FIPS 140-3' : 'no FIPS'}\n`,
    ...notes.map((note) => `${note}\n`),
    `\nmessages per key:        ${countText(limits.messages)}\n`,
    `failed openings per key: ${countText(limits.failedOpens)}\n`,
    `binding bound:           ${limits.bindingBound} (${limits.basis})\n`,
    heading('Every limit'),
    tableText(['bound', 'at most', 'unit', 'basis', 'holds at', 'shown at the target', 'source'], rows),
  ].join('')
}

/** One limit as the cells of a row. */
function limitRow(limit: Limit): readonly string[] {
  return [
    limit.kind,
    countText(limit.max),
    limit.unit,
    limit.basis,
    limit.provenAt === null ? '-' : `2^${limit.provenAt}`,
    limit.meetsTarget ? 'yes' : 'no',
    limit.source,
  ]
}
