// Joins the built modules behind each export of a package into a few files: a runtime that loads a hundred small ones
// spends most of an import on finding and opening them. Runs in the folder of the package, after the compiler; the types
// stay module by module.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const { exports, imports = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Every file that something outside names: the exports, and what bundlers choose from by their condition. */
const entries = [...Object.values(exports), ...Object.values(imports)].flatMap((entry) =>
  typeof entry === 'string'
    ? []
    : Object.entries(entry).flatMap(([condition, file]) => (condition === 'types' ? [] : [file])),
)
const { outputFiles } = await build({
  entryPoints: [...new Set(entries)],
  outdir: 'dist',
  outbase: 'dist',
  bundle: true,
  // What two exports have in common stays one module, with one state.
  splitting: true,
  chunkNames: 'shared-[hash]',
  packages: 'external',
  external: Object.keys(imports),
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
  allowOverwrite: true,
  write: false,
})
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.js')) rmSync(join('dist', name))
}
for (const { contents, path } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, contents)
}
