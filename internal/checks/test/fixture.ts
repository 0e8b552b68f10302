import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Repository, readRepository } from '../src/repository.ts'

/** Files of a small tree; `null` leaves out one that the sound tree has. */
export type Files = Readonly<Record<string, string | null>>

const FLOOR = { node: '>=20.19' }
const LICENCE = 'MIT License\n'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** A sound package.json of a published package. */
export function manifest(name: string, changes: object = {}): string {
  return json({
    name,
    version: '0.1.0',
    description: `About ${name}.`,
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: FLOOR,
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist', 'CHANGELOG.md', 'LICENSE', 'README.md'],
    ...changes,
  })
}

/** A sound jsr.json. */
export function jsr(name: string, changes: object = {}): string {
  return json({ name, version: '0.1.0', license: 'MIT', exports: { '.': './src/index.ts' }, ...changes })
}

function publishedPackage(folder: string, name: string, code: string, changes: object = {}): Files {
  return {
    [`${folder}/package.json`]: manifest(name, changes),
    ...(name.startsWith('@') ? { [`${folder}/jsr.json`]: jsr(name) } : {}),
    [`${folder}/README.md`]: `# ${name}\n`,
    [`${folder}/CHANGELOG.md`]: `# ${name}\n`,
    [`${folder}/LICENSE`]: LICENCE,
    [`${folder}/src/index.ts`]: code,
    [`${folder}/dist/index.js`]: code,
    [`${folder}/dist/index.d.ts`]: 'export {}\n',
  }
}

const needsCore = { dependencies: { '@aeadkit/core': '0.1.0' } }

/** A small tree that breaks no rule. */
export const SOUND: Files = {
  'package.json': json({
    name: 'root',
    private: true,
    engines: FLOOR,
    devDependencies: { typescript: '6.0.3' },
  }),
  LICENSE: LICENCE,
  'package-lock.json': json({ packages: { 'node_modules/typescript': { version: '6.0.3' } } }),
  ...publishedPackage('packages/core', '@aeadkit/core', 'export function createAead() { return 1 }\n'),
  ...publishedPackage(
    'packages/backend-noble',
    '@aeadkit/backend-noble',
    "import { createAead } from '@aeadkit/core'\nexport const nobleBackend = { run: () => createAead() }\n",
    needsCore,
  ),
  ...publishedPackage(
    'packages/backend-node',
    '@aeadkit/backend-node',
    "import { getCiphers } from 'node:crypto'\nexport const nodeBackend = { run: () => getCiphers() }\n",
    needsCore,
  ),
  ...publishedPackage(
    'packages/aeadkit',
    'aeadkit',
    "export const load = () => import('@aeadkit/backend-node')\n",
    { dependencies: { '@aeadkit/backend-node': '0.1.0' } },
  ),
  'packages/core/src/own.ts': "export type { X } from '#own'\n",
  'packages/core/test/one.test.ts': "it('adds', () => {})\n",
  'internal/tool/package.json': json({ name: '@aeadkit-internal/tool', private: true }),
  'internal/checks/sizes.json': '{}\n',
  'internal/tool/src/index.ts': 'export const one = 1\n',
}

const LINKS: Readonly<Record<string, string>> = {
  '@aeadkit/core': 'packages/core',
  '@aeadkit/backend-noble': 'packages/backend-noble',
  '@aeadkit/backend-node': 'packages/backend-node',
}

/** Writes the sound tree with changes into a temporary folder and calls `use` with it. */
export async function withTree<T>(changes: Files, use: (repository: Repository) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'aeadkit-checks-'))
  try {
    for (const [file, text] of Object.entries({ ...SOUND, ...changes })) {
      if (text === null) continue
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    for (const [name, folder] of Object.entries(LINKS)) {
      mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true })
      symlinkSync(join(root, folder), join(root, 'node_modules', name), 'junction')
    }
    return await use(readRepository(root))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
