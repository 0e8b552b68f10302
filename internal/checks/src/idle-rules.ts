import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundleEffects } from './bundle.ts'
import { targetsOf } from './manifest-rules.ts'
import type { Repository, Workspace } from './repository.ts'
import type { Rule } from './rule.ts'

const TRAP = fileURLToPath(new URL('../dist/import-trap.js', import.meta.url))

interface Entry {
  readonly workspace: Workspace
  readonly key: string
  /** Absolute path of the built file. */
  readonly file: string
}

/** The built JavaScript files behind the exports of the published packages. */
function entries({ published }: Repository): Entry[] {
  return published.flatMap((workspace) =>
    Object.entries(workspace.manifest.exports ?? {}).flatMap(([key, entry]) => {
      const files = targetsOf(entry)
        .map(({ file }) => file)
        .filter((file) => file.endsWith('.js'))
      // A file that is not built is the business of the rule about exports.
      return [...new Set(files)]
        .map((file) => ({ workspace, key, file: join(workspace.path, file) }))
        .filter(({ file }) => existsSync(file))
    }),
  )
}

async function trapped(file: string): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [TRAP, pathToFileURL(file).href], {
      timeout: 240_000,
    })
    return JSON.parse(stdout) as string[]
  } catch (error) {
    const lines = String((error as { stderr?: unknown }).stderr ?? error).split('\n')
    return [`fails: ${lines.find((line) => line.includes('Error')) ?? lines[0]}`]
  }
}

/** Rules about what an import does by itself: nothing. */
export const IDLE_RULES: readonly Rule[] = [
  {
    id: 'idle-bundle',
    says: 'An import of which nothing is used leaves nothing in a bundle.',
    why: 'A constrained bundle pays only for what it calls; bare calls and computed tables stay behind.',
    check: async (repository) => {
      const problems: string[] = []
      for (const { workspace, key, file } of entries(repository)) {
        const rest = await bundleEffects(file)
        if (rest !== '') problems.push(`${workspace.folder}: "${key}" leaves: ${firstOf(rest)}`)
      }
      return { problems }
    },
  },
  {
    id: 'idle-import',
    says: 'Importing a package calls nothing of the platform and adds no global.',
    why: 'No probing, no timers, no entropy and no compilation happens before somebody asks for it.',
    check: async (repository) => {
      const found = await Promise.all(
        entries(repository).map(async ({ workspace, key, file }) =>
          (await trapped(file)).map((call) => `${workspace.folder}: importing "${key}" ${call}`),
        ),
      )
      return { problems: found.flat() }
    },
  },
]

function firstOf(text: string): string {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > 120 ? `${flat.slice(0, 120)}... (${text.length} characters)` : flat
}
