import { AeadError } from '../errors.ts'
import { shown } from '../limits/input.ts'
import { chargeNumber, gcmSivBytes, gcmSivCap, MAX_COUNT, type Plan } from './plan.ts'
import type { Counts } from './snapshot.ts'
import type { KeyMeter, KeyUsage, MeterBinding, MeterWarning } from './types.ts'

/** What a key meter does beside counting. */
export interface KeyMeterRules {
  readonly warnAt: number
  readonly onWarn: ((warning: MeterWarning) => void) | undefined
  readonly refuseOpens: boolean
}

function checkSize(value: unknown, name: string): void {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw new AeadError('invalid-argument', `${name} must be a whole number, 0 or more, got ${shown(value)}`)
  }
}

/** A whole number from 0 to 2^30 - 1. */
function isSmall(value: number): boolean {
  return typeof value === 'number' && value >>> 0 === value && value < 1_073_741_824
}

/** Part of `used` in `max`; a bound of 0 is used up from the start. */
function part(used: number, max: number): number {
  return max === 0 ? 1 : used / max
}

function bounded(max: number): bigint | null {
  return max === Number.POSITIVE_INFINITY ? null : BigInt(max)
}

/** Counts in plain doubles; `reserve` allocates nothing unless it throws or warns. */
export class CountingKeyMeter implements KeyMeter {
  readonly keyId: string
  readonly #plan: Plan
  /** Where it counts; meters of one key may share it. */
  readonly counts: Counts
  readonly #rules: KeyMeterRules
  readonly #nonce: 'random' | 'counter'
  // What `reserve` reads of the plan, one load each.
  readonly #plainBlocks: boolean
  readonly #shared: boolean
  readonly #gcmSiv: boolean
  readonly #maxMessages: number
  readonly #maxBlocks: number
  #warnMessages: number
  readonly #warnBlocks: number
  #sivCap: number
  /** The longest message `#sivCap` was worked out for. */
  #sivCapBytes: number

  constructor(keyId: string, plan: Plan, counts: Counts, rules: KeyMeterRules, nonce: 'random' | 'counter') {
    this.keyId = keyId
    this.#nonce = nonce
    this.#plan = plan
    this.counts = counts
    this.#rules = rules
    this.#plainBlocks = plan.sealCharge === 'blocks-plus-one'
    this.#shared = plan.shared
    this.#gcmSiv = plan.gcmSiv !== null
    this.#maxMessages = plan.maxMessages
    this.#maxBlocks = plan.maxBlocks
    this.#warnBlocks =
      plan.maxBlocks === Number.POSITIVE_INFINITY
        ? plan.maxBlocks
        : Math.floor(rules.warnAt * plan.maxBlocks) - 1
    this.#sivCapBytes = counts.longestBytes
    this.#sivCap = plan.gcmSiv === null ? MAX_COUNT : gcmSivCap(plan.gcmSiv, counts.longestBytes)
    this.#warnMessages = this.#warnMessagesAt()
  }

  /** One below the rounded threshold: near it the exact quotient decides. */
  #warnMessagesAt(): number {
    return Math.floor(this.#rules.warnAt * Math.min(this.#plan.maxMessages, this.#sivCap)) - 1
  }

