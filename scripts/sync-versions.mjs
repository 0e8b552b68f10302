// Copies each package's version from package.json to its jsr.json and its src/release.ts, and into the examples that
// name it. Runs after `changeset version`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './ensure.mjs'

/** Replaces what `pattern` finds, and only that, so that the file keeps its form. */
function rewrite(file, pattern, version, read) {
  const text = readFileSync(file, 'utf8')
  const before = read(JSON.parse(text))
  if (before === undefined || before === version) return
  const changed = text.replace(pattern, `$1"${version}"`)
  if (read(JSON.parse(changed)) !== version) throw new Error(`${file} has no version of its own to replace.`)
  console.log(`${file.slice(ROOT.length)}: ${before} -> ${version}`)
  writeFileSync(file, changed)
}

const examples = readdirSync(join(ROOT, 'examples'))
  .map((name) => join(ROOT, 'examples', name, 'package.json'))
  .filter((file) => existsSync(file))
  .sort()

for (const folder of readdirSync(join(ROOT, 'packages')).sort()) {
  const manifestFile = join(ROOT, 'packages', folder, 'package.json')
  if (!existsSync(manifestFile)) continue
  const { name, version } = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const jsrFile = join(ROOT, 'packages', folder, 'jsr.json')
  if (existsSync(jsrFile)) rewrite(jsrFile, /("version"\s*:\s*)"[^"]*"/, version, (jsr) => jsr.version)
  const release = join(ROOT, 'packages', folder, 'src', 'release.ts')
  if (existsSync(release)) {
    const text = readFileSync(release, 'utf8')
    writeFileSync(release, text.replace(/'[^']*'/, `'${version}'`))
  }
  for (const file of examples) {
    const pattern = new RegExp(`("${name}"\\s*:\\s*)"[^"]*"`)
    rewrite(file, pattern, `^${version}`, ({ dependencies }) => dependencies[name])
  }
}
