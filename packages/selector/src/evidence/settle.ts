/** Calls before anything counts: what engines compile late, and memory that nobody has touched yet. */
import type { Backend } from '@aeadkit/core'

/**
 * Calls of both operations together after which engines have compiled what runs in them. V8 takes some 8000 for the
 * script around OpenSSL (a short message then takes a third of the time it took before), 4000 for WebAssembly.
 */
const SETTLE_CALLS: Readonly<Record<'native' | 'wasm', number>> = { native: 10_000, wasm: 6000 }
/** Script runs in a loop of its own, which is compiled early; */
const SETTLE_SCRIPT_CALLS = 400
/** beside a compiled rival it is only looked at. */
const SETTLE_SCRIPT_BESIDE_CALLS = 64
/** A promise brings little that is compiled, and costs tens of microseconds; */
const SETTLE_ASYNC_CALLS = 60
/** beside a backend that answers at once it can win at long messages only. */
const SETTLE_ASYNC_BESIDE_CALLS = 8

/** Part of the budget that may be gone after settling where short messages matter. */
export const SETTLED_BY = 0.6
/** And where none does: from this length on, in bytes, the call is a small part. */
export const SETTLED_BY_LONG = 0.15
export const LONG_ONLY_BYTES = 65_536
/** Plaintext length in bytes to settle with: the shortest shows the call, and takes no time for the cipher. */
export const SETTLE_BYTES = 64

const isCompiled = ({ kind, sync }: Backend): boolean => sync && kind !== 'js'

/** How many calls a backend is given, both operations together. */
export function settleCalls(backend: Backend, all: readonly Backend[]): number {
  const { kind, sync } = backend
  const beside = all.some((one) => one !== backend && isCompiled(one))
  if (!sync) return all.some((one) => one.sync) ? SETTLE_ASYNC_BESIDE_CALLS : SETTLE_ASYNC_CALLS
  if (kind === 'js') return beside ? SETTLE_SCRIPT_BESIDE_CALLS : SETTLE_SCRIPT_CALLS
  return SETTLE_CALLS[kind]
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
