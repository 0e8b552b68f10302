import type { Evidence } from '@aeadkit/core'
import type { LoadedBackends } from '../load.ts'
import type { LibraryRatio } from './speeds.ts'

/** One thing that is slow or wrong here, why, and what would cure it. */
export interface Finding {
  readonly id: string
  /** What is slow or wrong, and why. */
  readonly problem: string
  /** What to do about it; absent where nothing helps or nothing is needed. */
  readonly action?: string | undefined
  /** Where there is no action: why nothing has to be done. */
  readonly settled?: string | undefined
}

/** What the findings are made from. */
export interface Seen {
  readonly evidence: Evidence
  readonly loaded: LoadedBackends
  readonly today: Date
  readonly cache: { readonly folder: string; readonly lastFailure: string | undefined }
}

/** What a row looks at. */
export interface Look extends Seen {
  /** Value of an item, or `undefined`. */
  value(name: string): string | undefined
  /** Halves that the CPU has and a mask hides. */
  readonly hidden: readonly string[]
  readonly ratios: readonly LibraryRatio[]
  readonly mask: { readonly name: string; readonly value: string } | undefined
}

/** One kind of finding. */
export type Row = (look: Look) => Omit<Finding, 'id'> | undefined

/** How much slower AES-GCM is than ChaCha20-Poly1305 where it was timed. */
export function slower(ratios: readonly LibraryRatio[]): string {
  const [worst] = [...ratios].sort((a, b) => a.chachaPerByte / a.gcmPerByte - b.chachaPerByte / b.gcmPerByte)
  if (worst === undefined) return 'it was not timed, and is then several times slower than ChaCha20-Poly1305'
  const { backend, chachaPerByte, gcm, gcmPerByte } = worst
  const times = gcmPerByte / chachaPerByte
  return `${gcm} takes ${gcmPerByte.toFixed(2)} ns/B on ${backend}, ${times.toFixed(1)} times what chacha20-poly1305 takes`
}
