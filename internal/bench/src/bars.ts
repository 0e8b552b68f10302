/** A ratio that must be reached: peer time / our time when sealing. */
export interface Bar {
  readonly algorithm: 'chacha20-poly1305' | 'aes-128-gcm'
  readonly peer: string
  /** Runtimes it is asked of, as they begin. */
  readonly runtimes: readonly string[]
  /** Least ratio by message length in bytes. */
  readonly least: Readonly<Record<number, number>>
}

const V8 = ['node', 'deno']

/** What the kernels were built to reach. */
export const BARS: readonly Bar[] = [
  {
    algorithm: 'chacha20-poly1305',
    peer: 'libsodium-wrappers',
    runtimes: ['node 20', 'node 24'],
    least: { 64: 3.8, 1024: 2.8, 16384: 2.5, 65536: 2.6 },
  },
  {
    algorithm: 'chacha20-poly1305',
    peer: 'libsodium-wrappers',
    runtimes: ['bun'],
    least: { 64: 2.2, 1024: 2, 16384: 2, 65536: 2 },
  },
  {
    algorithm: 'chacha20-poly1305',
    peer: '@noble/ciphers',
    runtimes: [...V8, 'bun'],
    least: { 64: 15, 1024: 7, 16384: 5, 65536: 5 },
  },
  {
    algorithm: 'chacha20-poly1305',
    peer: 'node:crypto',
    runtimes: ['node 20', 'node 24', 'node 26'],
    least: { 64: 15, 1024: 3.5, 16384: 1 },
  },
  { algorithm: 'chacha20-poly1305', peer: 'sodium-native', runtimes: ['node'], least: { 64: 1.8 } },
  {
    algorithm: 'aes-128-gcm',
    peer: '@noble/ciphers',
    runtimes: V8,
    least: { 64: 10, 1024: 8, 16384: 7, 65536: 8 },
  },
  {
    algorithm: 'aes-128-gcm',
    peer: 'node:crypto',
    runtimes: ['node 20', 'node 24', 'node 26'],
    least: { 64: 3, 1024: 0.9 },
  },
]

/** The least ratio asked of this combination, if any. */
export function barFor(algorithm: string, peer: string, runtime: string, bytes: number): number | undefined {
  return BARS.find(
    (bar) =>
      bar.algorithm === algorithm &&
      bar.peer === peer &&
      bar.runtimes.some((start) => runtime.startsWith(start)),
  )?.least[bytes]
}
