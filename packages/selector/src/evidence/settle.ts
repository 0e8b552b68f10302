/** Calls before anything counts: what engines compile late, and memory that nobody has touched yet. */
import type { Backend } from '@aeadkit/core'

/** Calls of each operation. */
export interface SettleCalls {
  readonly seal: number
  readonly open: number
}

/**
 * Calls after which engines have compiled what runs in them: a short message then takes a third of the time it took
 * before. V8 takes some 6000 for the script that seals with OpenSSL, 2000 for the one that opens.
 */
const SETTLE_CALLS: Readonly<Record<'native' | 'wasm', SettleCalls>> = {
  native: { seal: 6000, open: 2000 },
  wasm: { seal: 3500, open: 2500 },
}
/** Script runs in a loop of its own, which is compiled early; */
const SETTLE_SCRIPT_CALLS = 200
/** beside a compiled rival it is only looked at. */
const SETTLE_SCRIPT_BESIDE_CALLS = 32
/** A promise brings little that is compiled, and costs tens of microseconds; */
const SETTLE_ASYNC_CALLS = 30
/** beside a backend that answers at once it can win at long messages only. */
const SETTLE_ASYNC_BESIDE_CALLS = 4

/** Part of the budget that may be gone after settling where short messages matter. */
export const SETTLED_BY = 0.6
/** And where none does: from this length on, in bytes, the call is a small part. */
export const SETTLED_BY_LONG = 0.15
export const LONG_ONLY_BYTES = 65_536
/** Calls of one turn of settling. */
export const SETTLE_TURN = 16
/** Plaintext length in bytes to settle with: the shortest shows the call, and takes no time for the cipher. */
export const SETTLE_BYTES = 64

const isCompiled = ({ kind, sync }: Backend): boolean => sync && kind !== 'js'

/** How many calls a backend is given. */
export function settleCalls(backend: Backend, all: readonly Backend[]): SettleCalls {
  const { kind, sync } = backend
  const each = (calls: number): SettleCalls => ({ seal: calls, open: calls })
  if (!sync) return each(all.some((one) => one.sync) ? SETTLE_ASYNC_BESIDE_CALLS : SETTLE_ASYNC_CALLS)
  if (kind !== 'js') return SETTLE_CALLS[kind]
  const beside = all.some((one) => one !== backend && isCompiled(one))
  return each(beside ? SETTLE_SCRIPT_BESIDE_CALLS : SETTLE_SCRIPT_CALLS)
}

/** Small objects thrown away between turns, about a megabyte: enough for a young collection in V8. */
const LITTER = 6000

/**
 * Makes the engine collect its young garbage, and with it the results of the calls before: libraries then hand out
 * memory that was used already, as they do in a process that has run for a while. Without it every result is memory
 * that nobody has touched, and the system's work on that is charged to whoever allocates more (`node:crypto`: it made
 * 64 KiB look three times as slow).
 * @param into - holds a few of the objects, so that the engine cannot leave them out.
 */
export function makeLitter(into: unknown[]): void {
  for (let at = 0; at < LITTER; at++) into[at & 15] = [at, { litter: at }]
}

/** Results of this length in bytes and more are memory mapped for each of them, until some such memory was given back. */
export const MAPPED_FROM_BYTES = 131_072
/** Arrays that are thrown away for that: together more than V8 lets stand (64 MiB) before it collects. */
const BALLOONS = 5
/** Never written to, so that no page of them is ever there. */
const BALLOON_BYTES = 16_777_216
/** Arrays of the length of a message that calls have at the same time, with those that wait to be collected. */
const CALL_ARRAYS = 8
/** V8 gives memory back on a thread of its own, which needs its turn on a busy machine. */
const GIVE_BACK_MS = 2

/**
 * Makes the engine give back memory of long arrays, after which glibc takes long results from its heap instead of
 * mapping pages for each. A process that handles long messages gets there by itself within a dozen of them; before
 * that each call waits for its pages, and whoever is faster seems to be slower (`node:crypto` took 1.9 ms for 1 MiB
 * instead of 0.7, and lost to a kernel of 1.2 ms).
 * @param into - as for {@link makeLitter}.
 * @param bytes - length of the results to come.
 */
export async function growHeap(into: unknown[], bytes: number): Promise<void> {
  try {
    for (let at = 0; at < BALLOONS; at++) into[0] = new Uint8Array(BALLOON_BYTES)
    makeLitter(into)
    await giveBack()
    // The heap has to grow once for what one call needs: written to, so that its pages are there.
    for (let at = 0; at < CALL_ARRAYS; at++) into[at] = new Uint8Array(bytes).fill(1)
  } catch {
    // Where there is not so much memory the timings are what they are.
  }
  makeLitter(into)
  await giveBack()
}

/** Waits for what was collected to be given back. */
export function giveBack(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, GIVE_BACK_MS))
}
