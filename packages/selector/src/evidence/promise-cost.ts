/** What a promise adds to a short message: the price that all of them pay for a long half that answers by promise. */
import type { AlgorithmId, SyncBackend } from '@aeadkit/core'
import { type Cell, openPromised, settledOf, timeSlice } from './measure-cells.ts'
import type { Session } from './measure-session.ts'
import { FEW_TURNS, type Row } from './placement-rows.ts'
import { SETTLE_TURN } from './settle.ts'

/** Calls before it is timed, so that engines have compiled it, */
const SETTLE_CALLS = 2000
/** for which this part of the budget may be used, on top of what is gone: the figure decides between factors. */
const SHARE = 0.1

/** Times a backend that answers at once as the half of a pair that does not. */
export async function timePromise(
  session: Session,
  backend: SyncBackend,
  algorithm: AlgorithmId,
  bytes: number,
): Promise<Cell> {
  const bench = await openPromised(session, backend, algorithm, bytes)
  try {
    const cell = await bench.cell('seal', bytes)
    const untilMs = session.spentMs() + session.budgetMs * SHARE
    for (let calls = 0; calls < SETTLE_CALLS; calls += SETTLE_TURN) {
      if (!(await session.proceed(untilMs))) break
      await session.time(cell.run, SETTLE_TURN)
    }
    for (let turn = 0; turn < FEW_TURNS; turn++) await timeSlice(session, cell)
    return cell
  } finally {
    bench.destroy()
  }
}

/** How many times as long the message takes behind the promise; `undefined` where that was not timed. */
export function promiseFactor([cell]: readonly Cell[], row: Row): number | undefined {
  const plain = row.cells.find(
    ({ label }) => label.backend === cell?.label.backend && label.operation === cell.label.operation,
  )
  const [behind, without] = [cell && settledOf(cell), plain && settledOf(plain)]
  return behind === undefined || without === undefined ? undefined : behind / without
}
