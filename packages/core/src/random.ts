import type { Bytes } from './backend.ts'

/** Fills `out` with random bytes of the platform. */
export function fillRandom(out: Uint8Array): void {
  crypto.getRandomValues(out as Bytes)
}

/** New random bytes of the platform. */
export function randomBytes(bytes: number): Bytes {
  const out = new Uint8Array(bytes)
  fillRandom(out)
  return out
}
