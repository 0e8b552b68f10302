import { ALGORITHMS, type AlgorithmId, createAeadSync, type SyncBackend } from '@aeadkit/core'

/** What every way works on. `nonce` changes before each call; `sealed` was made under `sealedNonce`. */
export interface Inputs {
  readonly algorithm: AlgorithmId
  readonly key: Uint8Array
  readonly nonce: Uint8Array
  readonly plaintext: Uint8Array
  readonly sealedNonce: Uint8Array
  readonly sealed: Uint8Array
}

/** Bytes that look random and are the same in every run. */
function patterned(bytes: number, seed: number): Uint8Array {
  const out = new Uint8Array(bytes)
  let state = seed * 2654435761
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    out[at] = state >>> 24
  }
  return out
}

/** Inputs of one algorithm at one length in bytes. */
export function inputsOf(algorithm: AlgorithmId, bytes: number, sealedBy: SyncBackend): Inputs {
  const { keyBytes, nonceBytes } = ALGORITHMS[algorithm]
  const key = patterned(keyBytes, 1)
  const plaintext = patterned(bytes, 2)
  const sealedNonce = patterned(nonceBytes, 3)
  const aead = createAeadSync(sealedBy, algorithm, key)
  const sealed = aead.sealSync(sealedNonce, plaintext)
  aead.destroy()
  return { algorithm, key, nonce: patterned(nonceBytes, 4), plaintext, sealedNonce, sealed }
}

/** Gives the next call a nonce of its own, the same way for all. */
export function nextNonce({ nonce }: Inputs): void {
  for (let at = 0; at < nonce.length; at++) {
    nonce[at] = (nonce[at]! + 1) & 0xff
    if (nonce[at] !== 0) return
  }
}
