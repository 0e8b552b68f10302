import { type Files, jsr, manifest } from './fixture.ts'

/** A change to the sound tree that breaks one rule, and a part of what the rule must say of it. */
export interface Violation {
  readonly title: string
  readonly files: Files
  readonly says: string
}

// Words that the rules look for are joined, so that this file does not name them.
const word = (...parts: string[]): string => parts.join('')

const code = (folder: string, text: string): Files => ({
  [`packages/${folder}/src/index.ts`]: text,
  [`packages/${folder}/dist/index.js`]: text,
})
// The other packages of the tree import createAead.
const core = (text: string): Files =>
  code('core', text.includes('createAead') ? text : `${text}export function createAead() {}\n`)
const coreManifest = (changes: object): Files => ({
  'packages/core/package.json': manifest('@aeadkit/core', changes),
})
const nobleManifest = (changes: object): Files => ({
  'packages/backend-noble/package.json': manifest('@aeadkit/backend-noble', changes),
})

/** For each rule, trees that break it. */
export const VIOLATIONS: Readonly<Record<string, readonly Violation[]>> = {
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
  exports: [
    { title: 'into src', files: coreManifest({ exports: { '.': './src/index.ts' } }), says: 'not into dist' },
    { title: 'not built', files: { 'packages/core/dist/index.d.ts': null }, says: 'which is not built' },
    {
      title: 'another version',
      files: { 'packages/core/jsr.json': jsr('@aeadkit/core', { version: '0.2.0' }) },
      says: 'version 0.2.0, package.json 0.1.0',
    },
    {
      title: 'a key of JSR only',
      files: {
        'packages/core/jsr.json': jsr('@aeadkit/core', {
          exports: { '.': './src/index.ts', './x': './src/index.ts' },
        }),
      },
      says: 'jsr.json exports "./x", package.json does not',
    },
    { title: 'no jsr.json', files: { 'packages/core/jsr.json': null }, says: 'jsr.json is missing' },
    {
      title: 'another source',
      files: {
        'packages/core/src/other.ts': 'export {}\n',
        'packages/core/jsr.json': jsr('@aeadkit/core', { exports: { '.': './src/other.ts' } }),
      },
      says: 'package.json does not export ./dist/other.js',
    },
  ],
  manifest: [
    { title: 'side effects', files: coreManifest({ sideEffects: true }), says: 'sideEffects is not false' },
    { title: 'CommonJS', files: coreManifest({ type: 'commonjs' }), says: 'type is not "module"' },
    {
      title: 'another floor',
      files: coreManifest({ engines: { node: '>=18' } }),
      says: 'engines.node is >=18',
    },
    { title: 'no licence', files: { 'packages/core/LICENSE': null }, says: 'LICENSE is missing or a link' },
    { title: 'another licence', files: { 'packages/core/LICENSE': 'Other\n' }, says: 'LICENSE differs' },
    { title: 'not packed', files: coreManifest({ files: ['dist'] }), says: 'files does not list README.md' },
    {
      title: 'a bin that is built',
      files: coreManifest({ bin: { core: './dist/index.js' } }),
      says: 'not committed',
    },
  ],
  publint: [
    {
      title: 'types after default',
      files: coreManifest({ exports: { '.': { default: './dist/index.js', types: './dist/index.d.ts' } } }),
      says: 'types',
    },
  ],
  'exact-versions': [
    {
      title: 'a range',
      files: nobleManifest({ dependencies: { '@noble/ciphers': '^2.4.0' } }),
      says: '@noble/ciphers is "^2.4.0"',
    },
    {
      title: 'a range for development',
      files: coreManifest({ devDependencies: { x: '*' } }),
      says: 'x is "*"',
    },
  ],
  dependencies: [
    {
      title: 'core has one',
      files: coreManifest({ dependencies: { x: '1.0.0' } }),
      says: 'at most 0 libraries',
    },
    {
      title: 'a backend has two',
      files: nobleManifest({ dependencies: { x: '1.0.0', y: '1.0.0' } }),
      says: 'depends on x, y; at most 1',
    },
    {
      title: 'a backend has another',
      files: nobleManifest({ dependencies: { '@aeadkit/backend-node': '0.1.0' } }),
      says: 'may not depend on @aeadkit/backend-node',
    },
  ],
  'no-cycles': [
    {
      title: 'through devDependencies',
      files: coreManifest({ devDependencies: { '@aeadkit/backend-noble': '0.1.0' } }),
      says: '@aeadkit/core -> @aeadkit/backend-noble -> @aeadkit/core',
    },
  ],
  'fixed-versions': [
    {
      title: 'a backend ahead',
      files: nobleManifest({ version: '0.2.0' }),
      says: 'packages/backend-noble: version 0.2.0',
    },
  ],
  'test-modifiers': [
    {
      title: 'run alone',
      files: { 'packages/core/test/one.test.ts': `describe.${'only'}('x', () => {})\n` },
      says: 'packages/core/test/one.test.ts:1',
    },
    {
      title: 'a title',
      files: { 'packages/core/test/one.test.ts': `\nit.${word('to', 'do')}('x')\n` },
      says: 'packages/core/test/one.test.ts:2',
    },
  ],
  'no-binaries': [
    {
      title: 'a module',
      files: { 'packages/core/src/kernel.wasm': '\0asm' },
      says: 'packages/core/src/kernel.wasm',
    },
    { title: 'a tarball', files: { 'x.tgz': 'x' }, says: 'x.tgz' },
  ],
  'no-vectors': [
    {
      title: 'by name',
      files: { 'packages/core/test/wycheproof_aes_gcm.json': '{}' },
      says: 'wycheproof_aes_gcm.json',
    },
    {
      title: 'by content',
      files: { 'packages/core/test/data.json': '{ "testGroups": [] }' },
      says: 'packages/core/test/data.json',
    },
  ],
  'no-machine-paths': [
    { title: 'a home', files: { 'docs/x.md': `see /${'home'}/me/x\n` }, says: 'docs/x.md:1' },
    { title: 'on Windows', files: { 'docs/x.md': `see C:\\${'Users'}\\me\n` }, says: 'docs/x.md:1' },
  ],
  'lock-file': [
    {
      title: 'a host',
      files: {
        'package-lock.json': '{ "packages": { "x": {\n"resolved": "https://registry.example/x.tgz" } } }',
      },
      says: 'package-lock.json:2',
    },
  ],
  'file-length': [
    {
      title: '351 lines',
      files: { 'internal/tool/src/index.ts': `${'export {}\n'.repeat(351)}` },
      says: '351 lines, at most 350',
    },
  ],
  finished: [
    ...[word('TO', 'DO'), word('fix', 'me'), word('for', ' now'), word('not', ' implemented')].map(
      (text) => ({
        title: text.toLowerCase(),
        files: { 'internal/tool/src/index.ts': `// ${text}: x\n` },
        says: text,
      }),
    ),
  ],
  'docs-fresh': [
    { title: 'a missing document', files: { 'README.md': null }, says: 'README.md: is missing' },
    { title: 'no markers', files: { 'README.md': '# x\n' }, says: 'the markers of "packages" are missing' },
    {
      title: 'a changed row',
      files: {
        'README.md':
          '<!-- generated: packages; npm run docs writes it -->\n| old |\n<!-- end of packages -->\n',
      },
      says: '"packages" is stale',
    },
  ],
  'idle-bundle': [
    {
      title: 'a bare call',
      files: core('export const x = Object.freeze({})\nconsole.log(x)\n'),
      says: 'packages/core: "." leaves:',
    },
    {
      title: 'registration in an imported file',
      files: {
        ...core("import './side.js'\nexport const createAead = () => 1\n"),
        'packages/core/dist/side.js': 'globalThis.registry = []\n',
      },
      says: 'leaves:',
    },
    {
      title: 'a computed table',
      files: core(
        'export const T = { bytes: Math.max(1, 2), n: build() }\nfunction build() { return T2() }\nfunction T2() { return 1 }\n',
      ),
      says: 'leaves:',
    },
  ],
  'idle-import': [
    {
      title: 'entropy',
      files: core('crypto.getRandomValues(new Uint8Array(1))\nexport const createAead = 1\n'),
      says: 'reads crypto.getRandomValues',
    },
    {
      title: 'subtle',
      files: core('export const createAead = crypto.subtle\n'),
      says: 'reads crypto.subtle',
    },
    { title: 'a timer', files: core('setTimeout(() => {}, 0)\n'), says: 'calls setTimeout' },
    { title: 'a microtask', files: core('queueMicrotask(() => {})\n'), says: 'calls queueMicrotask' },
    { title: 'random numbers', files: core('export const x = Math.random()\n'), says: 'calls Math.random' },
    { title: 'the clock', files: core('export const x = Date.now()\n'), says: 'calls Date.now' },
    {
      title: 'compilation',
      files: core('export const x = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))\n'),
      says: 'constructs WebAssembly.Module',
    },
    {
      title: 'a file read',
      files: code(
        'backend-node',
        "import { readFileSync } from 'node:fs'\nexport const x = readFileSync(new URL(import.meta.url))\n",
      ),
      says: 'calls node:fs readFileSync',
    },
    {
      title: 'a list of ciphers',
      files: code(
        'backend-node',
        "import { getCiphers } from 'node:crypto'\nexport const x = getCiphers()\n",
      ),
      says: 'calls node:crypto getCiphers',
    },
    { title: 'the environment', files: core('export const x = process.env.X\n'), says: 'reads process.env' },
    {
      title: 'a global',
      files: core('globalThis.aeadRegistry = []\n'),
      says: 'adds the global aeadRegistry',
    },
  ],
  'bundle-alone': [
    {
      title: 'a module of Node',
      files: code(
        'backend-noble',
        "export const nobleBackend = { fs: () => globalThis.process.getBuiltinModule('node:fs') }\n",
      ),
      says: 'packages/backend-noble: its bundle contains node:',
    },
    {
      title: 'another backend',
      files: {
        ...code('backend-noble', "export { two } from '../../backend-node/dist/two.js'\n"),
        'packages/backend-node/dist/two.js': 'export const two = 2\n',
      },
      says: 'contains backend-node',
    },
    {
      title: 'the long texts',
      files: {
        ...core("export { describe as createAead } from './catalog.js'\n"),
        'packages/core/dist/catalog.js': "export const describe = () => 'long'\n",
      },
      says: 'contains the long texts',
    },
  ],
  'bundle-size': [
    { title: 'not recorded', files: { 'internal/checks/sizes.json': '{}' }, says: 'is not recorded' },
    {
      title: 'grown',
      files: {
        'internal/checks/sizes.json': '{ "@aeadkit/backend-noble": 50, "@aeadkit/backend-node": 9000 }',
      },
      says: 'recorded 50 B, at most 51 B',
    },
    {
      title: 'gone',
      files: { 'internal/checks/sizes.json': '{ "@aeadkit/backend-gone": 50 }' },
      says: '@aeadkit/backend-gone: recorded',
    },
  ],
}
