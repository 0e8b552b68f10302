/** What every kernel exports; lengths and slot numbers are the caller's to check. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory
  /** Addresses of the staging areas, and sizes in bytes. */
  readonly KEY: WebAssembly.Global
  readonly NONCE: WebAssembly.Global
  readonly AAD: WebAssembly.Global
  readonly AAD_BYTES: WebAssembly.Global
  readonly DATA: WebAssembly.Global
  readonly WINDOW_BYTES: WebAssembly.Global
  /** How many keys fit. */
  readonly SLOTS: WebAssembly.Global
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
  /** Wipes the first bytes of DATA: plaintext that opening left there. */
  wipeData(bytes: number): void
}

export type SealFunction = (slot: number, aadBytes: number, bytes: number) => void
export type OpenFunction = (slot: number, aadBytes: number, bytes: number) => number
export type BeginFunction = (slot: number) => void

/** Longest result for which a view is kept: making one costs more than copying a short message. */
const KEPT_VIEW_BYTES = 2048

const LONGEST_NONCE_BYTES = 24

/** One instance of a kernel: fixed memory, room for one message at a time, and slots for keys. */
export class KernelInstance {
  readonly exports: KernelExports
  readonly memory: Uint8Array
  /** The staging area of the nonce. */
  readonly nonce: Uint8Array
  readonly aadAt: number
  readonly aadBytes: number
  readonly dataAt: number
  readonly windowBytes: number
  readonly #views: (Uint8Array | undefined)[] = []
  readonly #slots: number
  /** Free slots; the last is the next to be used. */
  readonly #free: number[] = []

  constructor(module: WebAssembly.Module) {
    const exports = new WebAssembly.Instance(module).exports as unknown as KernelExports
    this.exports = exports
    this.memory = new Uint8Array(exports.memory.buffer)
    const nonceAt = exports.NONCE.value as number
    this.nonce = this.memory.subarray(nonceAt, nonceAt + LONGEST_NONCE_BYTES)
    this.aadAt = exports.AAD.value
    this.aadBytes = exports.AAD_BYTES.value
    this.dataAt = exports.DATA.value
    this.windowBytes = exports.WINDOW_BYTES.value
    this.#slots = exports.SLOTS.value
    for (let slot = this.#slots - 1; slot >= 0; slot--) this.#free.push(slot)
  }

  get full(): boolean {
    return this.#free.length === 0
  }

  get empty(): boolean {
    return this.#free.length === this.#slots
  }

  /** Sets a key up in a free slot; there is one. @returns the slot. */
  takeSlot(key: Uint8Array): number {
    const slot = this.#free.pop()!
    this.memory.set(key, this.exports.KEY.value)
    this.exports.setKey(slot, key.length)
    return slot
  }

  /** Wipes a slot and makes it free. */
  freeSlot(slot: number): void {
    this.exports.wipeSlot(slot)
    this.#free.push(slot)
  }

  /** The first `bytes` bytes of the data window. */
  view(bytes: number): Uint8Array {
    if (bytes > KEPT_VIEW_BYTES) return this.memory.subarray(this.dataAt, this.dataAt + bytes)
    let view = this.#views[bytes]
    if (view === undefined) {
      view = this.memory.subarray(this.dataAt, this.dataAt + bytes)
      this.#views[bytes] = view
    }
    return view
  }
}
