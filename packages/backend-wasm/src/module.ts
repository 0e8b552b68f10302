/**
 * The backend over modules that the runtime has compiled, for Cloudflare Workers and others that refuse to compile
 * bytes. Carries no kernel itself.
 * @module
 */
import { AeadError, readOptions, type SyncBackend } from '@aeadkit/core'
import { backendOf, type KernelSource } from './backend.ts'
import { givenSource } from './given.ts'
import { AES_GCM, CHACHA20_POLY1305, type KernelFacts, type KernelName, type WasmModule } from './kernel.ts'

export type { KernelName }

/** Compiled modules by kernel: files `*.wasm` of this package, at least one. */
export type KernelModules = Readonly<Partial<Record<KernelName, WasmModule>>>

const KERNELS: readonly KernelFacts[] = [CHACHA20_POLY1305, AES_GCM]

/**
 * A backend over compiled modules.
 * @param modules - for example `{ 'chacha20-poly1305': chacha }` after
 *   `import chacha from '@aeadkit/backend-wasm/chacha20-poly1305.columns.wasm'`. On V8 take `columns`, on
 *   JavaScriptCore `rows`.
 * @throws AeadError `invalid-argument`: none given, an unknown kernel, something that is no `WebAssembly.Module`, or
 *   a module of something else.
 */
export function createWasmBackendFromModules(modules: KernelModules): SyncBackend {
  const known = KERNELS.map(({ name }) => name)
  const read = readOptions(modules, known, 'createWasmBackendFromModules')
  const sources = KERNELS.flatMap((facts): readonly KernelSource[] => {
    const module = read[facts.name]
    return module === undefined ? [] : [givenSource(facts, module)]
  })
  if (sources.length > 0) return backendOf(sources)
  throw new AeadError('invalid-argument', `no module given; expected at least one of ${known.join(', ')}`)
}
