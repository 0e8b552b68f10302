/** Placement: which backend, or which two, run an algorithm. */
export { type Crossover, pairRanges, type RangeClaims } from './claims.ts'
export { crossoverOf } from './halves.ts'
export { pairBackend } from './pair.ts'
export {
  type PairPlacement,
  type Placement,
  type PlacementCandidate,
  type PlacementInput,
  PROFILE_SIZES,
  place,
  type SinglePlacement,
  type SizeCost,
} from './place.ts'
