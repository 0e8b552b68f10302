import type { KernelLayout } from './kernel.ts'

/**
 * Which layout to use: `auto` asks the engine who it is. Measuring instead would time code that the engine has not
 * optimized yet, and get it wrong; with the wrong layout results are the same, only slower.
 */
export type EngineChoice = 'auto' | 'columns' | 'rows'

/** All values of `EngineChoice`. */
export const ENGINE_CHOICES: readonly EngineChoice[] = ['auto', 'columns', 'rows']

/** The layout for this engine: errors of JavaScriptCore, and of no other engine, carry the line of their origin. */
export function layoutFor(choice: EngineChoice): KernelLayout {
  if (choice !== 'auto') return choice
  return Object.hasOwn(new Error(), 'line') ? 'rows' : 'columns'
}
