/** What every kernel exports; lengths and slot numbers are the caller's to check. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory
  /** Addresses of the staging areas, and sizes in bytes. */
  readonly KEY: WebAssembly.Global
  readonly NONCE: WebAssembly.Global
  readonly AAD: WebAssembly.Global
  readonly AAD_BYTES: WebAssembly.Global
  readonly DATA: WebAssembly.Global
  /** Room in front of DATA that no message uses. */
  readonly FRONT_BYTES: WebAssembly.Global
  readonly WINDOW_BYTES: WebAssembly.Global
  /** How many keys fit. */
  readonly SLOTS: WebAssembly.Global
  /** Constants end before the first address, slots lie between the others; everything else is scratch. */
  readonly STATIC_END: WebAssembly.Global
  readonly SLOTS_START: WebAssembly.Global
  readonly SLOTS_END: WebAssembly.Global
  /** Moves the staged key into a slot, expanded, and wipes the staging area. */
  setKey(slot: number, keyBytes: number): void
  wipeSlot(slot: number): void
  /** One message of at most a window in DATA: sealed in place with the tag behind it. */
  seal: SealFunction
  /** The same backwards: 1, or 0 for a bad tag; then nothing was decrypted. */
  open: OpenFunction
  begin: BeginFunction
  /** The same three with 24-byte nonces, in kernels that have them. */
  readonly sealX?: SealFunction
  readonly openX?: OpenFunction
  readonly beginX?: BeginFunction
  /** A message of several windows: AAD, then data, each part but the last full. */
  aadUpdate(bytes: number): void
  sealUpdate(bytes: number): void
  authUpdate(bytes: number): void
  /** Writes the tag to DATA. */
  finish(): void
  /** Compares with the tag in DATA: 1 or 0. */
  verify(): number
  decryptBegin(): void
  decryptUpdate(bytes: number): void
  /** Wipes the state of the message, at any point of it. */
  end(): void
  /** Wipes the front and the first bytes of DATA: what a call left there. */
  wipeData(bytes: number): void
}

export type SealFunction = (slot: number, aadBytes: number, bytes: number) => void
export type OpenFunction = (slot: number, aadBytes: number, bytes: number) => number
export type BeginFunction = (slot: number) => void

/** Longest result for which a view is kept: making one costs more than copying a short message. */
const KEPT_VIEW_BYTES = 2048

const LONGEST_NONCE_BYTES = 24
export const TAG_BYTES = 16
/** `FRONT_BYTES` of every kernel. */
export const FRONT_BYTES = 64

/** One instance of a kernel: fixed memory, room for one message at a time, and slots for keys. */
export class KernelInstance {
  readonly exports: KernelExports
  readonly memory: Uint8Array
  /** The staging area of the nonce. */
  readonly nonce: Uint8Array
  /** The staging area of AAD: copying more into it throws, and writes nothing. */
  readonly aad: Uint8Array
  /**
   * `FRONT_BYTES` bytes of room, then the data window, then room for the tag: copying more into it throws, and writes
   * nothing.
   */
  readonly data: Uint8Array
  readonly dataAt: number
  readonly windowBytes: number
  /**
   * Set while a call is at work here. A stack overflow ends a call anywhere, inside the kernel too, and leaves key,
   * keystream and plaintext behind, which the next message would be mixed with.
   */
  busy = false
  /** Kept views. A map: what an array has no element for is looked for in Object.prototype. */
  readonly #views: Map<number, Uint8Array> = new Map()
  readonly #slots: number
  readonly #scratchAt: number
  readonly #slotsAt: number
  readonly #slotsEnd: number
  readonly #memoryEnd: number
  /** Free slots; the last is the next to be used. */
  readonly #free: number[] = []

  constructor(module: WebAssembly.Module) {
    const exports = new WebAssembly.Instance(module).exports as unknown as KernelExports
    this.exports = exports
    this.memory = new Uint8Array(exports.memory.buffer)
    const nonceAt = exports.NONCE.value as number
    this.nonce = this.memory.subarray(nonceAt, nonceAt + LONGEST_NONCE_BYTES)
    this.dataAt = exports.DATA.value
    this.windowBytes = exports.WINDOW_BYTES.value
    const aadAt = exports.AAD.value as number
    this.aad = this.memory.subarray(aadAt, aadAt + exports.AAD_BYTES.value)
    this.data = this.memory.subarray(this.dataAt - FRONT_BYTES, this.dataAt + this.windowBytes + TAG_BYTES)
    this.#slots = exports.SLOTS.value
    this.#scratchAt = exports.STATIC_END.value
    this.#slotsAt = exports.SLOTS_START.value
    this.#slotsEnd = exports.SLOTS_END.value
    this.#memoryEnd = this.memory.length
    for (let slot = this.#slots - 1; slot >= 0; slot--) this.#free.push(slot)
  }

  get full(): boolean {
    return this.#free.length === 0
  }

  get empty(): boolean {
    return this.#free.length === this.#slots
  }

  /** Before anything secret is staged. Wipes first what a call left that was cut short. */
  enter(): void {
    if (this.busy) this.abandon()
    this.busy = true
  }

  /**
   * The call that `enter` began was cut short: wipes everything but the slots. Calls nothing, since there may be no
   * stack left; where there is none even for this, the next `enter` does it.
   */
  abandon(): void {
    const { memory } = this
    for (let at = this.#scratchAt; at < this.#memoryEnd; at++) {
      if (at < this.#slotsAt || at >= this.#slotsEnd) memory[at] = 0
    }
    this.busy = false
  }

  /** Sets a key up in a free slot; there is one. @returns the slot. */
  takeSlot(key: Uint8Array): number {
    this.enter()
    const slot = this.#free.at(-1)!
    try {
      this.memory.set(key, this.exports.KEY.value)
      this.exports.setKey(slot, key.length)
      this.busy = false
      // Last: a slot whose set-up was cut short is still free.
      this.#free.pop()
      return slot
    } catch (error) {
      this.abandon()
      this.exports.wipeSlot(slot)
      throw error
    }
  }

  /** Wipes a slot and makes it free. */
  freeSlot(slot: number): void {
    if (this.busy) this.abandon()
    this.exports.wipeSlot(slot)
    this.#free.push(slot)
  }

  /** `front` bytes before the data window, and its first `bytes` bytes. */
  view(front: number, bytes: number): Uint8Array {
    const key = (bytes << 7) | front
    let view = this.#views.get(key)
    if (view === undefined) {
      view = this.memory.subarray(this.dataAt - front, this.dataAt + bytes)
      if (bytes <= KEPT_VIEW_BYTES) this.#views.set(key, view)
    }
    return view
  }
}
