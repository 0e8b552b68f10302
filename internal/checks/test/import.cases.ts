import { manifest } from './fixture.ts'
import { code, core, type Violations } from './violation.ts'

/** Trees that break the import rules. */
export const IMPORT_VIOLATIONS: Violations = {
  'import-layers': [
    {
      title: 'core imports a backend type',
      files: core("import type { X } from '@aeadkit/backend-noble'\n"),
      says: 'packages/core/src/index.ts:1: @aeadkit/core may not import @aeadkit/backend-noble',
    },
    {
      title: 'core imports a library',
      files: core("export { x } from 'left-pad'\n"),
      says: 'may not import the library left-pad',
    },
    {
      title: 'an unknown package',
      files: {
        'packages/new/package.json': manifest('@aeadkit/new'),
        'packages/new/src/index.ts': "import '@aeadkit/core'\n",
      },
      says: 'not in the table',
    },
    {
      title: 'an import type',
      files: core("export type X = import('@aeadkit/selector').X\n"),
      says: 'may not import @aeadkit/selector',
    },
  ],
  'import-declared': [
    {
      title: 'an undeclared library',
      files: code('backend-noble', "import { gcm } from '@noble/ciphers/aes.js'\n"),
      says: '@noble/ciphers is not a dependency of @aeadkit/backend-noble',
    },
  ],
  'import-backends-lazily': [
    {
      title: 'a static import in the umbrella',
      files: code('aeadkit', "import { nodeBackend } from '@aeadkit/backend-node'\n"),
      says: 'imported statically',
    },
    {
      title: 'a computed specifier',
      files: code('aeadkit', 'export const load = (name) => import(name)\n'),
      says: 'without a literal specifier',
    },
    {
      title: 'a backend imports another',
      files: code('backend-noble', "export type { X } from '@aeadkit/backend-node'\n"),
      says: '@aeadkit/backend-noble names @aeadkit/backend-node',
    },
  ],
  'import-node': [
    {
      title: 'node: in core',
      files: core("import { readFileSync } from 'node:fs'\n"),
      says: 'node:fs is imported',
    },
    {
      title: 'the bare name, lazily',
      files: core("export const x = () => import('crypto')\n"),
      says: 'crypto is imported',
    },
    {
      title: 'outside the named subpath',
      files: {
        'packages/ledger/package.json': manifest('@aeadkit/ledger'),
        'packages/ledger/src/memory.ts': "import 'node:fs'\n",
        'packages/ledger/src/file.ts': "import 'node:fs'\n",
      },
      says: 'packages/ledger/src/memory.ts:1',
    },
  ],
  'host-access': [
    {
      title: 'in another file',
      files: core("export const x = () => globalThis.process?.getBuiltinModule?.('node:fs')\n"),
      says: 'getBuiltinModule is named',
    },
    {
      title: 'as a string',
      files: core("export const x = () => globalThis.process['getBuiltinModule']\n"),
      says: 'getBuiltinModule is named',
    },
  ],
  'subtle-access': [
    { title: 'a property', files: core('export const x = () => crypto.subtle\n'), says: 'subtle is named' },
    {
      title: 'destructured',
      files: core('export const x = () => { const { subtle } = crypto; return subtle }\n'),
      says: 'subtle is named',
    },
  ],
  'import-relative': [
    {
      title: 'another ending',
      files: core("export { x } from './x.js'\n"),
      says: './x.js does not end in .ts',
    },
    {
      title: 'out of the package',
      files: { 'packages/core/test/one.test.ts': "import '../../aeadkit/src/index.ts'\n" },
      says: 'leads out of packages/core',
    },
  ],
}
