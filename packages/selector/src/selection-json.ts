import type { AlgorithmId, Evidence, Measurement } from '@aeadkit/core'
import { jsonSafe } from '@aeadkit/core'
import type { AnySelection, BackendChoice, Verdict } from './selection.ts'

/** A selection as plain JSON. Counts are decimal strings. */
export interface SelectionJson {
  /** `null` for contexts where the protocol chooses. */
  readonly algorithm: AlgorithmId | null
  /** A name when one backend serves all sizes. */
  readonly backend: BackendChoice | null
  readonly verdict: Verdict
  readonly limits: {
    /** Most messages under one key; `null`: no limit is known. */
    readonly messages: string | null
    readonly failedOpens: string | null
    readonly bindingBound: string
    readonly rekeyAfterMessages: string | null
    readonly basis: string
    readonly targetShown: boolean
  } | null
  readonly evidence: Pick<Evidence, 'runtime' | 'aes' | 'clmul' | 'hardwareClass' | 'source' | 'fips'> & {
    readonly measurements: readonly Measurement[]
  }
  readonly duties: readonly string[]
  /** The options it was made with, so that it can be restored elsewhere; counts are decimal strings. */
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Writes a selection as plain JSON. */
export function selectionJson(selection: AnySelection): SelectionJson {
  const { algorithm, backend, duties, evidence, inputs, limits, verdict } = selection
  const text = (count: bigint | null): string | null => (count === null ? null : count.toString())
  const stated = Object.entries(inputs).filter(([, value]) => value !== undefined)
  return {
    algorithm,
    backend,
    verdict,
    limits:
      limits === null
        ? null
        : {
            messages: text(limits.messages),
            failedOpens: text(limits.failedOpens),
            bindingBound: limits.bindingBound,
            rekeyAfterMessages: text(limits.rekeyAfterMessages),
            basis: limits.basis,
            targetShown: limits.targetShown,
          },
    evidence: {
      runtime: evidence.runtime,
      aes: evidence.aes,
      clmul: evidence.clmul,
      hardwareClass: evidence.hardwareClass,
      source: evidence.source,
      fips: evidence.fips,
      measurements: evidence.measurements,
    },
    duties,
    inputs: jsonSafe(Object.fromEntries(stated)) as Record<string, unknown>,
  }
}
