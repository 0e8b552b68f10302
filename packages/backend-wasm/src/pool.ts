import { KernelInstance } from './instance.ts'

/** A key in a slot of an instance. */
export interface Slot {
  readonly instance: KernelInstance
  readonly number: number
}

/** The same with its state: a stack overflow can end set-up and freeing between any two steps. */
interface Lease extends Slot {
  number: number
  /** Whether the slot is taken. */
  held: boolean
}

/**
 * Slots for keys over as many instances of one kernel as they need. Memory never grows: when every slot is taken there
 * is another instance, and an instance that is not needed any more is left to the collector.
 */
export class SlotPool {
  readonly #module: WebAssembly.Module
  /** Every instance with a free slot; the last is the next to be used. May have full ones at its end. */
  readonly #open: KernelInstance[] = []
  /** Leases to be freed: the last whose wiping was cut short stays until the next call. */
  readonly #leaving: Lease[] = []
  readonly #collected: FinalizationRegistry<Lease> | undefined

  constructor(module: WebAssembly.Module) {
    this.#module = module
    if (typeof FinalizationRegistry === 'function') {
      this.#collected = new FinalizationRegistry((lease) => this.#free(lease))
    }
  }

  /** Sets a key up. The slot is freed by `release`, or, as far as the engine cares to, when `owner` is collected. */
  take(key: Uint8Array, owner: object): Slot {
    this.#freeLeaving()
    while (this.#open.at(-1)?.full) this.#open.pop()
    let instance = this.#open.at(-1)
    if (instance === undefined) {
      instance = new KernelInstance(this.#module)
      this.#open.push(instance)
    }
    const lease: Lease = { instance, number: 0, held: false }
    // First: from the moment a slot is taken, its owner's end frees it.
    this.#collected?.register(owner, lease, owner)
    lease.number = instance.takeSlot(key)
    lease.held = true
    return lease
  }

  /** Wipes and frees the slot of `owner`. */
  release(slot: Slot, owner: object): void {
    this.#leaving.push(slot as Lease)
    this.#freeLeaving()
    this.#collected?.unregister(owner)
  }

  #freeLeaving(): void {
    for (let lease = this.#leaving.at(-1); lease !== undefined; lease = this.#leaving.at(-1)) {
      this.#free(lease)
      this.#leaving.pop()
    }
  }

  /** Frees a slot once, however often it is called. */
  #free(lease: Lease): void {
    if (!lease.held) return
    const { instance, number } = lease
    const wasFull = instance.full
    instance.freeSlot(number)
    lease.held = false
    if (wasFull && !this.#open.includes(instance)) this.#open.push(instance)
    else if (instance.empty && this.#open.length > 1) this.#open.splice(this.#open.indexOf(instance), 1)
  }
}
