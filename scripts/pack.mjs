// Packs the published packages, for everything that installs them outside the checkout as a user would.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './ensure.mjs'
import { downloaded, npm as runNpm } from './npm.mjs'

/** Manifests of the packages that go to a registry. */
export const PUBLISHED = readdirSync(join(ROOT, 'packages'))
  .map((folder) => JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8')))
  .filter((manifest) => manifest.private !== true)

/** Runs npm and keeps its output back. */
export function npm(args, cwd, env = {}) {
  return runNpm(args, { cwd, env, quiet: true })
}

/** Installs what the manifest of a folder names, with these arguments. */
export function npmInstall(args, cwd) {
  return downloaded('npm install', () => npm(['install', '--no-audit', '--no-fund', ...args], cwd))
}

/** The output of a command that has to succeed; throws with it when the command failed. */
export async function must(what, promise) {
  const { code, output } = await promise
  if (code !== 0) throw new Error(`${what} failed:\n${output}`)
  return output
}

/** Packs every published package into `folder`; needs a finished build. Resolves to the tarballs by package name. */
export async function packAll(folder) {
  const workspaces = PUBLISHED.flatMap(({ name }) => ['--workspace', name])
  // Only the JSON may come out: no lifecycle script, no notice.
  const quiet = ['--json', '--ignore-scripts', '--loglevel=error', '--no-update-notifier']
  const text = await must(
    'npm pack',
    npm(['pack', ...quiet, ...workspaces, '--pack-destination', folder], ROOT),
  )
  const packed = JSON.parse(text.slice(text.search(/^[[{]/m)))
  const rows = Array.isArray(packed) ? packed : Object.values(packed)
  const tarballs = new Map(rows.map(({ name, filename }) => [name, join(folder, filename)]))
  for (const { name } of PUBLISHED) if (!tarballs.has(name)) throw new Error(`npm pack wrote no ${name}`)
  return tarballs
}

/** A published package and the published packages that it needs, by name. */
export function withNeeds(name, found = new Set()) {
  if (found.has(name)) return found
  found.add(name)
  const { dependencies = {} } = PUBLISHED.find((manifest) => manifest.name === name)
  for (const need of Object.keys(dependencies)) {
    if (PUBLISHED.some((manifest) => manifest.name === need)) withNeeds(need, found)
  }
  return found
}
