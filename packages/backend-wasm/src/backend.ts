import { type AlgorithmParams, defineSyncBackend, isAeadError, type SyncBackend } from '@aeadkit/core'
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

/** One kernel of a backend: compiled, with its slots, from the first time it is needed. */
class LazyKernel {
  readonly source: KernelSource
  #pool: SlotPool | undefined

  constructor(source: KernelSource) {
    this.source = source
  }

  pool(): SlotPool {
    this.#pool ??= new SlotPool(this.source.module())
    return this.#pool
  }
}

/** A backend over the given kernels. Nothing is compiled until an algorithm is probed or used. */
export function backendOf(sources: readonly KernelSource[]): SyncBackend {
  const kernels = sources.map((source) => new LazyKernel(source))
  // core asks for nothing but the algorithms below.
  const kernelOf = ({ id }: AlgorithmParams): LazyKernel =>
    kernels.find(({ source }) => source.facts.algorithms.includes(id))!
  return defineSyncBackend({
    name: 'wasm',
    kind: 'wasm',
    algorithms: sources.flatMap(({ facts }) => facts.algorithms),
    maxBytes: MAX_BYTES,
    version: () => {
      const running = sources.map(({ facts, layout }) => `${facts.name}: ${layout}`)
      return `aeadkit wasm ${VERSION} (${running.join(', ')})`
    },
    probe: (params) => presence(kernelOf(params)),
    claims: (params) => ({
      constantTime: kernelOf(params).source.facts.constantTime,
      oneShot: false,
      fipsModule: 'off',
    }),
    create: (params, key) => new WasmAead(kernelOf(params).pool(), params, key),
  })
}

function presence(kernel: LazyKernel): true | string {
  if (typeof WebAssembly === 'undefined') return 'wasm blocked: this runtime has no WebAssembly'
  try {
    kernel.pool()
    return true
  } catch (error) {
    if (isAeadError(error, 'not-ready')) throw error
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return `wasm blocked: ${text}`
  }
}
