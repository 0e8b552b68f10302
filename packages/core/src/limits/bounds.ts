import type { AlgorithmParams } from '../algorithms.ts'
import { isMisuseResistant } from '../algorithms.ts'
import { AeadError } from '../errors.ts'
import * as f from './formulas.ts'
import * as published from './published.ts'
import type { Limit, LimitBasis, LimitKind } from './types.ts'

/**
 * What one message takes out of a bound.
 * - `one`: 1.
 * - `blocks-plus-one`: blocks of plaintext and of AAD, plus 1.
 * - `blocks16`, `blocks8`: blocks of plaintext and of AAD, at least 1.
 * - `bytes-and-nonce`: bytes of plaintext, AAD and nonce.
 * - `squares`: the square of (blocks + 2), in units of 2^20, rounded up: one derived key per message.
 * - `ccm-calls`: calls of the block cipher in CCM.
 */
export type Charge =
  | 'one'
  | 'blocks-plus-one'
  | 'blocks16'
  | 'blocks8'
  | 'bytes-and-nonce'
  | 'squares'
  | 'ccm-calls'

/** Bits by which `squares` are scaled down, so that a meter can count them in doubles. */
export const SQUARES_SHIFT = 20

/** A limit as a budget that messages and failed opens draw from: sums of charges stay at or below `budget`. */
export interface Bound {
  readonly kind: LimitKind
  /** What a sealed message takes; `null` when sealing does not count. */
  readonly seal: Charge | null
  /** What a failed open takes; `null` when it does not count. */
  readonly fail: Charge | null
  readonly budget: bigint
  readonly basis: LimitBasis
  readonly provenAt: number | null
  readonly source: string
  /** Most failed opens, whatever their length. */
  readonly failCap?: bigint
  /** How the limit is shown; default: messages or failed opens of the asked size. */
  readonly unit?: Limit['unit']
  /** Only the width of the nonce counter: it caps the count but is not a bound of the mode. */
  readonly counterWidth?: boolean
}

/** A way of use with every default filled in. Sizes in bytes, exponents positive (p = 2^-e). */
export interface Use {
  readonly e: number
  readonly nonceE: number
  readonly nonce: 'random' | 'counter'
  readonly plaintextBytes: bigint
  readonly aadBytes: bigint
  readonly repeatsPerNonce: number
  readonly fips: boolean
}

const DRAFT = 'draft-irtf-cfrg-aead-limits-11'

/** Exact charge of one message. */
export function charge(rule: Charge, plaintextBytes: bigint, aadBytes: bigint, nonceBytes: number): bigint {
  switch (rule) {
    case 'one':
      return 1n
    case 'blocks-plus-one':
      return f.messageBlocks(plaintextBytes, aadBytes) + 1n
    case 'blocks16':
      return atLeastOne(f.messageBlocks(plaintextBytes, aadBytes))
    case 'blocks8':
      return atLeastOne(f.messageBlocks(plaintextBytes, aadBytes, 8n))
    case 'bytes-and-nonce':
      return plaintextBytes + aadBytes + BigInt(nonceBytes)
    case 'squares': {
      const side = f.messageBlocks(plaintextBytes, aadBytes) + 2n
      return (side * side + (1n << BigInt(SQUARES_SHIFT)) - 1n) >> BigInt(SQUARES_SHIFT)
    }
    case 'ccm-calls': {
      // SP 800-38C §6.1: first block, AAD with up to 10 bytes of length before it, plaintext twice, tag.
      const aadBlocks = aadBytes === 0n ? 0n : f.blocksOf(aadBytes + 10n)
      return 2n * f.blocksOf(plaintextBytes) + aadBlocks + 2n
    }
  }
}

function atLeastOne(n: bigint): bigint {
  return n > 0n ? n : 1n
}

/** Bytes of the counter in a counted nonce: 8, or what is left beside a 4-byte fixed field. */
export function invocationFieldBytes(params: AlgorithmParams): number {
  return Math.min(8, params.nonceBytes - 4)
}

/** Which rows of RFC 8452 §9 apply. @throws AeadError `invalid-argument` above 1024 repeats. */
export function gcmSivRegime(nonce: 'random' | 'counter', repeatsPerNonce: number): published.GcmSivRegime {
  if (nonce === 'random' && repeatsPerNonce === 1) return 'random'
  if (repeatsPerNonce <= 256) return 'repeats-256'
  if (repeatsPerNonce <= 1024) return 'repeats-1024'
  throw new AeadError(
    'invalid-argument',
    `repeatsPerNonce: RFC 8452 §9 has no row above 1024 repeats of one nonce, got ${repeatsPerNonce}`,
  )
}

/** Every bound of the algorithm for this way of use, the mode's own first. */
export function boundsOf(params: AlgorithmParams, use: Use): Bound[] {
  return [...modeBounds(params, use), ...nonceBounds(params, use)]
}

