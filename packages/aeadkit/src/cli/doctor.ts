import { AeadError, jsonSafe } from '@aeadkit/core'
import { isMachineName, MACHINE_NAME, OPTION_VALUES, toHardwareReport } from '@aeadkit/selector'
import { type Command, Option } from 'commander'
import type { CliContext } from './context.ts'
import { type Diagnosis, diagnose } from './diagnosis.ts'
import { detailsText } from './doctor-details.ts'
import { pageText } from './doctor-text.ts'
import { datedFacts, factsText } from './facts.ts'
import { jsonText, type Output } from './output.ts'

interface Given {
  readonly json?: boolean
  readonly report?: boolean
  readonly name?: string
  readonly facts?: boolean
  readonly details?: boolean
  readonly measure?: 'cached' | 'always' | 'never'
}

/** `aeadkit doctor`: what runs here, what is slow and why, what would be chosen, what would help. */
export function addDoctor(program: Command, context: CliContext, output: Output): void {
  program
    .command('doctor')
    .description('what this machine and runtime can do, and what would make it better')
    .option('--json', 'print JSON: the page, and all evidence behind it')
    .option('--details', 'print all evidence and every timing after the page')
    .addOption(
      new Option(
        '--report',
        'print only the hardware report of this machine, for --readers on another one',
      ).conflicts(['facts', 'details']),
    )
    .option('--name <text>', 'name of this machine in its report; default: the model of its CPU')
    .addOption(new Option('--facts', 'list the facts that age, oldest first, instead').conflicts(['details']))
    .addOption(
      new Option('--measure <when>', 'whether to time the backends')
        .choices(OPTION_VALUES.measure)
        .default('cached'),
    )
    .action(async (given: Given) => output.out(await answer(context, given)))
}

async function answer(context: CliContext, given: Given): Promise<string> {
  if (given.name !== undefined && given.report !== true)
    throw new AeadError('invalid-argument', '--name is for the report: give it with --report')
  if (given.name !== undefined && !isMachineName(given.name))
    throw new AeadError('invalid-argument', `--name takes ${MACHINE_NAME}`)
  if (given.facts === true) return factsAnswer(context, given.json === true)
  const diagnosis = await diagnose(context, given.measure)
  if (given.report === true) {
    const { evidence, runs } = diagnosis
    const judged = { ...evidence, hardwareClass: runs.hardware.class }
    return jsonText({
      ...toHardwareReport(judged, given.name ?? evidence.cpuModel),
      // Masks, libraries and what a runtime uses change: a report is of a day.
      asOf: context.today().toISOString().slice(0, 10),
      runtime: `${runs.runtime} ${runs.runtimeVersion}`,
    })
  }
  if (given.json === true) return diagnosisJson(diagnosis)
  return (
    pageText(diagnosis, given.details === true) +
    (given.details === true ? detailsText(diagnosis.evidence) : '')
  )
}

async function factsAnswer(context: CliContext, json: boolean): Promise<string> {
  const loaded = await context.loaded()
  const evidence = await context.observe({ measure: 'never' })
  const facts = datedFacts(context.today(), evidence, loaded)
  return json ? jsonText({ today: context.today().toISOString().slice(0, 10), facts }) : factsText(facts)
}

function diagnosisJson(diagnosis: Diagnosis): string {
  return jsonText(jsonSafe(diagnosis))
}
