// Expected output: whole lines in order; `*` stands for any run of characters within a line, and a line that begins with
// `?` is there on some machines only.

function matches(pattern, line) {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(line)
}

/** The first line that differs, for people, or undefined when the output is what was expected. */
export function difference(expected, output) {
  const lines = output.trimEnd().split(/\r?\n/)
  let at = 0
  for (const pattern of expected.trimEnd().split('\n')) {
    const optional = pattern.startsWith('?')
    const line = lines[at]
    if (line !== undefined && matches(optional ? pattern.slice(1) : pattern, line)) at++
    else if (!optional) return `line ${at + 1}: expected "${pattern}", got "${line ?? 'nothing'}"`
  }
  return lines.length > at ? `${lines.length - at} lines more: ${lines[at]}` : undefined
}
