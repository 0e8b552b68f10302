import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `shared` has one folder per family and a manifest; `wycheproof` is the flat `testvectors_v1` folder. */
export type Layout = 'shared' | 'wycheproof'

/** The vectors folder, or why there is none. */
export type Location =
  | { readonly found: true; readonly folder: string; readonly layout: Layout; readonly reason: string }
  | { readonly found: false; readonly reason: string }

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

function layoutOf(folder: string): Layout | undefined {
  if (existsSync(join(folder, 'README.md')) && existsSync(join(folder, 'aes-gcm'))) return 'shared'
  return readdirSync(folder).some((name) => name.endsWith('_test.json')) ? 'wycheproof' : undefined
}

/**
 * Finds the vectors: `AEADKIT_VECTORS` if set, else `../shared/vectors` beside the checkout.
 * @param given - value of `AEADKIT_VECTORS`.
 */
export function locateVectors(given: string | undefined): Location {
  const named = given !== undefined && given !== ''
  const folder = named ? resolve(given) : resolve(REPOSITORY, '../shared/vectors')
  const name = named ? 'AEADKIT_VECTORS' : '../shared/vectors'
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    const hint = named ? 'it names no folder' : 'the folder is absent and AEADKIT_VECTORS is not set'
    return { found: false, reason: `no vector files (${name}: ${hint}); only the built-in known answers run` }
  }
  const layout = layoutOf(folder)
  if (layout === undefined) {
    return {
      found: false,
      reason: `no vector files (${name}: neither layout is recognised); only the built-in known answers run`,
    }
  }
  return { found: true, folder, layout, reason: `vectors from ${name} (${layout} layout)` }
}
