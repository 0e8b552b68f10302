// Writes a Worker that imports every export of every published package at its global scope, where randomness, timers
// and I/O are refused (R32).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = fileURLToPath(new URL('../../packages', import.meta.url))

/** Every specifier of script that the published packages export. */
export function specifiers() {
  return readdirSync(PACKAGES)
    .map((folder) => join(PACKAGES, folder, 'package.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
    .filter((manifest) => manifest.private !== true)
    .flatMap(({ name, exports }) =>
      Object.keys(exports)
        .filter((key) => !/\.(json|wasm)$/.test(key))
        .map((key) => name + key.slice(1)),
    )
}

/** Source of the Worker; it prints how many names each import brought. */
export function everyPackageWorker() {
  const all = specifiers()
  return `${all.map((specifier, i) => `import * as m${i} from '${specifier}'`).join('\n')}
const modules = { ${all.map((specifier, i) => `'${specifier}': m${i}`).join(', ')} }
export default {
  test() {
    const empty = Object.keys(modules).filter((name) => Object.keys(modules[name]).length === 0)
    if (empty.length > 0) throw new Error('nothing exported by ' + empty.join(', '))
    console.log('imported at global scope: ' + Object.keys(modules).join(', '))
  },
}
`
}
