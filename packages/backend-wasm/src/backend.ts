import { type AlgorithmParams, defineNarrowBackend, isAeadError, type SyncBackend } from '@aeadkit/core'
import { WasmAead } from './aead.ts'
import { VERSION } from './generated/version.ts'
import type { KernelFacts, WasmModule } from './kernel.ts'
import { SlotPool } from './pool.ts'

/**
 * Longest message of one call in bytes, 2^31 - 17, the same as on the other backends: the kernels would take any length,
 * but what is sealed here must open everywhere.
 */
const MAX_BYTES = 2_147_483_631

/** A kernel and where its module comes from. */
export interface KernelSource {
  readonly facts: KernelFacts
  /** What runs, for reports. */
  readonly layout: string
  /** Returns the compiled module; throws where WebAssembly is refused. Called until it succeeds. */
  module(): WasmModule
}

/** A backend over the given kernels. Nothing is compiled until an algorithm is probed or used. */
export function backendOf(sources: readonly KernelSource[]): SyncBackend {
  // core asks for nothing but the algorithms of these families, which differ in their bound.
  const sourceOf = ({ bound }: AlgorithmParams): KernelSource =>
    sources.find(({ facts }) => facts.family.includes(bound))!
  const pools = new Map<KernelSource, SlotPool>()
  const poolOf = (params: AlgorithmParams): SlotPool => {
    const source = sourceOf(params)
    const pool = pools.get(source) ?? new SlotPool(source.module())
    pools.set(source, pool)
    return pool
  }
  return defineNarrowBackend(
    sources.map(({ facts }) => facts.family),
    {
      name: 'wasm',
      kind: 'wasm',
      maxBytes: MAX_BYTES,
      version: () => {
        const running = sources.map(({ facts, layout }) => `${facts.name}: ${layout}`)
        return `aeadkit wasm ${VERSION} (${running.join(', ')})`
      },
      probe: (params) => {
        try {
          poolOf(params)
          return true
        } catch (error) {
          if (isAeadError(error, 'not-ready')) throw error
          return `wasm blocked: ${error}`
        }
      },
      claims: (params) => ({
        constantTime: sourceOf(params).facts.constantTime,
        oneShot: false,
        fipsModule: 'off',
      }),
      create: (params, key) => new WasmAead(poolOf(params), params, key),
    },
  )
}
