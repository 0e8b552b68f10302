/** A half that answers by promise, set up when its first message comes. */
import type { RawAsyncAead } from '@aeadkit/core'
import type { PairKey } from './pair-key.ts'

/** One half with the key of its pair; inputs that have to wait for the set-up are copied first. */
export class LazyAead implements RawAsyncAead {
  readonly #key: PairKey
  readonly #create: (key: Uint8Array) => Promise<RawAsyncAead>
  #pending: Promise<RawAsyncAead> | undefined
  #ready: RawAsyncAead | undefined

  /** @param create - sets the half up; what it is given is wiped when it has answered. */
  constructor(key: PairKey, create: (key: Uint8Array) => Promise<RawAsyncAead>) {
    this.#key = key
    this.#create = create
  }

  #made(): Promise<RawAsyncAead> {
    if (this.#pending !== undefined) return this.#pending
    // Of its own: the pair may be destroyed, and its key wiped, before this is done.
    const key = new Uint8Array(this.#key.bytes)
    const made = this.#setUp(key).finally(() => key.fill(0))
    this.#pending = made
    // The next message tries again, as with one backend alone.
    made.catch(() => {
      this.#pending = undefined
    })
    return made
  }

  async #setUp(key: Uint8Array): Promise<RawAsyncAead> {
    const aead = await this.#create(key)
    this.#ready = aead
    this.#key.taken()
    return aead
  }

  // Not async: once the half is there nothing is added to what it takes.
  seal(nonce: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Promise<Uint8Array> {
    if (this.#ready !== undefined) return this.#ready.seal(nonce, plaintext, aad)
    const inputs = [new Uint8Array(nonce), new Uint8Array(plaintext), new Uint8Array(aad)] as const
    return this.#made().then((aead) => aead.seal(...inputs))
  }

  open(nonce: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Promise<Uint8Array | undefined> {
    if (this.#ready !== undefined) return this.#ready.open(nonce, sealed, aad)
    const inputs = [new Uint8Array(nonce), new Uint8Array(sealed), new Uint8Array(aad)] as const
    return this.#made().then((aead) => aead.open(...inputs))
  }

  /** Reaches a half that is still being set up as well, after the messages that wait for it. */
  destroy(): void {
    const made = this.#pending
    // Once, however often the pair asks.
    this.#pending = undefined
    made?.then((aead) => aead.destroy()).catch(() => undefined)
  }
}
