import { AeadError } from '@aeadkit/core'
import type { KernelSource } from './backend.ts'
import type { KernelFacts } from './kernel.ts'

/** What tells the kernels apart from any other module; whether they compute correctly is for the self-test to say. */
const NEEDED = ['memory', 'SLOTS', 'WINDOW_BYTES', 'seal', 'open', 'wipeData']

function checkModule({ name }: KernelFacts, module: WebAssembly.Module): void {
  if (Object.prototype.toString.call(module) !== '[object WebAssembly.Module]') {
    throw new AeadError('invalid-argument', `${name} must be a WebAssembly.Module, already compiled`)
  }
  const found = WebAssembly.Module.exports(module).map((item) => item.name)
  const missing = NEEDED.find((item) => !found.includes(item))
  if (missing === undefined) return
  throw new AeadError('invalid-argument', `the module given for ${name} is no kernel: it lacks ${missing}`)
}

/**
 * A kernel whose module was compiled elsewhere.
 * @throws AeadError `invalid-argument` for something that is no `WebAssembly.Module`, or one of something else.
 */
export function givenSource(facts: KernelFacts, module: WebAssembly.Module): KernelSource {
  checkModule(facts, module)
  return { facts, layout: 'given module', module: () => module }
}
