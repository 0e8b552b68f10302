// Copies each package's version from package.json to its jsr.json. Runs after `changeset version`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './ensure.mjs'

for (const name of readdirSync(join(ROOT, 'packages')).sort()) {
  const manifestFile = join(ROOT, 'packages', name, 'package.json')
  const jsrFile = join(ROOT, 'packages', name, 'jsr.json')
  if (!existsSync(manifestFile) || !existsSync(jsrFile)) continue
  const { version } = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const text = readFileSync(jsrFile, 'utf8')
  const jsr = JSON.parse(text)
  if (jsr.version === version) continue
  console.log(`${jsr.name}: ${jsr.version} -> ${version}`)
  // Only the version is touched, so that the file keeps its form.
  const changed = text.replace(/("version"\s*:\s*)"[^"]*"/, `$1"${version}"`)
  if (JSON.parse(changed).version !== version)
    throw new Error(`${jsrFile} has no version of its own to replace.`)
  writeFileSync(jsrFile, changed)
}
