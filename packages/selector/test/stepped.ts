import type { AlgorithmId, SyncBackend } from '@aeadkit/core'
import type { Clock } from '../src/host.ts'
import { type NativeExtra, nativeBackend } from './native-backend.mjs'

/** Milliseconds of a call and of a byte: so long that a budget is a few hundred calls, whatever they really take. */
const CALL_MS = 0.2
const BYTE_MS = 0.5e-5

/** Time that only the work of its backends moves on: what a test sees of it is the same on every machine. */
export interface Stepped {
  readonly clock: Clock
  /** Lets this much pass. */
  pass(milliseconds: number): void
  /** A native backend whose operations take time. */
  backend(name?: string, algorithms?: readonly AlgorithmId[], extra?: NativeExtra): SyncBackend
}

/** @param tick - smallest step that its clock shows, in milliseconds. */
export function stepped({ call = CALL_MS, byte = BYTE_MS, tick = 0 } = {}): Stepped {
  let time = 0
  const pass = (milliseconds: number): void => {
    time += milliseconds
  }
  const now = (): number => {
    // A look costs a microsecond, so that the clock is seen to run.
    pass(0.001)
    return tick === 0 ? time : Math.floor(time / tick) * tick
  }
  return {
    clock: { now },
    pass,
    backend: (name, algorithms, { opened, sealed, ...extra } = {}) =>
      nativeBackend(name, algorithms, {
        ...extra,
        sealed(bytes) {
          pass(call + byte * bytes)
          sealed?.(bytes)
        },
        opened(bytes) {
          pass(call + byte * bytes)
          opened?.(bytes)
        },
      }),
  }
}
