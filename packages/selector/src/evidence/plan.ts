/** Which combinations are worth timing, in order of importance: the budget may end before the list does. */
import type { AlgorithmId, Backend, BackendKind } from '@aeadkit/core'
import type { MeasureRequest } from './measure.ts'
import type { PlacementRequest } from './placement-racers.ts'

/** Algorithms whose speed a rule or the placement may ask for. */
export const MEASURED: readonly AlgorithmId[] = [
  'aes-128-gcm',
  'chacha20-poly1305',
  'aes-256-gcm',
  'xchacha20-poly1305',
  'xaes-256-gcm',
]

/** Sizes in bytes for the cost line. A script's cost per byte is the same at every size: it needs no long messages. */
const SEAL_SIZES: Readonly<Record<BackendKind, readonly number[]>> = {
  native: [64, 1024, 16_384, 65_536],
  wasm: [64, 1024, 16_384, 65_536],
  js: [64, 1024, 16_384],
}
/** Opening costs what sealing costs, up to a constant; two sizes show it. */
const OPEN_SIZES: readonly number[] = [64, 16_384]

/**
 * Size in bytes for the slope. From 128 KiB on the system maps fresh pages for each result, which is not the cipher's
 * time; a promise per call costs tens of microseconds, which only longer messages outweigh. One size will do, and
 * software AES takes milliseconds for the next one.
 */
const SLOPE_SYNC: readonly number[] = [65_536]
const SLOPE_ASYNC: readonly number[] = [262_144]
const SLOPE_JS: readonly number[] = [65_536]

/** A backend with the algorithms that passed their self-test here. */
export interface Usable {
  readonly backend: Backend
  readonly algorithms: readonly AlgorithmId[]
}

const GCM: readonly AlgorithmId[] = ['aes-128-gcm', 'aes-256-gcm']

/** The pair that decides the hardware class in one backend: one AES-GCM, ChaCha20-Poly1305, or what there is of them. */
function classAlgorithms(usable: Usable): readonly AlgorithmId[] {
  const gcm = GCM.find((id) => usable.algorithms.includes(id))
  const chacha = usable.algorithms.includes('chacha20-poly1305')
  return [...(gcm === undefined ? [] : [gcm]), ...(chacha ? (['chacha20-poly1305'] as const) : [])]
}

function slopeRequests(usable: Usable): readonly MeasureRequest[] {
  const { backend } = usable
  const sizes = backend.kind === 'js' ? SLOPE_JS : backend.sync ? SLOPE_SYNC : SLOPE_ASYNC
  return classAlgorithms(usable).map((algorithm) => ({
    backend,
    algorithm,
    operations: ['seal'],
    sizes,
    into: true,
  }))
}

/** What decides the hardware class; both empty without a native backend. */
export interface ClassPlan {
  /** Requests for the native backends, which mostly decide it among themselves. */
  readonly natives: readonly MeasureRequest[]
  /** Requests for all others, whose best counts where the native ones disagree or none has both ciphers. */
  readonly others: readonly MeasureRequest[]
}

/** See {@link ClassPlan}. */
export function classPlan(all: readonly Usable[]): ClassPlan {
  const [natives, others] = [true, false].map((native) =>
    all.filter((one) => (one.backend.kind === 'native') === native).flatMap(slopeRequests),
  ) as [MeasureRequest[], MeasureRequest[]]
  return { natives, others: natives.length === 0 ? [] : others }
}

/** Requests for the cost lines. */
export function costPlan(
  all: readonly Usable[],
  algorithms: readonly AlgorithmId[] = MEASURED,
): readonly MeasureRequest[] {
  const requests = algorithms.flatMap((algorithm) =>
    all
      .filter((one) => one.algorithms.includes(algorithm))
      .flatMap(({ backend }): MeasureRequest[] => [
        { backend, algorithm, operations: ['seal'], sizes: SEAL_SIZES[backend.kind] },
        { backend, algorithm, operations: ['open'], sizes: OPEN_SIZES },
      ]),
  )
  // AES in a script is the slowest to time and the least likely to be chosen.
  const last = ({ backend, algorithm }: MeasureRequest): number =>
    backend.kind === 'js' && !algorithm.includes('chacha') ? 1 : 0
  return requests.sort((a, b) => last(a) - last(b))
}

const LONGEST_BYTES = 1_048_576

/**
 * Lengths in bytes that a placement is timed at when no other is asked for; it looks between them where the fastest
 * changes. 1 MiB is timed itself, though a call takes milliseconds: memory and caches make it another matter than 16
 * or 64 KiB, where a kernel was seen 30 % ahead that was 30 % behind at 1 MiB.
 */
const PLACEMENT_SIZES: readonly number[] = [64, 1024, 16_384, LONGEST_BYTES]
/** A second length beside the one asked for is this much shorter or longer: it shows how the time grows there. */
const NEIGHBOUR = 4
const SMALL_BYTES = 1024

/**
 * What to time to place one algorithm.
 * @param bytes - the one length that matters, in bytes. Default: any may come, so the crossover is looked for.
 */
export function placementPlan(
  algorithm: AlgorithmId,
  backends: readonly Backend[],
  bytes?: number,
): PlacementRequest {
  if (bytes === undefined) {
    return { algorithm, backends, sizes: PLACEMENT_SIZES, refine: true }
  }
  const asked = Math.min(Math.max(bytes, 1), LONGEST_BYTES)
  const neighbour = asked < SMALL_BYTES ? asked * NEIGHBOUR : Math.round(asked / NEIGHBOUR)
  return { algorithm, backends, sizes: [asked, neighbour].sort((a, b) => a - b), refine: false }
}
