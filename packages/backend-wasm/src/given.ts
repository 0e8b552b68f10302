import { AeadError } from '@aeadkit/core'
import type { KernelSource } from './backend.ts'
import type { KernelFacts } from './kernel.ts'

/** What tells the kernels apart from any other module; whether they compute correctly is for the self-test to say. */
const NEEDED = ['memory', 'SLOTS', 'WINDOW_BYTES', 'seal', 'open', 'wipeData']

/**
 * A kernel whose module was compiled elsewhere.
 * @throws AeadError `invalid-argument` for something that is no `WebAssembly.Module`, or one of something else.
 */
export function givenSource(facts: KernelFacts, module: WebAssembly.Module): KernelSource {
  const compiled = Object.prototype.toString.call(module) === '[object WebAssembly.Module]'
  const found = compiled ? WebAssembly.Module.exports(module).map(({ name }) => name) : []
  if (!NEEDED.every((name) => found.includes(name))) {
    throw new AeadError('invalid-argument', `${facts.name} must be the WebAssembly.Module of this kernel`)
  }
  return { facts, layout: 'given module', module: () => module }
}