  reserve(plaintextBytes: number, aadBytes: number): void {
    const counts = this.counts
    const messages = counts.messages + 1
    let cost: number
    // Sizes below 2^30 in integer arithmetic: the general way costs twice as much.
    if (this.#plainBlocks && isSmall(plaintextBytes) && isSmall(aadBytes)) {
      cost = ((plaintextBytes + 15) >> 4) + ((aadBytes + 15) >> 4) + 1
    } else {
      checkSize(plaintextBytes, 'plaintextBytes')
      checkSize(aadBytes, 'aadBytes')
      cost = chargeNumber(this.#plan.sealCharge, plaintextBytes, aadBytes, this.#plan.nonceBytes)
    }
    const blocks = counts.blocks + cost
    const taken = this.#shared ? blocks + counts.failedBlocks : blocks
    if (counts.nonce !== this.#nonce && counts.nonce !== null) throw this.#mixed(counts.nonce)
    if (messages > this.#maxMessages || taken > this.#maxBlocks) throw this.#refusal(messages, taken)
    if (this.#gcmSiv) this.#reserveGcmSiv(messages, plaintextBytes, aadBytes)
    counts.nonce = this.#nonce
    counts.messages = messages
    // Only an unbounded key can get past the cut.
    counts.blocks = Math.min(blocks, MAX_COUNT)
    if (!counts.warned && (messages >= this.#warnMessages || taken >= this.#warnBlocks)) this.#warnIfDue()
  }

  #reserveGcmSiv(messages: number, plaintextBytes: number, aadBytes: number): void {
    const counts = this.counts
    const bytes = gcmSivBytes(plaintextBytes, aadBytes)
    const longest = Math.max(bytes, counts.longestBytes)
    const cap = longest === this.#sivCapBytes ? this.#sivCap : gcmSivCap(this.#plan.gcmSiv!, longest)
    if (messages > cap) throw this.#exhausted(messages, cap, 'messages', 'published')
    if (longest === this.#sivCapBytes) return
    counts.longestBytes = longest
    this.#sivCapBytes = longest
    this.#sivCap = cap
    this.#warnMessages = this.#warnMessagesAt()
  }

  /**
   * A random nonce may hit a counter value, and no bound here covers that: one construction per key
   * (SP 800-38D §8.2).
   */
  #mixed(before: 'random' | 'counter'): AeadError {
    return new AeadError(
      'invalid-argument',
      `key ${this.keyId} was used with ${before} nonces and must not be sealed with ${this.#nonce} nonces as well: take a new key`,
      { details: { keyId: this.keyId, before, now: this.#nonce } },
    )
  }

  #refusal(messages: number, taken: number): AeadError {
    const { maxMessages, maxBlocks, messagesBinding, blocksBinding, unit } = this.#plan
    return messages > maxMessages
      ? this.#exhausted(messages, maxMessages, 'messages', messagesBinding)
      : this.#exhausted(taken, maxBlocks, unit, blocksBinding)
  }

  checkOpen(ciphertextBytes = 0, aadBytes = 0): void {
    checkSize(ciphertextBytes, 'ciphertextBytes')
    checkSize(aadBytes, 'aadBytes')
    if (!this.#rules.refuseOpens) return
    const plan = this.#plan
    const counts = this.counts
    if (counts.failedOpens >= plan.maxFailedOpens) {
      throw this.#openRefused(counts.failedOpens, plan.maxFailedOpens, 'failed opens')
    }
    if (plan.shared) {
      // Sealing stops at the bound, so only failures can push the sum past it: full use by sealing blocks no open.
      const taken = counts.blocks + counts.failedBlocks
      if (taken > plan.maxFailedBlocks) throw this.#openRefused(taken, plan.maxFailedBlocks, plan.unit)
      return
    }
    const failed =
      counts.failedBlocks + chargeNumber(plan.failCharge, ciphertextBytes, aadBytes, plan.nonceBytes)
    if (failed > plan.maxFailedBlocks) throw this.#openRefused(failed, plan.maxFailedBlocks, 'blocks')
  }

  openFailed(ciphertextBytes: number, aadBytes: number): void {
    checkSize(ciphertextBytes, 'ciphertextBytes')
    checkSize(aadBytes, 'aadBytes')
    const plan = this.#plan
    const counts = this.counts
    const cost = chargeNumber(plan.failCharge, ciphertextBytes, aadBytes, plan.nonceBytes)
    counts.failedOpens = Math.min(MAX_COUNT, counts.failedOpens + 1)
    counts.failedBlocks = Math.min(MAX_COUNT, counts.failedBlocks + cost)
    if (!counts.warned) this.#warnIfDue()
  }

  sharesCounts(other: KeyMeter): boolean {
    return other instanceof CountingKeyMeter && other.counts === this.counts
  }

  usage(): KeyUsage {
    const plan = this.#plan
    const counts = this.counts
    const { fraction, binding } = this.#share()
    return {
      keyId: this.keyId,
      messages: BigInt(counts.messages),
      maxMessages: BigInt(Math.min(plan.maxMessages, this.#sivCap)),
      unit: plan.unit,
      blocks: BigInt(counts.blocks),
      maxBlocks: bounded(plan.maxBlocks),
      failedOpens: BigInt(counts.failedOpens),
      maxFailedOpens: bounded(plan.maxFailedOpens),
      failedBlocks: BigInt(counts.failedBlocks),
      maxFailedBlocks: bounded(plan.maxFailedBlocks),
      sharedBound: plan.shared,
      fraction,
      binding,
    }
  }

  #share(): { fraction: number; binding: MeterBinding } {
    const plan = this.#plan
    const counts = this.counts
    const sealed = plan.shared ? counts.blocks + counts.failedBlocks : counts.blocks
    let fraction = part(counts.messages, plan.maxMessages)
    let binding = plan.messagesBinding
    const consider = (value: number, name: MeterBinding): void => {
      if (value > fraction) {
        fraction = value
        binding = name
      }
    }
    consider(part(sealed, plan.maxBlocks), plan.blocksBinding)
    if (plan.gcmSiv !== null) consider(part(counts.messages, this.#sivCap), 'published')
    consider(part(counts.failedOpens, plan.maxFailedOpens), 'integrity')
    if (!plan.shared) consider(part(counts.failedBlocks, plan.maxFailedBlocks), 'integrity')
    return { fraction, binding }
  }

  #warnIfDue(): void {
    const { fraction, binding } = this.#share()
    if (fraction < this.#rules.warnAt) return
    this.counts.warned = true
    const { onWarn } = this.#rules
    if (onWarn === undefined) return
    try {
      const returned: unknown = onWarn({ keyId: this.keyId, fraction, binding, usage: this.usage() })
      // An async callback is taken too; its failure must not end the process.
      if (returned instanceof Promise) returned.catch(() => {})
    } catch {
      // The message is counted and may be sealed: a failing logger is not a reason to stop.
    }
  }

  #exhausted(asked: number, max: number, unit: string, binding: MeterBinding): AeadError {
    const words =
      unit === 'bytes' || unit === 'messages' ? unit : unit === 'blocks' ? 'blocks' : 'squared blocks (2^20)'
    const name = binding === 'caller' ? 'maxMessages' : binding === 'none' ? 'nonce counter' : binding
    return new AeadError(
      'key-exhausted',
      `key ${this.keyId}: sealing would bring it to ${asked} ${words}, at most ${max} by the ${name} bound; take a new key. Opening still works`,
      { details: { keyId: this.keyId, binding, unit, asked: String(asked), max: String(max) } },
    )
  }

  #openRefused(asked: number, max: number, unit: string): AeadError {
    return new AeadError(
      'key-exhausted',
      `key ${this.keyId}: failed opens have used up its integrity bound (${asked} ${unit}, at most ${max}); onIntegrityLimit: 'report' opens all the same`,
      { details: { keyId: this.keyId, binding: 'integrity', unit, asked: String(asked), max: String(max) } },
    )
  }
}
