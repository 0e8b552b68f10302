import type { AlgorithmParams } from '../algorithms.ts'
import { AeadError } from '../errors.ts'
import { readOptions } from '../names.ts'
import { type Bound, boundsOf, charge, type Use } from './bounds.ts'
import { smaller } from './formulas.ts'
import { checkCount, checkParams, checkTarget, shown } from './input.ts'
import type { AlgorithmLimits, Limit, LimitKind, LimitOptions } from './types.ts'

/** Names of the options of `limitsOf`. */
export const OPTIONS: readonly string[] = [
  'target',
  'nonceTarget',
  'nonce',
  'messageBytes',
  'aadBytes',
  'repeatsPerNonce',
  'fips',
]

/**
 * Checks the options and fills in the defaults.
 * @throws AeadError `invalid-argument`.
 */
export function readUse(given: LimitOptions, where: string): Use {
  const options = readOptions<LimitOptions>(given ?? null, OPTIONS, where)
  const target = checkTarget(options.target, 'target')
  const fips = options.fips ?? false
  if (typeof fips !== 'boolean') {
    throw new AeadError('invalid-argument', `fips must be a boolean, got ${shown(fips)}`)
  }
  if (options.nonce !== 'random' && options.nonce !== 'counter') {
    throw new AeadError(
      'invalid-argument',
      `nonce must be 'random' or 'counter', got ${shown(options.nonce)}`,
    )
  }
  const repeats = options.repeatsPerNonce ?? 1
  if (!Number.isSafeInteger(repeats) || repeats < 1) {
    throw new AeadError(
      'invalid-argument',
      `repeatsPerNonce must be a whole number, 1 or more, got ${shown(repeats)}`,
    )
  }
  return {
    e: -target,
    nonceE: -checkTarget(options.nonceTarget ?? (fips ? -32 : target), 'nonceTarget'),
    nonce: options.nonce,
    plaintextBytes: checkCount(options.messageBytes, 'messageBytes'),
    aadBytes: checkCount(options.aadBytes ?? 0, 'aadBytes'),
    repeatsPerNonce: repeats,
    fips,
  }
}

/** A bound at one message size. */
export interface SizedBound {
  readonly bound: Bound
  readonly limit: Limit
  /** Charge of one sealed message, 0 when sealing does not count. */
  readonly perSeal: bigint
  /** Charge of one failed open, 0 when it does not count. */
  readonly perFail: bigint
  /** Most messages of this size, or `null`. */
  readonly messages: bigint | null
  /** Most failed opens of this size, or `null`. */
  readonly failedOpens: bigint | null
}

/** Every bound worked out for the size in `use`. */
export function sizedBounds(params: AlgorithmParams, use: Use): SizedBound[] {
  return boundsOf(params, use).map((bound) => {
    const cost = (rule: Bound['seal']): bigint =>
      rule === null ? 0n : charge(rule, use.plaintextBytes, use.aadBytes, params.nonceBytes)
    const perSeal = cost(bound.seal)
    const perFail = cost(bound.fail)
    const messages = perSeal > 0n ? bound.budget / perSeal : null
    const failedOpens = perFail > 0n ? smallerOf(bound.budget / perFail, bound.failCap ?? null) : null
    const countsOpens = bound.kind === 'integrity'
    return {
      bound,
      perSeal,
      perFail,
      messages,
      failedOpens,
      limit: {
        kind: bound.kind,
        unit: bound.unit ?? (countsOpens ? 'failed-opens' : 'messages'),
        max: bound.unit === undefined ? (countsOpens ? failedOpens : messages) : bound.budget,
        basis: bound.basis,
        provenAt: bound.provenAt,
        meetsTarget: meets(bound, use),
        source: bound.source,
      },
    }
  })
}

function meets(bound: Bound, use: Use): boolean {
  if (bound.basis === 'estimate' || bound.provenAt === null) return false
  return bound.provenAt <= -(bound.kind === 'nonce-collision' ? use.nonceE : use.e)
}

/** The smaller of two counts, where `null` is no limit. */
function smallerOf(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null) return b
  return b === null ? a : smaller(a, b)
}

