// Packs every published package, installs each with what it depends on in an empty folder outside the checkout, and
// imports, requires and type checks every export there; looks at each tarball with attw. Needs a finished build, and
// attw from the lock file of runtime-tests/types. Prints `N passed, N failed`.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './ensure.mjs'
import { must, npm, npmInstall, PUBLISHED, packAll, withNeeds } from './pack.mjs'
import { runNode } from './steps.mjs'
import { closingLine } from './tally.mjs'

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
const ATTW = join(
  ROOT,
  ...['runtime-tests', 'types', 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js'],
)
// The packages are ESM only, so two ways of resolving are not judged: `node10`, which does not know "exports", and
// `node16` from CommonJS, where require() of ESM works on the Node versions supported here (tried below) and a
// TypeScript older than 5.8 does not know it. Every rule applies to the other two.
const ATTW_OPTIONS = ['--profile', 'esm-only', '--no-color', '--no-emoji']

function writeConsumer(folder, { name, exports, bin }) {
  const keys = Object.keys(exports).filter((key) => key !== './package.json')
  const specifiers = keys.filter((key) => !key.endsWith('.wasm')).map((key) => name + key.slice(1))
  // Workers import these; Node only needs to find them.
  const modules = keys.filter((key) => key.endsWith('.wasm')).map((key) => name + key.slice(1))
  const list = JSON.stringify(specifiers)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  )
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
const require = createRequire(import.meta.url)
for (const specifier of ${list}) {
  const names = Object.keys(await import(specifier))
  if (names.length === 0) throw new Error(specifier + ' exports nothing')
  const required = Object.keys(require(specifier)).filter((name) => name !== '__esModule')
  if (String(required) !== String(names)) throw new Error('require(' + specifier + ') differs: ' + required)
}
for (const specifier of ${JSON.stringify(modules)}) {
  await WebAssembly.compile(readFileSync(require.resolve(specifier)))
}
for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) readFileSync('node_modules/${name}/' + file)
`,
  )
  writeFileSync(
    join(folder, 'use.ts'),
    [...specifiers, ...modules]
      .map((specifier, index) => `import * as m${index} from '${specifier}'\nvoid m${index}\n`)
      .join(''),
  )
  // What a consumer may well have: no DOM, no newer library, and declarations checked.
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2022'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  return Object.keys(bin ?? {})
}

async function tryPackage(manifest, tarballs, folder) {
  mkdirSync(folder)
  const bins = writeConsumer(folder, manifest)
  const files = [...withNeeds(manifest.name)].map((name) => tarballs.get(name))
  await must('npm install', npmInstall(['--prefer-offline', ...files], folder))
  await must('import', runNode('use.mjs', [], { cwd: folder, quiet: true }))
  await must('type check', runNode(TSC, ['-p', folder], { cwd: folder, quiet: true }))
  for (const bin of bins) await must(`${bin} --help`, npm(['exec', '--offline', '--', bin, '--help'], folder))
}

async function judgeTypes(tarball) {
  await must('attw', runNode(ATTW, [tarball, ...ATTW_OPTIONS], { cwd: ROOT, quiet: true }))
}

const place = mkdtempSync(join(tmpdir(), 'aeadkit-packed-'))
const tally = { passed: 0, failed: 0, skipped: 0 }
try {
  mkdirSync(join(place, 'tarballs'))
  const tarballs = await packAll(join(place, 'tarballs'))
  const attempt = async (what, work) => {
    try {
      await work()
      tally.passed++
      console.log(`ok     ${what}`)
    } catch (error) {
      tally.failed++
      console.log(`FAILED ${what}: ${error.message}`)
    }
  }
  for (const [index, manifest] of PUBLISHED.entries()) {
    const folder = join(place, `consumer-${index}`)
    await attempt(manifest.name, () => tryPackage(manifest, tarballs, folder))
  }
  if (existsSync(ATTW)) {
    for (const [name, tarball] of tarballs) await attempt(`attw ${name}`, () => judgeTypes(tarball))
  } else {
    tally[process.env.CI ? 'failed' : 'skipped'] += tarballs.size
    console.log('attw is not installed: node scripts/npm.mjs runtime-tests/types --ignore-scripts')
  }
} catch (error) {
  tally.failed++
  console.error(error.message)
} finally {
  rmSync(place, { recursive: true, force: true })
}
console.log(closingLine(tally))
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0
