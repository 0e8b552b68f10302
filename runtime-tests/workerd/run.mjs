// Bundles a Worker, writes a configuration that embeds its modules, and runs workerd's own test mode on it.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../scripts/steps.mjs'
import { bundle } from '../bundle.mjs'

/** Compatibility dates: of today, and from before Workers had Node's modules. */
export const DATES = { today: '2026-11-01', plain: '2025-01-01' }

/** The configuration: the entry first, then its chunks and wasm modules. */
function config(entry, files, date) {
  const modules = [entry, ...files.filter((file) => file !== entry)].map((file) => {
    const kind = file.endsWith('.wasm') ? 'wasm' : 'esModule'
    return `      (name = "${file}", ${kind} = embed "${file}"),`
  })
  return `using Workerd = import "/workerd/workerd.capnp";

const tests :Workerd.Config = (
  services = [(name = "${entry}", worker = (
    modules = [
${modules.join('\n')}
    ],
    compatibilityDate = "${date}",
  ))],
);
`
}

/**
 * Runs workerd's own test mode on a bundle.
 * @param workerd - path of the program.
 * @param folder - holds the bundle; the configuration is written there.
 * @param entry - name of the Worker's file, which has a `test()` handler.
 * @param options.date - compatibility date.
 * @param options.seconds - after these it counts as hung.
 * @returns `{ code, output }`.
 */
export async function testWorker(workerd, folder, entry, { date = DATES.today, seconds }) {
  const files = readdirSync(folder).filter((file) => /\.(js|wasm)$/.test(file))
  writeFileSync(join(folder, 'config.capnp'), config(entry, files, date))
  return run(workerd, ['test', join(folder, 'config.capnp')], { cwd: folder, quiet: true, seconds })
}

/**
 * Bundles a Worker of this folder and tests it.
 * @param options.entry - Worker relative to `runtime-tests`, with a `test()` handler.
 * @param options.source - source of the Worker instead of a file; `entry` is then the name it gets.
 */
export async function runWorkerd(workerd, { entry, source, date, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'aeadkit-workerd-'))
  try {
    await bundle(source === undefined ? [entry] : { name: entry, source }, folder, [
      'workerd',
      'worker',
      'browser',
    ])
    return await testWorker(workerd, folder, entry.slice(entry.lastIndexOf('/') + 1), { date, seconds })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