function modeBounds(params: AlgorithmParams, use: Use): Bound[] {
  const { e } = use
  const formula = { basis: 'formula', provenAt: -e } as const
  const estimate = { basis: 'estimate', provenAt: -e } as const
  const constant = { basis: 'published-constant', provenAt: null } as const
  const gcmFailures: Bound = {
    kind: 'integrity',
    seal: null,
    fail: 'blocks-plus-one',
    budget: f.gcmFailureBlocks(e),
    failCap: f.GCM_MAX_FAILURES,
    ...formula,
    source: `${DRAFT}: AES-GCM, at most 2^64`,
  }
  // biome-ignore format: a table reads best with one bound in one or two lines
  switch (params.bound) {
    case 'gcm':
      return [
        { kind: 'confidentiality', seal: 'blocks-plus-one', fail: null, budget: f.gcmBlocks(e), ...formula, source: `${DRAFT}: AES-GCM` },
        gcmFailures,
      ]
    case 'poly1305':
      return [{ kind: 'integrity', seal: null, fail: 'blocks-plus-one', budget: f.chachaFailureBlocks(e), ...formula,
        source: `${DRAFT}: ChaCha20-Poly1305` }]
    case 'ccm':
      return [
        { kind: 'confidentiality', seal: 'blocks16', fail: null, budget: f.ccmBlocks(e), ...formula, source: `${DRAFT}: AES-CCM` },
        { kind: 'integrity', seal: 'blocks16', fail: 'blocks16', budget: f.ccmBlocks(e), ...formula,
          source: `${DRAFT}: AES-CCM, messages and failed opens together` },
        { kind: 'published', seal: 'ccm-calls', fail: 'ccm-calls', budget: published.CCM_CALLS, ...constant,
          source: 'NIST SP 800-38C: 2^61 block cipher calls per key' },
      ]
    case 'xaes':
      return [
        { kind: 'confidentiality', seal: 'squares', fail: null, budget: f.pow2(129 - e) >> BigInt(SQUARES_SHIFT), ...formula,
          source: `${DRAFT}: AES-GCM, one message times the number of derived keys` },
        { kind: 'confidentiality', seal: 'one', fail: null, budget: f.xaesPrefixes(e), ...estimate,
          source: 'C2SP XAES-256-GCM: key derivation, (2n)^2 / 2^129 for n nonce prefixes' },
        gcmFailures,
      ]
    case 'gcm-siv': {
      const counted = use.aadBytes < published.GCM_SIV_AAD_BYTES
      const bytes = counted ? use.plaintextBytes : use.plaintextBytes + use.aadBytes
      const regime = gcmSivRegime(use.nonce, use.repeatsPerNonce)
      const row = published.gcmSivMessages(regime, bytes)
      const inTable = row.published && counted
      return [{ kind: 'published', seal: 'one', fail: null, budget: row.messages,
        basis: inTable ? 'published-constant' : 'estimate', provenAt: published.GCM_SIV_PROVEN_AT,
        source: inTable ? `RFC 8452 §9 (${regime})` : `RFC 8452 §9 (${regime}), continued beyond its longest message or AAD` }]
    }
    case 'siv':
      return [{ kind: 'published', seal: 'one', fail: null, budget: published.SIV_MESSAGES, ...constant,
        source: 'RFC 5297: 2^48 messages per key' }]
    case 'ocb':
      return [{ kind: 'published', seal: 'blocks16', fail: null, budget: published.OCB_BLOCKS, ...constant, unit: 'blocks',
        source: 'RFC 7253: 2^48 blocks per key' }]
    case 'ascon':
      return [
        { kind: 'published', seal: 'bytes-and-nonce', fail: 'bytes-and-nonce', budget: published.ASCON_BYTES, ...constant, unit: 'bytes',
          source: 'NIST SP 800-232 §4.2: 2^54 bytes per key, encryption and decryption, nonces included' },
        { kind: 'integrity', seal: null, fail: 'one', budget: published.ASCON_FAILURES, ...constant,
          source: 'NIST SP 800-232 §4.2: 2^96 failed decryptions per key for a 16-byte tag' },
      ]
    case 'mgm-128':
      return [{ kind: 'confidentiality', seal: 'blocks16', fail: null, budget: f.mgm128Blocks(e), ...estimate, unit: 'blocks',
        source: 'birthday estimate sigma^2 / 2^129; RFC 9058 gives no number per key' }]
    case 'mgm-64':
      return [{ kind: 'confidentiality', seal: 'blocks8', fail: null, budget: f.mgm64Blocks(e), ...estimate, unit: 'blocks',
        source: 'birthday estimate sigma^2 / 2^65; RFC 9058 gives no number per key' }]
    case 'aegis':
      return []
  }
}

function nonceBounds(params: AlgorithmParams, use: Use): Bound[] {
  const common = { kind: 'nonce-collision', seal: 'one', fail: null } as const
  if (use.nonce === 'counter') {
    const bytes = invocationFieldBytes(params)
    return [
      {
        ...common,
        budget: f.pow2(8 * bytes),
        basis: 'formula',
        provenAt: -use.e,
        source: `NIST SP 800-38D §8.2.1: invocation field of ${bytes} bytes, counted, never repeats`,
        counterWidth: true,
      },
    ]
  }
  const bounds: Bound[] = []
  if (!(isMisuseResistant(params) && use.repeatsPerNonce > 1)) {
    bounds.push({
      ...common,
      budget: f.randomNonceMessages(params.randomNonceBits, use.nonceE),
      basis: 'formula',
      provenAt: -use.nonceE,
      source: `birthday bound q^2 / 2^${params.randomNonceBits + 1} for ${params.randomNonceBits} random bits`,
    })
  }
  const cap = (budget: bigint, provenAt: number, source: string): void => {
    bounds.push({ ...common, budget, basis: 'published-constant', provenAt, source })
  }
  if (use.fips && params.randomNonceBits === 96) {
    cap(published.FIPS_RANDOM_NONCE_MESSAGES, -32, 'NIST SP 800-38D §8.3')
  }
  if (params.id === 'xchacha20-poly1305') {
    cap(published.EXTENDED_NONCE_MESSAGES, -32, 'draft-irtf-cfrg-xchacha-03')
  }
  if (params.id === 'xaes-256-gcm') cap(published.EXTENDED_NONCE_MESSAGES, -32, 'C2SP XAES-256-GCM')
  if (params.bound === 'aegis' && params.randomNonceBits === 128) {
    cap(published.AEGIS_128_NONCE_MESSAGES, -33, 'RFC 10032 (read in draft -18)')
  }
  return bounds
}
