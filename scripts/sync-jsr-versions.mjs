// Copies each package's version from package.json to its jsr.json. Runs after `changeset version`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './ensure.mjs'

for (const name of readdirSync(join(ROOT, 'packages')).sort()) {
  const manifestFile = join(ROOT, 'packages', name, 'package.json')
  const jsrFile = join(ROOT, 'packages', name, 'jsr.json')
  if (!existsSync(manifestFile) || !existsSync(jsrFile)) continue
  const { version } = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const jsr = JSON.parse(readFileSync(jsrFile, 'utf8'))
  if (jsr.version === version) continue
  console.log(`${jsr.name}: ${jsr.version} -> ${version}`)
  writeFileSync(jsrFile, `${JSON.stringify({ ...jsr, version }, null, 2)}\n`)
}
