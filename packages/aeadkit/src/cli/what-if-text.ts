import { jsonSafe } from '@aeadkit/core'
import { bullet, heading, item, tableText } from './output.ts'
import { asFlags, refusalLines } from './refusal.ts'
import type { Outcome, WhatIf } from './what-if.ts'

/** Before and after, told to a person. */
export function whatIfText({ after, assumed, assumptions, before, changes, duties }: WhatIf): string {
  const same =
    changes.every((row) => row.before === row.after) &&
    duties.added.length + duties.removed.length + duties.changed.length === 0
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : heading(title) + lines.map((line) => item(asFlags(line))).join('')
  return [
    `What if ${assumptions.map(({ key, value }) => `${key}=${value}`).join(', ')}\n\n`,
    tableText(
      ['', 'as it is', 'then'],
      changes.map((row) => [`  ${row.what}`, row.before, row.after]),
    ),
    ...(same ? [heading('Nothing else changes')] : []),
    section('Refused as it is', refused(before)),
    section('Refused then', refused(after)),
    section('Why then', after.selection?.verdict.reasons ?? []),
    ...(after.selection?.algorithm === null
      ? [heading('Then'), ...after.explanation!.chosen.map(bullet)]
      : []),
    section('What to watch: added', duties.added),
    section(
      'What to watch: changed',
      duties.changed.map((duty) => duty.after),
    ),
    section('What to watch: no longer', after.error === null ? duties.removed : []),
    section('Limits then', limitsOf(after)),
    section('Assumed', [...assumed, 'nothing was timed for this answer']),
    section('Notices', after.explanation?.notices ?? []),
  ].join('')
}

function refused({ error }: Outcome): readonly string[] {
  return error === null ? [] : [...refusalLines(error)]
}

/** What the volume spends: the lines that follow the duties. */
function limitsOf({ explanation, selection }: Outcome): readonly string[] {
  return explanation?.watch.slice(selection?.duties.length ?? 0) ?? []
}

/** The same as plain JSON: selections in their stored form. */
export function whatIfJson(answer: WhatIf): unknown {
  const plain = ({ error, explanation, selection }: Outcome): unknown => ({
    selection: selection?.toJSON() ?? null,
    explanation,
    error,
  })
  return jsonSafe({ ...answer, before: plain(answer.before), after: plain(answer.after), timed: false })
}
