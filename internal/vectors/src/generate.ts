/** Writes the vectors as ES modules below `generated/`, which git ignores. Run by the build. @module */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { convertFolder, listFiles } from './convert.ts'
import { type Location, locateVectors } from './locate.ts'
import type { VectorFile } from './types.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const GENERATED = fileURLToPath(new URL('../generated/', import.meta.url))
const STAMP = 'stamp.txt'

/** Changes whenever an input file or this converter changes. */
function fingerprint(location: Location): string {
  const hash = createHash('sha256').update(location.reason)
  for (const name of readdirSync(HERE).sort()) {
    if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(HERE, name)))
  }
  if (location.found) {
    for (const name of ['README.md', ...listFiles(location.folder, location.layout)]) {
      const path = join(location.folder, name)
      if (existsSync(path)) hash.update(name).update('\0').update(readFileSync(path))
    }
  }
  return hash.digest('hex')
}

function moduleName(file: string): string {
  return `${file.replace(/\.(json|txt)$/, '').replaceAll(/[^A-Za-z0-9]+/g, '-')}.js`
}

function write(name: string, text: string): void {
  writeFileSync(join(GENERATED, name), text)
}

function generate(location: Location): readonly VectorFile[] {
  const { files, accumulated } = location.found
    ? convertFolder(location.folder, location.layout)
    : { files: [], accumulated: null }
  rmSync(GENERATED, { recursive: true, force: true })
  mkdirSync(GENERATED, { recursive: true })
  for (const file of files) write(moduleName(file.file), `export const file = ${JSON.stringify(file)}\n`)
  const imports = files.map((file, i) => `import { file as f${i} } from './${moduleName(file.file)}'`)
  const origin = JSON.stringify({ present: location.found, reason: location.reason })
  const list = files.map((_, i) => `f${i}`).join(', ')
  const set = `{ origin: ${origin}, files: [${list}], accumulated: ${JSON.stringify(accumulated)} }`
  write('index.js', `${imports.join('\n')}\nexport const vectorSet = ${set}\n`)
  return files
}

const location: Location = locateVectors(process.env.AEADKIT_VECTORS)
const wanted: string = fingerprint(location)
const stamp: string = join(GENERATED, STAMP)
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
  console.log(`${location.reason}: up to date`)
} else {
  const files = generate(location)
  write(STAMP, wanted)
  const cases = files.reduce((sum, file) => sum + file.cases.length, 0)
  const count = files.reduce((sum, file) => sum + file.count, 0)
  console.log(
    location.found
      ? `${location.reason}: ${files.length} files, ${cases} AEAD cases, ${count - cases} excluded with a reason`
      : location.reason,
  )
}
