import { type BackendChoice, choiceText as pairText } from '@aeadkit/selector'
import type { ClassAnswer } from './classes.ts'
import { colours } from './colour.ts'
import type { BackendState, Choice, Diagnosis } from './diagnosis.ts'
import { field, heading, item, tableText } from './output.ts'
import { type Fastest, rateText, sizeText } from './speeds.ts'

/** Lengths of the speed table. */
const SIZES = [64, 1024, 16_384, 65_536]

const HARDWARE: Readonly<Record<string, string>> = {
  hardware: 'runs on instructions',
  none: 'runs without instructions',
  unknown: 'unknown',
}

/** Actions that a person is given at once. */
const MOST_ACTIONS = 3

/**
 * The page: what runs here, how fast, what is slow and why, what would be chosen, what to do.
 * @param all - every action, not the dearest alone.
 */
export function pageText(diagnosis: Diagnosis, all: boolean): string {
  const { choices, classes, fastest, findings, leftOut, runs } = diagnosis
  return [
    runsText(runs),
    ...(fastest.length === 0 ? [] : [heading('Fastest here'), speedText(fastest)]),
    ...(leftOut === undefined ? [] : [item(`left out: ${leftOut.backends.join(', ')}, ${leftOut.reason}`)]),
    heading('What is slow or wrong, and why'),
    ...(findings.length === 0 ? [item('nothing was found')] : findings.map(({ problem }) => item(problem))),
    heading('What would be chosen'),
    ...choices.map(choiceText),
    heading('What each class of machine would get'),
    ...classes.map(classText),
    heading('What to do'),
    ...actionLines(diagnosis, all),
  ].join('')
}

/** Where the answers of the classes begin. */
const CLASS_COLUMN = 30

function classText({ algorithm, backend, error, here, rules, title }: ClassAnswer): string {
  const gets =
    algorithm === null
      ? `nothing: ${error?.code === 'fips-unavailable' ? error.message : error?.code}`
      : `${algorithm} on ${backendName(backend)} (${rules.join(', ')})`
  return field(title, `${gets}${here ? ': this machine' : ''}`, CLASS_COLUMN)
}

function actionLines({ actions, findings }: Diagnosis, all: boolean): readonly string[] {
  if (actions.length === 0) {
    const why = findings.flatMap(({ settled }) => settled ?? [])
    return [item(why.length === 0 ? 'nothing' : `nothing: ${why.join('; ')}`)]
  }
  const shown = all ? actions : actions.slice(0, MOST_ACTIONS)
  const more = actions.length - shown.length
  return [
    ...shown.map(({ text }) => item(text)),
    ...(more === 0 ? [] : [item(`${more} more with --details`)]),
  ]
}

/** Runtime, CPU, library, FIPS state, and what each backend can do here. */
export function runsText(runs: Diagnosis['runs']): string {
  return [
    `${colours.bold(`${runs.runtime} ${runs.runtimeVersion}`)} on ${runs.platform} ${runs.arch}, ${runs.cpu}\n`,
    heading('What runs here'),
    field('CPU', `AES ${runs.aes}, carry-less multiply ${runs.clmul} (in force, after masks)`),
    field('AES-GCM', `${hardwareText(runs)}; ${runs.hardware.reason}`),
    field('library', runs.library),
    field('FIPS', fipsText(runs.fips)),
    ...runs.backends.map(backendText),
    ...runs.unavailable.map(({ name, reason }) => field(name, `could not be loaded: ${reason}`)),
  ].join('')
}

/** With one half of the instructions the other half is what is missing. */
function hardwareText({ aes, clmul, hardware }: Diagnosis['runs']): string {
  if (hardware.class === 'none' && aes === 'yes' && clmul !== 'yes' && clmul !== 'unknown')
    return 'runs without carry-less multiply'
  return HARDWARE[hardware.class] ?? hardware.class
}

function fipsText({ certificate, provider, reason, state }: Diagnosis['runs']['fips']): string {
  const named = provider === 'unknown' ? '' : `; providers in the configuration: ${provider}`
  return `${state}: ${reason}${named}${certificate === null ? '' : `; certificate as stated: ${certificate}`}`
}

function backendText({ kind, lacks, name, untested = [], version, works }: BackendState): string {
  // The part that has the ciphers, the last that a version names.
  const library = version.split(', ').at(-1)
  const byReason = new Map<string, string[]>()
  for (const { algorithm, reason } of lacks) {
    const plain = reason
      .replace(`${version} cannot do ${algorithm}: it `, `${library} `)
      .replace(`${algorithm} was `, '')
      .replaceAll(version, 'it')
      .replaceAll(algorithm, 'this')
      .replace(/^absent: /, '')
    byReason.set(plain, [...(byReason.get(plain) ?? []), algorithm])
  }
  return field(
    name,
    [
      `${kind}, ${version}`,
      // What was not tried may work as well.
      ...(works.length + untested.length === 0 ? ['works: nothing'] : []),
      ...(works.length === 0 ? [] : [`works: ${works.join(', ')}`]),
      ...(untested.length === 0 ? [] : [`there, and not needed here: ${untested.join(', ')}`]),
      ...[...byReason].map(([reason, ids]) => `lacks: ${ids.join(', ')} (${reason})`),
    ].join('\n'),
  )
}

function speedText(fastest: readonly Fastest[]): string {
  const ids = [...new Set(fastest.map(({ algorithm }) => algorithm))]
  const rows = ids.map((id) => [
    `  ${id}`,
    ...SIZES.map((bytes) => {
      const one = fastest.find((each) => each.algorithm === id && each.bytes === bytes)
      return one === undefined ? '-' : `${rateText(bytes, one.nanoseconds)} ${one.backend}`
    }),
  ])
  return tableText(['  seal', ...SIZES.map(sizeText)], rows)
}

/** `wasm below 51800 B, node from there on`. */
export function backendName(backend: BackendChoice | null): string {
  if (backend === null) return 'nothing'
  return pairText(backend)
}

function choiceText({ algorithm, backend, command, reason, rules, title, withoutModule }: Choice): string {
  const answer =
    algorithm === null
      ? `nothing: ${reason}`
      : `${colours.bold(algorithm)} on ${backendName(backend)} (${rules.join(', ')})`
  const listed =
    withoutModule === undefined
      ? []
      : [
          `without a module (--fips approved-algorithms): ${withoutModule.algorithm} on ${backendName(withoutModule.backend)}`,
        ]
  // A command in two lines would be run as two.
  return `${item([`${title}:`, answer, ...listed].join('\n'))}    ${colours.dim(command)}\n`
}
