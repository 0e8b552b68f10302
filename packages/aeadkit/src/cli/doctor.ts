import { AeadError, type AlgorithmId, type Backend, type Evidence, jsonSafe } from '@aeadkit/core'
import { collectEvidence, OPTION_VALUES, type SelectOptions, toHardwareReport } from '@aeadkit/selector'
import { type Command, Option } from 'commander'
import type { LoadedBackends } from '../load.ts'
import { type Advice, adviceOf } from './advice.ts'
import type { CliContext } from './context.ts'
import { bullet, heading, jsonText, type Output, tableText } from './output.ts'

interface Given {
  readonly json?: boolean
  readonly report?: boolean
  readonly measure?: 'cached' | 'always' | 'never'
}

/** The four situations that need different answers. */
const SITUATIONS: readonly { readonly title: string; readonly options: SelectOptions }[] = [
  { title: 'data for any machine, random nonces (no options)', options: {} },
  { title: 'data for any machine, counter nonces', options: { nonce: 'counter' } },
  { title: 'only this machine reads, counter nonces', options: { readers: 'here', nonce: 'counter' } },
  {
    title: 'FIPS 140-3 algorithms, random nonces',
    options: { fips: 'approved-algorithms', rekey: 'possible' },
  },
]

interface Choice {
  readonly title: string
  readonly answer: string
}

/** Everything one page can say about this machine. */
export interface Diagnosis {
  readonly evidence: Evidence
  readonly loaded: LoadedBackends
  readonly choices: readonly Choice[]
  readonly advice: readonly Advice[]
}

/** `aeadkit doctor`: what runs here, what is slow and why, what would be chosen, what would help. */
export function addDoctor(program: Command, context: CliContext, output: Output): void {
  program
    .command('doctor')
    .description('what this machine and runtime can do, and what would make it better')
    .option('--json', 'print JSON')
    .option('--report', 'print only the hardware report of this machine, for --readers on another one')
    .addOption(
      new Option('--measure <when>', 'whether to time the backends')
        .choices(OPTION_VALUES.measure)
        .default('cached'),
    )
    .action(async (given: Given) => {
      const diagnosis = await diagnose(context, given.measure)
      if (given.report === true) {
        output.out(jsonText(toHardwareReport(diagnosis.evidence, diagnosis.evidence.cpuModel)))
      } else {
        output.out(given.json === true ? diagnosisJson(diagnosis) : diagnosisText(diagnosis))
      }
    })
}

/** Collects evidence and asks for each situation. */
export async function diagnose(
  context: CliContext,
  measure: Given['measure'] = 'cached',
): Promise<Diagnosis> {
  const loaded = await context.loaded()
  const evidence = await collectEvidence({
    backends: loaded.backends,
    measure,
    measurementCache: context.cache,
  })
  const choices: Choice[] = []
  for (const { title, options } of SITUATIONS) {
    choices.push({ title, answer: await answerOf(context, { ...options, evidence }) })
  }
  return { evidence, loaded, choices, advice: adviceOf(evidence, loaded) }
}

async function answerOf(context: CliContext, options: SelectOptions): Promise<string> {
  try {
    const { algorithm, backend, verdict } = await context.select(options)
    const where =
      typeof backend === 'string' || backend === null
        ? backend
        : `${backend.small} below ${backend.crossoverBytes} B, ${backend.large} above`
    return `${algorithm} on ${where} (${verdict.class}; ${verdict.rules.join(', ')})`
  } catch (error) {
    if (error instanceof AeadError) return `${error.code}: ${error.message}`
    throw error
  }
}

function diagnosisJson({ evidence, loaded, choices, advice }: Diagnosis): string {
  const backends = loaded.backends.map(({ name, kind, raw }) => ({ name, kind, version: raw.version() }))
  return jsonText(jsonSafe({ evidence, backends, unavailable: loaded.unavailable, choices, advice }))
}

