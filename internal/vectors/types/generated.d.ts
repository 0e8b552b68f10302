// Type of the git-ignored module that src/generate.ts writes; package.json maps #generated to both.
import type { VectorSet } from '../src/types.ts'

export declare const vectorSet: VectorSet
