import type { NativeCipher, NodeCrypto } from './native.ts'
import type { KeyDerivation } from './pieces.ts'

const BLOCK_BYTES = 16

/** Label `X` of the key derivation (C2SP XAES-256-GCM). */
const LABEL = 0x58

/** Doubles in GF(2^128), in place and without a branch on the bits (NIST SP 800-38B §6.1). */
function double(block: Uint8Array): void {
  let carry = 0
  for (let i = BLOCK_BYTES - 1; i >= 0; i--) {
    const byte = block[i]!
    block[i] = (byte << 1) | carry
    carry = byte >>> 7
  }
  block[BLOCK_BYTES - 1]! ^= 0x87 & -carry
}

/**
 * Message keys of XAES-256-GCM (C2SP): SP 800-108r1 in counter mode with CMAC-AES-256 over two whole blocks, so each
 * half of the key is one AES call on the block XOR K1.
 */
export class XaesDerivation implements KeyDerivation {
  readonly nonceBytes = 12
  // One ECB object per key: whole blocks leave no state in it, and a new one per message would cost as much as a
  // short message.
  readonly #aes: NativeCipher
  readonly #k1: Uint8Array
  readonly #blocks: Uint8Array = new Uint8Array(2 * BLOCK_BYTES)

  constructor(crypto: NodeCrypto, key: Uint8Array) {
    this.#aes = crypto.createCipheriv('aes-256-ecb', key, null)
    this.#aes.setAutoPadding(false)
    const k1 = this.#aes.update(new Uint8Array(BLOCK_BYTES))
    this.#k1 = new Uint8Array(k1)
    k1.fill(0)
    double(this.#k1)
  }

  derive(nonce: Uint8Array, subkey: Uint8Array): void {
    const blocks = this.#blocks
    const k1 = this.#k1
    for (let half = 0; half < 2; half++) {
      const at = half * BLOCK_BYTES
      blocks.set(k1, at)
      blocks[at + 1]! ^= half + 1
      blocks[at + 2]! ^= LABEL
      for (let i = 0; i < this.nonceBytes; i++) blocks[at + 4 + i]! ^= nonce[i]!
    }
    const derived = this.#aes.update(blocks)
    subkey.set(derived)
    derived.fill(0)
    blocks.fill(0)
  }

  destroy(): void {
    this.#k1.fill(0)
    // Frees the library's context, which wipes its key schedule.
    this.#aes.final()
  }
}
