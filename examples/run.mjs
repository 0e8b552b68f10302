// npm run test:examples: packs the packages once, copies each example to a folder outside the checkout, installs it
// there from the tarballs, runs it, and compares what it prints with the expectation that lies beside it.
//   --only NAME,NAME   some examples
// A missing runtime is a failure when CI is set, else a named skip. Ends with
// `N passed, N failed`.
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureToolchain } from '../runtime-tests/toolchain.mjs'
import { build } from '../scripts/build.mjs'
import { ensure, ROOT } from '../scripts/ensure.mjs'
import { must, npm, npmInstall, PUBLISHED, packAll } from '../scripts/pack.mjs'
import { runNode } from '../scripts/steps.mjs'
import { closingLine } from '../scripts/tally.mjs'
import { difference } from './expected.mjs'

// The table reads what only a build writes.
await ensure()
await must('The build', build())
const { EXAMPLES, programFolders } = await import('./examples.mjs')

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** Examples at a time. */
const AT_ONCE = 2

const OWN = new Map(PUBLISHED.map(({ name, version }) => [name, version]))

/** How scripts in JavaScript are checked: what they call exists and takes what they give. */
const CHECK_JS = [
  ...[
    '--noEmit',
    '--allowJs',
    '--checkJs',
    '--target',
    'ES2022',
    '--lib',
    'ES2022,DOM',
    '--skipLibCheck',
    '--strict',
    'false',
  ],
  ...['--module', 'NodeNext', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')],
]

async function checkTypes({ check, folder }) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  if (files.length === 0) return
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const checked = await runNode(tsc, [...CHECK_JS, ...files], { cwd: folder, quiet: true })
  check(`${files.join(', ')}: no type errors`, checked)
}

/** Every package a source of the example imports. */
function importsOf(folder) {
  const found = new Set()
  for (const file of readdirSync(folder).filter((name) => /\.(js|ts)$/.test(name))) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, specifier] of text.matchAll(/\bfrom '([^'.][^']*)'/g)) {
      if (specifier.startsWith('node:')) continue
      found.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  return found
}

/** Replaces versions of the published packages by their tarballs, for what the example names and what that needs. */
function useTarballs(folder, tarballs) {
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const { dependencies } = manifest
  for (const [name, version] of OWN) {
    if (dependencies[name] === undefined) continue
    if (dependencies[name] !== `^${version}`) {
      throw new Error(`package.json names ${name} ${dependencies[name]}, the package has ${version}`)
    }
    dependencies[name] = `file:${tarballs.get(name)}`
  }
  for (const name of importsOf(folder)) {
    if (dependencies[name] === undefined) throw new Error(`package.json does not name ${name}`)
  }
  const override = (name) => (dependencies[name] === undefined ? `file:${tarballs.get(name)}` : `$${name}`)
  manifest.overrides = Object.fromEntries([...OWN.keys()].map((name) => [name, override(name)]))
  writeFileSync(file, JSON.stringify(manifest))
}

/** Fails unless each published package that was installed is a copy made from its tarball. */
function checkOrigin(folder, tarballs) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
  let count = 0
  for (const [path, { link, resolved }] of Object.entries(packages)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (!OWN.has(name)) continue
    count++
    const whole = lstatSync(join(folder, path)).isDirectory()
    if (link === true || !whole || basename(resolved ?? '') !== basename(tarballs.get(name)))
      throw new Error(`${name} was not installed from its tarball but from ${resolved}`)
  }
  if (count === 0) throw new Error('no package was installed from a tarball')
  return count
}

/** What a row of the table works with. */
function toolsFor(name, folder, tally, print) {
  const path = [...programFolders(), process.env.PATH].join(delimiter)
  const tools = {
    folder,
    env: { PATH: path, DENO_DIR: join(folder, '.deno'), NO_COLOR: '1', npm_config_update_notifier: 'false' },
    print,
    /** Runs a script of the example's package.json. */
    script: (script, env = {}, args = []) =>
      npm(['run', '--silent', script, ...args], folder, { ...tools.env, ...env }),
    /** Compares output and exit code with a file beside the example. */
    async expect(file, running, code = 0) {
      const result = await running
      for (const line of result.output.trimEnd().split('\n')) print(`  | ${line}`)
      const wanted = readFileSync(join(HERE, name, file), 'utf8')
      const problem =
        result.code === code
          ? difference(wanted, result.output)
          : `exit code ${result.code}, expected ${code}`
      if (problem === undefined) tally.passed++
      else {
        tally.failed++
        print(`  FAILED ${file}: ${problem}`)
      }
    },
    /** Counts one statement about the example; code 0 says that it holds, the output says why not. */
    check(says, { code, output }) {
      tally[code === 0 ? 'passed' : 'failed']++
      print(code === 0 ? `  ${says}` : `  FAILED ${says}:\n${output}`)
    },
    /** A runtime that is missing: CI has them all. */
    without(what, why) {
      if (!process.env.CI) return tools.skip(what, why)
      tally.failed++
      print(`  FAILED ${what}: ${why}`)
    },
    /** What cannot be had everywhere. */
    skip(what, why) {
      tally.skipped++
      print(`  skipped ${what}: ${why}`)
    },
  }
  return tools
}

async function runExample({ name, missing, run }, tarballs, place, total) {
  const start = performance.now()
  const lines = []
  const tally = { passed: 0, failed: 0, skipped: 0 }
  const print = (line) => lines.push(line)
  const tools = toolsFor(name, join(place, name), tally, print)
  const why = missing?.()
  try {
    if (why !== undefined) tools.without(name, why)
    else {
      cpSync(join(HERE, name), tools.folder, {
        recursive: true,
        filter: (source) => !/[\\/](node_modules|dist|data)$/.test(source),
      })
      useTarballs(tools.folder, tarballs)
      const flags = ['--prefer-offline', '--ignore-scripts', '--no-update-notifier']
      await must('npm install', npmInstall(flags, tools.folder))
      print(`  ${checkOrigin(tools.folder, tarballs)} packages installed from tarballs`)
      await checkTypes(tools)
      await run(tools)
    }
  } catch (error) {
    tally.failed++
    print(`  FAILED ${error.message}`)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`--- ${name}: ${tally.failed === 0 ? 'ok' : 'FAILED'}, ${seconds} s`)
  for (const line of lines) console.log(line)
  for (const key of Object.keys(total)) total[key] += tally[key]
}

function chosen(args) {
  if (args.length === 0) return EXAMPLES
  const names = args[0] === '--only' && args.length === 2 ? args[1].split(',') : []
  const known = EXAMPLES.map(({ name }) => name)
  if (names.length === 0 || !names.every((name) => known.includes(name)))
    throw new Error(`The only option is --only NAME,NAME; names are ${known.join(', ')}.`)
  return EXAMPLES.filter(({ name }) => names.includes(name))
}

const total = { passed: 0, failed: 0, skipped: 0 }
const place = mkdtempSync(join(tmpdir(), 'aeadkit-examples-'))
try {
  const queue = [...chosen(process.argv.slice(2))]
  const folders = readdirSync(HERE, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const strangers = folders.filter(({ name }) => !EXAMPLES.some((example) => example.name === name))
  if (strangers.length > 0)
    throw new Error(`not in the table: ${strangers.map(({ name }) => name).join(', ')}`)
  const why = await ensureToolchain()
  if (why !== undefined) console.log(why)
  mkdirSync(join(place, 'tarballs'))
  const tarballs = await packAll(join(place, 'tarballs'))
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await runExample(next, tarballs, place, total)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
} catch (error) {
  console.error(error.message)
  total.failed++
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
}
console.log(closingLine(total))
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
