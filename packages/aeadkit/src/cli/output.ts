import Table from 'cli-table3'
import { colours } from './colour.ts'

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
    head: head.map((cell) => colours.dim(cell)),
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
  return `\n${colours.bold(text)}\n`
}

/** Columns a page is written for. */
const WIDTH = 100

/** Breaks a text at spaces so that each line, after its margin, stays within the page; long words stay whole. */
function wrap(text: string, margin: number): string {
  const gap = `\n${' '.repeat(margin)}`
  return text
    .split('\n')
    .map((paragraph) => {
      const lines: string[] = []
      for (const word of paragraph.split(' ')) {
        const last = lines.at(-1)
        if (last !== undefined && margin + last.length + 1 + word.length <= WIDTH)
          lines[lines.length - 1] = `${last} ${word}`
        else lines.push(word)
      }
      return lines.join(gap)
    })
    .join(gap)
}

/** One item of a list; further lines of its text stand under the first, and no line is broken: it may be searched. */
export function bullet(text: string): string {
  return `  - ${text.replaceAll('\n', '\n    ')}\n`
}

/** One item of a page to be read: lines are broken where the page ends. */
export function item(text: string): string {
  return `  - ${wrap(text, 4)}\n`
}

/** A name and what it is, in two columns. */
export function field(name: string, text: string, column = 14): string {
  return `  ${colours.dim(name.padEnd(column - 2))}${wrap(text, column)}\n`
}

/** Pretty JSON with a line end; bigints must be strings by now. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
