import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = import.meta.dirname

/** Every workspace with tests is one project, named by its folder: `--project packages/core`. */
const projects = ['packages', 'internal']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(join(root, folder, 'test')))
  .map((folder) => ({
    extends: true as const,
    test: { name: folder, root: join(root, folder), include: ['test/**/*.test.ts'] },
  }))

export default defineConfig({
  // As tests import the sources, what the sources choose by a condition is a source as well.
  resolve: { alias: { '#machine': join(root, 'packages/selector/src/evidence/machine.ts') } },
  test: {
    projects,
    pool: 'forks',
    retry: 0,
    // A limit for what hangs: a busy machine takes ten times as long as an idle one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Built packages run as Node loads them, not through a transform.
    server: { deps: { external: [/\/dist\//] } },
  },
})
