import { type AnySelection, explain } from '@aeadkit/selector'
import type { Command } from 'commander'
import pc from 'picocolors'
import type { CliContext } from './context.ts'
import { bullet, heading, jsonText, type Output } from './output.ts'
import { addSelectOptions, selectOptionsOf } from './select-options.ts'

interface Given {
  readonly json?: boolean
}

/** `aeadkit select`: the verdict; `aeadkit explain`: the same told to a person. */
export function addSelect(program: Command, context: CliContext, output: Output): void {
  const pick = (given: Given): Promise<AnySelection> =>
    context.select(selectOptionsOf(given as Readonly<Record<string, unknown>>))
  addSelectOptions(program.command('select').description('pick an algorithm and a backend'))
    .option('--json', 'print the selection as JSON, to be stored with the key')
    .action(async (given: Given) => {
      const selection = await pick(given)
      output.out(given.json === true ? jsonText(selection) : summaryText(selection))
    })
  addSelectOptions(
    program.command('explain').description('what would be picked, why, and what was passed over'),
  )
    .option('--json', 'print the explanation and the selection as JSON')
    .action(async (given: Given) => {
      const selection = await pick(given)
      const told = explain(selection)
      output.out(given.json === true ? jsonText({ ...told, selection }) : explanationText(selection))
    })
}

/** The verdict in a few lines. */
export function summaryText(selection: AnySelection): string {
  const [chosen = ''] = explain(selection).chosen
  return [
    `${pc.bold(chosen)}\n`,
    ...selection.verdict.reasons.map(bullet),
    ...(selection.duties.length === 0
      ? []
      : [heading('What you must see to'), ...selection.duties.map(bullet)]),
  ].join('')
}

/** Everything `explain` knows, by section. */
export function explanationText(selection: AnySelection): string {
  const { chosen, why, passedOver, watch, facts } = explain(selection)
  const sections: readonly [string, readonly string[]][] = [
    ['Chosen', chosen],
    ['Why', why],
    ['Passed over', passedOver],
    ['What to watch', watch],
    ['Facts used', facts],
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => heading(title) + lines.map(bullet).join(''))
    .join('')
}
