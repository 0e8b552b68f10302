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
  readonly #enabled: boolean

  /** `nonceBytes` is the exact nonce length; `enabled` false only copies. */
  constructor(nonceBytes: number, enabled: boolean) {
    this.#current = new Uint8Array(nonceBytes)
    this.#last = new Uint8Array(nonceBytes)
    this.#enabled = enabled
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
    if (!this.#enabled) return
    const used = this.#current
    this.#current = this.#last
    this.#last = used
    this.#armed = true
  }

  /** The seal with this nonce failed after `succeeded`: the nonce may be used again. */
  forget(nonce: Uint8Array): void {
    if (this.#last.every((byte, i) => byte === nonce[i])) this.#armed = false
  }

  /** Clears both copies. */
  wipe(): void {
    this.#current.fill(0)
    this.#last.fill(0)
    this.#armed = false
  }
}

function reused(): AeadError {
  return new AeadError(
    'nonce-reused',
    'this nonce sealed the last message of this key; a nonce must never be used twice',
  )
}
