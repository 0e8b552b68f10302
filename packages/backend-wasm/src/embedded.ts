import { AeadError, type Bytes, readOptions, type SyncBackend } from '@aeadkit/core'
import { backendOf, type KernelSource } from './backend.ts'
import { ENGINE_CHOICES, type EngineChoice, layoutFor } from './engine.ts'
import { bytesOfHex } from './hex.ts'
import type { KernelFacts, KernelLayout } from './kernel.ts'

/** A kernel with its embedded modules. */
export interface EmbeddedKernel {
  readonly facts: KernelFacts
  /** Each layout's module in hexadecimal digits; there is at least one. */
  readonly layouts: Readonly<Partial<Record<KernelLayout, string>>>
}

/** Options of `createWasmBackend` and `prepareWasmBackend`. */
export interface WasmBackendOptions {
  /** The layout of vectors where a kernel has several. Default `auto`: by engine. */
  readonly engine?: EngineChoice | undefined
}

interface EmbeddedSource extends KernelSource {
  /** Compiles ahead; a refusal shows again, with its reason, when the backend is probed. */
  prepare(): Promise<void>
}

function sourcesOf(kernels: readonly EmbeddedKernel[], options: WasmBackendOptions): EmbeddedSource[] {
  const { engine = 'auto' } = readOptions(options, ['engine'], 'createWasmBackend')
  if (!ENGINE_CHOICES.includes(engine)) {
    throw new AeadError('invalid-argument', `engine must be ${ENGINE_CHOICES.join(' or ')}`)
  }
  return kernels.map(({ facts, layouts }) => {
    const wanted = layoutFor(engine)
    const layout = wanted in layouts ? wanted : (Object.keys(layouts)[0] as KernelLayout)
    const bytes = (): Bytes => bytesOfHex(layouts[layout]!)
    let ready: WebAssembly.Module | undefined
    return {
      facts,
      layout,
      module: () => ready ?? compiledNow(bytes()),
      async prepare() {
        try {
          ready = await WebAssembly.compile(bytes())
        } catch {}
      },
    }
  })
}

/** `createWasmBackend` of an entry with these kernels. */
export function createFrom(kernels: readonly EmbeddedKernel[], options: WasmBackendOptions): SyncBackend {
  return backendOf(sourcesOf(kernels, options))
}

/** `prepareWasmBackend` of an entry with these kernels. */
export async function prepareFrom(
  kernels: readonly EmbeddedKernel[],
  options: WasmBackendOptions,
): Promise<SyncBackend> {
  const sources = sourcesOf(kernels, options)
  await Promise.all(sources.map((source) => source.prepare()))
  return backendOf(sources)
}

/** Some engines compile long modules on a page's main thread only asynchronously, and say so with a RangeError. */
function compiledNow(bytes: Bytes): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new AeadError('not-ready', 'this engine compiles only asynchronously: await prepareWasmBackend()', {
      cause: error,
    })
  }
}
