import {
  AeadError,
  ALGORITHMS,
  type AlgorithmId,
  didYouMean,
  isAlgorithmId,
  nearestName,
} from '@aeadkit/core'
import type { CommanderError } from 'commander'

/** What was given, for a message: numbers as they are, other words quoted, the text of a key never. */
function shownValue(text: string): string {
  if (/aeadkit-key:/i.test(text)) return '(the text of a key)'
  return /^[+-]?\d{1,40}$/.test(text) ? text : JSON.stringify(text.slice(0, 40))
}

/**
 * The sentence on a wrong value that every option has: what takes what, and what it got.
 * @param option - the option as it was given.
 * @param reason - `It takes ….` or, from the parser, `Allowed choices are ….`
 * @param given - the value.
 */
export function valueText(option: string, reason: string, given: string): string {
  const choices = /^Allowed choices are (.*)\.$/.exec(reason)?.[1]
  const takes = choices === undefined ? reason.replace(/^It takes |\.$/g, '') : `one of ${choices}`
  const nearest = choices === undefined ? undefined : nearestName(given, choices.split(', '))
  const hint = nearest === undefined ? '' : `: did you mean ${nearest}?`
  return `${option} takes ${takes}, got ${shownValue(given)}${hint}`
}

const WRONG_VALUE =
  /^(?:option '(?<option>--[\w-]+)[^']*' argument|command-argument value) '(?<given>.*)' is invalid(?: for argument '(?<argument>[\w-]+)')?\. (?<reason>(?:It takes|Allowed choices are) .*)$/s

/** What the parser of the command line refuses, in the form of every error: one line, names apart in the details. */
export function usageError(error: CommanderError): AeadError {
  if (error.code === 'commander.help')
    return new AeadError('invalid-argument', 'no command was given; aeadkit --help lists them')
  const text = error.message.replace(/^error: /, '')
  const wrong = WRONG_VALUE.exec(text)?.groups
  if (wrong !== undefined) {
    const option = wrong.option ?? `<${wrong.argument}>`
    return new AeadError('invalid-argument', valueText(option, wrong.reason!, wrong.given!), {
      details: { option },
    })
  }
  const unknown = /^unknown (option|command) '([^']*)'/.exec(text)
  const nearest = /\(Did you mean (?:one of )?([^,?]+)/.exec(text)?.[1]
  return new AeadError('invalid-argument', text.replace(/\s*\n\s*/g, ' '), {
    details: {
      ...(unknown === null ? {} : { [unknown[1]!]: unknown[2] }),
      ...(nearest === undefined ? {} : { nearest }),
    },
  })
}

/** @throws AeadError `invalid-argument`: what was given, the nearest id and every id. */
export function algorithmOf(text: string): AlgorithmId {
  if (isAlgorithmId(text)) return text
  const known = Object.keys(ALGORITHMS)
  throw new AeadError(
    'invalid-argument',
    `unknown algorithm ${shownValue(text)}${didYouMean(text, known)}; known are ${known.join(', ')}`,
  )
}
