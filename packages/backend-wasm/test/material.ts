import { createHash } from 'node:crypto'

/** Seeded bytes, the same in every run. */
export class Material {
  readonly #seed: string
  #count = 0
  #pool: Uint8Array = new Uint8Array(0)

  constructor(seed: string) {
    this.#seed = seed
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    if (this.#pool.length < length) {
      const options = { outputLength: Math.max(length, 65_536) }
      const more = createHash('shake128', options)
        .update(`${this.#seed} ${this.#count++}`)
        .digest()
      this.#pool = new Uint8Array(more)
    }
    const taken = this.#pool.slice(0, length)
    this.#pool = this.#pool.subarray(length)
    return new Uint8Array(taken)
  }
}

export function hex(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'hex'))
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

export function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
