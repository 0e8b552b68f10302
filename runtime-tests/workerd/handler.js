import { print } from '../print.js'
import { textOf } from '../shim.js'
import { runSuite } from '../suite.js'

/** A Worker's test handler that runs the suite over the given backends. */
export function testWith(sources) {
  return {
    async test() {
      try {
        print(await runSuite({ sources }))
      } catch (error) {
        print({ error: textOf(error) })
        throw error
      }
    },
  }
}
