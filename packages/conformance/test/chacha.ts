import type { RawSyncBackend } from '@aeadkit/core'

/** Where the toy below can be made wrong on purpose. */
export interface Faults {
  /** The block counter skips one after the first block. */
  readonly wrongCounter?: boolean
  readonly ignoresAad?: boolean
  readonly ignoresLastNonceByte?: boolean
  /** Tag bytes compared. */
  readonly comparedTagBytes?: number
  readonly wipesPlaintext?: boolean
  /** Writes the plaintext before the tag is checked, and says it does not. */
  readonly releasesEarly?: boolean
  /** Says it may leave output behind, and does. */
  readonly leavesOutput?: boolean
  readonly throwsOnBadTag?: boolean
  readonly keepsKeyByReference?: boolean
  readonly oneKeyForAll?: boolean
  readonly ignoresOffsets?: boolean
  readonly vagueClaims?: boolean
}

function rotl(x: number, n: number): number {
  return ((x << n) | (x >>> (32 - n))) >>> 0
}

function quarterRound(s: Uint32Array, a: number, b: number, c: number, d: number): void {
  s[a] = s[a]! + s[b]!
  s[d] = rotl(s[d]! ^ s[a]!, 16)
  s[c] = s[c]! + s[d]!
  s[b] = rotl(s[b]! ^ s[c]!, 12)
  s[a] = s[a]! + s[b]!
  s[d] = rotl(s[d]! ^ s[a]!, 8)
  s[c] = s[c]! + s[d]!
  s[b] = rotl(s[b]! ^ s[c]!, 7)
}

// RFC 8439 §2.3: constants, key, counter, nonce.
function block(key: Uint8Array, counter: number, nonce: Uint8Array): Uint8Array {
  const start = new Uint32Array(16)
  start.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574])
  const keyView = new DataView(key.buffer, key.byteOffset, 32)
  for (let i = 0; i < 8; i++) start[4 + i] = keyView.getUint32(4 * i, true)
  start[12] = counter
  const nonceView = new DataView(nonce.buffer, nonce.byteOffset, 12)
  for (let i = 0; i < 3; i++) start[13 + i] = nonceView.getUint32(4 * i, true)
  const s = start.slice()
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 4; i++) quarterRound(s, i, 4 + i, 8 + i, 12 + i)
    for (let i = 0; i < 4; i++) quarterRound(s, i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4))
  }
  const out = new Uint8Array(64)
  const view = new DataView(out.buffer)
  for (let i = 0; i < 16; i++) view.setUint32(4 * i, s[i]! + start[i]!, true)
  return out
}

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!)
  return value
}

const PRIME = (1n << 130n) - 5n
const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn

// RFC 8439 §2.5.
function poly1305(key: Uint8Array, message: Uint8Array): Uint8Array {
  const r = littleEndian(key.subarray(0, 16)) & CLAMP
  let sum = 0n
  for (let at = 0; at < message.length; at += 16) {
    const part = message.subarray(at, at + 16)
    sum = ((sum + littleEndian(part) + (1n << BigInt(8 * part.length))) * r) % PRIME
  }
  let tag = sum + littleEndian(key.subarray(16, 32))
  const out = new Uint8Array(16)
  for (let i = 0; i < 16; i++) {
    out[i] = Number(tag & 0xffn)
    tag >>= 8n
  }
  return out
}

function xor(key: Uint8Array, nonce: Uint8Array, input: Uint8Array, faults: Faults): Uint8Array {
  const out = new Uint8Array(input) // slice() of a Buffer would be a view
  for (let at = 0; at < out.length; at += 64) {
    const number = at / 64
    const stream = block(key, number + 1 + (faults.wrongCounter === true && number > 0 ? 1 : 0), nonce)
    for (let i = at; i < Math.min(at + 64, out.length); i++) out[i] = out[i]! ^ stream[i - at]!
  }
  return out
}

// RFC 8439 §2.8: AAD, padding, ciphertext, padding, both lengths.
function tagOf(key: Uint8Array, nonce: Uint8Array, ciphertext: Uint8Array, aad: Uint8Array): Uint8Array {
  const padded = (length: number): number => Math.ceil(length / 16) * 16
  const message = new Uint8Array(padded(aad.length) + padded(ciphertext.length) + 16)
  message.set(aad)
  message.set(ciphertext, padded(aad.length))
  const view = new DataView(message.buffer, message.length - 16)
  view.setBigUint64(0, BigInt(aad.length), true)
  view.setBigUint64(8, BigInt(ciphertext.length), true)
  return poly1305(block(key, 0, nonce), message)
}

const NONE = new Uint8Array(0)

/** ChaCha20-Poly1305 as RFC 8439 writes it: slow, correct, and breakable on purpose. */
export function chachaRaw(faults: Faults = {}): RawSyncBackend {
  let lastKey: Uint8Array = NONE
  const nonceOf = (nonce: Uint8Array): Uint8Array => {
    if (faults.ignoresLastNonceByte !== true) return nonce
    const used = nonce.slice()
    used[11] = 0
    return used
  }
  const viewOf = (bytes: Uint8Array): Uint8Array =>
    faults.ignoresOffsets === true ? new Uint8Array(bytes.buffer, 0, bytes.length) : bytes
  return {
    name: 'toy',
    kind: 'js',
    algorithms: ['chacha20-poly1305'],
    maxBytes: 2 ** 31 - 1,
    version: () => 'toy 1',
    probe: () => true,
    claims: () => ({
      constantTime: {
        level: faults.vagueClaims === true ? ('fast' as 'none') : 'none',
        basis: faults.vagueClaims === true ? '' : 'BigInt arithmetic depends on its operands',
        asOf: '2026-11-30',
      },
      oneShot: false,
      fipsModule: 'off',
    }),
    create(_params, given) {
      const own = faults.keepsKeyByReference === true ? given : given.slice()
      lastKey = own
      const key = (): Uint8Array => (faults.oneKeyForAll === true ? lastKey : own)
      return {
        atomic: faults.leavesOutput !== true,
        readsOnce: false,
        seal(nonce, plaintext, aad, out, ciphertextAt, tagAt) {
          const used = nonceOf(nonce)
          const ciphertext = xor(key(), used, viewOf(plaintext), faults)
          const tag = tagOf(key(), used, ciphertext, faults.ignoresAad === true ? NONE : aad)
          if (faults.wipesPlaintext === true) plaintext.fill(0)
          out.set(ciphertext, ciphertextAt)
          out.set(tag, tagAt)
        },
        open(nonce, input, ciphertextAt, tagAt, bytes, aad, out) {
          const used = nonceOf(nonce)
          const ciphertext = input.slice(ciphertextAt, ciphertextAt + bytes)
          const plaintext = xor(key(), used, ciphertext, faults)
          const tag = tagOf(key(), used, ciphertext, faults.ignoresAad === true ? NONE : aad)
          const compared = faults.comparedTagBytes ?? 16
          const good = tag.subarray(0, compared).every((byte, i) => byte === input[tagAt + i])
          if (good || faults.releasesEarly === true || faults.leavesOutput === true) out.set(plaintext)
          if (!good && faults.throwsOnBadTag === true) throw new Error('bad decrypt')
          return good
        },
        destroy() {
          own.fill(0)
        },
      }
    },
  }
}
