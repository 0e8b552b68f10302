// Expected output: whole lines in order; `*` stands for any run of characters within a line.

function matches(pattern, line) {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(line)
}

/** The first line that differs, for people, or undefined when the output is what was expected. */
export function difference(expected, output) {
  const patterns = expected.trimEnd().split('\n')
  const lines = output.trimEnd().split(/\r?\n/)
  const at = patterns.findIndex((pattern, i) => lines[i] === undefined || !matches(pattern, lines[i]))
  if (at >= 0) return `line ${at + 1}: expected "${patterns[at]}", got "${lines[at] ?? 'nothing'}"`
  if (lines.length > patterns.length)
    return `${lines.length - patterns.length} lines more: ${lines[patterns.length]}`
  return undefined
}
