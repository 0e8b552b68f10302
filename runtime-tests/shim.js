/**
 * `describe` and `it` for every runtime: collects cases, then runs them one after the other.
 * @returns the two functions, and `run`, which resolves to one outcome per case:
 *   `{ path: string[], name, error: string | undefined }`.
 */
export function createShim() {
  const cases = []
  const path = []
  return {
    describe(name, body) {
      path.push(name)
      body()
      path.pop()
    },
    it(name, body) {
      cases.push({ path: [...path], name, body })
    },
    async run() {
      const outcomes = []
      for (const { path, name, body } of cases) {
        let error
        try {
          await body()
        } catch (thrown) {
          error = textOf(thrown)
        }
        outcomes.push({ path, name, error })
      }
      return outcomes
    },
  }
}

/** One line about anything thrown. */
export function textOf(thrown) {
  if (!(thrown instanceof Error)) return String(thrown)
  const code = typeof thrown.code === 'string' ? ` (${thrown.code})` : ''
  return `${thrown.name}: ${thrown.message}${code}`
}
