import { KernelInstance } from './instance.ts'

/** A key in a slot of an instance. */
export interface Slot {
  readonly instance: KernelInstance
  readonly number: number
}

/**
 * Slots for keys over as many instances of one kernel as they need. Memory never grows: when every slot is taken there
 * is another instance, and an instance that is not needed any more is left to the collector.
 */
export class SlotPool {
  readonly #module: WebAssembly.Module
  /** Instances with at least one free slot; the last is the next to be used. */
  readonly #open: KernelInstance[] = []
  readonly #collected: FinalizationRegistry<Slot> | undefined

  constructor(module: WebAssembly.Module) {
    this.#module = module
    if (typeof FinalizationRegistry === 'function') {
      this.#collected = new FinalizationRegistry((slot) => this.#free(slot))
    }
  }

  /** Sets a key up. The slot is freed by `release`, or, as far as the engine cares to, when `owner` is collected. */
  take(key: Uint8Array, owner: object): Slot {
    let instance = this.#open.at(-1)
    if (instance === undefined) {
      instance = new KernelInstance(this.#module)
      this.#open.push(instance)
    }
    const slot = { instance, number: instance.takeSlot(key) }
    if (instance.full) this.#open.pop()
    this.#collected?.register(owner, slot, owner)
    return slot
  }

  /** Wipes and frees the slot of `owner`. */
  release(slot: Slot, owner: object): void {
    this.#collected?.unregister(owner)
    this.#free(slot)
  }

  #free({ instance, number }: Slot): void {
    const wasFull = instance.full
    instance.freeSlot(number)
    if (wasFull) this.#open.push(instance)
    else if (instance.empty && this.#open.length > 1) this.#open.splice(this.#open.indexOf(instance), 1)
  }
}
