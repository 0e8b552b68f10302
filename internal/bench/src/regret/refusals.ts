// Which backends a selection may not use for an algorithm here: a library behind one of them is no rival.
import type { AlgorithmId } from '@aeadkit/core'
import { loadBackends, type Selection, selectAead } from 'aeadkit'

/** The part of a refusal's details that says why. */
interface Rejected {
  readonly algorithm: AlgorithmId
  readonly rule: string
  readonly reason: string
}

/**
 * Asks for the algorithm on each backend alone, with what the selection has observed.
 * @returns by backend, why it is refused. One that lacks the algorithm is not refused: that is no judgement of the
 *   library.
 */
export async function refusalsOf({
  algorithm,
  evidence,
  inputs,
}: Selection): Promise<ReadonlyMap<string, string>> {
  const { backends } = await loadBackends()
  const refusals = new Map<string, string>()
  const { nonce, readers } = inputs
  for (const backend of backends) {
    try {
      await selectAead({ algorithm, backends: [backend], evidence, nonce, readers })
    } catch (error) {
      const { details } = error as { readonly details?: { readonly rejected?: readonly Rejected[] } }
      const own = details?.rejected?.filter((one) => one.algorithm === algorithm) ?? []
      if (own.length === 0) throw error
      if (own.some(({ rule }) => rule === 'availability')) continue
      refusals.set(backend.name, own.map(({ reason, rule }) => `${rule}: ${reason}`).join('; '))
    }
  }
  return refusals
}
