/** Conformance vectors in one normal form, converted when this package is built. @module */
import { vectorSet } from '#generated'
import type { AccumulatedVector, VectorFile, VectorOrigin } from './types.ts'

export type {
  AccumulatedVector,
  VectorCase,
  VectorExclusion,
  VectorFile,
  VectorOrigin,
  VectorResult,
  VectorSet,
} from './types.ts'

/** Every vector file, those without AEAD cases included; empty when no vectors folder was found. */
export const vectorFiles: readonly VectorFile[] = vectorSet.files

/** Whether vectors were found when this package was built, and what to tell people. */
export const vectorOrigin: VectorOrigin = vectorSet.origin

/** The accumulated hashes of C2SP XAES-256-GCM, or `null` when absent. */
export const xaesAccumulated: AccumulatedVector | null = vectorSet.accumulated
