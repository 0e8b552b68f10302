import type { Bytes } from '../backend.ts'
import { copyOf } from '../bytes.ts'
import { AeadError } from '../errors.ts'

/**
 * Refuses the nonce of the last successful seal. It catches a constant nonce and a retry loop, nothing more: a
 * tripwire, not protection. Also holds the private copy of the nonce that a seal works with, so that memory shared
 * with another thread cannot change between the check and the use.
 */
export class NonceTripwire {
  #current: Uint8Array
  #last: Uint8Array
  #armed = false
  readonly enabled: boolean

  /** `nonceBytes` is the exact nonce length; `enabled` false only copies. */
  constructor(nonceBytes: number, enabled: boolean) {
    this.#current = new Uint8Array(nonceBytes)
    this.#last = new Uint8Array(nonceBytes)
    this.enabled = enabled
  }

  /**
   * Copies the nonce, which has the right length.
   * @returns the copy, good until the next `enter`.
   * @throws AeadError `nonce-reused`.
   */
  enter(nonce: Uint8Array): Uint8Array {
    const current = this.#current
    // Byte by byte: for so few a call to `set` costs more.
    for (let i = 0; i < current.length; i++) current[i] = nonce[i]!
    if (this.#armed && this.#isLast(current)) throw reused()
    return current
  }

  /** Counters and random nonces differ at one of the ends; nonces are public, so the first difference decides. */
  #isLast(nonce: Uint8Array): boolean {
    const last = this.#last
    let i = last.length - 1
    if (nonce[i] !== last[i] || nonce[0] !== last[0]) return false
    while (i >= 0 && nonce[i] === last[i]) i--
    return i < 0
  }

  /** The seal begun by the last `enter` succeeded: its nonce is the one to refuse. */
  succeeded(): void {
    if (!this.enabled) return
    const used = this.#current
    this.#current = this.#last
    this.#last = used
    this.#armed = true
  }

  /** Clears both copies. */
  wipe(): void {
    this.#current.fill(0)
    this.#last.fill(0)
    this.#armed = false
  }
}

/** The same where seals are answered later: the nonces of those without an answer are refused as well. */
export class PendingTripwire extends NonceTripwire {
  /** As texts. */
  readonly #pending = new Set<string>()

  override enter(nonce: Uint8Array): Uint8Array {
    const current = super.enter(nonce)
    if (this.#pending.size > 0 && this.#pending.has(String(current))) throw reused()
    return current
  }

  /** {@link enter} for such a seal: the copy is the caller's, until {@link ended}. */
  begin(nonce: Uint8Array): Bytes {
    const own = copyOf(this.enter(nonce))
    if (this.enabled) this.#pending.add(String(own))
    return own
  }

  /** The seal with this nonce has its answer; where it failed, the nonce may be used again. */
  ended(own: Uint8Array, sealed: boolean): void {
    if (!this.#pending.delete(String(own)) || !sealed) return
    super.enter(own)
    this.succeeded()
  }

  override wipe(): void {
    super.wipe()
    this.#pending.clear()
  }
}

function reused(): AeadError {
  return new AeadError(
    'nonce-reused',
    'this nonce sealed the last message of this key; a nonce must never be used twice',
  )
}
