import { AeadError, type Bytes, refuseUnknownOptions, type SyncBackend } from '@aeadkit/core'
import { backendOf, type KernelSource } from './backend.ts'
import { type EngineChoice, layoutFor } from './engine.ts'
import { givenSource } from './given.ts'
import { bytesOfHex } from './hex.ts'
import type { KernelLayout, KernelName, WasmKernel, WasmModule } from './kernel.ts'

/** Options of `createWasmBackend` and `prepareWasmBackend`. */
export interface WasmBackendOptions {
  /** Which kernels the backend has. Default: all that the imported entry carries. */
  readonly kernels?: readonly WasmKernel[] | undefined
  /** The layout of vectors where a kernel has several. Default `auto`: by engine. */
  readonly engine?: EngineChoice | undefined
  /** Modules compiled elsewhere, in place of the embedded bytes. */
  readonly modules?: Readonly<Partial<Record<KernelName, WasmModule>>> | undefined
}

const OPTION_NAMES = ['kernels', 'engine', 'modules'] as const
const KERNEL_NAMES: readonly KernelName[] = ['chacha20-poly1305', 'aes-gcm']
const ENGINES: readonly unknown[] = ['auto', 'columns', 'rows']

/** A kernel with the layout chosen for it. */
interface Chosen {
  readonly kernel: WasmKernel
  readonly layout: KernelLayout
}

function chosen(options: WasmBackendOptions, ownKernels: readonly WasmKernel[], where: string): Chosen[] {
  refuseUnknownOptions(options, OPTION_NAMES, where)
  const { kernels = ownKernels, engine = 'auto' } = options
  if (!ENGINES.includes(engine)) {
    throw new AeadError('invalid-argument', `${where}: engine must be "auto", "columns" or "rows"`)
  }
  if (!Array.isArray(kernels) || kernels.some((kernel) => !kernel?.layouts || !kernel.facts)) {
    throw new AeadError('invalid-argument', `${where}: kernels must be a list of kernels`)
  }
  if (options.modules !== undefined) refuseUnknownOptions(options.modules, KERNEL_NAMES, `${where}: modules`)
  const wanted = layoutFor(engine)
  return kernels.map((kernel) => {
    const layouts = Object.keys(kernel.layouts) as KernelLayout[]
    return { kernel, layout: layouts.includes(wanted) ? wanted : layouts[0]! }
  })
}

function bytesOf({ kernel, layout }: Chosen): Bytes {
  return bytesOfHex(kernel.layouts[layout]!)
}

function embeddedSource(choice: Chosen): KernelSource {
  const { kernel, layout } = choice
  return { facts: kernel.facts, layout, module: () => compiledNow(bytesOf(choice)) }
}

/** `createWasmBackend` of an entry that carries `ownKernels`. */
export function createFrom(ownKernels: readonly WasmKernel[], options: WasmBackendOptions): SyncBackend {
  const sources = chosen(options, ownKernels, 'createWasmBackend').map((choice) => {
    const given = options.modules?.[choice.kernel.facts.name]
    return given === undefined ? embeddedSource(choice) : givenSource(choice.kernel.facts, given)
  })
  return backendOf(sources)
}

/** `prepareWasmBackend` of an entry that carries `ownKernels`. */
export async function prepareFrom(
  ownKernels: readonly WasmKernel[],
  options: WasmBackendOptions,
): Promise<SyncBackend> {
  const sources = chosen(options, ownKernels, 'prepareWasmBackend').map(
    async (choice): Promise<KernelSource> => {
      const given = options.modules?.[choice.kernel.facts.name]
      if (given !== undefined) return givenSource(choice.kernel.facts, given)
      const ready = await compiled(bytesOf(choice))
      // A refusal shows again, with its reason, when the backend is probed.
      return ready === undefined ? embeddedSource(choice) : { ...embeddedSource(choice), module: () => ready }
    },
  )
  return backendOf(await Promise.all(sources))
}

/** Some engines compile long modules on a page's main thread only asynchronously, and say so with a RangeError. */
function compiledNow(bytes: Bytes): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new AeadError(
      'not-ready',
      'this engine compiles asynchronously: await prepareWasmBackend() first',
      {
        cause: error,
      },
    )
  }
}

async function compiled(bytes: Bytes): Promise<WebAssembly.Module | undefined> {
  try {
    return await WebAssembly.compile(bytes)
  } catch {
    return undefined
  }
}
