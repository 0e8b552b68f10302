import { ALGORITHMS, type AlgorithmId, createAeadSync, isAeadError, type SyncBackend } from '@aeadkit/core'

/** Longest message and AAD of a case, in bytes. */
const MAX_BYTES = 70_000
const MAX_AAD_BYTES = 4096

/** Every place relative to an 8-byte boundary. */
const ALIGNMENTS = 8

const ALGORITHMS_COMPARED: readonly AlgorithmId[] = [
  'chacha20-poly1305',
  'xchacha20-poly1305',
  'aes-128-gcm',
  'aes-256-gcm',
]

/** Numbers that look random and repeat for a seed (xoshiro128**, Blackman and Vigna). */
class Random {
  readonly #state: Uint32Array

  constructor(seed: number) {
    // SplitMix32 fills the state, so that small seeds do not begin alike.
    let x = seed | 0
    this.#state = Uint32Array.from({ length: 4 }, () => {
      x = (x + 0x9e3779b9) | 0
      let z = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
      return z ^ (z >>> 15)
    })
  }

  word(): number {
    const s = this.#state
    const [a, b, c, d] = [s[0]!, s[1]!, s[2]!, s[3]!]
    const product = Math.imul(b, 5)
    s[2] = c ^ a
    s[3] = d ^ b
    s[1] = b ^ s[2]!
    s[0] = a ^ s[3]!
    s[2] = s[2]! ^ (b << 9)
    s[3] = (s[3]! << 11) | (s[3]! >>> 21)
    return Math.imul((product << 7) | (product >>> 25), 9) >>> 0
  }

  below(bound: number): number {
    return this.word() % bound
  }

  fill(out: Uint8Array): Uint8Array {
    const words = new Uint32Array((out.length + 3) >> 2)
    for (let i = 0; i < words.length; i++) words[i] = this.word()
    out.set(new Uint8Array(words.buffer, 0, out.length))
    return out
  }

  /** Bytes that begin `shift` bytes behind an 8-byte boundary. */
  bytes(length: number, shift: number = 0): Uint8Array {
    return this.fill(new Uint8Array(new ArrayBuffer(length + shift), shift))
  }

  /** A length up to `max`: half of them short, a quarter around a multiple of 64, the rest anywhere. */
  length(max: number): number {
    const kind = this.below(20)
    if (kind < 12) return this.below(Math.min(max, 300) + 1)
    if (kind < 16) return Math.min(max, this.below(5000))
    if (kind < 19) return Math.max(0, Math.min(max, 64 * this.below(max >> 6) + this.below(5) - 2))
    return this.below(max + 1)
  }
}

/** What a comparison did. */
export interface Comparison {
  /** Cases compared with each peer, by its name. */
  readonly compared: Readonly<Record<string, number>>
  /** Cases that were also opened, and refused after one bit was changed. */
  readonly opened: number
}

function require(holds: boolean, what: string): void {
  if (!holds) throw new Error(`mismatch: ${what}`)
}

/**
 * Seals random messages with random keys, nonces, AAD and alignments on the subject and on a peer, compares every
 * byte, opens what was sealed, and opens it again with one bit changed, which must fail.
 * @throws Error naming seed, case and sizes at the first mismatch.
 */
export function compareRandomCases(
  subject: SyncBackend,
  peers: readonly SyncBackend[],
  cases: number,
  seed: number,
  progress: (count: number) => void = () => {},
): Comparison {
  const random = new Random(seed)
  const compared: Record<string, number> = {}
  const usable = (id: AlgorithmId): SyncBackend[] => peers.filter((peer) => peer.probeSync(id).available)
  let opened = 0
  for (let count = 1; count <= cases; count++) {
    const id = ALGORITHMS_COMPARED[random.below(ALGORITHMS_COMPARED.length)]!
    const { keyBytes, nonceBytes } = ALGORITHMS[id]
    const shifts = Array.from({ length: 4 }, () => random.below(ALIGNMENTS))
    const key = random.bytes(keyBytes)
    const nonce = random.bytes(nonceBytes, shifts[0])
    const plaintext = random.bytes(random.length(MAX_BYTES), shifts[1])
    const aad = random.bytes(random.length(MAX_AAD_BYTES), shifts[2])
    const what = `seed ${seed}, case ${count}: ${id}, ${plaintext.length} bytes, ${aad.length} of AAD, alignments ${shifts}`
    const aead = createAeadSync(subject, id, key)
    const sealedBytes = plaintext.length + 16
    const out = new Uint8Array(new ArrayBuffer(sealedBytes + ALIGNMENTS), shifts[3], sealedBytes)
    require(aead.sealIntoSync(out, nonce, plaintext, aad) === sealedBytes, `${what}: length`)
    const choice = usable(id)
    const peer = choice[random.below(choice.length)]
    if (peer !== undefined) {
      const other = createAeadSync(peer, id, key)
      require(same(other.sealSync(nonce, plaintext, aad), out), `${what}: sealed, against ${peer.name}`)
      other.destroy()
      compared[peer.name] = (compared[peer.name] ?? 0) + 1
    }
    const back = new Uint8Array(new ArrayBuffer(plaintext.length + ALIGNMENTS), shifts[0])
    require(aead.openIntoSync(back, nonce, out, aad) === plaintext.length, `${what}: length opened`)
    require(same(back.subarray(0, plaintext.length), plaintext), `${what}: opened`)
    const flipped = random.below(sealedBytes)
    out[flipped]! ^= 1 << random.below(8)
    require(refused(() => aead.openIntoSync(out, nonce, out, aad)), `${what}: byte ${flipped} changed`)
    opened++
    aead.destroy()
    progress(count)
  }
  return { compared, opened }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

function refused(run: () => unknown): boolean {
  try {
    run()
    return false
  } catch (error) {
    return isAeadError(error, 'auth-failed')
  }
}
