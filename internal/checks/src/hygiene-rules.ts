import { dirname } from 'node:path'
import { type Repository, sourcesOf } from './repository.ts'
import type { Rule } from './rule.ts'
import { readSource } from './syntax.ts'

const MAX_LINES = 350
const WARN_LINES = 300

const TEXT =
  /\.(ts|mts|js|mjs|json|md|ya?ml|sh|txt|toml|html|css)$|(^|\/)(\.ci\/run|LICENSE|\.npmrc|\.git\w+)$/
const BUILT = /\.(wasm|so|node|tgz|dll|dylib)$|(^|\/)(dist|node_modules)\//
const VECTORS =
  /(wycheproof|acvp|cavp|_KAT_)[^/]*\.(json|txt|rsp)$|(^|\/)(?<!internal\/)vectors\/[^/]+\/.*\.(json|txt|rsp|req)$/i
const TEST_FUNCTIONS = new Set(['it', 'test', 'describe', 'suite', 'bench'])
const FORBIDDEN_MODIFIERS = new Set(['only', ['to', 'do'].join('')])

// Joined here, so that this file does not name what it looks for.
const UNFINISHED = new RegExp(
  `\\b(${[
    ['TO', 'DO'],
    ['FIX', 'ME'],
    ['HA', 'CK'],
    ['X', 'XX'],
    ['for', ' now'],
    ['place', 'holder'],
    ['not', ' implemented'],
  ]
    .map((parts) => parts.join(''))
    .join('|')})\\b`,
  'i',
)
const HOMES = ['home', 'root', 'Users', 'work'].join('|')
const MACHINE_PATH = new RegExp(`(?<![\\w.:/-])/(${HOMES})/|\\b[A-Z]:\\\\Users\\\\`)

/** Lists `file:line: text` for each line of the files that `problem` objects to. */
function lines(
  repository: Repository,
  files: readonly string[],
  problem: (line: string) => string | undefined,
): string[] {
  return files.flatMap((file) =>
    repository
      .text(file)
      .split('\n')
      .flatMap((line, index) => {
        const text = problem(line)
        return text === undefined ? [] : [`${file}:${index + 1}: ${text}`]
      }),
  )
}

function sourceFiles({ workspaces }: Repository): string[] {
  return workspaces.flatMap((workspace) =>
    sourcesOf(workspace, 'src').map((file) => `${workspace.folder}/${file}`),
  )
}

function testModifiers(repository: Repository): string[] {
  return repository.files
    .filter((file) => /\.(test|cases)\.m?[jt]s$/.test(file))
    .flatMap((file) =>
      readSource(file, repository.text(file)).memberCalls.flatMap(({ callee, line }) => {
        const parts = callee.split('.')
        const bad = parts.slice(1).find((part) => FORBIDDEN_MODIFIERS.has(part))
        return bad !== undefined && TEST_FUNCTIONS.has(parts[0] ?? '')
          ? [`${file}:${line}: ${callee}(...)`]
          : []
      }),
    )
}

function machinePaths(repository: Repository): string[] {
  const beside = `${dirname(repository.root)}/`
  const files = repository.files.filter((file) => TEXT.test(file) && !file.endsWith('package-lock.json'))
  return lines(repository, files, (line) => {
    const found =
      MACHINE_PATH.exec(line)?.[0] ?? (beside.length > 2 && line.includes(beside) ? beside : undefined)
    return found === undefined ? undefined : `names a path of one machine: ${found}`
  })
}

function lengths(repository: Repository): { problems: string[]; warnings: string[] } {
  const problems: string[] = []
  const warnings: string[] = []
  for (const file of sourceFiles(repository)) {
    const count = repository.text(file).trimEnd().split('\n').length
    if (count > MAX_LINES) problems.push(`${file}: ${count} lines, at most ${MAX_LINES}`)
    else if (count > WARN_LINES) warnings.push(`${file}: ${count} lines, aim for ${WARN_LINES}`)
  }
  return { problems, warnings }
}

/** Rules about what is committed. */
export const HYGIENE_RULES: readonly Rule[] = [
  {
    id: 'test-modifiers',
    says: 'No test is run alone or left as a title.',
    why: 'Either one makes a green run say less than it seems to.',
    check: (repository) => ({ problems: testModifiers(repository) }),
  },
  {
    id: 'no-binaries',
    says: 'No build output and no binary is committed.',
    why: 'Nobody can review it, and it goes stale.',
    check: ({ files }) => ({
      problems: files.filter((file) => BUILT.test(file)).map((file) => `${file}: is built`),
    }),
  },
  {
    id: 'no-vectors',
    says: 'Conformance vectors are not committed.',
    why: 'They belong to their authors and lie beside the checkout.',
    check: (repository) => ({
      problems: repository.files
        .filter(
          (file) =>
            VECTORS.test(file) ||
            (file.endsWith('.json') && /"testGroups"\s*:\s*\[/.test(repository.text(file))),
        )
        .map((file) => `${file}: looks like conformance vectors`),
    }),
  },
  {
    id: 'no-machine-paths',
    says: 'No file names a path of one machine.',
    why: 'It works there only, and tells where the author works.',
    check: (repository) => ({ problems: machinePaths(repository) }),
  },
  {
    id: 'lock-file',
    says: 'Lock files name no registry host.',
    why: 'An installation goes to the registry its user has set up.',
    check: (repository) => ({
      problems: lines(
        repository,
        repository.files.filter((file) => file.endsWith('package-lock.json')),
        (line) =>
          /"resolved":\s*"(git\+)?(https?|ssh):/.test(line) ? `names a host: ${line.trim()}` : undefined,
      ),
    }),
  },
  {
    id: 'file-length',
    says: `A source file has at most ${MAX_LINES} lines.`,
    why: 'Longer ones are more than one thing.',
    check: lengths,
  },
  {
    id: 'finished',
    says: 'No source names unfinished work.',
    why: 'What is committed is done; what is not lies in an issue.',
    check: (repository) => ({
      problems: lines(repository, sourceFiles(repository), (line) => {
        const found = UNFINISHED.exec(line)?.[0]
        return found === undefined ? undefined : `says "${found}"`
      }),
    }),
  },
]
