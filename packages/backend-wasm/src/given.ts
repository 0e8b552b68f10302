import { AeadError } from '@aeadkit/core'
import type { KernelSource } from './backend.ts'
import type { KernelFacts } from './kernel.ts'

/** What tells the kernels apart from any other module; whether they compute correctly is for the self-test to say. */
const NEEDED = ['memory', 'SLOTS_END', 'FRONT_BYTES', 'seal', 'open', 'wipeData']

/**
 * A kernel whose module was compiled elsewhere.
 * @throws AeadError `invalid-argument` for something that is no `WebAssembly.Module`, or one of something else.
 */
export function givenSource(facts: KernelFacts, module: WebAssembly.Module): KernelSource {
  const found = exportsOf(module)
  if (!NEEDED.every((name) => found.includes(name))) {
    throw new AeadError('invalid-argument', `${facts.name} must be the WebAssembly.Module of this kernel`)
  }
  return { facts, layout: 'given module', module: () => module }
}

/** Names of what a module exports; none for anything else, whatever it calls itself. */
function exportsOf(module: WebAssembly.Module): readonly string[] {
  try {
    return WebAssembly.Module.exports(module).map(({ name }) => name)
  } catch {
    return []
  }
}
