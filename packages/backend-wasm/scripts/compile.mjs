import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

/**
 * Compiles one module of `kernels.mjs`. Generated sources exist in memory only, so that builds side by
 * side do not disturb each other.
 * @returns the bytes of the module.
 */
export async function compile({ file, entry, generated, flags }) {
  let bytes
  const { error, stderr } = await asc.main([entry, '--outFile', `${file}.wasm`, ...flags], {
    readFile(name, base) {
      if (name === generated.file) return generated.text()
      try {
        return readFileSync(new URL(name, `file://${base === '.' ? PACKAGE : `${base}/`}`), 'utf8')
      } catch {
        return null
      }
    },
    writeFile(name, contents) {
      if (name === `${file}.wasm`) bytes = contents
    },
    listFiles: () => [],
  })
  if (error || bytes === undefined) throw new Error(`${file}: ${error?.message}\n${stderr}`)
  return bytes
}