function diagnosisText(diagnosis: Diagnosis): string {
  const { evidence, loaded, choices, advice } = diagnosis
  return [
    evidenceText(evidence),
    heading('Backends'),
    backendsText(evidence, loaded),
    heading('Speed on this machine'),
    speedText(evidence),
    heading('What would be chosen'),
    tableText(
      ['for', 'choice'],
      choices.map(({ title, answer }) => [title, answer]),
    ),
    heading('What to do'),
    ...(advice.length === 0
      ? [bullet('nothing: no problem was found')]
      : advice.map(({ text }) => bullet(text))),
  ].join('')
}

/** The evidence table. Self-tests and timings have tables of their own. */
export function evidenceText(evidence: Evidence): string {
  const rows: (readonly string[])[] = [
    ['runtime', `${evidence.runtime} ${evidence.runtimeVersion}, ${evidence.arch}`, '', 'observed'],
    ['CPU', evidence.cpuModel, '', evidence.cpuModel === 'unknown' ? 'unknown' : 'observed'],
    ['AES instructions in force', evidence.aes, '', ''],
    ['carry-less multiply in force', evidence.clmul, '', ''],
    ['hardware class', evidence.hardwareClass, evidence.source, ''],
    ['FIPS', `${evidence.fips.state}: ${evidence.fips.reason}`, `provider ${evidence.fips.provider}`, ''],
    ...evidence.items
      .filter(({ name }) => !name.startsWith('backend.'))
      .map(({ name, value, source, certainty }) => [name, value, source, certainty]),
  ]
  return heading('Evidence') + tableText(['what', 'value', 'source', 'certainty'], rows)
}

/** Which backend passed its self-test for which algorithm, and how constant its time is there. */
export function backendsText(evidence: Evidence, { backends, unavailable }: LoadedBackends): string {
  const passed = (backend: Backend, id: AlgorithmId): string => {
    const item = evidence.items.find(({ name }) => name === `backend.${backend.name}.${id}`)
    return item?.value ?? 'not probed'
  }
  const rows = backends.flatMap((backend) =>
    backend.algorithms.map((id) => [
      `${backend.name} (${backend.kind}, ${backend.raw.version()})`,
      id,
      passed(backend, id),
    ]),
  )
  const lost = unavailable.map(({ name, reason }) => [name, '-', `could not be loaded: ${reason}`])
  return tableText(['backend', 'algorithm', 'self-test'], [...rows, ...lost])
}

/** Timings per backend and algorithm, one column per message length. */
export function speedText({ measurements }: Evidence): string {
  if (measurements.length === 0) return bullet('nothing was measured')
  const sizes = [...new Set(measurements.map(({ bytes }) => bytes))].sort((a, b) => a - b)
  const rows = new Map<string, Map<number, number>>()
  for (const { backend, algorithm, operation, bytes, nanoseconds } of measurements) {
    const name = `${algorithm}\u0000${backend}\u0000${operation}`
    const row = rows.get(name) ?? new Map<number, number>()
    row.set(bytes, nanoseconds)
    rows.set(name, row)
  }
  const cells = [...rows].map(([name, row]) => [
    ...name.split('\u0000'),
    ...sizes.map((bytes) => rateText(bytes, row.get(bytes))),
  ])
  const head = ['algorithm', 'backend', 'operation', ...sizes.map(sizeText)]
  return tableText(
    head,
    cells.sort((a, b) => a.join().localeCompare(b.join())),
    sizes.map((_, column) => column + 3),
  )
}

function sizeText(bytes: number): string {
  if (bytes >= 1048576 && bytes % 1048576 === 0) return `${bytes / 1048576} MiB`
  return bytes >= 1024 && bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} B`
}

/** Time for short messages, throughput for long ones: each says what matters there. */
function rateText(bytes: number, nanoseconds: number | undefined): string {
  if (nanoseconds === undefined) return '-'
  if (bytes < 4096) return `${(nanoseconds / 1000).toFixed(1)} µs`
  return `${((bytes / nanoseconds) * 1000).toFixed(0)} MB/s`
}
