import { fileURLToPath } from 'node:url'

/** Root of this checkout, the same from `src` and from `dist`. */
export const ROOT: string = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')
