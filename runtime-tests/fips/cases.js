/** The FIPS matrix in the state a runtime starts in: the rows that every runtime must give. */
import { ALGORITHMS, isConstantTime } from '@aeadkit/core'
import { collectEvidence, restoreSelection, selectAead } from '@aeadkit/selector'
import { FIPS_MATRIX, judgeFips } from '@aeadkit-internal/fips/matrix'
import { fipsReport } from '@aeadkit-internal/fips/report'

const ROWS = FIPS_MATRIX.filter(({ state }) => state === 'no provider')

/** Whether no backend that passes its self-test has a constant-time claim for AES-128-GCM here. */
async function leaks(backends) {
  const id = 'aes-128-gcm'
  const evidence = await collectEvidence({ measure: 'never' })
  for (const backend of backends) {
    if (!backend.algorithms.includes(id) || !(await backend.probe(id)).available) continue
    if (isConstantTime(backend.raw.claims(ALGORITHMS[id], evidence).constantTime.level)) return false
  }
  return true
}

/** Declares one case per row, and one for the rest. */
export function fipsCases({ describe, it }, backends) {
  let made
  const problems = async () => {
    made ??= fipsReport({ collectEvidence, restoreSelection, selectAead }, { base: { backends } })
    return judgeFips('no provider', await made, { leaks: await leaks(backends) })
  }
  const check = (lines) => {
    if (lines.length > 0) throw new Error(lines.join('; '))
  }
  describe('fips', () => {
    for (const { fips, outcome } of ROWS) {
      it(`fips '${fips}' gives ${outcome}`, async () => {
        check((await problems()).filter((line) => line.startsWith(`fips '${fips}'`)))
      })
    }
    it('the state is off or unknown, and nothing claims more', async () => check(await problems()))
  })
}
