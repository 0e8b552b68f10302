import type { AlgorithmLimits, AlgorithmParams, LimitOptions } from '@aeadkit/core'
import { checkVolume } from '@aeadkit/core'
import type { Volume } from '../options.ts'

/** How much of a volume one key carries. */
export interface PerKey {
  /** Messages, beside the failed openings; `null`: no limit. */
  readonly messages: bigint | null
  /** Failed openings, beside the messages. */
  readonly failedOpens: bigint
}

/**
 * Splits a volume over keys. Where messages and failed openings draw on one budget (AES-CCM, Ascon-AEAD128), the
 * openings tolerated leave less for messages; openings that would take all of it get half.
 */
export function perKeyOf(
  params: AlgorithmParams,
  limits: AlgorithmLimits,
  volume: Volume,
  options: LimitOptions,
): PerKey {
  const { failedOpens: most, messages } = limits
  const failedOpens = most === null || volume.failedOpens < most ? volume.failedOpens : most
  if (messages === null) return { messages, failedOpens }
  const beside = (opens: bigint): bigint => {
    const fits = (count: bigint): boolean =>
      checkVolume(params, { ...volume, messages: count, failedOpens: opens }, options).length === 0
    // Most modes count the two apart; each further question costs as much as this one.
    if (fits(messages)) return messages
    let [low, high] = [0n, messages]
    while (low < high) {
      const middle = (low + high + 1n) / 2n
      if (fits(middle)) low = middle
      else high = middle - 1n
    }
    return low
  }
  const count = beside(failedOpens)
  if (count > 0n || messages === 0n || failedOpens === 0n) return { messages: count, failedOpens }
  return { messages: beside(failedOpens / 2n), failedOpens: failedOpens / 2n }
}
