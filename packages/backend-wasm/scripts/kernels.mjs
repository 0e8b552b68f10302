// Every module of this package: its sources, its generated part, and the flags it is compiled with.
import { aesRounds } from './generate-aes.mjs'
import { chacha20Poly1305Rounds } from './generate-chacha20-poly1305.mjs'

/** Flags of all modules: no runtime, no imports, no asserts. */
const COMMON = ['--runtime', 'stub', '--enable', 'simd', '--noAssert']

/** Memory that never grows, in pages of 64 KiB. */
const fixedMemory = (pages) => ['--initialMemory', `${pages}`, '--maximumMemory', `${pages}`]

const AES = { file: 'assembly/aes/rounds.generated.ts', text: aesRounds }

/** -O3 for both engines. The optimizer takes addresses below the constants for unused, so they come first. */
const AES_FLAGS = ['--memoryBase', '1024', '-O3']

/**
 * One row per module. `file` is its name without extension, `entry` its first source, `generated` the
 * text of a source that is made instead of written, `flags` what the compiler gets. Optimization levels
 * are those that measured fastest on the engine the module is for; -O0 keeps the hand-made interleaving.
 */
export const MODULES = [
  {
    file: 'chacha20-poly1305.columns',
    entry: 'assembly/chacha20-poly1305/index.ts',
    generated: {
      file: 'assembly/chacha20-poly1305/rounds.generated.ts',
      text: () => chacha20Poly1305Rounds('columns'),
    },
    flags: [...COMMON, ...fixedMemory(3), '-O0'],
  },
  {
    file: 'chacha20-poly1305.rows',
    entry: 'assembly/chacha20-poly1305/index.ts',
    generated: {
      file: 'assembly/chacha20-poly1305/rounds.generated.ts',
      text: () => chacha20Poly1305Rounds('rows'),
    },
    flags: [...COMMON, ...fixedMemory(3), '-O2'],
  },
  {
    file: 'aes-gcm',
    entry: 'assembly/aes-gcm/index.ts',
    generated: AES,
    flags: [...COMMON, ...fixedMemory(7), ...AES_FLAGS],
  },
]

/** For the tests of what several modules share; not part of the package. */
export const PARTS = {
  file: 'parts',
  entry: 'assembly/test/index.ts',
  generated: AES,
  flags: [...COMMON, ...fixedMemory(1), ...AES_FLAGS],
}