/** A message longer than the algorithm takes at all, or `undefined`. */
export function messageTooLong(
  params: AlgorithmParams,
  use: Use,
): { asked: bigint; limit: Limit } | undefined {
  const sharesLength = params.bound === 'mgm-128' || params.bound === 'mgm-64'
  const plaintext = sharesLength ? use.plaintextBytes + use.aadBytes : use.plaintextBytes
  const tooLong = (asked: bigint, max: bigint): { asked: bigint; limit: Limit } | undefined =>
    asked <= max
      ? undefined
      : {
          asked,
          limit: {
            kind: 'published',
            unit: 'bytes',
            max,
            basis: 'published-constant',
            provenAt: null,
            meetsTarget: true,
            source: params.spec,
          },
        }
  return tooLong(plaintext, params.maxPlaintextBytes) ?? tooLong(use.aadBytes, params.maxAadBytes)
}

/** Properties without a number: where the mode sets no limit, and where its document states none. */
function unlimited(params: AlgorithmParams, use: Use): Limit[] {
  if (params.bound === 'poly1305') {
    return [
      {
        kind: 'confidentiality',
        unit: 'messages',
        max: null,
        basis: 'formula',
        provenAt: -use.e,
        meetsTarget: true,
        source: 'draft-irtf-cfrg-aead-limits-11: ChaCha20-Poly1305, no limit from the mode',
      },
    ]
  }
  if (params.bound === 'aegis') {
    return [
      {
        kind: 'published',
        unit: 'messages',
        max: null,
        basis: 'published-constant',
        provenAt: null,
        meetsTarget: false,
        source: 'RFC 10032 (read in draft -18): no message or forgery count in the text',
      },
    ]
  }
  return []
}

/**
 * All limits on one key, for messages of one size.
 * @param params - facts about the algorithm, from `ALGORITHMS`.
 * @param options - target, kind of nonces, sizes in bytes.
 * @returns exact integers, rounded down. AES-CCM shares one budget between messages and failed opens: each of the two
 *   counts assumes the other is 0.
 * @throws AeadError `invalid-argument`: a target that is not an integer from -128 to -1, a size that is not a whole
 *   number, an unknown option.
 * @see draft-irtf-cfrg-aead-limits-11 §5 and §6; the source of each limit is in the result.
 */
export function limitsOf(params: AlgorithmParams, options: LimitOptions): AlgorithmLimits {
  checkParams(params, 'limitsOf')
  const use = readUse(options, 'limitsOf')
  const sized = sizedBounds(params, use)
  const tooLong = messageTooLong(params, use)
  const limits = [...unlimited(params, use), ...sized.map((item) => item.limit)]
  let messages: bigint | null = null
  let failedOpens: bigint | null = null
  let binding: SizedBound | undefined
  for (const item of sized) {
    if (item.messages !== null && (messages === null || item.messages < messages)) {
      messages = item.messages
      binding = item
    }
    failedOpens = smallerOf(failedOpens, item.failedOpens)
  }
  const targetShown = isTargetShown(limits, use)
  if (tooLong !== undefined) {
    limits.push(tooLong.limit)
    return {
      limits,
      messages: 0n,
      failedOpens,
      bindingBound: 'published',
      basis: 'published-constant',
      targetShown,
    }
  }
  const bounded = binding !== undefined && binding.bound.counterWidth !== true
  return {
    limits,
    messages,
    failedOpens,
    bindingBound: bounded ? binding!.bound.kind : 'none',
    basis: bounded ? binding!.bound.basis : 'formula',
    targetShown,
  }
}

function isTargetShown(limits: readonly Limit[], use: Use): boolean {
  const has = (kind: LimitKind): boolean => limits.some((limit) => limit.kind === kind && limit.meetsTarget)
  // A document's own cap covers both goals of the mode at the advantage it names.
  const mode = (kind: LimitKind): boolean => has(kind) || has('published')
  const collisions =
    use.nonce === 'counter' ||
    !limits.some((limit) => limit.kind === 'nonce-collision') ||
    has('nonce-collision')
  return mode('confidentiality') && mode('integrity') && collisions
}
