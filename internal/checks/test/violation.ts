import { type Files, manifest } from './fixture.ts'

/** A change to the sound tree that breaks one rule, and a part of what the rule must say of it. */
export interface Violation {
  readonly title: string
  readonly files: Files
  readonly says: string
}

// Words that the rules look for are joined, so that this file does not name them.
export const word = (...parts: string[]): string => parts.join('')

export const code = (folder: string, text: string): Files => ({
  [`packages/${folder}/src/index.ts`]: text,
  [`packages/${folder}/dist/index.js`]: text,
})
// The other packages of the tree import createAead.
export const core = (text: string): Files =>
  code('core', text.includes('createAead') ? text : `${text}export function createAead() {}\n`)
export const coreManifest = (changes: object): Files => ({
  'packages/core/package.json': manifest('@aeadkit/core', changes),
})
export const nobleManifest = (changes: object): Files => ({
  'packages/backend-noble/package.json': manifest('@aeadkit/backend-noble', changes),
})

/** For each rule, trees that break it. */
export type Violations = Readonly<Record<string, readonly Violation[]>>
