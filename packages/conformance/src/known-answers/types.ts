import type { VectorCase } from '../vectors.ts'

/** One valid AEAD call of a specification, in hexadecimal; `id` names document and section. */
export type KnownAnswer = Omit<VectorCase, 'result' | 'flags' | 'comment'>
