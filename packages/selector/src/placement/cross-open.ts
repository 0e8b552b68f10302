/** The self-test of a pair: each half opens what the other has sealed, below and above the crossover. */
import type { AlgorithmParams, Backend, RawSyncAead, SyncBackend } from '@aeadkit/core'
import { createAead } from '@aeadkit/core'
import type { From } from './claims.ts'

/** Longest test message in bytes: a crossover further out is tested up to here. */
const MAX_TEST_BYTES = 65_536

/** Lengths on both sides of the crossovers. */
export function crossOpenSizes(from: From): readonly number[] {
  const around = [from.seal, from.open].flatMap((bytes) => [bytes - 1, bytes, bytes + 1])
  const sizes = [0, 64, 1350, ...around]
  return [...new Set(sizes.map((size) => Math.min(size, MAX_TEST_BYTES)))].sort((a, b) => a - b)
}

/** Distinct bytes everywhere, so that a block in the wrong place shows. */
const pattern = (length: number, step: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * step + (at >> 8) * 5 + 3) & 0xff)

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at])

const disagree = (sealer: string, opener: string, bytes: number): string =>
  `${opener} does not open what ${sealer} sealed at ${bytes} B`

const AAD: Uint8Array = /* @__PURE__ */ Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)

/**
 * @returns `true`, or which half does not open what the other sealed.
 * @throws what a half throws; core's self-test reports it.
 */
export function crossOpenSync(
  small: SyncBackend,
  large: SyncBackend,
  params: AlgorithmParams,
  from: From,
): true | string {
  const key = pattern(params.keyBytes, 7)
  const nonce = pattern(params.nonceBytes, 11)
  const halves: (readonly [name: string, aead: RawSyncAead])[] = []
  try {
    for (const half of [small, large]) halves.push([half.name, half.raw.create(params, key)])
    for (const bytes of crossOpenSizes(from)) {
      const tagFirst = params.tagPosition === 'start'
      const ciphertextAt = tagFirst ? params.tagBytes : 0
      const tagAt = tagFirst ? 0 : bytes
      const plaintext = pattern(bytes, 13)
      for (const [sealer, seals] of halves) {
        const sealed = new Uint8Array(bytes + params.tagBytes)
        seals.seal(nonce, plaintext, AAD, sealed, ciphertextAt, tagAt)
        for (const [opener, opens] of halves) {
          if (opener === sealer) continue
          const out = new Uint8Array(bytes)
          const opened = opens.open(nonce, sealed, ciphertextAt, tagAt, bytes, AAD, out)
          if (!opened || !same(out, plaintext)) return disagree(sealer, opener, bytes)
        }
      }
    }
    return true
  } finally {
    for (const [, aead] of halves) aead.destroy()
  }
}

/** The same when at least one half answers by promise. */
export async function crossOpen(
  small: Backend,
  large: Backend,
  params: AlgorithmParams,
  from: From,
): Promise<true | string> {
  const key = pattern(params.keyBytes, 7)
  const nonce = pattern(params.nonceBytes, 11)
  const a = await createAead(small, params.id, key, { nonceCheck: false })
  const b = await createAead(large, params.id, key, { nonceCheck: false })
  try {
    for (const bytes of crossOpenSizes(from)) {
      const plaintext = pattern(bytes, 13)
      for (const [seals, opens] of [
        [a, b],
        [b, a],
      ] as const) {
        const sealed = await seals.seal(nonce, plaintext, AAD)
        const opened = await opens.open(nonce, sealed, AAD).catch(() => undefined)
        if (opened === undefined || !same(opened, plaintext)) {
          return disagree(seals.backendName, opens.backendName, bytes)
        }
      }
    }
    return true
  } finally {
    a.destroy()
    b.destroy()
  }
}
