import type { AlgorithmParams } from './algorithms.ts'
import type { RawAsyncAead, RawSyncAead } from './backend.ts'

const NOT_OPENED = 'did not open its own empty message'
const FORGED = 'opened an empty message with a changed tag'

/**
 * AADs an empty message is tried with. Empty messages are where a tag gets forgotten: the CCM of Node 20 and 22
 * accepts any tag of one. MGM authenticates nothing when both are empty (RFC 9058 §4).
 */
function aadsOf(params: AlgorithmParams, aad: Uint8Array): readonly Uint8Array[] {
  return params.bound.startsWith('mgm') ? [aad] : [aad, new Uint8Array(0)]
}

/** The tag with one bit flipped at either end. */
function forgeriesOf(tag: Uint8Array): readonly Uint8Array[] {
  return [0, tag.length - 1].map((at) => {
    const copy = new Uint8Array(tag)
    copy[at] = copy[at]! ^ 1
    return copy
  })
}

/**
 * What is wrong with how an Aead opens empty messages, if anything: part of the self-test.
 * @param nonce - as long as the algorithm's.
 * @param aad - at least one byte.
 */
export function emptyFaultSync(
  aead: RawSyncAead,
  params: AlgorithmParams,
  nonce: Uint8Array,
  aad: Uint8Array,
): string | undefined {
  const ciphertextAt = params.tagPosition === 'start' ? params.tagBytes : 0
  for (const header of aadsOf(params, aad)) {
    const tag = new Uint8Array(params.tagBytes)
    aead.seal(nonce, new Uint8Array(0), header, tag, ciphertextAt, 0)
    const opens = (sealed: Uint8Array): boolean =>
      aead.open(nonce, sealed, ciphertextAt, 0, 0, header, new Uint8Array(0))
    if (!opens(tag)) return NOT_OPENED
    if (forgeriesOf(tag).some(opens)) return FORGED
  }
  return undefined
}

/** The same by promise. */
export async function emptyFault(
  aead: RawAsyncAead,
  params: AlgorithmParams,
  nonce: Uint8Array,
  aad: Uint8Array,
): Promise<string | undefined> {
  for (const header of aadsOf(params, aad)) {
    const tag = await aead.seal(nonce, new Uint8Array(0), header)
    const opened = await aead.open(nonce, tag, header)
    if (tag.length !== params.tagBytes || opened?.length !== 0) return NOT_OPENED
    for (const forged of forgeriesOf(tag)) {
      if ((await aead.open(nonce, forged, header)) !== undefined) return FORGED
    }
  }
  return undefined
}
