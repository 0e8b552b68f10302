// One process of the FIPS matrix: puts it into the state that the first argument names, and prints the report.

import { fipsReport } from '@aeadkit-internal/fips/report'
import { collectEvidence, restoreSelection, selectAead } from 'aeadkit'
import { print } from '../print.js'

const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
let answer
if (process.argv[2] === 'setFips without provider') {
  try {
    crypto.setFips(1)
    answer = `getFips() is ${crypto.getFips()}`
  } catch (error) {
    answer = `refused: ${error.message}`
  }
}
print({
  ...(await fipsReport(
    { collectEvidence, restoreSelection, selectAead },
    { setFips: (flag) => crypto.setFips(flag) },
  )),
  ...(answer === undefined ? {} : { setFips: answer }),
})
