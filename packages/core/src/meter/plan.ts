import type { AlgorithmParams } from '../algorithms.ts'
import { type Bound, boundsOf, type Charge, gcmSivRegime } from '../limits/bounds.ts'
import { GCM_SIV_AAD_BYTES, type GcmSivRegime, gcmSivMessages } from '../limits/published.ts'
import type { KeyUsage, MeterBinding } from './types.ts'

/** What a meter enforces. */
export interface MeterPolicy {
  readonly e: number
  /** `undefined`: the target, for FIPS keys 32. */
  readonly nonceE: number | undefined
  readonly maxMessages: bigint | null
  readonly repeatsPerNonce: number
}

/** The bounds of one key as doubles: whole numbers up to 2^53 - 1, `Infinity` where nothing bounds. */
export interface Plan {
  readonly sealCharge: Charge
  readonly failCharge: Charge
  readonly unit: KeyUsage['unit']
  readonly maxMessages: number
  readonly messagesBinding: MeterBinding
  readonly maxBlocks: number
  readonly blocksBinding: MeterBinding
  readonly maxFailedOpens: number
  readonly maxFailedBlocks: number
  /** Sealed and failed messages draw from `maxBlocks` together. */
  readonly shared: boolean
  /** AES-GCM-SIV: its cap on messages depends on the longest of them. */
  readonly gcmSiv: GcmSivRegime | null
  readonly nonceBytes: number
}

/** The largest count a double holds exactly. */
export const MAX_COUNT = 9_007_199_254_740_991

/** A count as a double, cut at 2^53 - 1: stricter than the bound, never laxer. */
function clamp(n: bigint): number {
  return n < BigInt(MAX_COUNT) ? Number(n) : MAX_COUNT
}

function tightest(bounds: readonly Bound[]): Bound | undefined {
  let best: Bound | undefined
  for (const bound of bounds) if (best === undefined || bound.budget < best.budget) best = bound
  return best
}

/** Works out once per key what `reserve` compares with. */
export function planOf(
  params: AlgorithmParams,
  policy: MeterPolicy,
  nonce: 'random' | 'counter',
  fips: boolean,
): Plan {
  const bounds = boundsOf(params, {
    e: policy.e,
    nonceE: policy.nonceE ?? (fips ? 32 : policy.e),
    nonce,
    plaintextBytes: 0n,
    aadBytes: 0n,
    repeatsPerNonce: policy.repeatsPerNonce,
    fips,
  })
  const isSiv = params.bound === 'gcm-siv'
  // CCM's cap on calls is left out: with blocks cut at 2^53 - 1 it is out of reach.
  const data = tightest(bounds.filter((b) => b.seal !== null && b.seal !== 'one' && b.seal !== 'ccm-calls'))
  const counted = tightest(bounds.filter((b) => b.seal === 'one' && !(isSiv && b.kind === 'published')))
  const failure = bounds.find((b) => b.fail !== null && b.fail !== 'one' && b.fail !== 'ccm-calls')
  const failureCount = failure?.failCap ?? bounds.find((b) => b.seal === null && b.fail === 'one')?.budget
  const own = policy.maxMessages
  const byCaller = own !== null && (counted === undefined || own <= counted.budget)
  const cap = byCaller ? own : counted?.budget
  const sealCharge = data?.seal ?? 'blocks-plus-one'
  return {
    sealCharge,
    failCharge: failure?.fail ?? 'blocks-plus-one',
    unit: sealCharge === 'bytes-and-nonce' ? 'bytes' : sealCharge === 'squares' ? 'blocks-squared' : 'blocks',
    maxMessages: cap === undefined ? MAX_COUNT : clamp(cap),
    messagesBinding: byCaller
      ? 'caller'
      : counted === undefined || counted.counterWidth === true
        ? 'none'
        : counted.kind,
    maxBlocks: data === undefined ? Number.POSITIVE_INFINITY : clamp(data.budget),
    blocksBinding: data?.kind ?? 'none',
    maxFailedOpens: failureCount === undefined ? Number.POSITIVE_INFINITY : clamp(failureCount),
    maxFailedBlocks: failure === undefined ? Number.POSITIVE_INFINITY : clamp(failure.budget),
    shared: failure !== undefined && failure.seal !== null,
    gcmSiv: isSiv ? gcmSivRegime(nonce, policy.repeatsPerNonce) : null,
    nonceBytes: params.nonceBytes,
  }
}

/** Length of one message as the rows of AES-GCM-SIV see it: short AAD is included in them. */
export function gcmSivBytes(plaintextBytes: number, aadBytes: number): number {
  return aadBytes < Number(GCM_SIV_AAD_BYTES) ? plaintextBytes : plaintextBytes + aadBytes
}

/** Most messages when the longest is this long. */
export function gcmSivCap(regime: GcmSivRegime, longestBytes: number): number {
  return clamp(gcmSivMessages(regime, BigInt(longestBytes)).messages)
}

/** 2^SQUARES_SHIFT. */
const SQUARES_UNIT = 1_048_576
/** Above this side a square is no longer exact in a double. */
const EXACT_SIDE = 67_108_864

/** The charges of `bounds.ts` in doubles; a test compares the two. Never below the exact charge. */
export function chargeNumber(
  rule: Charge,
  plaintextBytes: number,
  aadBytes: number,
  nonceBytes: number,
): number {
  if (rule === 'blocks-plus-one') return Math.ceil(plaintextBytes / 16) + Math.ceil(aadBytes / 16) + 1
  if (rule === 'blocks16') return Math.max(1, Math.ceil(plaintextBytes / 16) + Math.ceil(aadBytes / 16))
  if (rule === 'blocks8') return Math.max(1, Math.ceil(plaintextBytes / 8) + Math.ceil(aadBytes / 8))
  if (rule === 'bytes-and-nonce') return plaintextBytes + aadBytes + nonceBytes
  if (rule === 'squares') {
    const side = Math.ceil(plaintextBytes / 16) + Math.ceil(aadBytes / 16) + 2
    return Math.ceil((side * side) / SQUARES_UNIT) + (side > EXACT_SIDE ? 1 : 0)
  }
  return 1
}
