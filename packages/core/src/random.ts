import type { Bytes } from './backend.ts'
import { AeadError } from './errors.ts'

/**
 * Fills `out` with random bytes of the platform.
 * @throws AeadError `backend-failed`: the generator refuses, as Node 26 does in FIPS mode without a provider.
 */
export function fillRandom(out: Uint8Array): void {
  try {
    crypto.getRandomValues(out as Bytes)
  } catch (cause) {
    throw new AeadError('backend-failed', 'the random generator of the platform failed', { cause })
  }
}

/** New random bytes of the platform. */
export function randomBytes(bytes: number): Bytes {
  const out = new Uint8Array(bytes)
  fillRandom(out)
  return out
}
