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

/** What one half of a pair claims, and for which lengths. */
export interface RangeClaims {
  /** First plaintext length in bytes. */
  readonly fromBytes: number
  /** Last plaintext length in bytes. */
  readonly toBytes: number
  readonly backend: string
  readonly claims: BackendClaims
}

const WEAKER_KIND: readonly BackendKind[] = ['js', 'wasm', 'native']

/** From the weakest statement about a FIPS module to the strongest. */
const WEAKER_MODULE: readonly BackendClaims['fipsModule'][] = [
  'off',
  'unknown',
  'requested-unusable',
  'enforcing',
]

function checkPair(small: Backend, large: Backend, crossoverBytes: number): void {
  const refuse = (message: string): never => {
    throw new AeadError('invalid-argument', message, { details: { crossoverBytes } })
  }
  if (!Number.isSafeInteger(crossoverBytes) || crossoverBytes < 1) {
    refuse(`crossoverBytes must be a whole number of bytes from 1, got ${crossoverBytes}`)
  }
  if (small.name === large.name) refuse(`a pair needs two backends, got ${small.name} twice`)
  if (small.raw.maxBytes < crossoverBytes - 1) {
    refuse(`${small.name} takes at most ${small.raw.maxBytes} bytes, the crossover is at ${crossoverBytes}`)
  }
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
 * What a pair claims for each range of plaintext lengths; `guarantees` of an Aead state the weaker of the two.
 * @param evidence - with it the claims are evaluated.
 */
export function pairRanges(
  small: Backend,
  large: Backend,
  crossoverBytes: number,
  params: AlgorithmParams,
  evidence?: Evidence,
): readonly [RangeClaims, RangeClaims] {
  checkPair(small, large, crossoverBytes)
  const half = (backend: Backend, fromBytes: number, toBytes: number): RangeClaims => {
    return { fromBytes, toBytes, backend: backend.name, claims: backend.raw.claims(params, evidence) }
  }
  return [half(small, 0, crossoverBytes - 1), half(large, crossoverBytes, large.raw.maxBytes)]
}

/** The parts of a pair that do not depend on promises. */
export function baseOf(
  small: Backend,
  large: Backend,
  crossoverBytes: number,
): Omit<RawBackendBase, 'probe'> {
  checkPair(small, large, crossoverBytes)
  const kind = WEAKER_KIND.find((one) => one === small.kind || one === large.kind) ?? 'native'
  const random = [small, large].find((half) => half.raw.fillRandom !== undefined)?.raw
  return {
    name: `${small.name}+${large.name}`,
    kind,
    algorithms: small.algorithms.filter((id) => large.algorithms.includes(id)),
    maxBytes: large.raw.maxBytes,
    version: () =>
      `${small.name} ${small.raw.version()} below ${crossoverBytes} B, ${large.name} ${large.raw.version()}`,
    claims(params, evidence) {
      const [a, b] = pairRanges(small, large, crossoverBytes, params, evidence).map(
        (range) => range.claims,
      ) as [BackendClaims, BackendClaims]
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
