import { styleText } from 'node:util'
import { variable } from '../host.ts'

type Style = (text: string) => string

/** The styles the command line uses. */
export interface Colours {
  readonly bold: Style
  readonly dim: Style
  readonly red: Style
}

/** On a terminal that can show it, unless `NO_COLOR` is set; `FORCE_COLOR` asks for it elsewhere too. */
function isColoured(stream: { readonly isTTY?: boolean }): boolean {
  if (variable('NO_COLOR') !== '') return false
  if (variable('FORCE_COLOR') !== '') return variable('FORCE_COLOR') !== '0'
  return stream.isTTY === true && variable('TERM') !== 'dumb'
}

function coloursOf(stream: { readonly isTTY?: boolean }): Colours {
  const coloured = isColoured(stream)
  // Whether to colour is decided here: the runtimes' own answers differ.
  const style = (format: 'bold' | 'dim' | 'red'): Style => {
    return coloured ? (text) => styleText(format, text, { validateStream: false }) : (text) => text
  }
  return { bold: style('bold'), dim: style('dim'), red: style('red') }
}

/** Colours of results: on a terminal only. */
export const colours: Colours = /* @__PURE__ */ coloursOf(process.stdout)

/** Colours of errors and notices: on a terminal only. */
export const errorColours: Colours = /* @__PURE__ */ coloursOf(process.stderr)
