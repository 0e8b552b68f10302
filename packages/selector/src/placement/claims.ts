/** What two backends behind one name promise together. */
import type {
  AlgorithmParams,
  Backend,
  BackendClaims,
  BackendKind,
  Evidence,
  RawBackendBase,
} from '@aeadkit/core'
import { AeadError, weakerClaim } from '@aeadkit/core'

/** First plaintext lengths in bytes that the large half of a pair takes. */
export interface Crossover {
  readonly crossoverBytes: number
  /** The same for opening, where it differs. */
  readonly openCrossoverBytes?: number | undefined
}

/** A {@link Crossover} by operation. */
export interface From {
  readonly seal: number
  readonly open: number
}

/** The lengths by operation. */
export function fromOf(given: number | Crossover): From {
  const { crossoverBytes, openCrossoverBytes = crossoverBytes } =
    typeof given === 'object' ? given : { crossoverBytes: given }
  return { seal: crossoverBytes, open: openCrossoverBytes }
}

/**
 * Whether two backends make a hybrid: calls without a promise can have every length from the small half, so that the
 * large one may answer by promise.
 */
export function isHybrid(
  small: { readonly sync: boolean; readonly maxBytes?: number },
  large: { readonly sync: boolean; readonly maxBytes?: number },
): boolean {
  const { maxBytes: reach = Number.POSITIVE_INFINITY } = small
  return small.sync && !large.sync && reach >= (large.maxBytes ?? 0)
}

/** What one half of a pair claims, and for which lengths. */
export interface RangeClaims {
  /** First plaintext length in bytes. */
  readonly fromBytes: number
  /** Last plaintext length in bytes. */
  readonly toBytes: number
  readonly backend: string
  readonly claims: BackendClaims
  /** Present where only promise-returning calls bring messages here: all others stay with the other half. */
  readonly byPromise?: true
}

const WEAKER_KIND: readonly BackendKind[] = ['js', 'wasm', 'native']

/** From the weakest statement about a FIPS module to the strongest. */
const WEAKER_MODULE: readonly BackendClaims['fipsModule'][] = [
  'off',
  'unknown',
  'requested-unusable',
  'enforcing',
]

function checkPair(small: Backend, large: Backend, from: From): void {
  const refuse = (message: string): never => {
    throw new AeadError('invalid-argument', message, { details: { ...from } })
  }
  const { maxBytes } = small.raw
  for (const bytes of [from.seal, from.open]) {
    if (!Number.isSafeInteger(bytes) || bytes < 1)
      refuse(`a crossover must be a whole number of bytes from 1, got ${bytes}`)
    if (maxBytes < bytes - 1)
      refuse(`${small.name} takes at most ${maxBytes} bytes, the crossover is at ${bytes}`)
  }
  if (small.name === large.name) refuse(`a pair needs two backends, got ${small.name} twice`)
}

/**
 * Core checks the AAD against the larger half's limit; the length of the plaintext alone chooses the half.
 * @throws AeadError `limit-exceeded`.
 */
export function checkSmallAad(maxBytes: number, actualBytes: number): void {
  if (actualBytes <= maxBytes) return
  throw new AeadError('limit-exceeded', `AAD too long: at most ${maxBytes} bytes here, got ${actualBytes}`, {
    details: { maxBytes, actualBytes },
  })
}

/**
 * What a pair claims for each range of plaintext lengths; `guarantees` of an Aead state the weaker of the two. The ranges
 * overlap where both halves may get a message: between two crossovers, or where the large one answers by promise.
 * @param crossover - first plaintext length in bytes that `large` takes, or one for each operation.
 * @param evidence - with it the claims are evaluated.
 */
export function pairRanges(
  small: Backend,
  large: Backend,
  crossover: number | Crossover,
  params: AlgorithmParams,
  evidence?: Evidence,
): readonly [RangeClaims, RangeClaims] {
  const from = fromOf(crossover)
  checkPair(small, large, from)
  const half = (backend: Backend, fromBytes: number, toBytes: number): RangeClaims => {
    return { fromBytes, toBytes, backend: backend.name, claims: backend.raw.claims(params, evidence) }
  }
  const { maxBytes } = large.raw
  const second = half(large, Math.min(from.seal, from.open), maxBytes)
  return joinsByPromise(small, large)
    ? [half(small, 0, maxBytes), { ...second, byPromise: true }]
    : [half(small, 0, Math.max(from.seal, from.open) - 1), second]
}

/** {@link isHybrid} of two backends. */
export const joinsByPromise = (small: Backend, large: Backend): boolean =>
  isHybrid(
    { sync: small.sync, maxBytes: small.raw.maxBytes },
    { sync: large.sync, maxBytes: large.raw.maxBytes },
  )

/** What the halves can do depends on their modes, and so does what the pair can. */
export const modeOf = (small: Backend, large: Backend): string =>
  `${small.raw.mode?.()} ${large.raw.mode?.()}`

/** The parts of a pair that do not depend on promises. */
export function baseOf(small: Backend, large: Backend, from: From): Omit<RawBackendBase, 'probe'> {
  checkPair(small, large, from)
  const opening = from.open === from.seal ? '' : ` (opening: ${from.open} B)`
  const kind = WEAKER_KIND.find((one) => one === small.kind || one === large.kind) ?? 'native'
  const random = [small, large].find((half) => half.raw.fillRandom !== undefined)?.raw
  return {
    name: `${small.name}+${large.name}`,
    kind,
    algorithms: small.algorithms.filter((id) => large.algorithms.includes(id)),
    maxBytes: large.raw.maxBytes,
    mode: () => modeOf(small, large),
    version: () =>
      `${small.name} ${small.raw.version()} below ${from.seal} B${opening}, ${large.name} ${large.raw.version()}`,
    claims(params, evidence) {
      const [a, b] = [small, large].map((half) => half.raw.claims(params, evidence)) as [
        BackendClaims,
        BackendClaims,
      ]
      const fipsModule = WEAKER_MODULE.find((one) => one === a.fipsModule || one === b.fipsModule) ?? 'off'
      return {
        constantTime: weakerClaim(a.constantTime, b.constantTime),
        oneShot: a.oneShot || b.oneShot,
        fipsModule,
      }
    },
    ...(random?.fillRandom === undefined
      ? {}
      : { fillRandom: (out: Uint8Array) => random.fillRandom?.(out) }),
  }
}
