import { type AnySelection, type Explanation, explain, type SelectOptions } from '@aeadkit/selector'
import { type Command, Option } from 'commander'
import { type Assumption, assumptionOf, WHAT_IF_HELP } from './assumptions.ts'
import { colours } from './colour.ts'
import type { CliContext } from './context.ts'
import { bullet, heading, jsonText, type Output } from './output.ts'
import { asFlags } from './refusal.ts'
import { addSelectOptions, selectOptionsOf } from './select-options.ts'
import { whatIf } from './what-if.ts'
import { whatIfJson, whatIfText } from './what-if-text.ts'

interface Given {
  readonly json?: boolean
  readonly whatIf?: readonly Assumption[]
}

/** `aeadkit select`: the verdict; `aeadkit explain`: the same told to a person. */
export function addSelect(program: Command, context: CliContext, output: Output): void {
  const options = (given: Given): SelectOptions => selectOptionsOf(given as Readonly<Record<string, unknown>>)
  const told = (selection: AnySelection): Explanation => explain(selection, { today: context.today() })
  addSelectOptions(program.command('select').description('pick an algorithm and a backend'))
    .option('--json', 'print the selection as JSON, to be stored with the key')
    .action(async (given: Given) => {
      const selection = await context.select(options(given))
      output.out(given.json === true ? jsonText(selection) : summaryText(selection, told(selection)))
    })
  addSelectOptions(
    program.command('explain').description('what would be picked, why, and what was passed over'),
  )
    .option('--json', 'print the explanation and the selection as JSON')
    .addOption(
      new Option(
        '--what-if <key=value>',
        'what would change, may be repeated; nothing is timed (see the end)',
      ).argParser(collect),
    )
    .addHelpText('after', WHAT_IF_HELP)
    .action(async (given: Given) => {
      if (given.whatIf !== undefined) {
        const answer = await whatIf(context, options(given), given.whatIf)
        output.out(given.json === true ? jsonText(whatIfJson(answer)) : whatIfText(answer))
        return
      }
      const selection = await context.select(options(given))
      const explanation = told(selection)
      output.out(given.json === true ? jsonText({ ...explanation, selection }) : explanationText(explanation))
    })
}

function collect(text: string, before: readonly Assumption[] = []): readonly Assumption[] {
  return [...before, assumptionOf(text)]
}

/** The verdict in a few lines. */
function summaryText(
  selection: AnySelection,
  { chosen: [chosen = '', ...rest], notices }: Explanation,
): string {
  return [
    `${colours.bold(chosen)}\n`,
    // Where the protocol decides, the order and the settings are the answer.
    ...(selection.algorithm === null ? rest.map(bullet) : []),
    ...(selection.algorithm === null ? [heading('Why')] : []),
    ...selection.verdict.reasons.map((reason) => bullet(asFlags(reason))),
    ...(selection.duties.length === 0 ? [] : [heading('What to watch'), ...selection.duties.map(bullet)]),
    ...(notices.length === 0 ? [] : [heading('Notices'), ...notices.map(bullet)]),
  ].join('')
}

/** Everything `explain` knows, by section. */
export function explanationText({ chosen, facts, notices, passedOver, watch, why }: Explanation): string {
  const sections: readonly [string, readonly string[]][] = [
    ['Notices', notices],
    ['Chosen', chosen],
    ['Why', why],
    ['Passed over', passedOver],
    ['What to watch', watch],
    ['Facts used', facts],
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => heading(title) + lines.map((line) => bullet(asFlags(line))).join(''))
    .join('')
    .replace(/^\n/, '')
}
