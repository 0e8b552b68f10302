import Table from 'cli-table3'
import pc from 'picocolors'

/** Where a command writes; tests give their own. */
export interface Output {
  /** Results. */
  out(text: string): void
  /** Everything else: errors, progress, notices. */
  err(text: string): void
}

/** Writes to the process's streams. */
export const PROCESS_OUTPUT: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}

const BORDERLESS = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((name) => [name, '']),
)

/** Rows under a head, in columns, without borders; `right` names the columns aligned to the right. */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const table = new Table({
    head: head.map((cell) => pc.dim(cell)),
    chars: { ...BORDERLESS, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, column) => (right.includes(column) ? 'right' : 'left')),
  })
  table.push(...rows.map((row) => [...row]))
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`
}

/** A heading with an empty line before it. */
export function heading(text: string): string {
  return `\n${pc.bold(text)}\n`
}

/** One item of a list; further lines of its text stand under the first. */
export function bullet(text: string): string {
  return `  - ${text.replaceAll('\n', '\n    ')}\n`
}

/** Pretty JSON with a line end; bigints must be strings by now. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
