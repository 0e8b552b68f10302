import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
/** Repository root. */
export const root: string = resolve(here, '../../..')
/** Folder of facts and fixtures beside the checkout. */
export const shared: string = resolve(root, '../shared')

export const read = (path: string): string => readFileSync(resolve(shared, path), 'utf8')
export const has = (path: string): boolean => existsSync(resolve(shared, path))

/** Says once why tests are left out. */
export function skipped(count: number, reason: string): true {
  console.log(`skipped ${count}: ${reason}`)
  return true
}
